//! The schema of a Rust struct, reduced to what every provider takes and no more.
//!
//! References are put in place, nulls and titles and formats go, a choice of words becomes an
//! `enum`. What a value may be is never widened; only that it may be absent as `null` is dropped.

use serde_json::{Map, Value, json};

/// Deepest nesting of references that is followed; a recursive type ends there as a plain object.
const DEEPEST: usize = 12;

/// Keys that say nothing to a caller.
const NOISE: [&str; 7] = [
    "$schema",
    "$id",
    "$defs",
    "$ref",
    "definitions",
    "title",
    "format",
];

/// The schema of an argument struct, cleaned, with unknown names refused.
pub(super) fn cleaned(root: &Value) -> Value {
    let definitions = root.get("$defs").cloned().unwrap_or_default();
    let mut clean = clean(root, &definitions, 0);
    clean.remove("description");
    clean.remove("additionalProperties");
    let mut whole = Map::new();
    whole.insert("type".to_owned(), "object".into());
    whole.insert("properties".to_owned(), json!({}));
    whole.extend(clean);
    whole.insert("additionalProperties".to_owned(), false.into());
    Value::Object(whole)
}

fn clean(schema: &Value, definitions: &Value, depth: usize) -> Map<String, Value> {
    let Some(given) = schema.as_object() else {
        return Map::new();
    };
    let mut clean = resolved(given, definitions, depth);
    let keys = given
        .iter()
        .filter(|(key, _)| !NOISE.contains(&key.as_str()));
    for (key, value) in keys {
        clean.insert(key.clone(), cleaned_key(key, value, definitions, depth));
    }
    drop_null(&mut clean);
    for choice in ["anyOf", "oneOf", "allOf"] {
        merge_only(&mut clean, choice);
        choice_of_words(&mut clean, choice);
    }
    clean
}

/// What the schema refers to, cleaned; empty when it refers to nothing.
fn resolved(given: &Map<String, Value>, definitions: &Value, depth: usize) -> Map<String, Value> {
    let Some(Value::String(reference)) = given.get("$ref") else {
        return Map::new();
    };
    let definition = reference
        .strip_prefix("#/$defs/")
        .and_then(|name| definitions.get(name));
    match definition {
        Some(definition) if depth < DEEPEST => clean(definition, definitions, depth + 1),
        _ => Map::from_iter([("type".to_owned(), "object".into())]),
    }
}

fn cleaned_key(key: &str, value: &Value, definitions: &Value, depth: usize) -> Value {
    let one = |schema: &Value| match schema {
        Value::Bool(_) => schema.clone(),
        schema => Value::Object(clean(schema, definitions, depth)),
    };
    match (key, value) {
        ("properties", Value::Object(all)) => Value::Object(
            all.iter()
                .map(|(name, schema)| (name.clone(), one(schema)))
                .collect(),
        ),
        ("items" | "additionalProperties" | "not", schema) => one(schema),
        ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(all)) => all
            .iter()
            .filter(|schema| !is_null(schema))
            .map(one)
            .collect(),
        (_, value) => value.clone(),
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
        || schema.get("const").is_some_and(Value::is_null)
}

/// Absent is the only way to give nothing.
fn drop_null(clean: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = clean.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            clean.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(options)) = clean.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    if clean.get("default").is_some_and(Value::is_null) {
        clean.remove("default");
    }
}

/// A choice of one is that one; what stands beside it holds over what stands in it.
fn merge_only(clean: &mut Map<String, Value>, choice: &str) {
    let only = match clean
        .get(choice)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        Some([Value::Object(only)]) => only.clone(),
        _ => return,
    };
    clean.remove(choice);
    for (key, value) in only {
        clean.entry(key).or_insert(value);
    }
}

/// A choice among single words becomes an `enum`; what is said of each word joins the description.
fn choice_of_words(clean: &mut Map<String, Value>, choice: &str) {
    let Some(branches) = clean.get(choice).and_then(Value::as_array) else {
        return;
    };
    let mut words = Vec::new();
    let mut notes = Vec::new();
    for branch in branches {
        match (
            branch.get("const"),
            branch.get("enum").and_then(Value::as_array),
        ) {
            (Some(word @ Value::String(text)), _) => {
                words.push(word.clone());
                let note = branch.get("description").and_then(Value::as_str);
                notes.extend(note.map(|note| format!("`{text}`: {}", one_line(note))));
            }
            (None, Some(more)) if more.iter().all(Value::is_string) => words.extend(more.clone()),
            _ => return,
        }
    }
    clean.remove(choice);
    clean.insert("type".to_owned(), "string".into());
    clean.insert("enum".to_owned(), words.into());
    if !notes.is_empty() {
        let before = clean.get("description").and_then(Value::as_str);
        let text = before
            .map(|before| format!("{before} "))
            .unwrap_or_default();
        clean.insert("description".to_owned(), (text + &notes.join(" ")).into());
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::{JsonSchema, schema_for};
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::schema::Parameters;

    /// The struct's own text is not repeated in the schema.
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Args {
        /// Path of the file.
        path: String,
        /// First line, from 1.
        #[serde(default = "one")]
        offset: usize,
        limit: Option<u64>,
        #[serde(default)]
        show: Show,
        plain: Option<Plain>,
        include: Option<Vec<String>>,
        #[serde(default)]
        replace_all: bool,
        env: Option<BTreeMap<String, String>>,
        conditions: Option<Conditions>,
        either: Option<Either>,
        title: Option<String>,
    }

    fn one() -> usize {
        1
    }

    /// What is shown.
    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Show {
        /// The lines
        /// themselves.
        #[default]
        Content,
        /// Only names.
        Files,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Plain {
        A,
        B,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Conditions {
        /// A name.
        name: Option<String>,
        format: Option<f64>,
        inner: Option<Box<Conditions>>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Either {
        One(String),
        Many(Vec<String>),
    }

    #[test]
    fn keeps_the_shape_and_drops_the_noise() {
        let parameters = Parameters::from_schemars(schema_for!(Args));
        let expected = json!({
            "path": { "description": "Path of the file.", "type": "string" },
            "offset": {
                "description": "First line, from 1.",
                "type": "integer",
                "minimum": 0,
                "default": 1,
            },
            "limit": { "type": "integer", "minimum": 0 },
            "show": {
                "description": "What is shown. `content`: The lines themselves. `files`: Only names.",
                "type": "string",
                "enum": ["content", "files"],
                "default": "content",
            },
            "plain": { "type": "string", "enum": ["a", "b"] },
            "include": { "type": "array", "items": { "type": "string" } },
            "replace_all": { "type": "boolean", "default": false },
            "env": { "type": "object", "additionalProperties": { "type": "string" } },
        });
        for (name, schema) in expected.as_object().unwrap() {
            assert_eq!(parameters.get(name), Some(schema), "{name}");
        }
        let whole = parameters.json_schema();
        assert_eq!(whole["required"], json!(["path"]));
        assert_eq!(whole["additionalProperties"], false);
        assert_eq!(whole.get("description"), None);
        assert_eq!(
            whole["properties"]["either"]["anyOf"]
                .as_array()
                .map(Vec::len),
            Some(2)
        );
        let conditions = &whole["properties"]["conditions"]["properties"];
        assert_eq!(
            conditions["name"],
            json!({ "description": "A name.", "type": "string" })
        );
        assert_eq!(
            conditions["format"],
            json!({ "type": "number" }),
            "a name is not noise"
        );
        let text = whole.to_string();
        for noise in ["$ref", "$defs", "$schema", "null", "uint", "Args"] {
            assert!(!text.contains(noise), "{noise} in {text}");
        }
    }

    #[test]
    fn reads_as_a_signature_in_the_order_of_the_fields() {
        let parameters = Parameters::from_schemars(schema_for!(Args));
        assert_eq!(
            parameters.compact(),
            "(path: string, offset?: integer = 1, limit?: integer, \
             show?: 'content'|'files' = \"content\", plain?: 'a'|'b', include?: string[], \
             replace_all?: boolean = false, env?: table, conditions?: table, \
             either?: string|string[], title?: string)"
        );
        assert_eq!(parameters.positional()[..2], ["path", "offset"]);
        assert_eq!(parameters.description("path"), Some("Path of the file."));
    }

    #[test]
    fn a_type_that_holds_itself_ends_somewhere() {
        let parameters = Parameters::from_schemars(schema_for!(Conditions));
        assert!(parameters.json_schema().to_string().len() < 4_000);
    }

    #[derive(Deserialize, JsonSchema)]
    struct Nothing {}

    #[test]
    fn takes_nothing() {
        let parameters = Parameters::from_schemars(schema_for!(Nothing));
        assert_eq!(parameters, Parameters::default());
    }
}
