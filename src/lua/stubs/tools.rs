//! The stub of the global `tools`: for each tool its arguments, its result, and the ways to call it.
//!
//! A call takes its arguments by name in one table, or by place with a table of named ones last; the stub says both.

use std::fmt::Write as _;

use serde_json::Value;

use super::{comment, one_line, results};
use crate::permission::Effect;
use crate::schema::Parameters;
use crate::tool::{Origin, Registry, Spec};

/// What several results are made of.
const SHARED: &str = r#"---@class tools
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
"#;

/// The whole file.
pub(super) fn page(tools: &Registry) -> String {
    let mut page = SHARED.to_owned();
    for tool in tools.listed() {
        page.push('\n');
        page.push_str(&declaration(tool.spec()));
    }
    page
}

fn declaration(spec: &Spec) -> String {
    let id = &spec.id;
    let parameters = &spec.parameters;
    let mut text = arguments(&format!("tools.{id}.args"), parameters, true);
    let has_options = !parameters.positional().is_empty();
    if has_options {
        text.push_str(&arguments(
            &format!("tools.{id}.options"),
            parameters,
            false,
        ));
    }
    let result = result(spec, &mut text);
    text.push_str(&comment(&spec.description));
    for (at, name) in parameters.positional().iter().enumerate() {
        let mark = if at == 0 && parameters.is_required(name) {
            ""
        } else {
            "?"
        };
        let kind = kind_of(parameters, name);
        let named = format!("|tools.{id}.options");
        let named = if at == 0 { "" } else { &named };
        let about = about(parameters, name);
        let _ = writeln!(text, "---@param {name}{mark} {kind}{named}{about}");
    }
    if has_options {
        let _ = writeln!(text, "---@param options? tools.{id}.options");
        let _ = writeln!(text, "---@overload fun(args: tools.{id}.args): {result}");
    } else {
        let _ = writeln!(text, "---@param args? tools.{id}.args");
    }
    let _ = writeln!(text, "---@return {result}");
    // What steers the work or the session is called for what it does.
    let is_question = !spec.stands_alone && spec.surface != "agent";
    if spec.effect == Effect::Read && is_question {
        text.push_str("---@nodiscard\n");
    }
    let names = parameters.positional().iter().map(String::as_str);
    let last = if has_options { "options" } else { "args" };
    let names: Vec<&str> = names.chain([last]).collect();
    let _ = match is_name(id) {
        true => writeln!(text, "function tools.{id}({}) end", names.join(", ")),
        false => writeln!(text, "tools[\"{id}\"] = function({}) end", names.join(", ")),
    };
    text
}

/// The class of the arguments; where they are `complete`, the required ones are.
fn arguments(class: &str, parameters: &Parameters, complete: bool) -> String {
    let mut text = format!("---@class {class}\n");
    for name in parameters.names() {
        let mark = if complete && parameters.is_required(name) {
            ""
        } else {
            "?"
        };
        let (kind, about) = (kind_of(parameters, name), about(parameters, name));
        let name = match is_name(name) {
            true => name.to_owned(),
            false => format!("[\"{name}\"]"),
        };
        let _ = writeln!(text, "---@field {name}{mark} {kind}{about}");
    }
    text + "\n"
}

/// The class of the result, which is written to `text` where it has fields of its own.
fn result(spec: &Spec, text: &mut String) -> String {
    let fields = match spec.origin {
        Origin::Shipped => results::fields(&spec.id),
        _ => None,
    };
    let Some(fields) = fields else {
        return "tools.open_result".to_owned();
    };
    let class = format!("tools.{}.result", spec.id);
    let _ = writeln!(text, "---@class {class}: tools.result");
    for field in fields {
        let (kind, mark) = match field.kind.strip_suffix('?') {
            Some(kind) => (kind, "?"),
            None => (field.kind, ""),
        };
        let _ = writeln!(text, "---@field {}{mark} {kind}", field.name);
    }
    text.push('\n');
    class
}

fn about(parameters: &Parameters, name: &str) -> String {
    let about = parameters.description(name).map(one_line);
    about.map(|about| format!(" {about}")).unwrap_or_default()
}

fn kind_of(parameters: &Parameters, name: &str) -> String {
    parameters.get(name).map_or("any".to_owned(), kind)
}

/// The type that a JSON Schema describes, as LuaLS writes it.
fn kind(schema: &Value) -> String {
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    if let Some(options) = list("enum") {
        let options: Vec<String> = options.iter().map(Value::to_string).collect();
        return options.join("|");
    }
    if let Some(branches) = list("anyOf").or_else(|| list("oneOf")) {
        let branches: Vec<String> = branches.iter().map(kind).collect();
        return branches.join("|");
    }
    let word = |word: &Value| match word.as_str() {
        Some("array") => items(schema),
        Some("object") => object(schema),
        Some("null") | None => "nil".to_owned(),
        Some(plain) => plain.to_owned(),
    };
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().map(word).collect::<Vec<_>>().join("|"),
        Some(one) => word(one),
        None => "any".to_owned(),
    }
}

fn items(schema: &Value) -> String {
    let item = schema.get("items").map_or("any".to_owned(), kind);
    match item.contains('|') {
        true => format!("({item})[]"),
        false => format!("{item}[]"),
    }
}

fn object(schema: &Value) -> String {
    if let Some(others @ Value::Object(_)) = schema.get("additionalProperties") {
        return format!("table<string, {}>", kind(others));
    }
    let Some(fields) = schema.get("properties").and_then(Value::as_object) else {
        return "table".to_owned();
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let field = |(name, schema): (&String, &Value)| {
        let mark = if is_required(name) { "" } else { "?" };
        format!("{name}{mark}: {}", kind(schema))
    };
    let fields: Vec<String> = fields.iter().map(field).collect();
    format!("{{ {} }}", fields.join(", "))
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
