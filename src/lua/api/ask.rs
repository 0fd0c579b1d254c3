//! `agent.ask`: one turn with a model, from a script. The options are the words of the command line.
//!
//! What was refused stands in the reply and raises nothing; a limit, a provider that fails, an answer that does not fit
//! its schema raise.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, Given, waiting};
use crate::agent::{Agency, Ask, Deaf, Reply};
use crate::chat::{Effort, Part};
use crate::error::{Error, Kind, ToolError};
use crate::lua::blocks::seconds;
use crate::lua::current::Current;
use crate::lua::fields::Fields;
use crate::lua::host::Host;
use crate::lua::raise::Failure;
use crate::lua::short;
use crate::lua::{clock, convert};
use crate::store::SessionId;
use crate::tool::{Guard, TermWords};

/// The options, in the order their documentation lists them.
const OPTIONS: [&str; 14] = [
    "model",
    "profile",
    "mode",
    "allow",
    "deny",
    "tools",
    "max_steps",
    "max_cost",
    "max_tokens",
    "timeout",
    "session",
    "schema",
    "system",
    "effort",
];

/// Sets `agent.ask`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.ask",
        takes: "(prompt, { model =, profile =, mode =, allow =, deny =, tools =, max_steps =, max_cost =, max_tokens =, timeout =, session =, schema =, system =, effort = }?) → { text, data, session, status, steps, usage, calls, refused, model }",
        about: "has a model do something: it may call tools until it is done; what was refused is in `refused`",
    };
    let host = Rc::clone(host);
    waiting(lua, agent, doc, move |given| {
        let prompt = given.utf8(1, "prompt")?;
        let options = given.options(2, &OPTIONS)?;
        let (mut ask, limit) = read(given, &options)?;
        ask.parts = vec![Part::text(prompt)];
        let (agency, block, guard) = asking(given, &host)?;
        let (lua, host) = (given.lua.clone(), Rc::clone(&host));
        let scope = block.scope().clone();
        Ok(async move {
            let _until_done = guard;
            // The loop keeps files of its own, and this thread waits for none. It ends with its scope.
            let turn = tokio::spawn(async move { agency.ask(&scope, ask, Arc::new(Deaf)).await });
            let asked = async {
                let turned = turn.await;
                let turned = turned.map_err(|error| ToolError::internal(error.to_string()));
                Ok::<_, Failure>(turned?)
            };
            let reply = match limit {
                None => asked.await?,
                Some(limit) => match clock::within(&host, block, limit, asked).await {
                    Some(reply) => reply?,
                    None => return Err(clock::timeout("agent.ask", limit).into()),
                },
            };
            told(&lua, reply.map_err(Error::into_tool_error)?)
        })
    })
}

/// The way to ask, and the block that a function of a script asks in; it ends when the guard is dropped.
///
/// # Errors
/// `unavailable` where nothing may be called, or no model can be asked; `cancelled`.
pub(super) fn asking(
    given: &Given<'_>,
    host: &Host,
) -> Result<(Arc<Agency>, Current, Guard), ToolError> {
    let current = Current::get()?;
    current.refuse_if_pure(given.function)?;
    current.refuse_if_loading(given.function)?;
    let agency = host.agency()?;
    let block = current.block()?;
    let guard = Guard::new(Arc::clone(block.scope().node()));
    Ok((agency, block, guard))
}

/// The JSON Schema that the option `schema` says, in its short form or as it is.
pub(super) fn schema(options: &Fields) -> Result<Option<serde_json::Value>, ToolError> {
    match options.value("schema")? {
        Value::Nil => Ok(None),
        value => Ok(Some(short::parameters(&value)?.json_schema().clone())),
    }
}

/// How hard the model should think, as the option `effort` says.
pub(super) fn effort(options: &Fields) -> Result<Option<Effort>, ToolError> {
    let effort = options.text("effort")?.map(|word| word.parse()).transpose();
    effort.map_err(|why| ToolError::argument(format!("{}: {why}", options.at("effort"))))
}

/// What the options say.
fn read(given: &Given<'_>, options: &Fields) -> Result<(Ask, Option<Duration>), Failure> {
    let session = options.text("session")?;
    let session = session.map(|id| id.parse::<SessionId>()).transpose();
    let timeout = match options.value("timeout")? {
        Value::Nil => None,
        value => Some(seconds(&value, &format!("{}: timeout", given.function))?),
    };
    let ask = Ask {
        parts: Vec::new(),
        model: options.text("model")?,
        profile: options.text("profile")?,
        system: options.text("system")?,
        terms: TermWords {
            mode: options.text("mode")?,
            allow: options.texts("allow")?.unwrap_or_default(),
            deny: options.texts("deny")?.unwrap_or_default(),
            tools: options.texts("tools")?,
        },
        most: options.most()?,
        session: session?,
        schema: schema(options)?,
        effort: effort(options)?,
    };
    Ok((ask, timeout))
}

/// The reply as Lua has it.
fn told(lua: &Lua, reply: Reply) -> Result<Table, Failure> {
    let turned = reply.turned;
    if let Some(error) = turned.error.filter(|error| error.kind != Kind::Rejected) {
        let error = error.with_detail("session", reply.session.as_str());
        return Err(error.with_detail("text", turned.text.as_str()).into());
    }
    let table = lua.create_table()?;
    table.raw_set("text", turned.text)?;
    if let Some(data) = reply.data {
        let data =
            serde_json::from_value(data).map_err(|error| ToolError::internal(error.to_string()))?;
        table.raw_set("data", convert::to_lua(lua, &data)?)?;
    }
    table.raw_set("session", reply.session)?;
    table.raw_set("model", reply.model)?;
    table.raw_set("status", turned.status.as_str())?;
    table.raw_set("steps", turned.steps)?;
    table.raw_set("usage", usage(lua, turned.usage, turned.cost)?)?;
    let calls = lua.create_table()?;
    for made in turned.calls {
        let call = lua.create_table()?;
        call.raw_set("tool", made.tool)?;
        call.raw_set("ok", made.kind.is_none())?;
        call.raw_set("kind", made.kind.map(Kind::as_str))?;
        calls.raw_push(call)?;
    }
    convert::mark_list(lua, &calls)?;
    table.raw_set("calls", calls)?;
    let all = lua.create_table()?;
    for refused in turned.refused {
        let one = lua.create_table()?;
        one.raw_set("tool", refused.tool)?;
        one.raw_set("subject", refused.subject)?;
        one.raw_set("reason", refused.reason)?;
        all.raw_push(one)?;
    }
    convert::mark_list(lua, &all)?;
    table.raw_set("refused", all)?;
    Ok(table)
}

/// Tokens and money as Lua has them; `cost` is missing where a price is not known.
pub(super) fn usage(
    lua: &Lua,
    usage: crate::chat::Usage,
    cost: Option<f64>,
) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.raw_set("input", usage.input)?;
    table.raw_set("output", usage.output)?;
    table.raw_set("cache_read", usage.cache_read)?;
    table.raw_set("cache_write", usage.cache_write)?;
    table.raw_set("reasoning", usage.reasoning)?;
    table.raw_set("cost", cost)?;
    Ok(table)
}
