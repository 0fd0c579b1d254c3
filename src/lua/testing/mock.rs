//! `mock`: another's answer in the place of what a tool does. All that comes before and after it stays.
//!
//! A mock stands for every way to the tool, the shipped one below a replacement among them. It is off when its test
//! has ended.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, Value};

use super::stand_in::{Answer, Mocks, StandIn};
use super::words::text;
use crate::error::ToolError;
use crate::lua::host::Host;
use crate::lua::short::wrong;
use crate::tool::{Gate as _, Tool};

/// Puts `answer` in the place of what `tool` does: the tool's id, and the function that takes it off again.
///
/// # Errors
/// `not_found` with the nearest name.
pub(super) fn put(
    lua: &Lua,
    host: &Rc<Host>,
    mocks: &Mocks,
    tool: &Value,
    answer: Function,
) -> Result<(String, Function), ToolError> {
    let Some(name) = text(tool) else {
        return Err(wrong("mock", "the name of a tool", tool));
    };
    let door = host.door()?;
    let id = door.generation().tools.find(&name)?.id().to_owned();
    let answer = host.entries.keep(answer, &host.vm);
    let answer = Arc::new(Answer::new(answer, host.vm.clone()));
    let stand_in = |tool: &Arc<dyn Tool>| -> Arc<dyn Tool> {
        Arc::new(StandIn::new(Arc::clone(tool), mocks.clone()))
    };
    door.update(|generation| generation.tools.change(&id, stand_in));
    mocks.put(&id, Arc::clone(&answer));
    let (mocks, called) = (mocks.clone(), id.clone());
    let off = lua.create_function(move |_, ()| {
        mocks.take_off(&called, &answer);
        Ok(())
    });
    let off = off.map_err(|error| ToolError::internal(error.to_string()))?;
    Ok((id, off))
}
