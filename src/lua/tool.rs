//! A tool written in Lua, as dispatch sees it. The functions stay on the vm thread; here are their handles.
//!
//! It acts as whoever calls it: its body runs in the scope of the call, and so do the calls it makes.

mod bound;
mod context;
mod output;
mod paths;
mod record;

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, Table, Value};

use super::current::Current;
use super::entries::Entry;
use super::host::Host;
use super::vm::Vm;
use super::{raise, short};
use crate::data::Data;
use crate::error::ToolError;
use crate::permission::{Effect, Group, Subject};
use crate::schema::Checker;
use crate::tool::{Bound, Spec, Tool};

pub(super) use record::read;

/// A tool in Lua.
pub(super) struct LuaTool(Arc<Parts>);

struct Parts {
    spec: Spec,
    vm: Vm,
    effect: EffectOf,
    subjects: SubjectsOf,
    plan: Option<Entry>,
    execute: Entry,
    checker: Checker,
}

/// What a call does.
enum EffectOf {
    Always(Effect),
    Asked(Entry),
}

/// What rules are matched against.
enum SubjectsOf {
    /// The whole arguments.
    All,
    /// The values of these parameters.
    Named(Vec<String>),
    Asked(Entry),
}

impl Tool for LuaTool {
    fn id(&self) -> &str {
        &self.0.spec.id
    }

    fn aliases(&self) -> &[&str] {
        &[]
    }

    fn spec(&self) -> &Spec {
        &self.0.spec
    }

    fn bind(&self, args: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        self.0.checker.check(args)?;
        Ok(Box::new(bound::Call {
            tool: Arc::clone(&self.0),
            args: Arc::clone(args),
        }))
    }
}

/// Puts `agent.tool` into `agent`: registers a tool from a script and returns the function that calls it.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(
    lua: &Lua,
    private: &Table,
    agent: &Table,
    host: &Rc<Host>,
) -> mlua::Result<()> {
    context::install(lua, private)?;
    let host = Rc::clone(host);
    let caller: Function = private.get("caller")?;
    let tool = lua.create_function(move |lua, record: Value| {
        let id =
            from_script(lua, &host, &record).map_err(|error| raise::raise(lua, error, None))?;
        caller.call::<Function>(id)
    })?;
    agent.set("tool", tool)
}

/// The id under which the tool of `record` is there now.
fn from_script(lua: &Lua, host: &Host, record: &Value) -> Result<String, ToolError> {
    short::with_a_dot(lua, "agent.tool", Some(record))?;
    let Value::Table(record) = record else {
        return Err(short::wrong("agent.tool", "a tool record", record));
    };
    let current = Current::get()?;
    let tool = Arc::new(read(host, record, None, current.voice().origin())?);
    let id = tool.id().to_owned();
    match current.draft() {
        Some(draft) => draft.tool(tool),
        None => {
            let door = host.door()?;
            door.update(|generation| generation.tools.insert(tool));
        }
    }
    Ok(id)
}

/// A subject that is no path the program has resolved: a name, or what a tool of the user's says.
fn subject(group: &str, text: String) -> Subject {
    Subject::name(Group::from(group), text)
}
