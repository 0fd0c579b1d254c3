//! A function in the place of a rule's action, and the one that classifies: asked on the vm, within a tenth of a
//! second, and without tools.
//!
//! What it returns is an action, a reason or nothing, of a classifier a level of risk besides; all else is a failure:
//! the door denies for the one, and asks for the other.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use mlua::{Function, MultiValue, Value};

use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::lua::current::{Current, Voice};
use crate::lua::entries::Entry;
use crate::lua::hooks::place;
use crate::lua::state::State;
use crate::lua::vm::Vm;
use crate::lua::{clock, convert, short};
use crate::permission::Action;
use crate::tool::{Classified, Classifier, Decide, Decided, Risk, Scope};

/// How long a function may take.
const LIMIT: Duration = Duration::from_millis(100);

/// A function of a policy file.
#[derive(Clone)]
pub(super) struct LuaDecide {
    name: String,
    entry: Entry,
    vm: Vm,
    layer: Layer,
}

impl LuaDecide {
    /// `function`, which stands in a file of `layer`.
    pub(super) fn new(state: &State, function: Function, layer: Layer) -> LuaDecide {
        LuaDecide {
            name: place(&state.lua, &function),
            entry: state.host.entries.keep(function, &state.host.vm),
            vm: state.host.vm.clone(),
            layer,
        }
    }

    /// What it says of `call`, as `read` takes what it returns.
    fn say<T: Send + 'static>(
        &self,
        scope: &Scope,
        call: Arc<Data>,
        read: fn(MultiValue, &str) -> Result<T, ToolError>,
    ) -> BoxFuture<'static, Result<T, ToolError>> {
        let (entry, name) = (self.entry.clone(), self.name.clone());
        let voice = Voice::Log(self.name.clone(), self.layer);
        let job = self.vm.job(scope, voice, move |state| async move {
            let what = format!("the function at {name}");
            let current = Current::get()?.block()?.within_pure(&what);
            let work = asked(&state, &entry, &call);
            let done = clock::within(&state.host, current, LIMIT, work).await;
            let late = || Err(clock::timeout(&what, LIMIT));
            let results = done
                .unwrap_or_else(late)
                .map_err(|error| match error.kind {
                    Kind::Cancelled | Kind::Timeout => error,
                    _ => ToolError {
                        message: format!("{what} failed: {}", error.message),
                        ..error
                    },
                })?;
            read(results, &what)
        });
        Box::pin(job)
    }
}

impl Decide for LuaDecide {
    fn decide<'a>(
        &'a self,
        scope: &'a Scope,
        call: Arc<Data>,
    ) -> BoxFuture<'a, Result<Option<Decided>, ToolError>> {
        self.say(scope, call, |mut results, what| said(&mut results, what))
    }
}

impl Classifier for LuaDecide {
    fn classify<'a>(
        &'a self,
        scope: &'a Scope,
        call: Arc<Data>,
    ) -> BoxFuture<'a, Result<Option<Classified>, ToolError>> {
        self.say(scope, call, classified)
    }
}

async fn asked(state: &State, entry: &Entry, call: &Data) -> Result<MultiValue, ToolError> {
    let function = state.host.entries.get(entry)?;
    let call = convert::to_lua(&state.lua, call).map_err(|error| state.told(&error))?;
    let results = state.call(&function, call).await;
    results.map_err(|caught| caught.error)
}

/// What a classifier returned: `action, reason, risk`, or nothing.
fn classified(mut results: MultiValue, what: &str) -> Result<Option<Classified>, ToolError> {
    let Some(Decided { action, reason }) = said(&mut results, what)? else {
        return Ok(None);
    };
    let risk = match results.pop_front().unwrap_or_default() {
        Value::Nil => Some(Risk::of(action)),
        Value::String(word) => {
            let word = word.to_string_lossy();
            Risk::ALL.into_iter().find(|risk| risk.as_str() == word)
        }
        _ => None,
    };
    let risk = risk.ok_or_else(|| {
        let message = format!("{what} returns `low`, `medium` or `high` as the risk");
        ToolError::argument(message)
    })?;
    Ok(Some(Classified {
        action,
        risk,
        reason: reason.unwrap_or_default(),
    }))
}

/// What the function returned first: `action, reason`, or nothing.
fn said(results: &mut MultiValue, what: &str) -> Result<Option<Decided>, ToolError> {
    let first = results.pop_front().unwrap_or_default();
    let action = match &first {
        Value::Nil => return Ok(None),
        Value::String(word) => word.to_string_lossy().parse::<Action>().ok(),
        _ => None,
    };
    let got = |value: &Value| match value {
        Value::String(word) => format!("\"{}\"", word.to_string_lossy()),
        other => short::shape(other),
    };
    let Some(action) = action else {
        let message = format!(
            "{what} returns `allow`, `ask`, `deny` or nothing, and this was {}",
            got(&first)
        );
        return Err(ToolError::argument(message));
    };
    let reason = match results.pop_front().unwrap_or_default() {
        Value::Nil => None,
        Value::String(reason) => Some(reason.to_string_lossy()),
        other => {
            let message = format!(
                "{what} returns a text as reason, and this was {}",
                got(&other)
            );
            return Err(ToolError::argument(message));
        }
    };
    Ok(Some(Decided { action, reason }))
}
