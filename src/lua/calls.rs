//! One tool call from Lua: arguments out, through the door, the result back in.
//!
//! Dispatch is polled in place, on the vm thread. The scope is read before anything else happens, and a
//! call whose scope has ended is refused.

use std::future::Future;
use std::rc::Rc;

use mlua::{Lua, LuaString, MultiValue, Table, Value};

use super::convert;
use super::current::Current;
use super::host::Host;
use super::raise::{self, Failure};
use super::results::Shapes;
use super::{short, waiting};
use crate::data::Data;
use crate::error::ToolError;
use crate::tool::{Arguments, Call, Destination, Gate as _};

/// Puts `call(name, …)` into `private`, for the prelude.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let shapes = Rc::new(Shapes::default());
    for (key, way) in [("call", Way::InPlace), ("call_shipped", Way::Shipped)] {
        let (host, shapes) = (Rc::clone(host), Rc::clone(&shapes));
        let call =
            lua.create_async_function(move |lua, (name, values): (LuaString, MultiValue)| {
                let name = name.to_string_lossy();
                let begun = begin(&host, &shapes, &lua, way, &name, &values);
                async move { raise::outcome(&lua, waiting::finish(begun).await, Some(&name)) }
            })?;
        private.set(key, call)?;
    }
    Ok(())
}

/// Which tool of a name is called.
#[derive(Clone, Copy)]
enum Way {
    /// The one that is in place.
    InPlace,
    /// The shipped one, whatever has taken its place.
    Shipped,
}

/// Opens the call. What is returned drives it.
fn begin(
    host: &Host,
    shapes: &Shapes,
    lua: &Lua,
    way: Way,
    name: &str,
    values: &MultiValue,
) -> Result<impl Future<Output = Result<Table, Failure>> + use<>, Failure> {
    short::with_a_dot(lua, &format!("tools.{name}"), values.front())?;
    let current = Current::get()?;
    let door = host.door()?;
    let call = Call {
        tool: name.to_owned(),
        arguments: arguments(values)?,
        destination: Destination::Program,
    };
    let generation = door.generation();
    let tool = match way {
        Way::InPlace => generation.tools.get(name),
        Way::Shipped => generation.tools.find_shipped(name).ok(),
    };
    let shape = shapes.of(lua, tool.map(|tool| tool.spec()))?;
    let called = match way {
        Way::InPlace => door.call(current.scope(), call),
        Way::Shipped => door.call_shipped(current.scope(), call),
    };
    let lua = lua.clone();
    Ok(async move { Ok(shape.result(&lua, called.await?)?) })
}

/// Values in order; dispatch tells a last table of named ones from a positional.
fn arguments(values: &MultiValue) -> Result<Arguments, ToolError> {
    if let (1, Some(only @ Value::Table(_))) = (values.len(), values.front()) {
        let only = convert::to_data_named(only, "args")?;
        return Ok(Arguments::Positional(vec![only]));
    }
    let given: Result<Vec<Data>, ToolError> = values
        .iter()
        .enumerate()
        .map(|(at, value)| convert::to_data_named(value, &format!("argument {}", at + 1)))
        .collect();
    Ok(Arguments::Positional(given?))
}
