//! Functions of the interface that wait: an asynchronous Rust function as a Lua function.
//!
//! What comes before the first await runs at once, in the job that calls. Where Lua cannot wait, the
//! call is refused before anything of it has happened.

use std::future::Future;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, MultiValue, Table};

use super::raise::{self, Failure};
use super::short;

/// The registry entry of the prelude's `waiting`.
const WAITING: &str = "agent.waiting";

/// Takes `waiting` from the prelude, once that has run.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table) -> mlua::Result<()> {
    lua.set_named_registry_value(WAITING, private.get::<Function>("waiting")?)
}

/// The Lua function `name`. `begin` runs at once and returns what is awaited. Only while the state is
/// made: later the binding would take the `coroutine.yield` of scripts for its own.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn function<A, B, F, R>(lua: &Lua, name: &str, begin: B) -> mlua::Result<Function>
where
    A: FromLuaMulti,
    B: Fn(&Lua, A) -> Result<F, Failure> + 'static,
    F: Future<Output = Result<R, Failure>> + 'static,
    R: IntoLuaMulti,
{
    let called = name.to_owned();
    let raw = lua.create_async_function(move |lua, args: MultiValue| {
        let begun = short::with_a_dot(&lua, &called, args.front())
            .map_err(Failure::from)
            .and_then(|()| Ok(A::from_lua_multi(args, &lua)?))
            .and_then(|args| begin(&lua, args));
        async move { raise::outcome(&lua, finish(begun).await, None) }
    })?;
    lua.named_registry_value::<Function>(WAITING)?
        .call((name, raw))
}

/// What was begun, to its end.
///
/// # Errors
/// Why it was not begun, or why it stopped.
pub(super) async fn finish<R>(
    begun: Result<impl Future<Output = Result<R, Failure>>, Failure>,
) -> Result<R, Failure> {
    begun?.await
}
