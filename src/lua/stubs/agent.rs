//! The stub of the interface `agent`, from its lines of help.
//!
//! A line reads `(text, by=2) → text`: `name`, `name?`, `name=default`, `…`, and `{ option = type }?` for options.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::words;
use crate::lua::api::Doc;

/// Classes that the functions name.
const SHARED: &str = include_str!("shared.lua");

/// The whole file.
pub(super) fn page(docs: &[Doc]) -> String {
    let (values, functions): (Vec<&Doc>, Vec<&Doc>) =
        docs.iter().partition(|doc| doc.takes.is_empty());
    let mut page = "---@class agent\n".to_owned();
    for doc in values {
        let name = doc.name.trim_start_matches("agent.");
        let kind = words::value(doc.name).unwrap_or("any");
        let _ = writeln!(page, "---@field {name} {kind} {}", doc.about);
    }
    let classes = SHARED
        .split_once("\n\n")
        .map_or(SHARED, |(_, classes)| classes);
    let _ = write!(page, "agent = {{}}\n\n{classes}");
    let mut groups = BTreeSet::new();
    for doc in functions {
        if let Some((group, _)) = doc.name.rsplit_once('.')
            && group != "agent"
            && groups.insert(group)
        {
            let _ = write!(page, "\n---@class {group}\n{group} = {{}}\n");
        }
        let _ = write!(page, "\n--- {}\n{}", doc.about, declaration(doc));
    }
    page
}

fn declaration(doc: &Doc) -> String {
    let name = doc.name;
    if let Some((lines, names)) = words::whole(name) {
        return format!("{lines}function {name}({names}) end\n");
    }
    let (given, returned) = doc.takes.split_once(" → ").unwrap_or((doc.takes, ""));
    let mut text = String::new();
    let mut names = Vec::new();
    for part in parts(given) {
        let parameter = Parameter::read(part);
        let Parameter { name, mark, kind } = &parameter;
        let _ = writeln!(text, "---@param {name}{mark} {kind}");
        names.push(parameter.name);
    }
    for part in parts(returned) {
        let _ = writeln!(text, "---@return {}", result(part));
    }
    let is_pure = name.matches('.').count() > 1 && !returned.is_empty();
    if is_pure {
        text.push_str("---@nodiscard\n");
    }
    text + &format!("function {name}({}) end\n", names.join(", "))
}

struct Parameter {
    name: String,
    mark: &'static str,
    kind: String,
}

impl Parameter {
    fn read(part: &str) -> Parameter {
        let (part, optional) = match part.strip_suffix('?') {
            Some(part) => (part, true),
            None => (part, false),
        };
        if part == "…" {
            let (name, kind) = ("...".to_owned(), "any".to_owned());
            return Parameter {
                name,
                mark: "",
                kind,
            };
        }
        if part.starts_with('{') {
            let kind = options(part);
            let mark = if optional { "?" } else { "" };
            return Parameter {
                name: "options".to_owned(),
                mark,
                kind,
            };
        }
        let (name, optional) = match part.split_once('=') {
            Some((name, _)) => (name, true),
            None => (part, optional),
        };
        Parameter {
            name: name.to_owned(),
            mark: if optional { "?" } else { "" },
            kind: words::kind(name).unwrap_or("any").to_owned(),
        }
    }
}

/// A table of options: `{ concurrency = 8 }` or `{ pretty }`.
fn options(part: &str) -> String {
    let inner = part.trim_start_matches('{').trim_end_matches('}');
    let field = |option: &str| {
        let name = option.split('=').next().unwrap_or_default().trim();
        let name = name.trim_end_matches('?');
        (!name.is_empty() && name != "…")
            .then(|| format!("{name}?: {}", words::kind(name).unwrap_or("any")))
    };
    let fields: Vec<String> = inner.split(',').filter_map(field).collect();
    match fields.is_empty() || inner.contains('"') {
        true => "table".to_owned(),
        false => format!("{{ {} }}", fields.join(", ")),
    }
}

fn result(part: &str) -> String {
    if let Some(word) = part.strip_suffix('…') {
        return format!("{} ...", words::kind(word).unwrap_or("any"));
    }
    match part.strip_suffix('?') {
        Some(word) => format!("{}?", words::kind(word).unwrap_or("any")),
        None => words::kind(part).unwrap_or("any").to_owned(),
    }
}

/// What stands between the commas outside of brackets; the outer brackets go.
fn parts(text: &str) -> Vec<&str> {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let text = inner.unwrap_or(text);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stub(name: &'static str, takes: &'static str) -> String {
        let about = "does it";
        declaration(&Doc { name, takes, about })
    }

    /// The fields of a class among those that are shared.
    fn fields(class: &str) -> Vec<&'static str> {
        let (_, rest) = SHARED.split_once(&format!("---@class {class}\n")).unwrap();
        let fields = rest
            .lines()
            .map_while(|line| line.strip_prefix("---@field "));
        let names = fields.filter_map(|field| field.split([' ', '?']).next());
        names.collect()
    }

    #[test]
    fn the_classes_of_tools_have_the_fields_that_tools_have() {
        assert_eq!(fields("agent.tool_record"), crate::lua::tool::RECORD_FIELDS);
        assert_eq!(fields("agent.context"), crate::lua::tool::CONTEXT_FIELDS);
    }

    #[test]
    fn a_line_of_help_becomes_types() {
        assert_eq!(
            stub("agent.text.cut", "(text, columns=2, pretty?) → text?, done"),
            "---@param text string\n---@param columns? integer\n---@param pretty? boolean\n\
             ---@return string?\n---@return integer\n---@nodiscard\nfunction agent.text.cut(text, columns, pretty) end\n"
        );
        assert_eq!(
            stub("agent.wait", "(seconds, { pretty, columns = 3 }?)"),
            "---@param seconds number\n---@param options? { pretty?: boolean, columns?: integer }\n\
             function agent.wait(seconds, options) end\n"
        );
        assert_eq!(
            stub(
                "agent.put",
                "{ \"positional\", option = \"type\", … } → list"
            ),
            "---@param options table\n---@return any[]\nfunction agent.put(options) end\n"
        );
    }
}
