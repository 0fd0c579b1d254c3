//! The interface `agent`, one file a part. This list is all there is.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::host::Host;

/// Puts every part into `agent`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(_lua: &Lua, _agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    Ok(())
}
