---@meta
--- Made by `agent init`, and made anew by it: what is changed here is lost.

---@class tools
tools = {}

---@class tools.result
---@field output string What a language model would read; also tostring(result)
---@field title string One line for a person
---@field attachments { mime: string, bytes: string }[]
---@field truncated boolean
---@field spill? string The id of the whole text, where it was truncated

--- The result of a tool whose author alone knows its fields.
---@class tools.open_result: tools.result
---@field [string] any

---@class tools.entry
---@field path string
---@field kind string
---@field size integer
---@field modified number

---@class tools.match
---@field path string
---@field line integer
---@field column integer
---@field text string

---@class tools.patched
---@field path string
---@field action string
---@field moved_to? string
---@field additions integer
---@field deletions integer

---@class tools.called
---@field tool string
---@field ok boolean
---@field kind? string

---@class tools.answered
---@field question string
---@field chosen string[]
---@field words? string

---@class tools.todo
---@field content string
---@field status "pending"|"in_progress"|"completed"|"cancelled"
---@field priority? "high"|"medium"|"low"
---@field id? string

---@class tools.span
---@field first_byte integer
---@field last_byte integer

--- What failed calls raise.
---@class tools.error
---@field kind string
---@field message string
---@field tool? string
---@field hint? string
---@field detail? table

---@class tools.read.args
---@field path string A file, a folder, or `spill:ID`
---@field offset? integer The first line, from 1
---@field limit? integer How many lines; a model gets 2000 by default, a program all
---@field encoding? string Where the content does not show it, such as `gbk`
---@field hashes? boolean Shows the anchors that `hashline_edit` takes, as in `12#kfd|text`

---@class tools.read.options
---@field path? string A file, a folder, or `spill:ID`
---@field offset? integer The first line, from 1
---@field limit? integer How many lines; a model gets 2000 by default, a program all
---@field encoding? string Where the content does not show it, such as `gbk`
---@field hashes? boolean Shows the anchors that `hashline_edit` takes, as in `12#kfd|text`

---@class tools.read.result: tools.result
---@field path string
---@field text string
---@field hash string
---@field total_lines integer
---@field first_line integer
---@field last_line integer
---@field encoding string
---@field line_ending string
---@field anchors? string[]
---@field entries? tools.entry[]
---@field count? integer

--- Reads a text file, or an image. Lines are numbered from 1; page through a long file with `offset` and `limit`. Of a folder it shows what is in it.
---@param path string A file, a folder, or `spill:ID`
---@param offset? integer|tools.read.options The first line, from 1
---@param limit? integer|tools.read.options How many lines; a model gets 2000 by default, a program all
---@param encoding? string|tools.read.options Where the content does not show it, such as `gbk`
---@param hashes? boolean|tools.read.options Shows the anchors that `hashline_edit` takes, as in `12#kfd|text`
---@param options? tools.read.options
---@overload fun(args: tools.read.args): tools.read.result
---@return tools.read.result
---@nodiscard
function tools.read(path, offset, limit, encoding, hashes, options) end

---@class tools.write.args
---@field path string Folders on the way are made
---@field content string All of its content

---@class tools.write.options
---@field path? string Folders on the way are made
---@field content? string All of its content

---@class tools.write.result: tools.result
---@field path string
---@field created boolean
---@field diff string
---@field additions integer
---@field deletions integer

--- Writes a file, new or in place of what it holds. A file that exists keeps its encoding and mode; read it first. To change a part, use `edit`.
---@param path string Folders on the way are made
---@param content? string|tools.write.options All of its content
---@param options? tools.write.options
---@overload fun(args: tools.write.args): tools.write.result
---@return tools.write.result
function tools.write(path, content, options) end

---@class tools.edit.args
---@field path string The file
---@field old string What is there, with enough around it to be the only such place
---@field new string What is to be there, to the letter
---@field replace_all? boolean Every place where `old` stands

---@class tools.edit.options
---@field path? string The file
---@field old? string What is there, with enough around it to be the only such place
---@field new? string What is to be there, to the letter
---@field replace_all? boolean Every place where `old` stands

---@class tools.edit.result: tools.result
---@field path string
---@field replacer string
---@field score number
---@field spans tools.span[]
---@field count integer
---@field diff string
---@field additions integer
---@field deletions integer

--- Replaces a text in a file. `old` must stand there exactly once, or `replace_all` must be true. Line ends are the file's own. Differences in space and typography are tolerated where there is only one such place, and told of. Read the file first.
---@param path string The file
---@param old? string|tools.edit.options What is there, with enough around it to be the only such place
---@param new? string|tools.edit.options What is to be there, to the letter
---@param replace_all? boolean|tools.edit.options Every place where `old` stands
---@param options? tools.edit.options
---@overload fun(args: tools.edit.args): tools.edit.result
---@return tools.edit.result
function tools.edit(path, old, new, replace_all, options) end

---@class tools.apply_patch.args
---@field patch string The whole patch, from `*** Begin Patch` to `*** End Patch`; at a command line `- < FILE` gives it

---@class tools.apply_patch.options
---@field patch? string The whole patch, from `*** Begin Patch` to `*** End Patch`; at a command line `- < FILE` gives it

---@class tools.apply_patch.result: tools.result
---@field files tools.patched[]
---@field diff string

--- Changes files by a patch, all or none. Sections: `*** Add File: P`, `*** Delete File: P`, `*** Update File: P` (then `*** Move to: P`), between `*** Begin Patch` and `*** End Patch`. Hunks: `@@ line above`, then lines that begin with a space, `-` or `+`. Each must fit in one place. Read the files first.
---@param patch string The whole patch, from `*** Begin Patch` to `*** End Patch`; at a command line `- < FILE` gives it
---@param options? tools.apply_patch.options
---@overload fun(args: tools.apply_patch.args): tools.apply_patch.result
---@return tools.apply_patch.result
function tools.apply_patch(patch, options) end

---@class tools.hashline_edit.args
---@field path string The file
---@field edits? ({ op: "replace"|"append"|"prepend"|"delete", pos?: string, end?: string, lines?: string[] })[] The edits; anchors are those of the file as it was read, whatever other edits do
---@field delete? boolean Whether the file is to go; then there are no edits
---@field rename? string The file's new name

---@class tools.hashline_edit.options
---@field path? string The file
---@field edits? ({ op: "replace"|"append"|"prepend"|"delete", pos?: string, end?: string, lines?: string[] })[] The edits; anchors are those of the file as it was read, whatever other edits do
---@field delete? boolean Whether the file is to go; then there are no edits
---@field rename? string The file's new name

---@class tools.hashline_edit.result: tools.result
---@field path string
---@field action string
---@field moved_to? string
---@field count integer
---@field repeated integer
---@field unchanged integer
---@field first_line integer
---@field diff string
---@field additions integer
---@field deletions integer

--- Changes lines of a file by their anchors, all edits or none. `read` with `hashes` shows lines as `12#kfd|text`; `12#kfd` is the anchor. An anchor that is not current is refused, and the current ones are shown. The result shows the anchors of what changed.
---@param path string The file
---@param edits? ({ op: "replace"|"append"|"prepend"|"delete", pos?: string, end?: string, lines?: string[] })[]|tools.hashline_edit.options The edits; anchors are those of the file as it was read, whatever other edits do
---@param delete? boolean|tools.hashline_edit.options Whether the file is to go; then there are no edits
---@param rename? string|tools.hashline_edit.options The file's new name
---@param options? tools.hashline_edit.options
---@overload fun(args: tools.hashline_edit.args): tools.hashline_edit.result
---@return tools.hashline_edit.result
function tools.hashline_edit(path, edits, delete, rename, options) end

---@class tools.glob.args
---@field pattern string Such as `src/**/*.rs` or `{a,b}.txt`
---@field path? string The folder it starts from
---@field exclude? string[] Globs of what to leave out
---@field limit? integer How many at most; a model gets 100 by default, a program all

---@class tools.glob.options
---@field pattern? string Such as `src/**/*.rs` or `{a,b}.txt`
---@field path? string The folder it starts from
---@field exclude? string[] Globs of what to leave out
---@field limit? integer How many at most; a model gets 100 by default, a program all

---@class tools.glob.result: tools.result
---@field paths string[]
---@field count integer

--- Finds files by a pattern of their paths, the last changed first. `*` stays within a folder, `**` does not. What is ignored by git or hidden is found only where it is named.
---@param pattern string Such as `src/**/*.rs` or `{a,b}.txt`
---@param path? string|tools.glob.options The folder it starts from
---@param exclude? string[]|tools.glob.options Globs of what to leave out
---@param limit? integer|tools.glob.options How many at most; a model gets 100 by default, a program all
---@param options? tools.glob.options
---@overload fun(args: tools.glob.args): tools.glob.result
---@return tools.glob.result
---@nodiscard
function tools.glob(pattern, path, exclude, limit, options) end

---@class tools.grep.args
---@field pattern? string A regular expression, in Rust's syntax
---@field path? string A file or a folder
---@field include? string[] Globs of files, such as `*.rs`
---@field exclude? string[] Globs of what to leave out
---@field show? "content"|"files"|"count" The lines, the files alone, or how many lines match in each
---@field context? integer Lines around each match
---@field ignore_case? boolean Upper and lower case are the same
---@field multiline? boolean A match may span lines
---@field limit? integer How many at most; a model gets 100 by default, a program all
---@field conditions? { name?: string, content?: string, exclude?: string[], max_depth?: integer } The same in one table; all must hold

---@class tools.grep.options
---@field pattern? string A regular expression, in Rust's syntax
---@field path? string A file or a folder
---@field include? string[] Globs of files, such as `*.rs`
---@field exclude? string[] Globs of what to leave out
---@field show? "content"|"files"|"count" The lines, the files alone, or how many lines match in each
---@field context? integer Lines around each match
---@field ignore_case? boolean Upper and lower case are the same
---@field multiline? boolean A match may span lines
---@field limit? integer How many at most; a model gets 100 by default, a program all
---@field conditions? { name?: string, content?: string, exclude?: string[], max_depth?: integer } The same in one table; all must hold

---@class tools.grep.result: tools.result
---@field matches tools.match[]
---@field paths string[]
---@field counts integer[]
---@field count integer
---@field more boolean
---@field searched integer
---@field skipped table<string, integer>

--- Searches files for a regular expression; the files last changed come first. What is ignored by git, hidden or binary is searched only where it is named.
---@param pattern? string A regular expression, in Rust's syntax
---@param path? string|tools.grep.options A file or a folder
---@param include? string[]|tools.grep.options Globs of files, such as `*.rs`
---@param exclude? string[]|tools.grep.options Globs of what to leave out
---@param show? "content"|"files"|"count"|tools.grep.options The lines, the files alone, or how many lines match in each
---@param context? integer|tools.grep.options Lines around each match
---@param ignore_case? boolean|tools.grep.options Upper and lower case are the same
---@param multiline? boolean|tools.grep.options A match may span lines
---@param limit? integer|tools.grep.options How many at most; a model gets 100 by default, a program all
---@param conditions? { name?: string, content?: string, exclude?: string[], max_depth?: integer }|tools.grep.options The same in one table; all must hold
---@param options? tools.grep.options
---@overload fun(args: tools.grep.args): tools.grep.result
---@return tools.grep.result
---@nodiscard
function tools.grep(pattern, path, include, exclude, show, context, ignore_case, multiline, limit, conditions, options) end

---@class tools.list.args
---@field path? string The folder
---@field depth? integer How many folders deep; 1 is the folder itself
---@field exclude? string[] Globs of what to leave out
---@field limit? integer How many entries at most

---@class tools.list.options
---@field path? string The folder
---@field depth? integer How many folders deep; 1 is the folder itself
---@field exclude? string[] Globs of what to leave out
---@field limit? integer How many entries at most

---@class tools.list.result: tools.result
---@field path string
---@field entries tools.entry[]
---@field count integer

--- Lists a folder. What is ignored by git or hidden is left out unless it is named.
---@param path? string The folder
---@param depth? integer|tools.list.options How many folders deep; 1 is the folder itself
---@param exclude? string[]|tools.list.options Globs of what to leave out
---@param limit? integer|tools.list.options How many entries at most
---@param options? tools.list.options
---@overload fun(args: tools.list.args): tools.list.result
---@return tools.list.result
---@nodiscard
function tools.list(path, depth, exclude, limit, options) end

---@class tools.move.args
---@field from string What is moved
---@field to string Its new name; folders on the way are made

---@class tools.move.options
---@field from? string What is moved
---@field to? string Its new name; folders on the way are made

---@class tools.move.result: tools.result
---@field paths string[]
---@field diff string

--- Moves or renames a file or a folder. Nothing may stand at the new name.
---@param from string What is moved
---@param to? string|tools.move.options Its new name; folders on the way are made
---@param options? tools.move.options
---@overload fun(args: tools.move.args): tools.move.result
---@return tools.move.result
function tools.move(from, to, options) end

---@class tools.delete.args
---@field path string What is deleted

---@class tools.delete.options
---@field path? string What is deleted

---@class tools.delete.result: tools.result
---@field paths string[]
---@field diff string

--- Deletes a file, a link, or a folder with all that is in it.
---@param path string What is deleted
---@param options? tools.delete.options
---@overload fun(args: tools.delete.args): tools.delete.result
---@return tools.delete.result
function tools.delete(path, options) end

---@class tools.shell.args
---@field command string As bash reads it
---@field cwd? string The folder; by default the session's
---@field timeout? number Seconds until it is ended
---@field stdin? string What it reads; by default nothing
---@field env? table<string, string> Environment variables to add

---@class tools.shell.options
---@field command? string As bash reads it
---@field cwd? string The folder; by default the session's
---@field timeout? number Seconds until it is ended
---@field stdin? string What it reads; by default nothing
---@field env? table<string, string> Environment variables to add

---@class tools.shell.result: tools.result
---@field exit_code integer
---@field signal? string
---@field stdout string
---@field stderr string
---@field duration number
---@field timed_out boolean
---@field ended string[]
---@field left_running string[]

--- Runs a command line with bash, without a terminal and without input. It returns when the command exits; processes left in the background are ended. A command that fails or takes too long is a result: look at the exit code.
---@param command string As bash reads it
---@param cwd? string|tools.shell.options The folder; by default the session's
---@param timeout? number|tools.shell.options Seconds until it is ended
---@param stdin? string|tools.shell.options What it reads; by default nothing
---@param env? table<string, string>|tools.shell.options Environment variables to add
---@param options? tools.shell.options
---@overload fun(args: tools.shell.args): tools.shell.result
---@return tools.shell.result
function tools.shell(command, cwd, timeout, stdin, env, options) end

---@class tools.batch.args
---@field calls { tool: string, arguments?: table }[] The calls, 25 at most, in the order of their results

---@class tools.batch.options
---@field calls? { tool: string, arguments?: table }[] The calls, 25 at most, in the order of their results

---@class tools.batch.result: tools.result
---@field calls tools.called[]
---@field ends_turn? boolean

--- Makes several calls that do not need each other's results. Neighbouring calls that only read run together, any other waits for those before it, and a command that fails takes back those after it. No batch inside of a batch.
---@param calls { tool: string, arguments?: table }[] The calls, 25 at most, in the order of their results
---@param options? tools.batch.options
---@overload fun(args: tools.batch.args): tools.batch.result
---@return tools.batch.result
function tools.batch(calls, options) end

---@class tools.plan_enter.args

---@class tools.plan_enter.result: tools.result

--- Begins to plan: from here on nothing is changed, until the person says yes to a plan. For work that is large, or that can be done in ways which the person should choose between.
---@param args? tools.plan_enter.args
---@return tools.plan_enter.result
function tools.plan_enter(args) end

---@class tools.plan_exit.args
---@field plan string The plan, whole, as the person is to read it

---@class tools.plan_exit.options
---@field plan? string The plan, whole, as the person is to read it

---@class tools.plan_exit.result: tools.result

--- Shows the plan to the person. Their yes ends planning, and the work begins; with a no planning goes on.
---@param plan string The plan, whole, as the person is to read it
---@param options? tools.plan_exit.options
---@overload fun(args: tools.plan_exit.args): tools.plan_exit.result
---@return tools.plan_exit.result
function tools.plan_exit(plan, options) end

---@class tools.tool_search.args
---@field query? string Words, a group, or `select:NAME,NAME`
---@field by? "tool"|"surface" What is looked for; a surface is a group of tools
---@field limit? integer How many tools at most; groups are opened whole

---@class tools.tool_search.options
---@field query? string Words, a group, or `select:NAME,NAME`
---@field by? "tool"|"surface" What is looked for; a surface is a group of tools
---@field limit? integer How many tools at most; groups are opened whole

---@class tools.tool_search.result: tools.result
---@field opened string[]

--- Finds tools that are not shown yet, and opens them: they can be called from then on. `by = "surface"` shows groups, and opens the one that is named.
---@param query? string Words, a group, or `select:NAME,NAME`
---@param by? "tool"|"surface"|tools.tool_search.options What is looked for; a surface is a group of tools
---@param limit? integer|tools.tool_search.options How many tools at most; groups are opened whole
---@param options? tools.tool_search.options
---@overload fun(args: tools.tool_search.args): tools.tool_search.result
---@return tools.tool_search.result
function tools.tool_search(query, by, limit, options) end

---@class tools.think.args
---@field thought string The thought

---@class tools.think.options
---@field thought? string The thought

---@class tools.think.result: tools.result
---@field thought string

--- Writes a thought down, and does nothing else. For what is worth working out between two steps: what a result means, which of several ways to take.
---@param thought string The thought
---@param options? tools.think.options
---@overload fun(args: tools.think.args): tools.think.result
---@return tools.think.result
function tools.think(thought, options) end

---@class tools.question.args
---@field questions { question: string, header?: string, options?: { label: string, description?: string }[], multiple?: boolean }[] The questions, asked one after the other

---@class tools.question.options
---@field questions? { question: string, header?: string, options?: { label: string, description?: string }[], multiple?: boolean }[] The questions, asked one after the other

---@class tools.question.result: tools.result
---@field answers tools.answered[]

--- Asks the person, for what only they can decide and what cannot be found out: which of several ways, what is meant. Give the choices that there are; they may always answer in words of their own.
---@param questions { question: string, header?: string, options?: { label: string, description?: string }[], multiple?: boolean }[] The questions, asked one after the other
---@param options? tools.question.options
---@overload fun(args: tools.question.args): tools.question.result
---@return tools.question.result
---@nodiscard
function tools.question(questions, options) end

---@class tools.todo_read.args

---@class tools.todo_read.result: tools.result
---@field todos tools.todo[]

--- Shows the list of what is to be done in this session.
---@param args? tools.todo_read.args
---@return tools.todo_read.result
---@nodiscard
function tools.todo_read(args) end

---@class tools.todo_write.args
---@field todos ({ content: string, status?: "pending"|"in_progress"|"completed"|"cancelled", priority?: "high"|"medium"|"low", id?: string })[] All of it, in order

---@class tools.todo_write.options
---@field todos? ({ content: string, status?: "pending"|"in_progress"|"completed"|"cancelled", priority?: "high"|"medium"|"low", id?: string })[] All of it, in order

---@class tools.todo_write.result: tools.result
---@field todos tools.todo[]

--- Replaces the list of what is to be done in this session. For work of three steps or more: write the list first, set one thing to `in_progress` before it is begun and to `completed` as soon as it is done.
---@param todos ({ content: string, status?: "pending"|"in_progress"|"completed"|"cancelled", priority?: "high"|"medium"|"low", id?: string })[] All of it, in order
---@param options? tools.todo_write.options
---@overload fun(args: tools.todo_write.args): tools.todo_write.result
---@return tools.todo_write.result
function tools.todo_write(todos, options) end
