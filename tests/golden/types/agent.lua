---@meta
--- Made by `agent init`, and made anew by it: what is changed here is lost.

---@class agent
---@field workspace string the path of the workspace
---@field session string the id of this process's session
---@field version string the version of this program
---@field null userdata nothing, where nil cannot stand: inside a list
agent = {}

--- A tool as a file returns it, and as `agent.tool` takes it.
---@class agent.tool_record
---@field id? string
---@field description? string|fun(): string
---@field parameters? table
---@field surface? string
---@field effect? "read"|"write"|"run"|"network"|fun(args: table, ctx: agent.context): string
---@field subjects? string|string[]|fun(args: table, ctx: agent.context): string|string[]
---@field plan? fun(args: table, ctx: agent.context): any
---@field execute fun(args: table, ctx: agent.context): any
---@field enabled? fun(env: agent.env): boolean?, string?
---@field init? fun(env: agent.env)
---@field format_error? fun(err: tools.error): string|table|nil
---@field render? fun(result: table, width: integer): (string|{ [1]: string, [2]: string? })[]
---@field display_name? string
---@field hint? string
---@field examples? { about: string, files?: table<string, string>, args: table, shows: string }[]
---@field authority? { [1]: string, [2]: string? }[]
---@field timeout? number
---@field polls? boolean
---@field aliases? string[]

--- What stands around a tool when it is asked whether it is there.
---@class agent.env
---@field caller "user"|"model"
---@field workspace string
---@field platform string
---@field attended boolean
---@field session string
---@field model? string
---@field profile? string

--- What the functions of a tool get as their second argument.
---@class agent.context
---@field call string
---@field caller "user"|"model"
---@field cancelled fun(): boolean
---@field extra table
---@field log fun(text: any, level?: "debug"|"info"|"warn"|"error")
---@field messages table[]
---@field output fun(text: string)
---@field parent? string
---@field permit fun(name: string, subject: string, reason?: string)
---@field plan any
---@field profile? string
---@field progress fun(done: integer, total?: integer, text?: string)
---@field services { tools: tools, agent: agent }
---@field session string
---@field surface { name: string, description: string, params: table<string, any> }
---@field tool string
---@field turn? string
---@field update fun(changes: { title?: string, metadata?: table })
---@field workspace string

--- What a hook gets, and changes in place. Which fields there are depends on the point.
---@class agent.hook_event
---@field call string
---@field tool string
---@field surface string
---@field caller "user"|"model"
---@field args table<string, any>
---@field output? string
---@field title? string
---@field metadata? table<string, any>
---@field error? tools.error
---@field [string] any

--- calls f; a failure is returned as its table
---@param f fun(...: any): ...any
---@param ... any
---@return any result Nil where it failed
---@return any failure The error, or the second result
function agent.try(f, ...) end

--- runs functions together; the first failure ends the rest
---@param ... fun(): any
---@return any ...
function agent.all(...) end

--- f(item, index) for each, side by side; the results in order
---@generic T
---@param list T[]
---@param f fun(item: T, index: integer): any
---@param options? { concurrency?: integer }
---@return any[]
function agent.map(list, f, options) end

--- runs f within a limit; nested, the tighter one holds
---@param limits { timeout?: number, max_steps?: integer, max_tokens?: integer, max_cost?: number }
---@param f fun(): ...any
---@return any ...
function agent.limit(limits, f) end

--- waits
---@param seconds number
function agent.sleep(seconds) end

--- runs f; if it fails, every file its calls changed is put back
---@param f fun(): any
---@return { diff: string, files: table[], additions: integer, deletions: integer, value: any }
function agent.transaction(f) end

--- adds a tool for this run
---@param record agent.tool_record
---@return fun(...: any): tools.open_result
function agent.tool(record) end

--- adds a command; the function runs it with a line of words or a table
---@param record { id: string, description?: string, parameters?: table, execute: fun(options: table): any }
---@return fun(options?: string|table): any
function agent.command(record) end

--- calls f, or a command, at a point such as tool.before, until off() is called
---@param point string
---@param f (fun(call: agent.hook_event): ("deny"|"ask")?, string?)|{ command: any }
---@param options? { timeout?: number, tools?: string|string[], surface?: string }
---@return fun() off
function agent.on(point, f, options) end

--- all tools and functions, or all about one: agent.help("grep"), agent.help("re"), agent.help("hooks")
---@param name? string
---@return string
function agent.help(name) end

--- the options of a script, with --help, and exit 2 for wrong ones
---@param options table
---@return table<string, any>
function agent.args(options) end

--- a line of the log; level is debug (shown under -v), info, warn or error
---@param text any
---@param level? "debug"|"info"|"warn"|"error"
function agent.log(text, level) end

--- says how far the script is, for the person and for -o jsonl
---@param done integer
---@param total? integer
---@param text? string
function agent.progress(done, total, text) end

--- a line for the person, on stderr and to hooks at `notification`
---@param text string
---@param options? { title?: string }
function agent.notify(text, options) end

--- asks the person yes or no
---@param text string
---@param options? { default?: boolean }
---@return boolean
function agent.confirm(text, options) end

--- asks the person for a line; what is secret is not shown
---@param text string
---@param options? { default?: string, secret?: boolean }
---@return string
function agent.input(text, options) end

--- asks the person for one of several texts
---@param text string
---@param choices string[]
---@param options? { default?: string }
---@return string choice
---@return integer place
function agent.select(text, choices, options) end

--- has a model do something: it may call tools until it is done; what was refused is in `refused`
---@param prompt string
---@param options? { model?: string, profile?: string, mode?: string, allow?: string[], deny?: string[], tools?: string[], max_steps?: integer, max_cost?: number, max_tokens?: integer, timeout?: number, session?: string, schema?: table, system?: string, effort?: string }
---@return { text: string, data?: any, session: string, model: string, status: "done"|"blocked", steps: integer, usage: agent.usage, calls: { tool: string, ok: boolean, kind?: string }[], refused: { tool: string, subject: string, reason: string }[] }
function agent.ask(prompt, options) end

--- makes one request to a model; the reply is a message, ready to append; its calls are not made
---@class agent.usage
---@field input integer Tokens read at the full price
---@field output integer Tokens written
---@field cache_read integer Tokens read from a cache
---@field cache_write integer Tokens read into a cache
---@field reasoning integer Of those written: what was thought
---@field cost? number US dollars, where the price is known

---@class agent.message
---@field role "system"|"user"|"assistant"|"tool" Who speaks
---@field text? string What is said
---@field calls? { id: string, tool: string, args?: table, arguments?: string, incomplete?: boolean }[] What a model calls
---@field id? string Of a result: the id of the call
---@field tool? string Of a result: the tool
---@field ok? boolean Of a result: whether it worked
---@field kind? string Of a result: the kind of its error

---@class agent.reply: agent.message
---@field text string What the model says
---@field calls { id: string, tool: string, args?: table, arguments: string, incomplete?: boolean }[] What it calls
---@field stop string Why it stopped
---@field model string As `provider/model`
---@field usage agent.usage Tokens and money

---@param options { messages: agent.message[], tools?: string[], model?: string, schema?: table, effort?: string, max_output?: integer }
---@return agent.reply
function agent.complete(options) end

--- makes the calls of a reply as the model's own; one message for each, in order; a failed call is no error
---@param reply agent.message
---@return agent.message[]
function agent.dispatch(reply) end

--- says something to the model that this runs for: it stands in its next request
---@param text string
function agent.steer(text) end

--- makes calls in order as a model's, with verdicts of now; a failed call is no error
---@param calls { tool: string, args: table }[]
---@return { tool: string, ok: boolean, text: string, kind?: string }[]
function agent.replay(calls) end

--- loads all files anew; what does not load any more stays as it was
---@return { tools: table[], problems: table[] }
function agent.reload() end

--- takes back the newest unit of changes in this workspace, or the one named, or a part of it; shows it; lists all
---@param id? string
---@param options? { diff?: boolean, list?: boolean, only?: string[], except?: string[] }
---@return { id: string, paths: string[], diff: string, additions: integer, deletions: integer, conflict?: string[], units?: table[] }
function agent.undo(id, options) end

---@class agent.json
agent.json = {}

--- the value as JSON, on one line or, with pretty = true, indented; {} is an object, agent.array{} a list
---@param value any
---@param options? { pretty?: boolean }
---@return string
---@nodiscard
function agent.json.encode(value, options) end

--- the value of a JSON text; null is agent.null in lists and nil in objects, there too agent.null with null = true
---@param text string
---@param options? { null?: boolean }
---@return any
---@nodiscard
function agent.json.decode(text, options) end

---@class agent.path
agent.path = {}

--- the parts joined; an absolute part begins anew
---@param path string
---@param ... string
---@return string
---@nodiscard
function agent.path.join(path, ...) end

--- the folder it lies in; "." for a bare name
---@param path string
---@return string
---@nodiscard
function agent.path.dirname(path) end

--- its last name
---@param path string
---@return string
---@nodiscard
function agent.path.basename(path) end

--- its last name without the extension
---@param path string
---@return string
---@nodiscard
function agent.path.stem(path) end

--- its extension without the dot; empty when it has none
---@param path string
---@return string
---@nodiscard
function agent.path.extension(path) end

--- without ".", ".." and doubled "/", by names alone: links are not looked at
---@param path string
---@return string
---@nodiscard
function agent.path.normalize(path) end

--- whether it begins with "/"
---@param path string
---@return boolean
---@nodiscard
function agent.path.is_absolute(path) end

--- the way from base (the session's folder) to the path, by names alone
---@param path string
---@param base? string
---@return string
---@nodiscard
function agent.path.relative(path, base) end

--- the absolute path with every link resolved; it must exist
---@param path string
---@return string
---@nodiscard
function agent.path.real(path) end

---@class agent.text
agent.text = {}

--- the unified diff of two texts; empty when they are equal
---@param old string
---@param new string
---@param name? string
---@return string
---@nodiscard
function agent.text.diff(old, new, name) end

--- without white space at both ends
---@param text string
---@return string
---@nodiscard
function agent.text.trim(text) end

--- without the indentation that all its lines share; blank lines become empty
---@param text string
---@return string
---@nodiscard
function agent.text.dedent(text) end

--- every line that is not blank begins with so many spaces, or with the text given
---@param text string
---@param by? string|integer
---@return string
---@nodiscard
function agent.text.indent(text, by) end

--- how many columns of a terminal its widest line takes
---@param text string
---@return integer
---@nodiscard
function agent.text.width(text) end

--- its lines, without their ends
---@param text string
---@return string[]
---@nodiscard
function agent.text.lines(text) end

--- the one of a list that was probably meant; nil when none is near
---@param name string
---@param list any[]
---@return string?
---@nodiscard
function agent.text.nearest(name, list) end

---@class agent.re
agent.re = {}

--- where the first match lies, in bytes, and its captures; nil when there is none
---@param text string
---@param pattern string
---@param from? integer
---@return integer? first
---@return integer? last
---@return any ... The captures
---@nodiscard
function agent.re.find(text, pattern, from) end

--- the captures of the first match, or all of it where the pattern has no groups; a table of the named ones comes last
---@param text string
---@param pattern string
---@param from? integer
---@return any ... The captures, or the whole match
---@nodiscard
function agent.re.match(text, pattern, from) end

--- every match in turn, as match gives it
---@param text string
---@param pattern string
---@return fun(): ...any
---@nodiscard
function agent.re.gmatch(text, pattern) end

--- whether the pattern is found
---@param text string
---@param pattern string
---@return boolean
---@nodiscard
function agent.re.test(text, pattern) end

--- what stands between the matches, in at most so many pieces
---@param text string
---@param pattern string
---@param limit? integer
---@return string[]
---@nodiscard
function agent.re.split(text, pattern, limit) end

--- the pattern that matches this text and nothing else
---@param text string
---@return string
---@nodiscard
function agent.re.escape(text) end

--- every match replaced: by text ($1, $name, $0, $$), by what a table has under the first capture, or by what a function of the captures returns
---@param text string
---@param pattern string
---@param by string|table<string, any>|fun(...: any): any
---@param limit? integer
---@return string text
---@return integer count
---@nodiscard
function agent.re.gsub(text, pattern, by, limit) end

--- marks a table as a list, so that it stays one when it is empty
---@param list? any[]
---@return any[]
function agent.array(list) end
