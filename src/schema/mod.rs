//! stub
#![allow(missing_docs)]
use crate::{
    data::{Data, Map},
    error::ToolError,
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
        Ok(Parameters {
            json: serde_json::json!({"type":"object"}),
            positional: form.positional,
        })
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
