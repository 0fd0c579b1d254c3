//! `agent.log` and `agent.progress`: what a script says while it works.
//!
//! Told upward as events; nothing is printed here.

use std::rc::Rc;

use mlua::{Lua, LuaString, Table, Value};

use super::bind::{Doc, Given, function};
use crate::error::ToolError;
use crate::lua::host::Host;
use crate::lua::raise::Failure;
use crate::text::offer;
use crate::tool::{Event, Level};

const LEVELS: [(&str, Level); 4] = [
    ("debug", Level::Debug),
    ("info", Level::Info),
    ("warn", Level::Warn),
    ("error", Level::Error),
];

/// Sets `agent.log` and `agent.progress`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.log",
        takes: "(text, level=\"info\")",
        about: "a line of the log; level is debug (shown under -v), info, warn or error",
    };
    let services = host.services.clone();
    function(lua, agent, doc, move |given| {
        let text = said(given, 1)?;
        let word = given.optional_text(2, "level")?;
        services.sink.log(level("agent.log", word.as_ref())?, text);
        Ok(())
    })?;

    let doc = Doc {
        name: "agent.progress",
        takes: "(done, total?, text?)",
        about: "says how far the script is, for the person and for -o jsonl",
    };
    let services = host.services.clone();
    function(lua, agent, doc, move |given| {
        let count = |index, name| match given.optional_integer(index, name)? {
            None => Ok(None),
            Some(number) => u64::try_from(number)
                .map(Some)
                .map_err(|_| given.wrong(index, name, "zero or more", &Value::Integer(number))),
        };
        let (done, total) = (count(1, "done")?, count(2, "total")?);
        let text = given.optional_text(3, "text")?;
        services.sink.emit(Event::Progress {
            call: None,
            done: done.ok_or_else(|| given.wrong(1, "done", "a whole number", &Value::Nil))?,
            total,
            text: text.map(|text| text.to_string_lossy()).unwrap_or_default(),
        });
        Ok(())
    })
}

/// Any value as `tostring` gives it: tables of errors are what people log.
fn said(given: &Given<'_>, index: usize) -> Result<String, Failure> {
    match given.value(index) {
        Value::Nil => Err(given.wrong(index, "text", "text", &Value::Nil)),
        Value::String(text) => Ok(text.to_string_lossy()),
        other => Ok(other.to_string()?),
    }
}

/// The level that `word` names, for the function `what`; without a word it is `info`.
///
/// # Errors
/// `argument` with the words there are.
pub(in crate::lua) fn level(what: &str, word: Option<&LuaString>) -> Result<Level, ToolError> {
    let Some(word) = word else {
        return Ok(Level::Info);
    };
    let word = word.to_string_lossy();
    let known = LEVELS.iter().find(|(name, _)| *name == word);
    known.map(|(_, level)| *level).ok_or_else(|| {
        let names = LEVELS.map(|(name, _)| name);
        ToolError::argument(format!("{what}: there is no level `{word}`"))
            .with_hint(offer(&word, "levels", names))
    })
}
