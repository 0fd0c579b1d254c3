//! The short form of a declaration, as Lua writes it, made into [`Parameters`].
//!
//! A type is a word (`string path integer number boolean table any`) or quoted choices (`'a'|'b'`),
//! with `[]` for a list and `?` for optional. A table gives more: `{ "integer", default = 5 }` or
//! `{ type = "integer", … }`; a default makes it optional. A table that is itself a JSON Schema
//! (`type = "object"` and `properties`) is taken as it stands.

use serde_json::{Map, Value, json};

use super::Parameters;
use super::words::{misfit, to_json};
use crate::data::Data;
use crate::error::ToolError;
use crate::text::suggestion;

/// What a table of Lua says about parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShortForm {
    /// The array part: names in the order they may be given.
    pub positional: Vec<String>,
    /// The named part: each name with its type. A type is text, a list of one text, or a map in
    /// which the array part's first item stands under the key `"1"`.
    pub named: Vec<(String, Data)>,
}

const WORDS: [&str; 8] = [
    "string", "path", "integer", "number", "boolean", "table", "object", "any",
];

/// What a table may say beside the type: JSON Schema's own words, and `optional`.
const KEYS: [&str; 15] = [
    "additionalProperties",
    "default",
    "description",
    "enum",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "optional",
    "pattern",
    "properties",
    "required",
];

const ACCEPTED: &str = "a type is string, path, integer, number, boolean, table, any or \
    'a'|'b', with [] for a list and ? for optional; or a table { type, default =, description =, \
    minimum =, maximum =, enum =, items = }";

/// One declared parameter.
#[derive(Debug)]
struct Declared {
    schema: Map<String, Value>,
    optional: bool,
    path: bool,
}

impl ShortForm {
    /// The parameters it declares: positionals first, in their order, then the rest by name.
    ///
    /// # Errors
    /// `argument`, naming the parameter and what is accepted.
    pub fn parameters(mut self) -> Result<Parameters, ToolError> {
        if self.is_json_schema() {
            let whole = Data::Map(self.named.into_iter().collect());
            return Parameters::from_json_schema(lists(to_json(&whole)));
        }
        self.named.sort_by(|a, b| a.0.cmp(&b.0));
        let mut properties = Map::new();
        let (mut required, mut paths) = (Vec::new(), Vec::new());
        for name in names(&self)? {
            let given = self.named.iter().find(|(other, _)| *other == name);
            let declared = match given {
                Some((_, given)) => declared(given),
                None => word("string"),
            };
            let declared = declared.map_err(|why| {
                ToolError::argument(format!("parameter `{name}`: {why}")).with_hint(ACCEPTED)
            })?;
            if !declared.optional {
                required.push(name.clone());
            }
            if declared.path {
                paths.push(name.clone());
            }
            properties.insert(name, Value::Object(declared.schema));
        }
        Ok(Parameters::new(
            properties,
            required,
            self.positional,
            paths,
        ))
    }

    /// The named part read as the table it was, for a whole that is a JSON Schema.
    fn is_json_schema(&self) -> bool {
        let get = |key: &str| self.named.iter().find(|(name, _)| name == key);
        let object = get("type").is_some_and(|(_, kind)| kind.as_str() == Some("object"));
        let properties = get("properties").is_some_and(|(_, all)| is_table(all));
        self.positional.is_empty() && object && properties
    }
}

/// Lua writes an empty list and an empty table alike.
fn is_table(data: &Data) -> bool {
    matches!(data, Data::Map(_)) || data.as_list().is_some_and(<[Data]>::is_empty)
}

/// `required = {}` arrives as an empty table where it means an empty list.
fn lists(mut schema: Value) -> Value {
    if schema
        .get("required")
        .and_then(Value::as_object)
        .is_some_and(Map::is_empty)
    {
        schema["required"] = json!([]);
    }
    schema
}

/// Every name once, positionals first.
fn names(form: &ShortForm) -> Result<Vec<String>, ToolError> {
    let mut names: Vec<String> = Vec::new();
    for name in &form.positional {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if names.contains(name) {
            return Err(ToolError::argument(format!(
                "the parameter `{name}` is listed twice"
            )));
        }
        if !plain || name.is_empty() {
            return Err(
                ToolError::argument(format!("{name:?} cannot name a parameter")).with_hint(
                    "the array part lists names, such as { \"path\", \"limit\" }; \
                            types go under the name: limit = \"integer?\"",
                ),
            );
        }
        names.push(name.clone());
    }
    let rest = form.named.iter().map(|(name, _)| name);
    for name in rest.filter(|name| !form.positional.contains(name)) {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(
                ToolError::argument(format!("{name:?} cannot name a parameter"))
                    .with_hint("names are letters, digits and `_`"),
            );
        }
        names.push(name.clone());
    }
    Ok(names)
}

fn declared(given: &Data) -> Result<Declared, String> {
    match given {
        Data::Text(text) => word(text),
        Data::List(list) => match list.as_slice() {
            [Data::Text(text)] => word(text),
            _ => Err("a list is no type".to_owned()),
        },
        Data::Map(map) => {
            let kind = map.get("1").or_else(|| map.get("type"));
            let mut declared = match kind {
                Some(Data::Text(text)) => word(text)?,
                Some(other) => return Err(format!("its type: expected text, got {}", other.got())),
                None => word(guessed(given))?,
            };
            for (key, value) in map.iter().filter(|(key, _)| *key != "1" && *key != "type") {
                more(&mut declared, key, value)?;
            }
            default_fits(&declared)?;
            Ok(declared)
        }
        other => Err(format!("{} is no type", other.got())),
    }
}

/// The type of a table that names none: that of its default, else text.
fn guessed(given: &Data) -> &'static str {
    match given.get("default") {
        _ if given.get("enum").is_some() => "any",
        Some(Data::Bool(_)) => "boolean",
        Some(Data::Int(_)) => "integer",
        Some(Data::Float(_)) => "number",
        Some(Data::List(_) | Data::Map(_)) => "any",
        _ => "string",
    }
}

fn more(declared: &mut Declared, key: &str, value: &Data) -> Result<(), String> {
    if !KEYS.contains(&key) {
        let near = suggestion(key, KEYS);
        let message = format!("it has the unknown key `{key}`; {near}");
        return Err(message.trim_end_matches("; ").to_owned());
    }
    let due = match (key, value) {
        ("optional", Data::Bool(optional)) => {
            declared.optional = *optional;
            return Ok(());
        }
        ("default", Data::Null) => return Ok(()),
        ("items", items) => {
            let items = self::declared(items).map_err(|why| format!("items: {why}"))?;
            let items = Value::Object(items.schema);
            declared.schema.insert("type".to_owned(), "array".into());
            declared.schema.insert(key.to_owned(), items);
            return Ok(());
        }
        ("optional", _) => Some("true or false"),
        ("enum", value) => value.as_list().is_none().then_some("a list"),
        ("description" | "pattern", value) => value.as_str().is_none().then_some("text"),
        ("default" | "properties" | "required" | "additionalProperties", _) => None,
        (_, Data::Int(_) | Data::Float(_)) => None,
        _ => Some("a number"),
    };
    if let Some(due) = due {
        return Err(format!("{key}: expected {due}, got {}", value.got()));
    }
    declared.optional |= key == "default";
    declared.schema.insert(key.to_owned(), whole(value));
    Ok(())
}

/// JSON with the floats that Lua's arithmetic makes of whole numbers made whole again.
fn whole(value: &Data) -> Value {
    match value.as_int() {
        Some(number) => number.into(),
        None => to_json(value),
    }
}

fn default_fits(declared: &Declared) -> Result<(), String> {
    let schema = Value::Object(declared.schema.clone());
    let default = schema.get("default");
    match default.and_then(|default| misfit(default, &schema)) {
        Some(why) => Err(format!("its default does not fit: {why}")),
        None => Ok(()),
    }
}

/// A type as one text: `integer?`, `string[]`, `'a'|'b'`.
fn word(text: &str) -> Result<Declared, String> {
    let bare = text.trim();
    let (bare, optional) = match bare.strip_suffix('?') {
        Some(bare) => (bare.trim_end(), true),
        None => (bare, false),
    };
    let (bare, lists) = match bare.strip_suffix("[]") {
        Some(bare) => (bare.trim_end(), true),
        None => (bare, false),
    };
    let schema = if bare.starts_with(['\'', '"', '(']) {
        choices(bare)?
    } else {
        let kind = match bare {
            "path" => "string",
            "table" => "object",
            kind => kind,
        };
        match bare {
            "any" => json!({}),
            bare if WORDS.contains(&bare) => json!({ "type": kind }),
            bare => {
                let near = suggestion(bare, WORDS);
                return Err(format!("`{bare}` is no type; {near}")
                    .trim_end_matches("; ")
                    .to_owned());
            }
        }
    };
    let schema = if lists {
        json!({ "type": "array", "items": schema })
    } else {
        schema
    };
    let schema = schema.as_object().cloned().unwrap_or_default();
    Ok(Declared {
        schema,
        optional,
        path: bare == "path",
    })
}

/// `'a'|'b'`, in parentheses perhaps.
fn choices(text: &str) -> Result<Value, String> {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let mut rest = inner.unwrap_or(text).trim();
    let wrong = || format!("{text} is not a choice such as 'a'|'b'");
    let mut words: Vec<Value> = Vec::new();
    loop {
        let quote = rest
            .chars()
            .next()
            .filter(|c| matches!(c, '\'' | '"'))
            .ok_or_else(wrong)?;
        let (word, after) = rest[1..].split_once(quote).ok_or_else(wrong)?;
        words.push(word.into());
        rest = after.trim_start();
        if rest.is_empty() {
            return Ok(json!({ "type": "string", "enum": words }));
        }
        rest = rest.strip_prefix('|').ok_or_else(wrong)?.trim_start();
    }
}

#[cfg(test)]
mod tests;
