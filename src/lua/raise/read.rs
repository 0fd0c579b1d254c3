//! Reading what was raised: tables, plain text, and the runtime's own errors, each as a [`ToolError`].
//!
//! Layers that only say through whom an error came are taken off, tracebacks with them.

use mlua::{Lua, Table, Value};
use serde_json::Value as Json;

use super::{Caught, Exit, Raised, caught_value, failed, remember, table};
use crate::error::{Kind, ToolError};
use crate::lua::convert;
use crate::text::head_bytes;

/// What Lua says when a value does not fit into memory.
const TOO_LARGE: [&str; 4] = [
    "not enough memory",
    "resulting string too large",
    "string length overflow",
    "table overflow",
];

/// What Lua says when calls nest too deeply. Its own functions in C nest less deeply than others.
const TOO_DEEP: [&str; 2] = ["stack overflow", "error in error handling"];

/// How much of a raised table without a message is shown.
const SHOWN: usize = 200;

/// What the runtime's error says, whoever it came through.
pub(in crate::lua) fn caught(lua: &Lua, error: &mlua::Error) -> Caught {
    if let Some(exit) = error.downcast_ref::<Exit>() {
        return Caught {
            error: ToolError::cancelled(),
            position: None,
            value: Box::new(Value::Error(Box::new(error.clone()))),
            exit: Some(Box::new(exit.clone())),
        };
    }
    if let Some(raised) = error.downcast_ref::<Raised>() {
        let tool = raised.tool.as_deref();
        return with_table(lua, raised.error.clone(), tool, raised.position.clone());
    }
    if let Some(error) = error.downcast_ref::<ToolError>() {
        return with_table(lua, error.clone(), None, None);
    }
    let (error, position) = runtime(error);
    with_table(lua, error, None, position)
}

/// `error` with a table made for it, so that it can be raised again.
fn with_table(lua: &Lua, error: ToolError, tool: Option<&str>, position: Option<String>) -> Caught {
    let value = table(lua, &error, tool).map_or(Value::Nil, Value::Table);
    remember(lua, &value, position.clone());
    let position = position.or_else(|| caught_value(lua, value.clone()).position);
    Caught {
        error,
        position,
        value: Box::new(value),
        exit: None,
    }
}

/// The failure in one of the runtime's own errors, and its position.
fn runtime(error: &mlua::Error) -> (ToolError, Option<String>) {
    use mlua::Error as E;
    match error {
        E::CallbackError { cause, .. } | E::WithContext { cause, .. } => runtime(cause),
        E::RuntimeError(text) => text_failure(text),
        E::MemoryError(_) => (out_of_memory(), None),
        E::SyntaxError { message, .. } => {
            let (position, message) = split_position(without_traceback(message));
            let error = failed(format!("syntax error: {message}"));
            let hint = "mend the line that is named; nothing of this file has run";
            (error.with_hint(hint), position.map(str::to_owned))
        }
        E::BadArgument { pos, cause, .. } => {
            let (cause, position) = runtime(cause);
            (
                ToolError::argument(format!("argument {pos}: {cause}")),
                position,
            )
        }
        E::FromLuaConversionError { from, to, message } => {
            let said = message.as_deref().unwrap_or_default();
            let message = format!("expected {}, got {from}{}", to, spaced(said));
            (ToolError::argument(message), None)
        }
        E::ExternalError(error) => (failed(error.to_string()), None),
        other => (failed(without_traceback(&other.to_string())), None),
    }
}

fn spaced(said: &str) -> String {
    if said.is_empty() {
        String::new()
    } else {
        format!(" ({said})")
    }
}

/// The failure in a raised value that is not the runtime's own, and the position in its text.
pub(super) fn read(value: &Value) -> (ToolError, Option<String>) {
    match value {
        Value::Table(table) => (table_failure(table), None),
        Value::String(text) => text_failure(&text.to_string_lossy()),
        Value::Nil => (failed("an error was raised without a value"), None),
        other => {
            let said = other
                .to_string()
                .unwrap_or_else(|_| other.type_name().to_owned());
            (failed(said), None)
        }
    }
}

fn table_failure(table: &Table) -> ToolError {
    let text = |key: &str| match table.raw_get::<Value>(key) {
        Ok(Value::String(text)) => Some(text.to_string_lossy()),
        Ok(number @ (Value::Integer(_) | Value::Number(_))) => number.to_string().ok(),
        _ => None,
    };
    let Some(message) = text("message") else {
        return wordless(table);
    };
    let word = text("kind");
    let kind = word.as_deref().and_then(|word| word.parse().ok());
    let mut error = ToolError::new(kind.unwrap_or(Kind::Failed), message);
    error.hint = text("hint").filter(|hint| hint != error.kind.hint());
    error.detail = table.raw_get("detail").ok().and_then(|detail: Value| {
        let detail = convert::to_data_named(&detail, "detail").ok()?;
        match serde_json::to_value(detail).ok()? {
            Json::Object(detail) if !detail.is_empty() => Some(Box::new(detail)),
            _ => None,
        }
    });
    match word {
        Some(word) if kind.is_none() => error.with_detail("kind", word),
        _ => error,
    }
}

/// A table that says nothing in words: by its `__tostring`, else by what is in it.
fn wordless(table: &Table) -> ToolError {
    let speaks = table.metatable().is_some_and(|metatable| {
        !metatable
            .raw_get::<Value>("__tostring")
            .is_ok_and(|v| v.is_nil())
    });
    let value = Value::Table(table.clone());
    if let Some(said) = value.to_string().ok().filter(|_| speaks) {
        return failed(said);
    }
    let data = convert::to_data_named(&value, "error").and_then(|data| {
        serde_json::to_value(data).map_err(|error| ToolError::internal(error.to_string()))
    });
    let Ok(json) = data else {
        return failed("a table without a message was raised")
            .with_hint("raise error{ kind =, message =, hint = }, or a plain text");
    };
    let shown = json.to_string();
    let mut error = failed(format!("the script raised {}", head_bytes(&shown, SHOWN)));
    if let Json::Object(fields) = json
        && !fields.is_empty()
    {
        error.detail = Some(Box::new(fields));
    }
    error
}

fn text_failure(text: &str) -> (ToolError, Option<String>) {
    let (position, message) = split_position(without_traceback(text));
    let error = match message {
        _ if is_yield_in_c(message) => ToolError::new(
            Kind::Unavailable,
            "a call that waits cannot be awaited inside table.concat, tostring or another function of the C library",
        )
        .with_hint("call it before, keep the result in a local, and use that inside"),
        _ if TOO_LARGE.iter().any(|said| message.contains(said)) => out_of_memory(),
        _ if TOO_DEEP.iter().any(|said| message.contains(said)) => {
            ToolError::new(Kind::Resource, first_line(message))
                .with_hint("a function calls itself without end; break the circle")
        }
        _ => failed(message),
    };
    (error, position.map(str::to_owned))
}

fn out_of_memory() -> ToolError {
    ToolError::new(Kind::Resource, "not enough memory for this script")
        .with_hint("work in smaller pieces: a range of a file, one match at a time")
}

/// Whether the runtime says that a call had to wait where Lua cannot.
pub(super) fn yielded_in_c(value: &Value) -> bool {
    matches!(value, Value::String(text) if is_yield_in_c(&text.to_string_lossy()))
}

fn is_yield_in_c(text: &str) -> bool {
    text.ends_with("attempt to yield across a C-call boundary")
}

fn without_traceback(text: &str) -> &str {
    text.split("\nstack traceback:").next().unwrap_or(text)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}

/// `script.lua:12` and the rest of `script.lua:12: boom`; no position where the text has none.
fn split_position(text: &str) -> (Option<&str>, &str) {
    let from = if text.starts_with("[string \"") {
        text.find("\"]")
    } else {
        Some(0)
    };
    let colon = from.and_then(|from| Some(from + text[from..].find(':')?));
    let Some((name, rest)) = colon.and_then(|at| Some((&text[..at], text.get(at + 1..)?))) else {
        return (None, text);
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_name =
        name.ends_with(']') || name.ends_with(".lua") || !name.contains(char::is_whitespace);
    match rest[digits..].strip_prefix(": ") {
        Some(message) if digits > 0 && !name.is_empty() && is_name => {
            (Some(&text[..name.len() + 1 + digits]), message)
        }
        _ => (None, text),
    }
}
