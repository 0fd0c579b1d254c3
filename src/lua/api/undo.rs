//! `agent.undo`: takes back a unit of the journal, or shows what that would change.
//!
//! It is a call like any other, judged at the door.

use std::rc::Rc;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, waiting};
use crate::data::{Data, Map};
use crate::lua::convert;
use crate::lua::current::Current;
use crate::lua::host::Host;
use crate::tool::{Arguments, Call, Destination, Guard, Guarded};

/// Sets `agent.undo`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.undo",
        takes: "(id?, { diff = false, list = false, only = nil, except = nil }?) → { id, paths, diff, additions, deletions } or { units }",
        about: "takes back the newest unit of changes in this workspace, or the one named, or a part of it; shows it; lists all",
    };
    let host = Rc::clone(host);
    waiting(lua, agent, doc, move |given| {
        let mut arguments = Map::new();
        // Options may come alone: `agent.undo { list = true }`.
        let options = match given.value(1) {
            Value::Nil => 2,
            Value::Table(_) => 1,
            _ => {
                let id = given.text(1, "id")?.to_string_lossy();
                arguments.insert("id".to_owned(), Data::from(id));
                2
            }
        };
        let options = given.options(options, &["diff", "list", "only", "except"])?;
        for name in ["diff", "list"] {
            if let Some(value) = options.flag(name)? {
                arguments.insert(name.to_owned(), Data::Bool(value));
            }
        }
        for name in ["only", "except"] {
            if let Some(paths) = options.texts(name)? {
                let paths = paths.into_iter().map(Data::from);
                arguments.insert(name.to_owned(), paths.collect());
            }
        }
        let current = Current::get()?;
        current.refuse_if_pure(given.function)?;
        let call = Call {
            tool: "undo".to_owned(),
            arguments: Arguments::Named(arguments),
            destination: Destination::Program,
        };
        let scope = current.scope().block()?;
        let guard = Guard::new(std::sync::Arc::clone(scope.node()));
        let made = host
            .door()?
            .call_beneath(&scope, call, crate::tools::undo::undo());
        let lua = given.lua.clone();
        Ok(Guarded::new(guard, async move {
            let output = made.await?;
            Ok(convert::to_lua(&lua, &Data::Map(output.metadata))?)
        }))
    })
}
