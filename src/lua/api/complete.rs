//! `agent.complete`: one request to a model. What comes back is ready to be appended to the messages.
//!
//! It runs no call: `agent.dispatch` does.

use std::rc::Rc;

use mlua::{Lua, Table, Value};

use super::ask::{asking, effort, schema, usage};
use super::bind::{Doc, waiting};
use super::messages;
use crate::agent::Complete;
use crate::error::Error;
use crate::lua::host::Host;
use crate::lua::short;

/// Sets `agent.complete`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.complete",
        takes: "{ messages =, tools =, model =, schema =, effort =, max_output = } → { role, text, calls, stop, usage }",
        about: "makes one request to a model; the reply is a message, ready to append; its calls are not made",
    };
    let host = Rc::clone(host);
    waiting(lua, agent, doc, move |given| {
        let names = [
            "messages",
            "tools",
            "model",
            "schema",
            "effort",
            "max_output",
        ];
        let options = given.options(1, &names)?;
        let list = options.table("messages")?;
        let list = list.ok_or_else(|| {
            short::wrong(
                "agent.complete: messages",
                "a list of messages",
                &Value::Nil,
            )
        })?;
        let (system, messages) = messages::read(&list, "agent.complete: messages")?;
        let max_output = options.count("max_output")?;
        let asked = Complete {
            messages,
            system,
            tools: options.texts("tools")?.unwrap_or_default(),
            model: options.text("model")?,
            schema: schema(&options)?,
            effort: effort(&options)?,
            max_output: max_output.and_then(|tokens| u32::try_from(tokens).ok()),
        };
        let (agency, block, guard) = asking(given, &host)?;
        let lua = given.lua.clone();
        Ok(async move {
            let _until_done = guard;
            let done = agency
                .complete(block.scope(), asked)
                .await
                .map_err(Error::into_tool_error)?;
            let reply = messages::reply(&lua, &done.message)?;
            reply.raw_set("stop", done.stop.as_str())?;
            reply.raw_set("model", done.model)?;
            reply.raw_set("usage", usage(&lua, done.usage, done.cost)?)?;
            Ok(reply)
        })
    })
}
