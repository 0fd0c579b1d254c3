//! The parameters of a tool: a small JSON Schema object, and the order of what may be given by place.
//!
//! However it was declared, it is an object with `properties`; unknown names are refused unless the
//! declaration itself says otherwise. The order of the properties is the order people see.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::derived;
use super::param::{Param, params};
use super::words::{kinds, short_type};
use crate::data::Data;
use crate::error::ToolError;

/// What a tool takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    json: Value,
    positional: Vec<String>,
    paths: Vec<String>,
    /// The properties of `json`, read once.
    params: Vec<Param>,
    /// Whether `json` accepts names that are not declared.
    open: bool,
}

impl Default for Parameters {
    /// Takes nothing.
    fn default() -> Parameters {
        Parameters::new(Map::new(), Vec::new(), Vec::new(), Vec::new())
    }
}

impl Parameters {
    /// From parts that have been checked: the properties in order, which of them are required, which
    /// may be given by place, and which are paths.
    pub(super) fn new(
        properties: Map<String, Value>,
        required: Vec<String>,
        positional: Vec<String>,
        paths: Vec<String>,
    ) -> Parameters {
        let mut json = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            json["required"] = required.into();
        }
        json["additionalProperties"] = false.into();
        Parameters::of(json, positional, paths)
    }

    fn of(json: Value, positional: Vec<String>, paths: Vec<String>) -> Parameters {
        let others = json.get("additionalProperties");
        Parameters {
            positional,
            paths,
            params: params(&json),
            open: !matches!(others, Some(Value::Bool(false))),
            json,
        }
    }

    /// From the schema of an argument struct. The order of the fields is the order of positionals,
    /// doc comments are descriptions, and everything but the shape is removed: no titles, formats,
    /// references or nulls.
    pub fn from_schemars(schema: schemars::Schema) -> Parameters {
        let json = derived::cleaned(schema.as_value());
        let positional = properties(&json).map(|all| all.keys().cloned().collect());
        Parameters::of(json, positional.unwrap_or_default(), Vec::new())
    }

    /// From a JSON Schema written by somebody else. By place come the required names, in their order,
    /// then the others. Unknown names are refused unless it has `additionalProperties`.
    ///
    /// # Errors
    /// `argument` when it does not describe an object with named properties.
    pub fn from_json_schema(mut schema: Value) -> Result<Parameters, ToolError> {
        let wrong = |what: String| {
            ToolError::argument(format!(
                "this JSON Schema cannot describe parameters: {what}"
            ))
            .with_hint("give `{ type = \"object\", properties = { … }, required = { … } }`")
        };
        if kinds(&schema) != ["object"] {
            return Err(wrong("its `type` is not \"object\"".to_owned()));
        }
        let names = match schema.get("properties") {
            None => Map::new(),
            Some(Value::Object(all)) => all.clone(),
            Some(Value::Array(none)) if none.is_empty() => Map::new(),
            Some(_) => return Err(wrong("its `properties` are not a table".to_owned())),
        };
        if let Some((name, _)) = names
            .iter()
            .find(|(_, v)| !v.is_object() && !v.is_boolean())
        {
            return Err(wrong(format!("the property `{name}` is not a schema")));
        }
        let listed = match schema.get("required") {
            None => Vec::new(),
            Some(list) => serde_json::from_value::<Vec<String>>(list.clone())
                .map_err(|_| wrong("its `required` is not a list of names".to_owned()))?,
        };
        if let Some(name) = listed.iter().find(|name| !names.contains_key(*name)) {
            return Err(wrong(format!("it requires `{name}`, which is no property")));
        }
        let rest = names.keys().filter(|name| !listed.contains(name)).cloned();
        let positional = listed.iter().cloned().chain(rest).collect();
        schema["properties"] = names.into();
        if let Some(object) = schema.as_object_mut() {
            object
                .entry("additionalProperties")
                .or_insert(Value::Bool(false));
        }
        Ok(Parameters::of(schema, positional, Vec::new()))
    }

    /// These parameters as `schema` would have them. What stays keeps its place, its order and what it is
    /// beside the schema (a path); what is new comes last.
    ///
    /// # Errors
    /// As [`Parameters::from_json_schema`].
    pub fn redefined(&self, schema: Value) -> Result<Parameters, ToolError> {
        let mut next = Parameters::from_json_schema(schema)?;
        let listed = next
            .json
            .get_mut("properties")
            .and_then(Value::as_object_mut);
        let mut listed = listed.map(std::mem::take).unwrap_or_default();
        let mut ordered = Map::new();
        for name in self.names() {
            // One that is as it was keeps the order of its own fields too.
            if let (Some(new), Some(old)) = (listed.remove(name), self.get(name)) {
                let property = if new == *old { old.clone() } else { new };
                ordered.insert(name.to_owned(), property);
            }
        }
        ordered.extend(listed);
        let stays = |name: &&String| ordered.contains_key(*name);
        let mut positional: Vec<String> = self.positional.iter().filter(stays).cloned().collect();
        let new = next
            .positional
            .iter()
            .filter(|name| self.param(name).is_none());
        positional.extend(new.cloned());
        let paths = self.paths.iter().filter(stays).cloned().collect();
        next.json["properties"] = ordered.into();
        Ok(Parameters::of(next.json, positional, paths))
    }

    /// The JSON Schema, as a provider takes it.
    pub fn json_schema(&self) -> &Value {
        &self.json
    }

    /// The names that may be given by place, in order.
    pub fn positional(&self) -> &[String] {
        &self.positional
    }

    /// Every name, in the order of the declaration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.params.iter().map(|param| param.name.as_str())
    }

    /// The schema of one parameter.
    pub fn get(&self, name: &str) -> Option<&Value> {
        properties(&self.json)?.get(name)
    }

    /// True when a call without it is refused.
    pub fn is_required(&self, name: &str) -> bool {
        self.param(name).is_some_and(|param| param.required)
    }

    /// True when names that are not declared are accepted.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// True when a table fits this parameter.
    pub fn takes_table(&self, name: &str) -> bool {
        self.param(name).is_some_and(|param| param.takes_table)
    }

    /// The parameters, as a call needs them.
    pub(super) fn params(&self) -> &[Param] {
        &self.params
    }

    pub(super) fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// True when it was declared as a `path`.
    pub fn is_path(&self, name: &str) -> bool {
        self.paths.iter().any(|path| path == name)
    }

    /// The values in `args` that were declared as paths, also those inside of lists and tables.
    pub fn path_values<'a>(&self, args: &'a Data) -> Vec<&'a Data> {
        let mut found = Vec::new();
        for path in &self.paths {
            let segments: Vec<&str> = path.split('.').collect();
            reach(args, &segments, &mut found);
        }
        found
    }

    /// What is said of one parameter, if anything is.
    pub fn description(&self, name: &str) -> Option<&str> {
        self.get(name)?.get("description")?.as_str()
    }

    /// The value of a parameter that is not given.
    pub fn default_of(&self, name: &str) -> Option<&Value> {
        self.get(name)?.get("default")
    }

    /// The type of one parameter as declarations write it: `integer`, `string[]`, `'a'|'b'`, `path`.
    pub fn type_of(&self, name: &str) -> String {
        let word = self.get(name).map_or_else(|| "any".to_owned(), short_type);
        if self.is_path(name) {
            word.replace("string", "path")
        } else {
            word
        }
    }

    /// The signature on one line: `(path: string, offset?: integer = 1, limit?: integer)`.
    pub fn compact(&self) -> String {
        let mut text = String::from("(");
        for (i, name) in self.names().enumerate() {
            let optional = if self.is_required(name) { "" } else { "?" };
            let comma = if i > 0 { ", " } else { "" };
            let _ = write!(text, "{comma}{name}{optional}: {}", self.type_of(name));
            if let Some(default) = self.default_of(name) {
                let _ = write!(text, " = {default}");
            }
        }
        text.push(')');
        text
    }

    /// The arguments that one value given by place means.
    ///
    /// # Errors
    /// `argument` when the tool takes nothing by place.
    pub fn first(&self, value: Data) -> Result<Data, ToolError> {
        match self.positional.first() {
            Some(name) => Ok(Data::map([(name, value)])),
            None => Err(ToolError::argument(format!(
                "it takes no value by place, got {}",
                value.got()
            ))
            .with_hint(self.takes())),
        }
    }

    /// The sentence that says what is accepted.
    pub(super) fn takes(&self) -> String {
        match self.names().next() {
            Some(_) => format!("it takes {}", self.compact()),
            None => "it takes no arguments".to_owned(),
        }
    }
}

fn properties(json: &Value) -> Option<&Map<String, Value>> {
    json.get("properties")?.as_object()
}

/// What lies at the end of `segments`; of a list, in each of its items.
fn reach<'a>(data: &'a Data, segments: &[&str], found: &mut Vec<&'a Data>) {
    match (data, segments) {
        (Data::List(items), _) => items.iter().for_each(|item| reach(item, segments, found)),
        (_, []) => found.push(data),
        (_, [name, rest @ ..]) => {
            if let Some(inner) = data.get(name) {
                reach(inner, rest, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_schema_is_passed_through() {
        let schema = json!({
            "type": "object",
            "properties": { "b": { "type": "string" }, "a": { "type": "integer", "default": 1 } },
            "required": ["b"],
        });
        let parameters = Parameters::from_json_schema(schema).unwrap();
        assert_eq!(parameters.compact(), "(b: string, a?: integer = 1)");
        assert_eq!(parameters.positional(), ["b", "a"]);
        assert_eq!(parameters.json_schema()["additionalProperties"], false);
        let bare = Parameters::from_json_schema(json!({ "type": "object" })).unwrap();
        assert_eq!(bare.compact(), "()");
        assert_eq!(
            bare,
            Parameters {
                positional: Vec::new(),
                ..Parameters::default()
            }
        );
        let open = json!({ "type": "object", "additionalProperties": true });
        assert!(Parameters::from_json_schema(open).unwrap().is_open());
    }

    #[test]
    fn says_why_a_schema_cannot_describe_parameters() {
        let rows = [
            (json!({ "type": "string" }), "its `type` is not \"object\""),
            (
                json!({ "type": "object", "properties": 3 }),
                "its `properties` are not a table",
            ),
            (
                json!({ "type": "object", "properties": { "a": 3 } }),
                "the property `a` is not a schema",
            ),
            (
                json!({ "type": "object", "required": "a" }),
                "its `required` is not a list of names",
            ),
            (
                json!({ "type": "object", "required": ["a"] }),
                "it requires `a`, which is no property",
            ),
        ];
        for (schema, why) in rows {
            let error = Parameters::from_json_schema(schema).unwrap_err();
            assert_eq!(
                error.message,
                format!("this JSON Schema cannot describe parameters: {why}")
            );
        }
    }

    #[test]
    fn a_redefinition_keeps_the_order_of_what_stays() {
        let own = json!({ "type": "object", "required": ["z"], "properties": {
            "z": { "type": "string", "description": "first" }, "b": { "type": "integer" },
            "a": { "type": "string" },
        } });
        let own = Parameters {
            paths: vec!["z".to_owned(), "b".to_owned()],
            positional: vec!["z".to_owned(), "a".to_owned()],
            ..Parameters::from_json_schema(own).unwrap()
        };
        let next = json!({ "type": "object", "required": ["z", "0"], "properties": {
            "0": { "type": "string" }, "a": { "type": "integer" },
            "z": { "description": "first", "type": "string" },
        }, "additionalProperties": false });
        let next = own.redefined(next).unwrap();
        assert_eq!(next.compact(), "(z: path, a?: integer, 0: string)");
        assert_eq!(next.positional(), ["z", "a", "0"]);
        assert!(next.is_path("z") && !next.is_path("b"));
        assert!(own.redefined(json!({ "type": "string" })).is_err());
    }

    #[test]
    fn one_value_goes_to_the_first_place() {
        let schema = json!({ "type": "object", "properties": { "b": {} }, "required": ["b"] });
        let parameters = Parameters::from_json_schema(schema).unwrap();
        assert_eq!(
            parameters.first("x".into()).unwrap(),
            Data::map([("b", "x".into())])
        );
        let error = Parameters::default().first("x".into()).unwrap_err();
        assert_eq!(error.message, "it takes no value by place, got text \"x\"");
        assert_eq!(error.hint(), "it takes no arguments");
    }
}
