//! `agent.dispatch`: makes the calls of a reply, as a model's, by the rules of a step: neighbouring reads together, a
//! change alone.
//!
//! It raises for no call that fails: what became of each is in the list that it returns, ready to be appended.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table};

use super::bind::{Doc, waiting};
use super::messages;
use crate::error::Kind;
use crate::lua::convert;
use crate::lua::current::Current;
use crate::lua::host::Host;
use crate::tool::Guard;

/// Sets `agent.dispatch`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.dispatch",
        takes: "(reply) → { { role = \"tool\", id, tool, text, ok, kind? }, … }",
        about: "makes the calls of a reply as the model's own; one message for each, in order; a failed call is no error",
    };
    let host = Rc::clone(host);
    waiting(lua, agent, doc, move |given| {
        let reply = given.table(1, "reply")?;
        let calls = messages::calls(&reply, "agent.dispatch: reply")?;
        let current = Current::get()?;
        current.refuse_if_pure(given.function)?;
        current.refuse_if_loading(given.function)?;
        let agency = host.agency()?;
        let scope = current.block()?.scope().clone();
        let guard = Guard::new(Arc::clone(scope.node()));
        let lua = given.lua.clone();
        Ok(async move {
            let _until_done = guard;
            let list = lua.create_table()?;
            for done in agency.dispatch(&scope, calls).await? {
                let one = lua.create_table()?;
                one.raw_set("role", "tool")?;
                one.raw_set("id", done.result.id)?;
                one.raw_set("tool", done.result.tool)?;
                one.raw_set("text", done.result.text)?;
                one.raw_set("ok", !done.result.is_error)?;
                one.raw_set("kind", done.kind.map(Kind::as_str))?;
                list.raw_push(one)?;
            }
            convert::mark_list(&lua, &list)?;
            Ok(list)
        })
    })
}
