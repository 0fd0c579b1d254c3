//! `agent.null`: holds the place of nothing in a list, since `nil` cannot.
//!
//! It counts as true in a condition.

use std::rc::Rc;

use mlua::{LightUserData, Lua, Table, Value};

use super::bind::document;
use crate::lua::host::Host;

/// Sets `agent.null`.
pub(super) fn install(lua: &Lua, agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    document(
        lua,
        "agent.null",
        "",
        "nothing, where nil cannot stand: inside a list",
    );
    let metatable = lua.create_table()?;
    metatable.raw_set("__name", "null")?;
    metatable.raw_set("__tostring", lua.create_function(|_, _: Value| Ok("null"))?)?;
    lua.set_type_metatable::<LightUserData>(Some(metatable));
    agent.raw_set("null", Value::NULL)
}
