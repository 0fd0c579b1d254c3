//! A hook that is a Lua function: a job of its own, under a time limit that counts from when it begins.
//!
//! What it raises as a table of its own making is its word; all else that ends it is a fault in it.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use mlua::{MultiValue, Value};

use super::event;
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::lua::clock::{self, Limit};
use crate::lua::current::Voice;
use crate::lua::entries::Entry;
use crate::lua::raise::{self, Caught};
use crate::lua::state::State;
use crate::lua::vm::Vm;
use crate::lua::{convert, short};
use crate::permission::Action;
use crate::tool::{Head, Hook, HookReply, Point, Scope};

/// One hook in Lua.
pub(super) struct LuaHook {
    pub(super) head: Head,
    pub(super) vm: Vm,
    pub(super) entry: Entry,
    pub(super) limit: Duration,
}

impl Hook for LuaHook {
    fn head(&self) -> &Head {
        &self.head
    }

    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>> {
        let (entry, point) = (self.entry.clone(), self.head.point);
        let voice = Voice::Log(self.head.name.clone(), self.head.layer);
        let limit = Limit::new(self.limit);
        let start =
            move |state: Rc<State>| async move { fire(&state, &entry, point, &event).await };
        let job = self
            .vm
            .enter(scope.clone(), voice, Some(limit.clone()), start);
        Box::pin(async move {
            let reply: Result<HookReply, ToolError> = job.await;
            match limit.is_passed() {
                true => {
                    scope.settled().await;
                    Err(clock::timeout("it", self.limit))
                }
                false => reply,
            }
        })
    }
}

async fn fire(
    state: &State,
    entry: &Entry,
    point: Point,
    event: &Data,
) -> Result<HookReply, ToolError> {
    let function = state.host.entries.get(entry)?;
    let table = convert::to_lua(&state.lua, event).map_err(|error| state.told(&error))?;
    let watched = raise::watch(&state.lua, &function, &table).await;
    let (is_same, results) = watched.map_err(said)?;
    let changed = match is_same {
        true => Map::new(),
        false => event::changed(point, &table, event)?,
    };
    let verdict = verdict(point, results)?;
    Ok(HookReply { changed, verdict })
}

/// What ended the hook. A table of its own making is its word; all else is a fault of the hook, whatever
/// kind it is of: it is not what the caller of the tool did wrong.
fn said(caught: Caught) -> ToolError {
    let Caught {
        error,
        position,
        value,
        ..
    } = caught;
    let is_deliberate = matches!(&*value, Value::Table(table) if raise::is_own(table));
    if is_deliberate || error.kind == Kind::Cancelled {
        return error;
    }
    let message = match position {
        Some(position) => format!("{position}: {}", error.message),
        None => error.message,
    };
    ToolError {
        kind: Kind::Failed,
        message,
        ..error
    }
}

/// What the hook returned. Whether it may say so at `point` is for the door to decide.
fn verdict(point: Point, mut results: MultiValue) -> Result<Option<(Action, String)>, ToolError> {
    let first = results.pop_front().unwrap_or_default();
    let action = match &first {
        Value::Nil => return Ok(None),
        Value::String(word) => word.to_string_lossy().parse().ok(),
        _ => None,
    };
    let action: Action = action.ok_or_else(|| {
        let got = match &first {
            Value::String(word) => format!("\"{}\"", word.to_string_lossy()),
            other => short::shape(other),
        };
        let returns = point.powers().returns(point);
        ToolError::new(Kind::Failed, format!("it returned {got}; {returns}"))
    })?;
    let reason = match results.pop_front() {
        None | Some(Value::Nil) => "a hook says so".to_owned(),
        Some(reason) => reason.to_string().unwrap_or_default(),
    };
    Ok(Some((action, reason)))
}
