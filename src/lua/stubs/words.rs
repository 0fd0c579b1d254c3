//! The types of the words in which `agent.*` is documented: `(text, by=2) → text` says names, and here is what they are.
//!
//! A word has one meaning everywhere. What does not fit into a word is written out whole.

/// Parameters and results by name, as LuaLS writes their types.
const WORDS: &[(&str, &str)] = &[
    ("text", "string"),
    ("name", "string"),
    ("old", "string"),
    ("new", "string"),
    ("pattern", "string"),
    ("path", "string"),
    ("base", "string"),
    ("list", "any[]"),
    ("value", "any"),
    ("columns", "integer"),
    ("done", "integer"),
    ("total", "integer"),
    ("seconds", "number"),
    ("boolean", "boolean"),
    ("pretty", "boolean"),
    ("null", "boolean"),
];

/// Values that are no functions.
const VALUES: &[(&str, &str)] = &[
    ("agent.workspace", "string"),
    ("agent.version", "string"),
    ("agent.null", "userdata"),
    ("agent.session", "string"),
];

/// Functions whose types no single words say: parameters, results, and the names in the brackets.
const WHOLE: &[(&str, &str, &str)] = &[
    (
        "agent.try",
        "---@param f fun(...: any): ...any\n---@param ... any\n---@return any result Nil where it failed\n---@return any failure The error, or the second result\n",
        "f, ...",
    ),
    (
        "agent.all",
        "---@param ... fun(): any\n---@return any ...\n",
        "...",
    ),
    (
        "agent.map",
        "---@generic T\n---@param list T[]\n---@param f fun(item: T, index: integer): any\n---@param options? { concurrency?: integer }\n---@return any[]\n",
        "list, f, options",
    ),
    (
        "agent.limit",
        "---@param limits { timeout?: number, max_steps?: integer, max_tokens?: integer, max_cost?: number }\n---@param f fun(): ...any\n---@return any ...\n",
        "limits, f",
    ),
    (
        "agent.ask",
        "---@param prompt string\n---@param options? { model?: string, profile?: string, mode?: string, allow?: string[], deny?: string[], tools?: string[], max_steps?: integer, max_cost?: number, max_tokens?: integer, timeout?: number, session?: string, schema?: table, system?: string, effort?: string }\n---@return { text: string, data?: any, session: string, model: string, status: \"done\"|\"blocked\", steps: integer, usage: agent.usage, calls: { tool: string, ok: boolean, kind?: string }[], refused: { tool: string, subject: string, reason: string }[] }\n",
        "prompt, options",
    ),
    (
        "agent.complete",
        "---@class agent.usage\n---@field input integer Tokens read at the full price\n---@field output integer Tokens written\n---@field cache_read integer Tokens read from a cache\n---@field cache_write integer Tokens read into a cache\n---@field reasoning integer Of those written: what was thought\n---@field cost? number US dollars, where the price is known\n\n---@class agent.message\n---@field role \"system\"|\"user\"|\"assistant\"|\"tool\" Who speaks\n---@field text? string What is said\n---@field calls? { id: string, tool: string, args?: table, arguments?: string, incomplete?: boolean }[] What a model calls\n---@field id? string Of a result: the id of the call\n---@field tool? string Of a result: the tool\n---@field ok? boolean Of a result: whether it worked\n---@field kind? string Of a result: the kind of its error\n\n---@class agent.reply: agent.message\n---@field text string What the model says\n---@field calls { id: string, tool: string, args?: table, arguments: string, incomplete?: boolean }[] What it calls\n---@field stop string Why it stopped\n---@field model string As `provider/model`\n---@field usage agent.usage Tokens and money\n\n---@param options { messages: agent.message[], tools?: string[], model?: string, schema?: table, effort?: string, max_output?: integer }\n---@return agent.reply\n",
        "options",
    ),
    (
        "agent.dispatch",
        "---@param reply agent.message\n---@return agent.message[]\n",
        "reply",
    ),
    (
        "agent.tool",
        "---@param record agent.tool_record\n---@return fun(...: any): tools.open_result\n",
        "record",
    ),
    (
        "agent.on",
        "---@param point string\n---@param f (fun(call: agent.hook_event): (\"deny\"|\"ask\")?, string?)|{ command: any }\n---@param options? { timeout?: number, tools?: string|string[], surface?: string }\n---@return fun() off\n",
        "point, f, options",
    ),
    (
        "agent.reload",
        "---@return { tools: table[], problems: table[] }\n",
        "",
    ),
    (
        "agent.undo",
        "---@param id? string\n---@param options? { diff?: boolean, list?: boolean, only?: string[], except?: string[] }\n---@return { id: string, paths: string[], diff: string, additions: integer, deletions: integer, conflict?: string[], units?: table[] }\n",
        "id, options",
    ),
    (
        "agent.transaction",
        "---@param f fun(): any\n---@return { diff: string, files: table[], additions: integer, deletions: integer, value: any }\n",
        "f",
    ),
    (
        "agent.confirm",
        "---@param text string\n---@param options? { default?: boolean }\n---@return boolean\n",
        "text, options",
    ),
    (
        "agent.input",
        "---@param text string\n---@param options? { default?: string, secret?: boolean }\n---@return string\n",
        "text, options",
    ),
    (
        "agent.select",
        "---@param text string\n---@param choices string[]\n---@param options? { default?: string }\n---@return string choice\n---@return integer place\n",
        "text, choices, options",
    ),
    ("agent.steer", "---@param text string\n", "text"),
    (
        "agent.notify",
        "---@param text string\n---@param options? { title?: string }\n",
        "text, options",
    ),
    (
        "agent.command",
        "---@param record { id: string, description?: string, parameters?: table, execute: fun(options: table): any }\n---@return fun(options?: string|table): any\n",
        "record",
    ),
    (
        "agent.replay",
        "---@param calls { tool: string, args: table }[]\n---@return { tool: string, ok: boolean, text: string, kind?: string }[]\n",
        "calls",
    ),
    (
        "agent.args",
        "---@param options table\n---@return table<string, any>\n",
        "options",
    ),
    (
        "agent.log",
        "---@param text any\n---@param level? \"debug\"|\"info\"|\"warn\"|\"error\"\n",
        "text, level",
    ),
    (
        "agent.path.join",
        "---@param path string\n---@param ... string\n---@return string\n---@nodiscard\n",
        "path, ...",
    ),
    (
        "agent.text.indent",
        "---@param text string\n---@param by? string|integer\n---@return string\n---@nodiscard\n",
        "text, by",
    ),
    (
        "agent.text.lines",
        "---@param text string\n---@return string[]\n---@nodiscard\n",
        "text",
    ),
    (
        "agent.re.split",
        "---@param text string\n---@param pattern string\n---@param limit? integer\n---@return string[]\n---@nodiscard\n",
        "text, pattern, limit",
    ),
    (
        "agent.re.find",
        "---@param text string\n---@param pattern string\n---@param from? integer\n---@return integer? first\n---@return integer? last\n---@return any ... The captures\n---@nodiscard\n",
        "text, pattern, from",
    ),
    (
        "agent.re.match",
        "---@param text string\n---@param pattern string\n---@param from? integer\n---@return any ... The captures, or the whole match\n---@nodiscard\n",
        "text, pattern, from",
    ),
    (
        "agent.re.gmatch",
        "---@param text string\n---@param pattern string\n---@return fun(): ...any\n---@nodiscard\n",
        "text, pattern",
    ),
    (
        "agent.re.gsub",
        "---@param text string\n---@param pattern string\n---@param by string|table<string, any>|fun(...: any): any\n---@param limit? integer\n---@return string text\n---@return integer count\n---@nodiscard\n",
        "text, pattern, by, limit",
    ),
];

/// The type of a word; none where it is not known.
pub(super) fn kind(word: &str) -> Option<&'static str> {
    find(WORDS, word)
}

/// The type of a documented value; none where it is not known.
pub(super) fn value(name: &str) -> Option<&'static str> {
    find(VALUES, name)
}

/// The comment lines and the names in the brackets of a function that is written out whole.
pub(super) fn whole(name: &str) -> Option<(&'static str, &'static str)> {
    let found = WHOLE.iter().find(|(known, ..)| *known == name);
    found.map(|(_, lines, names)| (*lines, *names))
}

fn find(list: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let found = list.iter().find(|(known, _)| *known == name);
    found.map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::error::ToolError;
    use crate::layers::Layer;
    use crate::lua::api::Docs;
    use crate::lua::current::Voice;
    use crate::lua::tests::Rig;

    #[test]
    fn every_word_is_used() {
        let rig = Rig::new();
        let voice = Voice::Log("a test".to_owned(), Layer::Script);
        let lines = rig.vm.job(&rig.scope, voice, |state| async move {
            let docs = state.lua.app_data_ref::<Docs>();
            let docs = docs.as_ref().map(|docs| docs.list()).unwrap_or_default();
            let written = docs.iter().filter(|doc| whole(doc.name).is_none());
            Ok::<_, ToolError>(written.map(|doc| doc.takes).collect::<Vec<_>>())
        });
        let lines = rig.wait(lines).unwrap();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = lines.iter().flat_map(|takes| takes.split(|c| !is_part(c)));
        let used: BTreeSet<&str> = words.collect();
        let all = WORDS.iter().map(|(word, _)| *word);
        let idle: Vec<&str> = all.filter(|word| !used.contains(word)).collect();
        assert!(idle.is_empty(), "{idle:?}");
    }
}
