//! `agent.array(t)`: marks a table as a list, so that it stays one when it is empty.
//!
//! The same table is returned; what is in it is not looked at.

use std::rc::Rc;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, function};
use crate::error::ToolError;
use crate::lua::convert;
use crate::lua::host::Host;

/// Sets `agent.array`.
pub(super) fn install(lua: &Lua, agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.array",
        takes: "(list?) → list",
        about: "marks a table as a list, so that it stays one when it is empty",
    };
    function(lua, agent, doc, |given| {
        let table = match given.value(1) {
            Value::Nil => given.lua.create_table()?,
            _ => given.table(1, "list")?,
        };
        if table.metatable().is_some() && !convert::is_marked(&table) {
            let error = ToolError::argument("agent.array: this table has a metatable of its own");
            return Err(error
                .with_hint("copy it first: agent.array{ table.unpack(t) }")
                .into());
        }
        convert::mark_list(given.lua, &table)?;
        Ok(table)
    })
}
