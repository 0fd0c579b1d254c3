//! Tables as people write them: options in one table, and parameters in the short form.
//!
//! A field that nobody knows is an error that names the nearest one.

use mlua::{Table, Value};
use serde_json::Value as Json;

use super::convert;
use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::schema::{Parameters, ShortForm};
use crate::text::suggestion;

/// Checks that `table` has no field but `names`.
///
/// # Errors
/// `argument` with the nearest name.
pub(super) fn only(table: &Table, what: &str, names: &[&str]) -> Result<(), ToolError> {
    for pair in table.pairs::<Value, Value>() {
        let (key, _) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let key = key
            .to_string()
            .unwrap_or_else(|_| key.type_name().to_owned());
        if names.contains(&key.as_str()) {
            continue;
        }
        let near = suggestion(&key, names.iter().copied());
        let list = format!("the fields are: {}", names.join(", "));
        let hint = format!("{near} {list}");
        return Err(
            ToolError::argument(format!("{what}: there is no field `{key}`"))
                .with_hint(hint.trim_start()),
        );
    }
    Ok(())
}

/// Parameters as a tool record gives them: the short form, or a JSON Schema.
///
/// # Errors
/// `argument` that says what is wrong.
pub(super) fn parameters(value: &Value) -> Result<Parameters, ToolError> {
    match value {
        Value::Nil => Parameters::from_short(ShortForm {
            positional: Vec::new(),
            named: Vec::new(),
        }),
        Value::Table(table) if is_schema(table) => schema(table),
        Value::Table(table) => Parameters::from_short(form(table)?),
        other => Err(ToolError::argument(format!(
            "parameters: expected a table, got a {}",
            other.type_name()
        ))),
    }
}

/// The short form: names in order are positional, the rest is by name.
fn form(table: &Table) -> Result<ShortForm, ToolError> {
    let mut form = ShortForm {
        positional: Vec::new(),
        named: Vec::new(),
    };
    for item in table.sequence_values::<Value>() {
        match item {
            Ok(Value::String(name)) => form.positional.push(name.to_string_lossy()),
            _ => {
                return Err(ToolError::argument(
                    "parameters: a positional is given by its name",
                ));
            }
        }
    }
    for pair in table.pairs::<Value, Value>() {
        if let Ok((Value::String(name), value)) = pair {
            let name = name.to_string_lossy();
            let data = parameter(&value, &name)?;
            form.named.push((name, data));
        }
    }
    form.named.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(form)
}

/// `"integer?"`, or `{ "integer", default = 1 }`, whose first value is its `type`.
fn parameter(value: &Value, name: &str) -> Result<Data, ToolError> {
    let path = format!("parameters.{name}");
    let Value::Table(table) = value else {
        return convert::to_data_named(value, &path);
    };
    let mut map = Map::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let key = match key {
            Value::Integer(1) => "type".to_owned(),
            Value::String(key) => key.to_string_lossy(),
            other => {
                let message = format!("{path}: there is no place for a {}", other.type_name());
                return Err(ToolError::argument(message));
            }
        };
        let data = convert::to_data_named(&value, &format!("{path}.{key}"))?;
        map.insert(key, data);
    }
    Ok(Data::Map(map))
}

fn is_schema(table: &Table) -> bool {
    let is = |key: &str, what: fn(&Value) -> bool| {
        table.raw_get(key).is_ok_and(|value: Value| what(&value))
    };
    is("properties", Value::is_table)
        && is("type", |word| {
            word.to_string().is_ok_and(|word| word == "object")
        })
}

/// A JSON Schema. Its required properties are positional, in the order it lists them.
fn schema(table: &Table) -> Result<Parameters, ToolError> {
    let data = convert::to_data_named(&Value::Table(table.clone()), "parameters")?;
    let json =
        serde_json::to_value(&data).map_err(|error| ToolError::argument(error.to_string()))?;
    let names = |value: Option<&Json>| -> Vec<String> {
        let list = value
            .and_then(Json::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        list.iter()
            .filter_map(Json::as_str)
            .map(str::to_owned)
            .collect()
    };
    let mut positional = names(json.get("required"));
    let properties = json.get("properties").and_then(Json::as_object);
    let rest: Vec<String> = properties
        .into_iter()
        .flat_map(|properties| properties.keys())
        .filter(|name| !positional.contains(name))
        .cloned()
        .collect();
    positional.extend(rest);
    Ok(Parameters { json, positional })
}
