//! stub
#![allow(missing_docs)]
use crate::{
    data::{Data, Map},
    error::{Error, ToolError},
};
#[derive(Clone, Debug)]
pub struct Parameters {
    pub json: serde_json::Value,
    pub positional: Vec<String>,
}
pub struct ShortForm {
    pub positional: Vec<String>,
    pub named: Vec<(String, Data)>,
}
impl Parameters {
    pub fn from_schemars(s: schemars::Schema) -> Parameters {
        let json = serde_json::to_value(s).unwrap_or_default();
        let positional = json["properties"]
            .as_object()
            .map(|m| m.keys().cloned().collect())
            .unwrap_or_default();
        Parameters { json, positional }
    }
    pub fn compact(&self) -> String {
        format!("({})", self.positional.join(", "))
    }
    pub fn type_of(&self, _name: &str) -> Option<&str> {
        None
    }
    pub fn from_short(form: ShortForm) -> Result<Parameters, ToolError> {
        let named = form.named.iter().map(|(name, _)| name);
        let properties: serde_json::Map<String, serde_json::Value> = form
            .positional
            .iter()
            .chain(named)
            .map(|name| (name.clone(), serde_json::json!({})))
            .collect();
        Ok(Parameters {
            json: serde_json::json!({"type":"object", "properties": properties}),
            positional: form.positional,
        })
    }
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let properties = self.json["properties"].as_object();
        properties
            .into_iter()
            .flat_map(|m| m.keys())
            .map(String::as_str)
    }
    pub fn description(&self, name: &str) -> Option<&str> {
        self.json["properties"][name]["description"].as_str()
    }
}
pub fn decode<T: serde::de::DeserializeOwned>(args: Data) -> Result<T, ToolError> {
    serde_path_to_error::deserialize(args).map_err(|e| ToolError::argument(e.to_string()))
}
pub fn prepare(
    args: Map,
    _parameters: &Parameters,
    _aliases: &[(String, String)],
) -> Result<Data, ToolError> {
    Ok(Data::Map(args))
}
pub enum Parsed {
    Values(Data),
    Help(String),
}
pub fn parse_args(
    name: &str,
    parameters: &Parameters,
    args: &[std::ffi::OsString],
) -> Result<Parsed, Error> {
    let words: Vec<&str> = args.iter().filter_map(|word| word.to_str()).collect();
    if words.contains(&"--help") {
        return Ok(Parsed::Help(format!("usage: {name}\n")));
    }
    if let Some(word) = words.iter().find(|word| word.starts_with("--")) {
        return Err(Error::usage(format!("there is no option {word}"), name));
    }
    let pairs = parameters
        .positional
        .iter()
        .cloned()
        .zip(words.into_iter().map(Data::from));
    Ok(Parsed::Values(Data::Map(pairs.collect())))
}
