//! What the global `tools` asks: whether a tool is there, how it is called, which there are.
//!
//! The tools are looked up anew each time, so one that was registered later is there at once.

use std::rc::Rc;

use mlua::{Lua, LuaString, Table, Value};

use super::host::Host;
use super::{calls, raise, short};
use crate::error::ToolError;
use crate::tool::Gate as _;

/// Puts these functions into `private`, for the prelude.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    calls::install(lua, private, host)?;
    let shared = Rc::clone(host);
    let find = lua.create_function(move |lua, name: Value| {
        find(&shared, &name).map_err(|error| raise::raise(lua, error, named(&name).as_deref()))
    })?;
    private.set("find_tool", find)?;
    let shared = Rc::clone(host);
    let ids = lua.create_function(move |lua, ()| {
        let door = shared
            .door()
            .map_err(|error| raise::raise(lua, error, None))?;
        let generation = door.generation();
        let ids: Vec<String> = generation
            .tools
            .iter()
            .map(|tool| tool.id().to_owned())
            .collect();
        Ok(ids)
    })?;
    private.set("tool_ids", ids)
}

fn find(host: &Host, name: &Value) -> Result<(), ToolError> {
    let Some(name) = named(name) else {
        return Err(short::wrong("tools", "the name of a tool", name));
    };
    host.door()?.generation().tools.find(&name).map(|_| ())
}

fn named(name: &Value) -> Option<String> {
    name.as_string().map(LuaString::to_string_lossy)
}
