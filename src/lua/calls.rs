//! One tool call from Lua: arguments out, through the door, the result back in.
//!
//! Dispatch is polled in place, on the vm thread. The scope is read before anything else happens, and a
//! call whose scope has ended is refused.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, LuaString, MultiValue, Table, UserData, UserDataRef, Value};

use super::convert;
use super::current::Current;
use super::host::Host;
use super::live::{self, Feed};
use super::raise::{self, Failure};
use super::results::Shapes;
use super::{short, waiting};
use crate::data::Data;
use crate::error::ToolError;
use crate::tool::{Arguments, Call, Destination, Gate as _, Guard, Tool};

/// A tool as Lua holds it: exactly this one, whatever has taken its place since.
pub(super) struct Held(pub(super) Arc<dyn Tool>);

impl UserData for Held {}

/// Puts `call(name, …)` and `call_held(tool, …)` into `private`, for the prelude.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let shapes = Rc::new(Shapes::default());
    let (shared, forms) = (Rc::clone(host), Rc::clone(&shapes));
    let call = lua.create_async_function(move |lua, (name, values): (LuaString, MultiValue)| {
        let name = name.to_string_lossy();
        let begun = begin(&shared, &forms, &lua, &name, None, &values);
        async move { raise::outcome(&lua, waiting::finish(begun).await, Some(&name)) }
    })?;
    private.set("call", call)?;
    let host = Rc::clone(host);
    let held = lua.create_async_function(
        move |lua, (held, values): (UserDataRef<Held>, MultiValue)| {
            let tool = Arc::clone(&held.0);
            let name = tool.id().to_owned();
            let begun = begin(&host, &shapes, &lua, &name, Some(tool), &values);
            async move { raise::outcome(&lua, waiting::finish(begun).await, Some(&name)) }
        },
    )?;
    private.set("call_held", held)
}

/// Opens the call, of the tool that is in place or of the one that is `held`. What is returned drives it.
fn begin(
    host: &Host,
    shapes: &Shapes,
    lua: &Lua,
    name: &str,
    held: Option<Arc<dyn Tool>>,
    values: &MultiValue,
) -> Result<impl Future<Output = Result<Table, Failure>> + use<>, Failure> {
    let function = format!("tools.{name}");
    short::with_a_dot(lua, &function, values.front())?;
    let (values, live) = listening(values);
    let current = Current::get()?;
    current.refuse_if_pure(&function)?;
    let door = host.door()?;
    let call = Call {
        tool: name.to_owned(),
        arguments: arguments(&values)?,
        destination: Destination::Program,
    };
    let generation = door.generation();
    let tool = held.as_ref().or_else(|| generation.tools.get(name));
    let shape = shapes.of(lua, tool.map(|tool| tool.spec()))?;
    let live = live.map(|function| (function, Arc::<Feed>::default()));
    let scope = match &live {
        Some((_, feed)) => live::scope(current.scope(), feed)?,
        None => current.scope().clone(),
    };
    let called = match held {
        None => door.call(&scope, call),
        Some(tool) => door.call_beneath(&scope, call, tool),
    };
    let guard = live.is_some().then(|| Guard::new(Arc::clone(scope.node())));
    let lua = lua.clone();
    Ok(async move {
        let _listening = guard;
        let output = match live {
            Some((function, feed)) => live::drive(&lua, &feed, &function, called).await?,
            None => called.await?,
        };
        Ok(shape.result(&lua, output)?)
    })
}

/// A function that comes last is no argument: it gets what the call says while it runs.
fn listening(values: &MultiValue) -> (MultiValue, Option<Function>) {
    let mut values = values.clone();
    match values.pop_back() {
        Some(Value::Function(function)) => (values, Some(function)),
        Some(other) => {
            values.push_back(other);
            (values, None)
        }
        None => (values, None),
    }
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
