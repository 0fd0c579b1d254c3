//! `agent.steer`: what runs for a model says something to it, which it reads with its next request.
//!
//! It is a message of the person's, and not a part of any result: a hook or a tool that calls it speaks for them.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::bind::{Doc, function};
use crate::error::{Kind, ToolError};
use crate::lua::current::Current;
use crate::lua::host::Host;

/// Sets `agent.steer`.
pub(super) fn install(lua: &Lua, agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.steer",
        takes: "(text)",
        about: "says something to the model that this runs for: it stands in its next request",
    };
    function(lua, agent, doc, move |given| {
        let text = given.utf8(1, "text")?;
        if text.trim().is_empty() {
            return Err(ToolError::argument("agent.steer: the text says nothing").into());
        }
        let current = Current::get()?;
        current.refuse_if_pure(given.function)?;
        let Some(steering) = current.scope().steering() else {
            let error = ToolError::new(Kind::Unavailable, "agent.steer: no model works here");
            let hint = "call it in a hook, a tool or a command that runs for a call of a model";
            return Err(error.with_hint(hint).into());
        };
        steering.say(text);
        Ok(())
    })
}
