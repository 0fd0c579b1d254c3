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
        Stopped::Raised(caught.value)
    }
}

/// The Lua function `name`. `begin` runs at once and returns what is awaited.
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
    let tool = name.strip_prefix("tools.").map(str::to_owned);
    let raw = lua.create_async_function(move |lua, args: A| {
        let begun = begin(&lua, args);
        let tool = tool.clone();
        async move {
            let result = match begun {
                Ok(work) => work.await,
                Err(stopped) => Err(stopped),
            };
            outcome(&lua, result, tool.as_deref())
        }
    })?;
    private.get::<Function>("waiting")?.call((name, raw))
}

fn outcome(
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
