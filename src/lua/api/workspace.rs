//! `agent.workspace`: the real path of the workspace, as text.
//!
//! It never changes in one state.

use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use mlua::{Lua, Table};

use super::bind::document;
use crate::lua::host::Host;

/// Sets `agent.workspace`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    document(lua, "agent.workspace", "", "the path of the workspace");
    let root = lua.create_string(host.services.files.workspace().as_os_str().as_bytes())?;
    agent.raw_set("workspace", root)
}
