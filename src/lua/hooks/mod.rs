//! Hooks in Lua: `agent.on("tool.before", function(call) … end)` returns the function that takes it off.
//!
//! A hook changes its event in place, and may return `"deny"` or `"ask"` with a reason. It has a limited
//! time, counted from when it begins; a hook that is late has failed.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use mlua::{Function, Lua, MultiValue, Table, Value};

use super::blocks::seconds;
use super::current::{Current, Voice};
use super::entries::Entry;
use super::host::Host;
use super::raise::{self, Caught};
use super::state::State;
use super::vm::Vm;
use super::{clock, convert, short};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::Action;
use crate::text::suggestion;
use crate::tool::{Hook, HookReply, Point, Scope};

/// How long a hook may take, unless it says otherwise.
const LIMIT: Duration = Duration::from_secs(30);

/// One hook in Lua.
struct LuaHook {
    point: Point,
    name: String,
    vm: Vm,
    entry: Entry,
    limit: Duration,
}

impl Hook for LuaHook {
    fn id(&self) -> u64 {
        self.entry.number()
    }

    fn point(&self) -> Point {
        self.point
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>> {
        let (entry, limit, name) = (self.entry.clone(), self.limit, self.name.clone());
        let voice = Voice::Log(self.name.clone());
        let job = self.vm.job(scope, voice, move |state| async move {
            let current = Current::get()?.block()?;
            let work = fire(&state, &entry, &event);
            let done = clock::within(&state.host, current, limit, work).await;
            done.unwrap_or_else(|| Err(clock::timeout(&format!("the hook {name}"), limit)))
        });
        Box::pin(job)
    }
}

async fn fire(state: &State, entry: &Entry, event: &Data) -> Result<HookReply, ToolError> {
    let function = state.host.entries.get(entry)?;
    let event = convert::to_lua(&state.lua, event).map_err(|error| state.told(&error))?;
    let results = state.call(&function, event.clone()).await;
    let results = results.map_err(|caught| match is_deliberate(&caught) {
        true => caught.error,
        false => broken(caught.error),
    })?;
    Ok(HookReply {
        event: convert::to_data_named(&event, "call").map_err(broken)?,
        verdict: verdict(results).map_err(broken)?,
    })
}

/// Whether the hook raised a table of its own making: it says no in its own words. All else that ends
/// a hook is a fault in it.
fn is_deliberate(caught: &Caught) -> bool {
    matches!(&*caught.value, Value::Table(table) if table.metatable().is_none())
}

/// A fault of the hook: whatever kind it is of, it is not what the caller of the tool did wrong.
fn broken(error: ToolError) -> ToolError {
    let kind = match error.kind {
        Kind::Cancelled => Kind::Cancelled,
        _ => Kind::Failed,
    };
    ToolError { kind, ..error }
}

fn verdict(mut results: MultiValue) -> Result<Option<(Action, String)>, ToolError> {
    let action = match results.pop_front() {
        None | Some(Value::Nil) => return Ok(None),
        Some(Value::String(word)) if word.as_bytes() == *b"deny" => Action::Deny,
        Some(Value::String(word)) if word.as_bytes() == *b"ask" => Action::Ask,
        Some(other) => {
            let other = other.to_string().unwrap_or_default();
            let message =
                format!("a hook returns \"deny\", \"ask\" or nothing, and this returned {other}");
            return Err(ToolError::argument(message));
        }
    };
    let reason = match results.pop_front() {
        Some(Value::String(reason)) => reason.to_string_lossy(),
        _ => "a hook says so".to_owned(),
    };
    Ok(Some((action, reason)))
}

/// Puts `agent.on` into `agent`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let host = Rc::clone(host);
    let on = lua.create_function(
        move |lua, (point, function, options): (Value, Value, Value)| {
            let id = short::with_a_dot(lua, "agent.on", Some(&point))
                .and_then(|()| register(&host, &point, function, options))
                .map_err(|error| raise::raise(lua, error, None))?;
            off(lua, &host, id)
        },
    )?;
    agent.set("on", on)
}

fn register(
    host: &Rc<Host>,
    point: &Value,
    function: Value,
    options: Value,
) -> Result<u64, ToolError> {
    let point = at(point)?;
    let Value::Function(function) = function else {
        return Err(short::wrong(
            "agent.on: argument 2",
            "a function",
            &function,
        ));
    };
    let mut limit = LIMIT;
    if !options.is_nil() {
        let Value::Table(options) = &options else {
            return Err(short::wrong("agent.on: argument 3", "a table", &options));
        };
        short::only(options, "agent.on", &["timeout"])?;
        let given: Value = options.raw_get("timeout").unwrap_or_default();
        if !given.is_nil() {
            limit = seconds(&given, "agent.on: timeout")?;
        }
    }
    let name = place(&function);
    let entry = host.entries.keep(function, &host.vm);
    let id = entry.number();
    let hook = Arc::new(LuaHook {
        point,
        name,
        vm: host.vm.clone(),
        entry,
        limit,
    });
    host.door()?
        .update(|generation| generation.hooks.push(hook));
    Ok(id)
}

/// The function that takes the hook `id` off. Calling it again does nothing.
fn off(lua: &Lua, host: &Rc<Host>, id: u64) -> mlua::Result<Function> {
    let host = Rc::clone(host);
    lua.create_function(move |_, ()| {
        if let Ok(door) = host.door() {
            door.update(|generation| generation.hooks.retain(|hook| hook.id() != id));
        }
        Ok(())
    })
}

fn at(point: &Value) -> Result<Point, ToolError> {
    let names = Point::ALL.map(|(name, _)| name);
    let word = point.to_string().unwrap_or_default();
    let found = Point::ALL.into_iter().find(|(name, _)| *name == word);
    found.map(|(_, point)| point).ok_or_else(|| {
        let hint = format!(
            "{} the points are: {}",
            suggestion(&word, names),
            names.join(", ")
        );
        ToolError::argument(format!("agent.on: there is no point `{word}`"))
            .with_hint(hint.trim_start())
    })
}

/// `file:line` of a function.
fn place(function: &Function) -> String {
    let info = function.info();
    let file = info.short_src.unwrap_or_else(|| "Lua".to_owned());
    match info.line_defined {
        Some(line) => format!("{file}:{line}"),
        None => file,
    }
}
