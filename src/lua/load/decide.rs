//! A function in the place of a rule's action: asked on the vm, within a tenth of a second, and without tools.
//!
//! What it returns is an action, a reason or nothing; all else is a failure, and the door denies for it.

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
use crate::tool::{Decide, Decided, Scope};

/// How long a function may take.
const LIMIT: Duration = Duration::from_millis(100);

/// A function of a policy file.
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
}

impl Decide for LuaDecide {
    fn decide<'a>(
        &'a self,
        scope: &'a Scope,
        call: Arc<Data>,
    ) -> BoxFuture<'a, Result<Option<Decided>, ToolError>> {
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
            said(results, &what)
        });
        Box::pin(job)
    }
}

async fn asked(state: &State, entry: &Entry, call: &Data) -> Result<MultiValue, ToolError> {
    let function = state.host.entries.get(entry)?;
    let call = convert::to_lua(&state.lua, call).map_err(|error| state.told(&error))?;
    let results = state.call(&function, call).await;
    results.map_err(|caught| caught.error)
}

/// What the function returned: `action, reason`, or nothing.
fn said(mut results: MultiValue, what: &str) -> Result<Option<Decided>, ToolError> {
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
