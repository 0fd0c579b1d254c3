//! `agent.version`: the version of the program.
//!
//! It is what `agent --version` says.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::bind::document;
use crate::lua::host::Host;

/// Sets `agent.version`.
pub(super) fn install(lua: &Lua, agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    document(lua, "agent.version", "", "the version of this program");
    agent.raw_set("version", env!("CARGO_PKG_VERSION"))
}
