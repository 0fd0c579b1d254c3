//! JSON Schemas in the strict form that OpenAI holds a model to: every object lists all its properties as
//! required and takes no others.
//!
//! A schema that says more than that form can is left as it is, and asked for without being held to.

use serde_json::{Map, Value};

/// What the strict form does not know.
const UNKNOWN: [&str; 13] = [
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "prefixItems",
    "contains",
];

/// Deepest nesting that is looked at.
const DEEPEST: usize = 32;

/// The schema in the strict form, if it can be said in it.
pub(super) fn strict(schema: &Value) -> Option<Value> {
    let is_object = schema["type"] == "object";
    closed(schema, DEEPEST).filter(|_| is_object)
}

fn closed(schema: &Value, depth: usize) -> Option<Value> {
    let (Some(depth), Some(map)) = (depth.checked_sub(1), schema.as_object()) else {
        return None;
    };
    if UNKNOWN.iter().any(|word| map.contains_key(*word)) {
        return None;
    }
    let mut strict = Map::new();
    for (key, value) in map {
        let value = match (key.as_str(), value) {
            ("$schema" | "default", _) => continue,
            ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                Value::Object(each(named, depth)?)
            }
            ("items", value) => closed(value, depth)?,
            ("anyOf", Value::Array(some)) => {
                let some: Option<Vec<Value>> = some.iter().map(|one| closed(one, depth)).collect();
                Value::Array(some?)
            }
            ("additionalProperties", Value::Bool(false)) => continue,
            ("additionalProperties", _) => return None,
            (_, value) => value.clone(),
        };
        strict.insert(key.clone(), value);
    }
    if may_be_object(map) {
        let properties = map.get("properties")?.as_object()?;
        let required = map.get("required").and_then(Value::as_array);
        let is_required = |name: &String| {
            required.is_some_and(|list| list.iter().any(|one| one.as_str() == Some(name)))
        };
        if !properties.keys().all(is_required) {
            return None;
        }
        strict.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    Some(Value::Object(strict))
}

fn each(named: &Map<String, Value>, depth: usize) -> Option<Map<String, Value>> {
    let each = named.iter();
    each.map(|(name, schema)| Some((name.clone(), closed(schema, depth)?)))
        .collect()
}

fn may_be_object(map: &Map<String, Value>) -> bool {
    match map.get("type") {
        Some(Value::String(one)) => one == "object",
        Some(Value::Array(some)) => some.iter().any(|one| one == "object"),
        _ => map.contains_key("properties"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_that_requires_everything_is_closed_at_every_depth() {
        let schema = json!({
            "$schema": "x",
            "type": "object",
            "properties": {
                "a": { "type": "array", "items": {
                    "type": "object", "properties": { "b": { "type": ["integer", "null"] } }, "required": ["b"],
                } },
            },
            "required": ["a"],
        });
        let strict = strict(&schema).unwrap();
        assert_eq!(strict["additionalProperties"], false);
        assert_eq!(
            strict["properties"]["a"]["items"]["additionalProperties"],
            false
        );
        assert_eq!(strict.get("$schema"), None);
    }

    #[test]
    fn what_the_strict_form_cannot_say_is_left_alone() {
        let optional = json!({ "type": "object", "properties": { "a": {} } });
        let open = json!({ "type": "object", "properties": {}, "additionalProperties": true });
        let free = json!({ "type": "object", "properties": { "a": { "type": "object" } }, "required": ["a"] });
        let either = json!({ "type": "object", "properties": {}, "oneOf": [] });
        for schema in [
            optional,
            open,
            free,
            either,
            json!({ "type": "string" }),
            json!(true),
        ] {
            assert_eq!(strict(&schema), None, "{schema}");
        }
    }
}
