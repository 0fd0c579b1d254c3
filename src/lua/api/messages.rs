//! Messages as Lua has them, and as models get them: `{ role, text, calls? }`, and `{ role = "tool", id, tool, text }` for
//! results.
//!
//! A reply carries all its parts, so that what only its provider understands goes back to it.

use mlua::{Lua, Table, Value};

use crate::chat::{Arguments, Call, CallResult, Message, Part, Role};
use crate::data::Data;
use crate::error::ToolError;
use crate::lua::convert;
use crate::lua::fields::Fields;
use crate::lua::raise::Failure;
use crate::lua::short::wrong;

/// The field of a reply that holds all its parts.
const PARTS: &str = "parts";

/// What stands before everything, and the conversation after it.
pub(super) fn read(list: &Table, path: &str) -> Result<(Vec<String>, Vec<Message>), Failure> {
    let (mut system, mut messages) = (Vec::new(), Vec::<Message>::new());
    for (at, item) in list.sequence_values::<Value>().enumerate() {
        let path = format!("{path}[{}]", at + 1);
        let Value::Table(item) = item? else {
            return Err(ToolError::argument(format!(
                "{path}: expected a message, {{ role =, text = }}"
            ))
            .into());
        };
        let fields = Fields::among(&item);
        let role: Value = item.raw_get("role")?;
        match role
            .as_string()
            .map(|role| role.to_string_lossy())
            .as_deref()
        {
            Some("system") if messages.is_empty() => system.push(text(&item, &path)?),
            Some("system") => messages.push(Message::text(Role::System, text(&item, &path)?)),
            Some("user") => messages.push(Message::text(Role::User, text(&item, &path)?)),
            Some("assistant") => messages.push(said(&item, &path)?),
            Some("tool") => {
                let result = result(&item, &path)?;
                match messages.last_mut() {
                    Some(last) if last.role == Role::Tool => last.parts.push(Part::Result(result)),
                    _ => messages.push(Message::results(vec![result])),
                }
            }
            _ => {
                let expected = "\"system\", \"user\", \"assistant\" or \"tool\"";
                return Err(wrong(&format!("{path}.role"), expected, &role).into());
            }
        }
        drop(fields);
    }
    Ok((system, messages))
}

/// The calls of a reply.
pub(super) fn calls(reply: &Table, path: &str) -> Result<Vec<Call>, Failure> {
    Ok(said(reply, path)?.calls().cloned().collect())
}

fn text(item: &Table, path: &str) -> Result<String, Failure> {
    match item.raw_get("text")? {
        Value::String(text) => Ok(text.to_string_lossy()),
        other => Err(wrong(&format!("{path}.text"), "text", &other).into()),
    }
}

/// What a model said: the parts of a reply, or text and calls that a script wrote.
fn said(item: &Table, path: &str) -> Result<Message, Failure> {
    let parts: Value = item.raw_get(PARTS)?;
    if let Value::String(parts) = parts {
        let parts = serde_json::from_slice(&parts.as_bytes());
        let parts: Vec<Part> =
            parts.map_err(|error| ToolError::argument(format!("{path}.{PARTS}: {error}")))?;
        let role = Role::Assistant;
        return Ok(Message { role, parts });
    }
    let mut parts = Vec::new();
    let words: Value = item.raw_get("text")?;
    match &words {
        Value::Nil => {}
        Value::String(words) => parts.push(Part::text(words.to_string_lossy())),
        other => return Err(wrong(&format!("{path}.text"), "text", other).into()),
    }
    let calls: Value = item.raw_get("calls")?;
    let calls = match calls {
        Value::Nil => return Ok(message(parts)),
        Value::Table(calls) => calls,
        other => return Err(wrong(&format!("{path}.calls"), "a list of calls", &other).into()),
    };
    for (at, call) in calls.sequence_values::<Value>().enumerate() {
        let path = format!("{path}.calls[{}]", at + 1);
        let Value::Table(call) = call? else {
            return Err(ToolError::argument(format!(
                "{path}: expected {{ id =, tool =, args = }}"
            ))
            .into());
        };
        let fields = Fields::beside(
            &call,
            &path,
            &["id", "tool", "args", "arguments", "incomplete"],
        )?;
        let needed = |name: &str| -> Result<String, Failure> {
            let missing = || wrong(&fields.at(name), "text", &Value::Nil);
            Ok(fields.text(name)?.ok_or_else(missing)?)
        };
        let arguments = match fields.text("arguments")? {
            Some(text) => text,
            None => match fields.value("args")? {
                Value::Nil => "{}".to_owned(),
                args => {
                    let args = convert::to_data_named(&args, &fields.at("args"))?;
                    serde_json::to_string(&args)
                        .map_err(|error| ToolError::argument(format!("{path}.args: {error}")))?
                }
            },
        };
        parts.push(Part::Call(Call {
            id: needed("id")?,
            tool: needed("tool")?,
            arguments: Arguments::new(arguments),
            incomplete: fields.flag("incomplete")?.unwrap_or(false),
            opaque: None,
        }));
    }
    Ok(message(parts))
}

fn message(parts: Vec<Part>) -> Message {
    let role = Role::Assistant;
    Message { role, parts }
}

fn result(item: &Table, path: &str) -> Result<CallResult, Failure> {
    let word = |name: &str| -> Result<Option<String>, Failure> {
        match item.raw_get(name)? {
            Value::Nil => Ok(None),
            Value::String(text) => Ok(Some(text.to_string_lossy())),
            other => Err(wrong(&format!("{path}.{name}"), "text", &other).into()),
        }
    };
    let Some(id) = word("id")? else {
        return Err(wrong(&format!("{path}.id"), "the id of the call", &Value::Nil).into());
    };
    let ok: Value = item.raw_get("ok")?;
    Ok(CallResult {
        id,
        tool: word("tool")?.unwrap_or_default(),
        text: word("text")?.unwrap_or_default(),
        is_error: ok == Value::Boolean(false),
        images: Vec::new(),
    })
}

/// A reply: role, text, calls, and all its parts.
pub(super) fn reply(lua: &Lua, message: &Message) -> Result<Table, Failure> {
    let table = lua.create_table()?;
    table.raw_set("role", "assistant")?;
    table.raw_set("text", message.said())?;
    let calls = lua.create_table()?;
    for call in message.calls() {
        let one = lua.create_table()?;
        one.raw_set("id", call.id.as_str())?;
        one.raw_set("tool", call.tool.as_str())?;
        if let Ok(args) = call.arguments.parse() {
            one.raw_set("args", convert::to_lua(lua, &Data::Map(args))?)?;
        }
        one.raw_set("arguments", call.arguments.as_str())?;
        one.raw_set("incomplete", call.incomplete.then_some(true))?;
        calls.raw_push(one)?;
    }
    convert::mark_list(lua, &calls)?;
    table.raw_set("calls", calls)?;
    let parts = serde_json::to_string(&message.parts)
        .map_err(|error| ToolError::internal(error.to_string()))?;
    table.raw_set(PARTS, parts)?;
    Ok(table)
}
