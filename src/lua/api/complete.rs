//! `agent.complete`: one request to a model. What comes back is ready to be appended to the messages.
//!
//! It runs no call: `agent.dispatch` does.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table, Value};

use super::ask::{as_tool_error, usage};
use super::bind::{Doc, waiting};
use super::messages;
use crate::agent::Complete;
use crate::error::ToolError;
use crate::lua::current::Current;
use crate::lua::host::Host;
use crate::lua::short;
use crate::tool::Guard;

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
        let schema = match options.value("schema")? {
            Value::Nil => None,
            value => Some(short::parameters(&value)?.json_schema().clone()),
        };
        let effort = options.text("effort")?.map(|word| word.parse()).transpose();
        let effort =
            effort.map_err(|why| ToolError::argument(format!("agent.complete: effort: {why}")))?;
        let max_output = options.count("max_output")?;
        let asked = Complete {
            messages,
            system,
            tools: options.texts("tools")?.unwrap_or_default(),
            model: options.text("model")?,
            schema,
            effort,
            max_output: max_output.and_then(|tokens| u32::try_from(tokens).ok()),
        };
        let current = Current::get()?;
        current.refuse_if_pure(given.function)?;
        current.refuse_if_loading(given.function)?;
        let agency = host.agency()?;
        let scope = current.block()?.scope().clone();
        let guard = Guard::new(Arc::clone(scope.node()));
        let lua = given.lua.clone();
        Ok(async move {
            let _until_done = guard;
            let done = agency
                .complete(&scope, asked)
                .await
                .map_err(as_tool_error)?;
            let reply = messages::reply(&lua, &done.message)?;
            reply.raw_set("stop", done.stop.as_str())?;
            reply.raw_set("model", done.model)?;
            reply.raw_set("usage", usage(&lua, done.usage, done.cost)?)?;
            Ok(reply)
        })
    })
}
