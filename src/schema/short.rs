//! The short form of a declaration, as Lua writes it, made into [`Parameters`].
//!
//! A type is a word (`string path integer number boolean table any`) or quoted choices (`'a'|'b'`),
//! with `[]` for a list and `?` for optional. A table gives more: `{ "integer", default = 5 }` or
//! `{ type = "integer", … }`; a default makes it optional. A table of types is a table with these
//! fields, `{ { … } }` a list of such. A table that is itself a JSON Schema (`type = "object"` and
//! `properties`) is taken as it stands.

mod word;

use serde_json::{Map, Value, json};

use self::word::word;
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
    minimum =, maximum =, enum =, items = }; or a table of types by name, in a list perhaps";

/// One declared parameter.
#[derive(Debug)]
struct Declared {
    schema: Map<String, Value>,
    optional: bool,
    /// Where paths lie in a value: itself (empty), or a field of it (`.name`).
    paths: Vec<String>,
}

/// What is wrong with a declaration, and where inside of it.
#[derive(Debug)]
struct Wrong {
    at: String,
    why: String,
}

impl From<String> for Wrong {
    fn from(why: String) -> Wrong {
        let at = String::new();
        Wrong { at, why }
    }
}

impl Wrong {
    fn inside(self, at: &str) -> Wrong {
        Wrong {
            at: format!("{at}{}", self.at),
            ..self
        }
    }
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
                None => word("string").map_err(Wrong::from),
            };
            let declared = declared.map_err(|Wrong { at, why }| {
                ToolError::argument(format!("parameter `{name}{at}`: {why}")).with_hint(ACCEPTED)
            })?;
            if !declared.optional {
                required.push(name.clone());
            }
            paths.extend(declared.paths.iter().map(|path| format!("{name}{path}")));
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

/// Why a table of types cannot stand where a type stands beside other keys.
const TABLE_OR_LIST: &str = "it may be a table or a list of tables: write `properties = { … }` for a table, \
    `items = { … }` for a list";

fn declared(given: &Data) -> Result<Declared, Wrong> {
    match given {
        Data::Text(text) => Ok(word(text)?),
        Data::List(list) => match list.as_slice() {
            [Data::Text(text)] => Ok(word(text)?),
            [table @ Data::Map(_)] => list_of(table),
            _ => Err("a list is no type".to_owned().into()),
        },
        Data::Map(map) if is_nested(map) => nested(map),
        Data::Map(map) => {
            let kind = map.get("1").or_else(|| map.get("type"));
            let mut declared = match kind {
                Some(Data::Text(text)) => word(text)?,
                Some(Data::Map(_)) => return Err(TABLE_OR_LIST.to_owned().into()),
                Some(other) => {
                    return Err(format!("its type: expected text, got {}", other.got()).into());
                }
                None => word(guessed(given))?,
            };
            for (key, value) in map.iter().filter(|(key, _)| *key != "1" && *key != "type") {
                more(&mut declared, key, value)?;
            }
            default_fits(&mut declared)?;
            Ok(declared)
        }
        other => Err(format!("{} is no type", other.got()).into()),
    }
}

/// Whether a table names fields with their types: it says nothing that a single type would.
fn is_nested(map: &crate::data::Map) -> bool {
    let is_said = |key: &String| key == "1" || key == "type" || KEYS.contains(&key.as_str());
    let is_type = |value: &Data| match value {
        Data::Text(text) => word(text).is_ok(),
        Data::Map(_) | Data::List(_) => true,
        _ => false,
    };
    // A key that is nearly one of ours, with what is no type behind it, is a slip.
    !map.is_empty()
        && !map.keys().any(is_said)
        && map
            .iter()
            .all(|(key, value)| is_type(value) || suggestion(key, KEYS).is_empty())
}

/// A list of such tables.
fn list_of(table: &Data) -> Result<Declared, Wrong> {
    let items = declared(table).map_err(|wrong| wrong.inside("[]"))?;
    let schema = json!({ "type": "array", "items": items.schema });
    Ok(Declared {
        schema: schema.as_object().cloned().unwrap_or_default(),
        optional: false,
        paths: items.paths,
    })
}

/// A table with these fields and no others.
fn nested(map: &crate::data::Map) -> Result<Declared, Wrong> {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let mut paths = Vec::new();
    for (name, given) in map {
        let at = format!(".{name}");
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Wrong::from("it cannot name a field".to_owned()).inside(&at));
        }
        let field = declared(given).map_err(|wrong| wrong.inside(&at))?;
        if !field.optional {
            required.push(Value::from(name.as_str()));
        }
        paths.extend(field.paths.iter().map(|path| format!("{at}{path}")));
        properties.insert(name.clone(), Value::Object(field.schema));
    }
    let schema = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    Ok(Declared {
        schema: schema.as_object().cloned().unwrap_or_default(),
        optional: false,
        paths,
    })
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

fn more(declared: &mut Declared, key: &str, value: &Data) -> Result<(), Wrong> {
    if !KEYS.contains(&key) {
        let near = suggestion(key, KEYS);
        let message = format!("it has the unknown key `{key}`; {near}");
        return Err(message.trim_end_matches("; ").to_owned().into());
    }
    let due = match (key, value) {
        ("optional", Data::Bool(optional)) => {
            declared.optional = *optional;
            return Ok(());
        }
        ("default", Data::Null) => return Ok(()),
        ("items", items) => {
            let items = self::declared(items).map_err(|Wrong { at, why }| match at.as_str() {
                "" => Wrong::from(format!("items: {why}")),
                _ => Wrong { at, why }.inside("[]"),
            })?;
            declared.paths = items.paths;
            let items = Value::Object(items.schema);
            declared.schema.insert("type".to_owned(), "array".into());
            declared.schema.insert(key.to_owned(), items);
            return Ok(());
        }
        ("properties", Data::Map(fields)) if fields.values().any(is_short) => {
            let fields = nested(fields)?;
            declared.schema.extend(fields.schema);
            declared.paths = fields.paths;
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
        return Err(format!("{key}: expected {due}, got {}", value.got()).into());
    }
    declared.optional |= key == "default";
    declared.schema.insert(key.to_owned(), whole(value));
    Ok(())
}

/// Whether a field among `properties` is a type in the short form, which no JSON Schema has.
fn is_short(field: &Data) -> bool {
    matches!(field, Data::Text(_)) || field.get("1").is_some()
}

/// JSON with the floats that Lua's arithmetic makes of whole numbers made whole again.
fn whole(value: &Data) -> Value {
    match value.as_int() {
        Some(number) => number.into(),
        None => to_json(value),
    }
}

/// Refuses a default of another type. An empty table is an empty list where a list is due.
fn default_fits(declared: &mut Declared) -> Result<(), String> {
    let is_list = declared.schema.get("type") == Some(&json!("array"));
    if is_list && declared.schema.get("default") == Some(&json!({})) {
        declared.schema.insert("default".to_owned(), json!([]));
    }
    let schema = Value::Object(declared.schema.clone());
    let default = schema.get("default");
    match default.and_then(|default| misfit(default, &schema)) {
        Some(why) => Err(format!("its default does not fit: {why}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
