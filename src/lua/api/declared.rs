//! What a declaration says of each parameter, for help texts and for the command line of a script.
//!
//! Reads the JSON Schema that every form of declaration becomes; checks nothing.

use serde_json::Value as Json;

use crate::schema::Parameters;

/// One parameter.
pub(super) struct Declared<'p> {
    /// Its name.
    pub(super) name: &'p str,
    /// Its JSON type: `string`, `integer`, `number`, `boolean`, `array`, `object`; empty for anything.
    pub(super) kind: &'p str,
    /// The JSON type of a list's items.
    pub(super) item: &'p str,
    /// The words it may be; empty for any.
    pub(super) words: Vec<&'p str>,
    /// Whether it must be given.
    pub(super) required: bool,
    /// Whether it is given by its place.
    pub(super) positional: bool,
    /// What it is when it is not given, as JSON.
    pub(super) default: Option<String>,
    /// What it is for.
    pub(super) description: &'p str,
}

impl Declared<'_> {
    /// Its type as a declaration writes it: `string`, `integer[]`, `'a'|'b'`.
    pub(super) fn kind(&self) -> String {
        if !self.words.is_empty() {
            return self
                .words
                .iter()
                .map(|word| format!("'{word}'"))
                .collect::<Vec<_>>()
                .join("|");
        }
        match self.kind {
            "" => "any".to_owned(),
            "array" if self.item.is_empty() => "list".to_owned(),
            "array" => format!("{}[]", self.item),
            "object" => "table".to_owned(),
            kind => kind.to_owned(),
        }
    }

    /// `required`, `default 3`, or nothing.
    pub(super) fn presence(&self) -> String {
        match &self.default {
            _ if self.required => "required".to_owned(),
            Some(default) => format!("default {default}"),
            None => String::new(),
        }
    }
}

/// Every parameter: the positional ones in order, then the rest as the schema lists them.
pub(super) fn declared(parameters: &Parameters) -> Vec<Declared<'_>> {
    let schema = &parameters.json;
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    let required: Vec<&str> = texts(&schema["required"]);
    let place = |name: &String| parameters.positional.iter().position(|known| known == name);
    let mut all: Vec<(&String, &Json)> = properties.iter().collect();
    all.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
    let read = |(name, outer)| {
        let outer: &Json = outer;
        let name: &String = name;
        let inner = resolve(schema, outer);
        let item = resolve(schema, &inner["items"]);
        let text = |key: &str| {
            outer[key]
                .as_str()
                .or(inner[key].as_str())
                .unwrap_or_default()
        };
        Declared {
            name,
            kind: kind(inner),
            item: kind(item),
            words: texts(&inner["enum"]),
            required: required.contains(&name.as_str()),
            positional: place(name).is_some(),
            default: outer
                .get("default")
                .filter(|value| !value.is_null())
                .map(Json::to_string),
            description: text("description"),
        }
    };
    all.into_iter().map(read).collect()
}

/// The schema behind references and behind "this or null".
fn resolve<'p>(root: &'p Json, schema: &'p Json) -> &'p Json {
    let mut schema = schema;
    for _ in 0..8 {
        let named = schema["$ref"]
            .as_str()
            .and_then(|path| root.pointer(path.trim_start_matches('#')));
        let either = ["anyOf", "oneOf", "allOf"]
            .iter()
            .find_map(|key| schema[*key].as_array());
        let present = either.and_then(|list| list.iter().find(|one| one["type"] != "null"));
        match named.or(present) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

fn kind(schema: &Json) -> &str {
    match &schema["type"] {
        Json::String(kind) => kind,
        Json::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Json::as_str);
            kinds
                .into_iter()
                .find(|kind| *kind != "null")
                .unwrap_or_default()
        }
        _ => "",
    }
}

fn texts(list: &Json) -> Vec<&str> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Json::as_str).collect()
}
