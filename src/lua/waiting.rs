//! Functions of the interface that wait: an asynchronous Rust function as a Lua function.
//!
//! What comes before the first await runs at once, in the job that calls. Where Lua cannot wait, the
//! call is refused before anything of it has happened.

use std::future::Future;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, MultiValue, Table, Value};

use super::raise::{self, Caught, Failure};
use crate::error::ToolError;

/// Why a function that waits stops.
#[derive(Debug)]
pub(super) enum Stopped {
    /// A failure of its own.
    Failed(Failure),
    /// What Lua code that it ran raised: raised again as it is.
    Raised(Value),
}

impl From<ToolError> for Stopped {
    fn from(error: ToolError) -> Stopped {
        Stopped::Failed(Failure::Tool(error))
    }
}

impl From<mlua::Error> for Stopped {
    fn from(error: mlua::Error) -> Stopped {
        Stopped::Failed(Failure::Lua(error))
    }
}

impl From<Caught> for Stopped {
    fn from(caught: Caught) -> Stopped {
        Stopped::Raised(*caught.value)
    }
}

/// The Lua function `name`. `begin` runs at once and returns what is awaited. Only while the state is
/// made: later the binding would take the `coroutine.yield` of scripts for its own.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn function<A, B, F, R>(
    lua: &Lua,
    private: &Table,
    name: &str,
    begin: B,
) -> mlua::Result<Function>
where
    A: FromLuaMulti,
    B: Fn(&Lua, A) -> Result<F, Stopped> + 'static,
    F: Future<Output = Result<R, Stopped>> + 'static,
    R: IntoLuaMulti,
{
    let raw = lua.create_async_function(move |lua, args: A| {
        let begun = begin(&lua, args);
        async move { outcome(&lua, finish(begun).await, None) }
    })?;
    private.get::<Function>("waiting")?.call((name, raw))
}

/// What was begun, to its end.
///
/// # Errors
/// Why it was not begun, or why it stopped.
pub(super) async fn finish<R>(
    begun: Result<impl Future<Output = Result<R, Stopped>>, Stopped>,
) -> Result<R, Stopped> {
    begun?.await
}

/// `true` and the results, or `false` and what is to be raised, as the prelude's `waiting` takes it.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn outcome(
    lua: &Lua,
    result: Result<impl IntoLuaMulti, Stopped>,
    tool: Option<&str>,
) -> mlua::Result<MultiValue> {
    match result {
        Ok(results) => raise::outcome(lua, Ok::<_, Failure>(results), tool),
        Err(Stopped::Failed(failure)) => raise::outcome(lua, Err::<(), _>(failure), tool),
        Err(Stopped::Raised(value)) => (false, value).into_lua_multi(lua),
    }
}
