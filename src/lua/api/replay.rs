//! `agent.replay`: calls that were made before, made again in order, as a model's, under the rules of now.
//!
//! It raises for no call that fails: what became of each is in the list that it returns.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, Given, waiting};
use crate::data::Data;
use crate::error::ToolError;
use crate::lua::current::Current;
use crate::lua::fields::Fields;
use crate::lua::host::Host;
use crate::lua::raise::Failure;
use crate::lua::{convert, short};
use crate::permission::Caller;
use crate::tool::{Arguments, Call, Destination, Gate as _, Guard, Outcome};

/// Sets `agent.replay`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.replay",
        takes: "({ { tool =, args = }, … }) → { { tool, ok, text, kind? }, … }",
        about: "makes calls in order as a model's, with verdicts of now; a failed call is no error",
    };
    let host = Rc::downgrade(host);
    waiting(lua, agent, doc, move |given| {
        let calls = calls(given)?;
        let current = Current::get()?;
        current.refuse_if_pure(given.function)?;
        let scope = current.scope().lowered(Caller::Model)?;
        let door = host.upgrade().map(|host| host.door()).transpose()?;
        let lua = given.lua.clone();
        Ok(async move {
            let _until_done = Guard::new(Arc::clone(scope.node()));
            let list = lua.create_table()?;
            for (tool, args) in calls {
                let Some(door) = &door else { break };
                let call = Call {
                    tool: tool.clone(),
                    arguments: Arguments::Positional(vec![args]),
                    destination: Destination::Model,
                };
                let outcome = Arc::clone(door).call(&scope, call).await;
                if scope.node().is_closed() {
                    return Err(ToolError::cancelled().into());
                }
                list.raw_push(told(&lua, tool, outcome)?)?;
            }
            convert::mark_list(&lua, &list)?;
            Ok(list)
        })
    })
}

fn calls(given: &Given<'_>) -> Result<Vec<(String, Data)>, Failure> {
    let list = given.table(1, "calls")?;
    let items = list.sequence_values::<Value>().enumerate();
    items
        .map(|(at, item)| {
            let what = format!("{}: call {}", given.function, at + 1);
            let Value::Table(item) = item? else {
                return Err(
                    ToolError::argument(format!("{what}: expected {{ tool =, args = }}")).into(),
                );
            };
            let fields = Fields::beside(&item, &what, &["tool", "args"])?;
            let tool = fields.text("tool")?;
            let missing = || short::wrong(&fields.at("tool"), "a name", &Value::Nil);
            let tool = tool.ok_or_else(missing)?;
            let args = match fields.table("args")? {
                None => Data::Map(Default::default()),
                Some(args) => convert::to_data_named(&Value::Table(args), &fields.at("args"))?,
            };
            Ok((tool, args))
        })
        .collect()
}

fn told(lua: &Lua, tool: String, outcome: Outcome) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.raw_set("tool", tool)?;
    table.raw_set("ok", outcome.is_ok())?;
    match outcome {
        Ok(output) => table.raw_set("text", output.text)?,
        Err(error) => {
            table.raw_set("text", error.message.as_str())?;
            table.raw_set("kind", error.kind.as_str())?;
        }
    }
    Ok(table)
}
