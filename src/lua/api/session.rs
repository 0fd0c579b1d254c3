//! `agent.session`: the id of the session that this process is.
//!
//! It never changes in one state.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::bind::document;
use crate::lua::host::Host;

/// Sets `agent.session`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    document(lua, "agent.session", "", "the id of this process's session");
    agent.raw_set("session", host.services.session.as_str())
}
