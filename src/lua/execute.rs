//! `os.execute` for a person's own code: a command on our terminal that does not outlive its script.
//!
//! The library's own blocks the vm thread and swallows Ctrl-C; this one waits like a tool call. It is no
//! tool: rules hold for `tools.*`, and this is Lua's own way to the system, as `io` is.

use std::ffi::OsStr;
use std::future::Future;
use std::os::unix::ffi::OsStrExt as _;
use std::rc::Rc;

use mlua::{IntoLuaMulti as _, Lua, LuaString, MultiValue, Table};

use super::current::Current;
use super::host::Host;
use super::raise::Failure;
use super::waiting;
use crate::process::{self, End};

/// Puts `execute` into `os`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, host: &Rc<Host>) -> mlua::Result<()> {
    let host = Rc::clone(host);
    let begin = move |lua: &Lua, line: Option<LuaString>| execute(lua, &host, line);
    let execute = waiting::function(lua, "os.execute", begin)?;
    lua.globals().get::<Table>("os")?.set("execute", execute)
}

/// `true` or nil, `"exit"` or `"signal"`, and the number; without a command, whether there is a shell.
fn execute(
    lua: &Lua,
    host: &Rc<Host>,
    line: Option<LuaString>,
) -> Result<impl Future<Output = Result<MultiValue, Failure>> + use<>, Failure> {
    let (lua, scope) = (lua.clone(), Current::get()?.scope().clone());
    let (is_quiet, settle) = (host.is_quiet, host.settle.clone());
    Ok(async move {
        let Some(line) = line else {
            return Ok(true.into_lua_multi(&lua)?);
        };
        let line = OsStr::from_bytes(&line.as_bytes()).to_owned();
        let _settled = tokio::task::spawn_blocking(move || settle()).await;
        let mut adopted = None;
        let adopt = |end: End| adopted = Some(scope.node().adopt(end));
        let status = process::attended(&line, is_quiet, adopt).await;
        if let Some(adopted) = adopted {
            adopted.release();
        }
        let status = status?;
        let (word, number) = process::ending(status);
        Ok((status.success().then_some(true), word, number).into_lua_multi(&lua)?)
    })
}
