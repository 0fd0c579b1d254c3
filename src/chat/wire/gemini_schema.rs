//! JSON Schema in the dialect of Gemini: a part of OpenAPI's, without references, with one type a schema.
//!
//! What the dialect cannot say is left out, never replaced by something stricter: arguments are checked against
//! the whole schema when a call comes in.

use serde_json::{Map, Value, json};

/// Words that stand as they are.
const KEPT: [&str; 13] = [
    "title",
    "description",
    "nullable",
    "required",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
];

/// Formats there are, by type.
const FORMATS: [&str; 7] = [
    "enum",
    "date-time",
    "int32",
    "int64",
    "float",
    "double",
    "byte",
];

/// Deepest nesting; what lies deeper, such as a schema that refers to itself, is any value.
const DEEPEST: usize = 12;

/// The parameters of a tool; none where it takes nothing.
pub(super) fn parameters(schema_of_tool: &Value) -> Option<Value> {
    let converted = schema(schema_of_tool);
    let takes = converted["properties"]
        .as_object()
        .is_some_and(|named| !named.is_empty());
    takes.then_some(converted)
}

/// The schema in the dialect.
pub(super) fn schema(schema: &Value) -> Value {
    Value::Object(converted(schema, schema, DEEPEST))
}

fn converted(schema: &Value, root: &Value, depth: usize) -> Map<String, Value> {
    let mut out = Map::new();
    let (Some(depth), Some(map)) = (depth.checked_sub(1), schema.as_object()) else {
        return out;
    };
    if let Some(target) = map.get("$ref").and_then(Value::as_str) {
        out =
            target_of(target, root).map_or_else(Map::new, |target| converted(target, root, depth));
    }
    for one in map
        .get("allOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        join(&mut out, converted(one, root, depth));
    }
    typed(map, &mut out);
    for (key, value) in map {
        match key.as_str() {
            word if KEPT.contains(&word) => {
                out.insert(key.clone(), value.clone());
            }
            "format" if FORMATS.iter().any(|format| value == format) => {
                out.insert(key.clone(), value.clone());
            }
            "properties" => {
                let named = value.as_object().into_iter().flatten();
                let named = named.map(|(name, schema)| {
                    (name.clone(), Value::Object(converted(schema, root, depth)))
                });
                join(&mut out, Map::from_iter([(key.clone(), named.collect())]));
            }
            "items" => {
                out.insert(key.clone(), Value::Object(converted(value, root, depth)));
            }
            "anyOf" | "oneOf" => either(value, root, depth, &mut out),
            _ => {}
        }
    }
    values(map, &mut out);
    finish(&mut out);
    out
}

/// One type; `null` beside it says that the value may be missing, and several become alternatives.
fn typed(map: &Map<String, Value>, out: &mut Map<String, Value>) {
    let types: Vec<&str> = match map.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(some)) => some.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let real: Vec<&str> = types
        .iter()
        .copied()
        .filter(|word| *word != "null")
        .collect();
    if real.len() < types.len() {
        out.insert("nullable".to_owned(), Value::Bool(true));
    }
    match real.as_slice() {
        [] => {}
        [one] => {
            out.insert("type".to_owned(), json!(one));
        }
        several => {
            let several = several.iter().map(|word| json!({ "type": word }));
            out.insert("anyOf".to_owned(), several.collect());
        }
    }
}

/// Alternatives; where but one of them is not `null`, it is no alternative.
fn either(value: &Value, root: &Value, depth: usize, out: &mut Map<String, Value>) {
    let all = value.as_array().into_iter().flatten();
    let is_null = |schema: &&Value| schema["type"] == "null";
    let (nulls, real): (Vec<&Value>, Vec<&Value>) = all.partition(is_null);
    if !nulls.is_empty() {
        out.insert("nullable".to_owned(), Value::Bool(true));
    }
    match real.as_slice() {
        [] => {}
        [one] => join(out, converted(one, root, depth)),
        several => {
            let several = several
                .iter()
                .map(|one| Value::Object(converted(one, root, depth)));
            out.insert("anyOf".to_owned(), several.collect());
        }
    }
}

/// The values there are: texts only.
fn values(map: &Map<String, Value>, out: &mut Map<String, Value>) {
    let list = map.get("enum").and_then(Value::as_array);
    let one = map.get("const").map(|one| vec![one.clone()]);
    let Some(values) = list.cloned().or(one) else {
        return;
    };
    let texts: Vec<Value> = values
        .iter()
        .filter(|value| value.is_string())
        .cloned()
        .collect();
    let nulls = values.iter().filter(|value| value.is_null()).count();
    if texts.is_empty() || texts.len() + nulls < values.len() {
        return;
    }
    if nulls > 0 {
        out.insert("nullable".to_owned(), Value::Bool(true));
    }
    out.insert("type".to_owned(), json!("string"));
    out.insert("enum".to_owned(), Value::Array(texts));
}

/// What the dialect wants besides: a list says of what, and only what is described can be required.
fn finish(out: &mut Map<String, Value>) {
    if out.get("type").is_some_and(|kind| kind == "array") && !out.contains_key("items") {
        out.insert("items".to_owned(), json!({ "type": "string" }));
    }
    let named = out.get("properties").and_then(Value::as_object).cloned();
    if let Some(required) = out.get_mut("required").and_then(Value::as_array_mut) {
        let is_named = |name: &Value| {
            let name = name.as_str().unwrap_or_default();
            named.as_ref().is_some_and(|named| named.contains_key(name))
        };
        required.retain(is_named);
        if required.is_empty() {
            out.remove("required");
        }
    }
}

/// What `target`, such as `#/$defs/Name`, refers to.
fn target_of<'a>(target: &str, root: &'a Value) -> Option<&'a Value> {
    root.pointer(target.strip_prefix('#')?)
}

/// Adds `more`: properties and requirements add up, all else is replaced.
fn join(out: &mut Map<String, Value>, more: Map<String, Value>) {
    for (key, value) in more {
        match (out.get_mut(&key), value) {
            (Some(Value::Object(old)), Value::Object(new)) if key == "properties" => {
                old.extend(new)
            }
            (Some(Value::Array(old)), Value::Array(new)) if key == "required" => old.extend(new),
            (_, value) => {
                out.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_dialect_lacks_is_left_out_or_said_in_its_words() {
        let given = json!({
            "$schema": "x", "type": "object", "additionalProperties": false, "required": ["a", "gone"],
            "properties": {
                "a": { "type": ["string", "null"], "default": "x", "format": "uri" },
                "b": { "anyOf": [{ "$ref": "#/$defs/B" }, { "type": "null" }] },
                "c": { "type": "array" },
                "d": { "type": ["string", "integer"] },
                "e": { "const": "one" },
                "f": { "enum": [1, 2], "type": "integer" },
            },
            "$defs": { "B": { "type": "integer", "exclusiveMinimum": 0, "minimum": 1 } },
        });
        let expected = json!({
            "type": "object", "required": ["a"],
            "properties": {
                "a": { "nullable": true, "type": "string" },
                "b": { "nullable": true, "type": "integer", "minimum": 1 },
                "c": { "type": "array", "items": { "type": "string" } },
                "d": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
                "e": { "type": "string", "enum": ["one"] },
                "f": { "type": "integer" },
            },
        });
        assert_eq!(schema(&given), expected);
    }

    #[test]
    fn a_tool_that_takes_nothing_has_no_parameters_and_a_schema_in_itself_ends() {
        assert_eq!(
            parameters(&json!({ "type": "object", "properties": {} })),
            None
        );
        let endless = json!({
            "type": "object", "properties": { "next": { "$ref": "#" } },
        });
        assert!(parameters(&endless).unwrap().to_string().len() < 2_000);
        let loops = json!({ "$ref": "#" });
        assert_eq!(schema(&loops), json!({}));
    }
}
