//! Types and values as messages and signatures say them, and the small check that needs no compiler.
//!
//! A type has two names: the short one of declarations (`integer`, `string[]`, `'a'|'b'`) and the
//! one in a sentence (`a whole number`). Both are derived from a JSON Schema here and nowhere else.

use std::fmt::Write as _;

use serde_json::Value;

use crate::data::{Data, words};

/// The type as a declaration writes it.
pub(super) fn short_type(schema: &Value) -> String {
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        let quoted = |option: &Value| match option {
            Value::String(text) => format!("'{text}'"),
            other => other.to_string(),
        };
        return joined(options.iter().map(quoted), "|");
    }
    if let Some(branches) = branches(schema) {
        return joined(branches.iter().map(short_type), "|");
    }
    let word = |kind: &str| match kind {
        "array" => match schema.get("items") {
            Some(items) => {
                let item = short_type(items);
                let item = if item.contains('|') {
                    format!("({item})")
                } else {
                    item
                };
                format!("{item}[]")
            }
            None => "any[]".to_owned(),
        },
        "object" => "table".to_owned(),
        "null" => "nil".to_owned(),
        kind => kind.to_owned(),
    };
    let kinds = kinds(schema);
    if kinds.is_empty() {
        return "any".to_owned();
    }
    joined(kinds.into_iter().map(word), "|")
}

/// The type as a sentence names it, after `expected`.
pub(super) fn expected(schema: &Value) -> String {
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        let options = joined(options.iter().map(Value::to_string), ", ");
        return match options.contains(", ") {
            true => format!("one of {options}"),
            false => options,
        };
    }
    if let Some(branches) = branches(schema) {
        return joined(branches.iter().map(expected), " or ");
    }
    let kinds = kinds(schema);
    if kinds.is_empty() {
        return "a value".to_owned();
    }
    joined(kinds.into_iter().map(kind_words), " or ")
}

/// One of JSON Schema's types, as a sentence names it.
pub(super) fn kind_words(kind: &str) -> String {
    let words = match kind {
        "string" => words::TEXT,
        "integer" => words::INTEGER,
        "number" => words::NUMBER,
        "boolean" => words::BOOLEAN,
        "array" => words::LIST,
        "object" => words::TABLE,
        "null" => words::NOTHING,
        other => other,
    };
    words.to_owned()
}

/// A value as a sentence names it, after `got`.
pub(super) fn got(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("{} of {}", words::LIST, list.len()),
        Value::Object(_) => words::TABLE.to_owned(),
        plain => Data::from(plain.clone()).got(),
    }
}

/// Why `value` does not fit `schema`, as `expected …, got …`. Looks at type, options, bounds and
/// the items of lists: all that the short form can declare. `None` when it fits.
pub(super) fn misfit(value: &Value, schema: &Value) -> Option<String> {
    let wrong = |expected: String| Some(format!("expected {expected}, got {}", got(value)));
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        return (!options.contains(value)).then(|| wrong(expected(schema)))?;
    }
    let kinds = kinds(schema);
    if !kinds.is_empty() && !kinds.iter().any(|kind| is_kind(value, kind)) {
        return wrong(expected(schema));
    }
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    if let Some(number) = value.as_f64() {
        if let Some(least) = bound("minimum").filter(|least| number < *least) {
            return wrong(format!("at least {least}"));
        }
        if let Some(most) = bound("maximum").filter(|most| number > *most) {
            return wrong(format!("at most {most}"));
        }
    }
    let items = schema.get("items")?;
    let misfits = value.as_array()?.iter().enumerate();
    misfits
        .filter_map(|(i, item)| misfit(item, items).map(|why| format!("item {}: {why}", i + 1)))
        .next()
}

/// The JSON types that the schema names; none when it names none.
pub(super) fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The value in JSON's shapes; bytes become text as well as they can.
pub(super) fn to_json(data: &Data) -> Value {
    match data {
        Data::Null => Value::Null,
        Data::Bool(value) => Value::from(*value),
        Data::Int(number) => Value::from(*number),
        Data::Float(number) => Value::from(*number),
        Data::Text(text) => Value::from(text.as_str()),
        Data::Bytes(bytes) => Value::from(String::from_utf8_lossy(bytes)),
        Data::List(list) => list.iter().map(to_json).collect(),
        Data::Map(map) => Value::Object(map.iter().map(|(k, v)| (k.clone(), to_json(v))).collect()),
    }
}

/// The place of a value below the arguments: `args.files[2].path`, lists counted from 1.
#[derive(Clone, Debug)]
pub(super) struct Place(String);

impl Place {
    pub(super) fn root() -> Place {
        Place("args".to_owned())
    }

    pub(super) fn key(&mut self, key: &str) {
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        if !key.is_empty() && key.chars().all(plain) {
            let _ = write!(self.0, ".{key}");
        } else {
            let _ = write!(self.0, "[{key:?}]");
        }
    }

    /// `index` counts from 0, as parsers do.
    pub(super) fn index(&mut self, index: usize) {
        let _ = write!(self.0, "[{}]", index.saturating_add(1));
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn branches(schema: &Value) -> Option<&Vec<Value>> {
    let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"));
    branches.and_then(Value::as_array)
}

fn is_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn joined(words: impl Iterator<Item = String>, between: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all.join(between)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_type_has_a_short_name_and_one_for_sentences() {
        let rows = [
            (json!({"type": "string"}), "string", "text"),
            (json!({"type": "integer"}), "integer", "a whole number"),
            (
                json!({"type": "array", "items": {"type": "string"}}),
                "string[]",
                "a list",
            ),
            (
                json!({"enum": ["a", "b"]}),
                "'a'|'b'",
                "one of \"a\", \"b\"",
            ),
            (json!({"enum": ["-"]}), "'-'", "\"-\""),
            (
                json!({"type": "array", "items": {"enum": ["a", "b"]}}),
                "('a'|'b')[]",
                "a list",
            ),
            (json!({"type": "object"}), "table", "a table"),
            (json!({}), "any", "a value"),
            (
                json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
                "string|string[]",
                "text or a list",
            ),
            (
                json!({"type": ["integer", "boolean"]}),
                "integer|boolean",
                "a whole number or true or false",
            ),
        ];
        for (schema, short, long) in rows {
            assert_eq!(short_type(&schema), short);
            assert_eq!(expected(&schema), long);
        }
    }

    #[test]
    fn says_why_a_value_does_not_fit() {
        let rows = [
            (
                json!("5"),
                json!({"type": "integer"}),
                "expected a whole number, got text \"5\"",
            ),
            (
                json!(1.5),
                json!({"type": "integer"}),
                "expected a whole number, got number 1.5",
            ),
            (
                json!(0),
                json!({"type": "integer", "minimum": 1}),
                "expected at least 1, got number 0",
            ),
            (
                json!(9),
                json!({"maximum": 5}),
                "expected at most 5, got number 9",
            ),
            (
                json!("c"),
                json!({"enum": ["a", "b"]}),
                "expected one of \"a\", \"b\", got text \"c\"",
            ),
            (
                json!(["a", 2]),
                json!({"type": "array", "items": {"type": "string"}}),
                "item 2: expected text, got number 2",
            ),
        ];
        for (value, schema, why) in rows {
            assert_eq!(misfit(&value, &schema).as_deref(), Some(why));
        }
        assert_eq!(misfit(&json!(2.0), &json!({"type": "integer"})), None);
        assert_eq!(misfit(&json!(["a"]), &json!({"type": "array"})), None);
        assert_eq!(misfit(&json!("a"), &json!({"enum": ["a"]})), None);
    }

    #[test]
    fn places_count_from_one_and_quote_odd_keys() {
        let mut place = Place::root();
        place.key("files");
        place.index(1);
        place.key("my key");
        assert_eq!(place.to_string(), "args.files[2][\"my key\"]");
    }
}
