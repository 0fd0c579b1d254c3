//! What the global `tools` asks: whether a tool is there, how it is called, which there are, what one
//! declares.
//!
//! The tools are looked up anew each time, so one that was registered later is there at once.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, LuaString, Table, Value};

use super::calls::Held;
use super::current::Current;
use super::host::Host;
use super::raise;
use super::short::Declared;
use super::{calls, short};
use crate::error::ToolError;
use crate::tool::{Gate as _, Tool};

/// Puts these functions into `private`, for the prelude.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    calls::install(lua, private, host)?;
    let shared = Rc::clone(host);
    let find = lua.create_function(move |lua, name: Value| {
        find(&shared, &name).map_err(|error| raise::raise(lua, error, named(&name).as_deref()))
    })?;
    private.set("find_tool", find)?;
    let shared = Rc::clone(host);
    let ids = lua.create_function(move |lua, ()| {
        let door = shared
            .door()
            .map_err(|error| raise::raise(lua, error, None))?;
        let generation = door.generation();
        let current = Current::get().ok();
        let scope = current.as_ref().map(|current| current.scope());
        let is_had = |tool: &&Arc<dyn Tool>| {
            scope.is_none_or(|scope| generation.usable_in(scope, &***tool).is_ok())
        };
        let tools = generation.tools.listed().filter(is_had);
        let ids: Vec<String> = tools.map(|tool| tool.id().to_owned()).collect();
        Ok(ids)
    })?;
    private.set("tool_ids", ids)?;
    let shared = Rc::clone(host);
    let shipped = lua.create_function(move |lua, id: String| {
        let found = shared.door().and_then(|door| {
            let generation = door.generation();
            generation.tools.find_shipped(&id).cloned()
        });
        let tool = found.map_err(|error| raise::raise(lua, error, Some(&id)))?;
        definition(lua, &tool)
    })?;
    private.set("shipped", shipped)
}

fn find(host: &Host, name: &Value) -> Result<(), ToolError> {
    let Some(name) = named(name) else {
        return Err(short::wrong("tools", "the name of a tool", name));
    };
    host.door()?.generation().tools.find(&name).map(|_| ())
}

/// The registry entry of the function that gives a definition its `execute`.
const DEFINED: &str = "agent.defined";

/// Takes the prelude's function for definitions, once that has run.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn settle(lua: &Lua, private: &Table) -> mlua::Result<()> {
    lua.set_named_registry_value(DEFINED, private.get::<Function>("defined")?)
}

/// A tool as a record: its declaration, and an `execute` that calls exactly this tool, through the door.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn definition(lua: &Lua, tool: &Arc<dyn Tool>) -> mlua::Result<Table> {
    let spec = tool.spec();
    let table = lua.create_table()?;
    table.raw_set("id", spec.id.as_str())?;
    table.raw_set("description", spec.description.as_str())?;
    table.raw_set("surface", spec.surface.as_str())?;
    table.raw_set("effect", spec.effect.as_str())?;
    let parameters = Declared(spec.parameters.clone());
    table.raw_set("parameters", lua.create_userdata(parameters)?)?;
    let held = lua.create_userdata(Held(Arc::clone(tool)))?;
    table.raw_set("subjects", &held)?;
    let defined: Function = lua.named_registry_value(DEFINED)?;
    defined.call((table, held))
}

fn named(name: &Value) -> Option<String> {
    name.as_string().map(LuaString::to_string_lossy)
}
