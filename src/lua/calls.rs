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
use super::{short, waiting};
use crate::data::Data;
use crate::error::ToolError;
use crate::tool::{Arguments, Call, Destination, Gate as _, Output};

/// The registry entry that holds the metatable of results.
const RESULT: &str = "agent.result";

/// Puts `call(name, …)` into `private`, for the prelude, and prepares the metatable of results.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    for (key, way) in [("call", Way::InPlace), ("call_shipped", Way::Shipped)] {
        let host = Rc::clone(host);
        let call =
            lua.create_async_function(move |lua, (name, values): (LuaString, MultiValue)| {
                let name = name.to_string_lossy();
                let begun = begin(&host, &lua, way, &name, &values);
                async move { raise::outcome(&lua, waiting::finish(begun).await, Some(&name)) }
            })?;
        private.set(key, call)?;
    }
    let metatable = lua.create_table()?;
    metatable.raw_set("__name", "result")?;
    let text = |_: &Lua, result: Table| -> mlua::Result<Option<LuaString>> {
        let text: Value = result.raw_get("output")?;
        Ok(text.as_string().cloned())
    };
    metatable.raw_set("__tostring", lua.create_function(text)?)?;
    lua.set_named_registry_value(RESULT, metatable)
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
    let called = match way {
        Way::InPlace => door.call(current.scope(), call),
        Way::Shipped => door.call_shipped(current.scope(), call),
    };
    let lua = lua.clone();
    Ok(async move { Ok(result(&lua, called.await?)?) })
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

/// A result as Lua has it: the metadata by name, and beside them `output`, `title`, `attachments`,
/// `truncated`. `tostring` gives what a model would read.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn result(lua: &Lua, output: Output) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, output.metadata.len() + 4)?;
    table.raw_set("truncated", false)?;
    for (name, data) in &output.metadata {
        table.raw_set(name.as_str(), convert::to_lua(lua, data)?)?;
    }
    table.raw_set("output", output.text)?;
    table.raw_set("title", output.title)?;
    let attachments = lua.create_table_with_capacity(output.attachments.len(), 0)?;
    for attachment in output.attachments {
        let item = lua.create_table_with_capacity(0, 2)?;
        item.raw_set("mime", attachment.mime)?;
        item.raw_set("bytes", lua.create_string(&attachment.bytes)?)?;
        attachments.raw_push(item)?;
    }
    convert::mark_list(lua, &attachments)?;
    table.raw_set("attachments", attachments)?;
    table.set_metatable(Some(lua.named_registry_value(RESULT)?))?;
    Ok(table)
}

/// Whether `table` is the result of a tool.
pub(super) fn is_result(lua: &Lua, table: &Table) -> bool {
    let known: mlua::Result<Table> = lua.named_registry_value(RESULT);
    matches!((known, table.metatable()), (Ok(known), Some(own)) if known == own)
}
