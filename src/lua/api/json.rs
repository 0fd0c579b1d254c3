//! `agent.json`: JSON from and to Lua values. What JSON cannot say is refused with its path, never guessed.
//!
//! Keys come out sorted. A key that stands there twice is refused, since two readers would not agree on it.

use std::rc::Rc;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, Given, function, strict};
use crate::data::{self, Data};
use crate::error::ToolError;
use crate::lua::convert;
use crate::lua::host::Host;
use crate::lua::raise::Failure;

/// Sets `agent.json`.
pub(super) fn install(lua: &Lua, agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    let json = lua.create_table()?;
    let doc = Doc {
        name: "agent.json.encode",
        takes: "(value, { pretty }?) → text",
        about: "the value as JSON, on one line or, with pretty = true, indented; {} is an object, agent.array{} a list",
    };
    function(lua, &json, doc, encode)?;
    let doc = Doc {
        name: "agent.json.decode",
        takes: "(text, { null }?) → value",
        about: "the value of a JSON text; null is agent.null in lists and nil in objects, there too agent.null with null = true",
    };
    function(lua, &json, doc, decode)?;
    strict(lua, &json, "agent.json")?;
    agent.raw_set("json", json)
}

fn encode(given: &Given<'_>) -> Result<String, Failure> {
    let pretty = given.switches(2, &["pretty"])?.contains(&"pretty");
    let data = convert::to_data(&given.value(1))?;
    refuse_bytes(&data, &mut "value".to_owned())?;
    let text = if pretty {
        serde_json::to_string_pretty(&data)
    } else {
        serde_json::to_string(&data)
    };
    text.map_err(|error| ToolError::internal(error.to_string()).into())
}

fn refuse_bytes(data: &Data, path: &mut String) -> Result<(), ToolError> {
    let length = path.len();
    match data {
        Data::Bytes(_) => {
            let message = format!("{path}: expected text in UTF-8, got other bytes");
            return Err(
                ToolError::argument(message).with_hint("JSON has no bytes; encode them as text")
            );
        }
        Data::List(list) => {
            for (index, item) in list.iter().enumerate() {
                path.push_str(&format!("[{}]", index + 1));
                refuse_bytes(item, path)?;
                path.truncate(length);
            }
        }
        Data::Map(map) => {
            for (key, item) in map {
                path.push_str(&format!(".{key}"));
                refuse_bytes(item, path)?;
                path.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}

fn decode(given: &Given<'_>) -> Result<Value, Failure> {
    let nulls = given.switches(2, &["null"])?.contains(&"null");
    let text = given.utf8(1, "text")?;
    let data = data::parse(&text).map_err(|error| {
        ToolError::argument(format!("agent.json.decode: {error}"))
            .with_hint("mend the text at the line and column that are named")
    })?;
    let value = convert::to_lua(given.lua, &data)?;
    if nulls {
        keep_nulls(&value, &data)?;
    }
    Ok(match data {
        Data::Null if nulls => Value::NULL,
        _ => value,
    })
}

/// Puts the fields back that were left out because they are null.
fn keep_nulls(value: &Value, data: &Data) -> mlua::Result<()> {
    let Value::Table(table) = value else {
        return Ok(());
    };
    match data {
        Data::List(list) => {
            for (index, item) in list.iter().enumerate().filter(|(_, item)| is_nested(item)) {
                keep_nulls(&table.raw_get(index + 1)?, item)?;
            }
        }
        Data::Map(map) => {
            for (key, item) in map {
                match item {
                    Data::Null => table.raw_set(key.as_str(), Value::NULL)?,
                    item if is_nested(item) => keep_nulls(&table.raw_get(key.as_str())?, item)?,
                    _ => {}
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn is_nested(data: &Data) -> bool {
    matches!(data, Data::List(_) | Data::Map(_))
}
