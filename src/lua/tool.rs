//! A tool written in Lua, as dispatch sees it. The functions stay on the vm thread; here are their handles.
//!
//! It acts as whoever calls it: its body runs in the scope of the call, and so do the calls it makes.

mod asking;
mod bound;
mod context;
mod options;
pub(super) mod output;
mod paths;
mod ready;
mod record;
mod told;

use std::rc::Rc;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use mlua::{Function, Lua, Table, Value};

use super::current::Current;
use super::entries::Entry;
use super::host::Host;
use super::vm::Vm;
use super::{short, waiting};
use crate::data::Data;
use crate::error::ToolError;
use crate::permission::{Effect, Group, Rule, Subject};
use crate::schema::Checker;
use crate::tool::{Asked, Bound, Context, Output, Plan, Scope, Services, Span, Spec, Tool};

pub(super) use bound::told;
pub(super) use record::read;
#[cfg(test)]
pub(super) use {context::FIELDS as CONTEXT_FIELDS, record::FIELDS as RECORD_FIELDS};

/// A tool in Lua.
pub(super) struct LuaTool(Arc<Parts>);

struct Parts {
    spec: Spec,
    aliases: Vec<String>,
    vm: Vm,
    effect: EffectOf,
    subjects: SubjectsOf,
    plan: Option<Entry>,
    execute: Entry,
    enabled: Option<Entry>,
    init: Option<ready::Init>,
    format_error: Option<Entry>,
    render: Option<Entry>,
    /// What the calls that its body makes for a model may do without asking.
    authority: Option<Arc<[Rule]>>,
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
    /// What rules see of a call of this tool with the same arguments.
    As(Arc<dyn Tool>),
}

impl Tool for LuaTool {
    fn id(&self) -> &str {
        &self.0.spec.id
    }

    fn aliases(&self) -> Vec<&str> {
        self.0.aliases.iter().map(String::as_str).collect()
    }

    fn spec(&self) -> &Spec {
        &self.0.spec
    }

    fn is_steady(&self) -> bool {
        matches!(self.0.effect, EffectOf::Always(_))
    }

    fn offered<'a>(&'a self, scope: &'a Scope, services: &'a Arc<Services>) -> Option<Asked<'a>> {
        self.0.offered(scope, services)
    }

    fn ready<'a>(&'a self, context: &'a Context) -> Option<Asked<'a>> {
        self.0.ready(context)
    }

    fn told<'a>(
        &'a self,
        error: &ToolError,
        context: &'a Context,
    ) -> Option<BoxFuture<'a, ToolError>> {
        self.0.told(error, context)
    }

    fn shown<'a>(
        &'a self,
        output: &Output,
        width: usize,
        scope: &Scope,
    ) -> Option<BoxFuture<'a, Result<Vec<Span>, ToolError>>> {
        self.0.shown(output, width, scope)
    }

    fn has_form(&self) -> bool {
        self.0.render.is_some()
    }

    fn foresee<'a>(
        &'a self,
        args: &'a Arc<Data>,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Plan, ToolError>> {
        let call = self.called_with(args);
        Box::pin(async move { call.foresee(context).await })
    }

    fn bind(&self, args: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        self.0.checker.check(args)?;
        Ok(Box::new(self.called_with(args)))
    }
}

impl LuaTool {
    fn called_with(&self, args: &Arc<Data>) -> bound::Call {
        bound::Call {
            tool: Arc::clone(&self.0),
            args: Arc::clone(args),
            extra: Arc::default(),
        }
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
    let begin = move |lua: &Lua, record: Value| {
        let current = Current::get()?;
        let (lua, host, caller) = (lua.clone(), Rc::clone(&host), caller.clone());
        Ok(async move {
            let id = from_script(&lua, &host, &current, &record).await?;
            Ok(caller.call::<Function>(id)?)
        })
    };
    agent.set("tool", waiting::function(lua, "agent.tool", begin)?)
}

/// The id under which the tool of `record` is there now.
async fn from_script(
    lua: &Lua,
    host: &Host,
    current: &Current,
    record: &Value,
) -> Result<String, ToolError> {
    current.refuse_if_pure("agent.tool")?;
    let Value::Table(record) = record else {
        return Err(short::wrong("agent.tool", "a tool record", record));
    };
    let tool = read(lua, host, record, None, current.voice().origin()).await?;
    let tool = Arc::new(tool);
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
