//! What stands before a tool's work: `enabled(env)`, asked of every call, and `init(env)`, run once, when a call may run.
//!
//! A function that raises leaves the tool unavailable, and says where. `init` is run by the first call that may; calls that
//! come meanwhile wait for it, and where it failed or was cut off the next one tries again.

use std::future::Future;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use mlua::{MultiValue, Value};
use tokio::sync::OnceCell;

use super::Parts;
use super::asking::{Question, WORKED};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::lua::api::bind;
use crate::lua::convert;
use crate::lua::entries::Entry;
use crate::lua::hooks::place;
use crate::lua::short;
use crate::lua::state::State;
use crate::tool::{Asked, Context, Scope, Services};

/// What is done once before the first use.
pub(super) struct Init {
    entry: Entry,
    done: OnceCell<()>,
}

impl Init {
    /// Nothing has been done yet.
    pub(super) fn new(entry: Entry) -> Init {
        Init {
            entry,
            done: OnceCell::new(),
        }
    }
}

impl Parts {
    /// Whether the tool is offered; nothing where that is not asked.
    pub(super) fn offered<'a>(
        self: &'a Arc<Parts>,
        scope: &'a Scope,
        services: &'a Arc<Services>,
    ) -> Option<Asked<'a>> {
        let entry = self.enabled.as_ref()?;
        let question = Question::new("its `enabled`", self.vm.shared().settings.asked);
        let asked = self.ask_env(scope, services, entry, question, answer);
        Some(Box::pin(async move {
            let no = |reason: &str| self.unavailable(reason);
            match asked.await.map_err(|error| no(&error.message))? {
                None => Ok(()),
                Some(reason) => Err(no(&reason)),
            }
        }))
    }

    /// What is still to be done before the first use; nothing for most tools.
    pub(super) fn ready<'a>(self: &'a Arc<Parts>, context: &'a Context) -> Option<Asked<'a>> {
        let init = self.init.as_ref();
        let init = init.filter(|init| !init.done.initialized())?;
        Some(self.prepare(init, context))
    }

    fn prepare<'a>(
        self: &'a Arc<Parts>,
        init: &'a Init,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<(), ToolError>> {
        let number = init.entry.number();
        if context.scope.is_preparing(number) {
            let error = self.unavailable("its `init` calls the tool itself");
            return Box::pin(std::future::ready(Err(error)));
        }
        Box::pin(async move {
            let work = || async {
                let scope = context.scope.preparing(number)?;
                let question = Question::new("its `init`", WORKED);
                let services = &context.services;
                let done = self.ask_env(&scope, services, &init.entry, question, |_| Ok(()));
                done.await
            };
            let done = init.done.get_or_try_init(work).await;
            done.map(|_| ()).map_err(|error| match error.kind {
                Kind::Cancelled => error,
                _ => self.unavailable(&error.message),
            })
        })
    }

    /// What a function says of this environment, as `read` has it.
    fn ask_env<T: Send + 'static>(
        self: &Arc<Parts>,
        scope: &Scope,
        services: &Services,
        entry: &Entry,
        question: Question,
        read: fn(MultiValue) -> Result<T, String>,
    ) -> impl Future<Output = Result<T, ToolError>> + Send + use<T> {
        let (env, entry) = (env(scope, services), entry.clone());
        self.vm.job(scope, self.voice(), move |state| async move {
            let function = state.host.entries.get(&entry)?;
            let env = given(&state, &env).map_err(|error| state.told(&error))?;
            let asked = question.ask(&state.lua, &state.host, &function, env);
            let values = asked.await.map_err(|caught| question.failed(caught))?;
            read(values).map_err(|problem| {
                let place = place(&state.lua, &function);
                ToolError::argument(format!("its `enabled` at {place} {problem}"))
            })
        })
    }

    fn unavailable(&self, reason: &str) -> ToolError {
        let message = format!("the tool `{}` is not available: {reason}", self.spec.id);
        let hint = self.spec.hint.clone();
        ToolError::new(Kind::Unavailable, message)
            .with_hint(hint.unwrap_or_else(|| "do without it, or mend what is missing".to_owned()))
    }
}

/// What `enabled` returned: why the tool is not offered; nothing where it is.
///
/// # Errors
/// What is wrong with it.
fn answer(mut values: MultiValue) -> Result<Option<String>, String> {
    let first = values.pop_front().unwrap_or_default();
    let reason = values.pop_front().unwrap_or_default();
    match (first, reason) {
        (Value::Nil | Value::Boolean(true), _) => Ok(None),
        (Value::Boolean(false), Value::Nil) => Ok(Some("its `enabled` says no".to_owned())),
        (Value::Boolean(false), Value::String(reason)) => Ok(Some(reason.to_string_lossy())),
        (Value::Boolean(false), other) => {
            let got = short::shape(&other);
            Err(format!("returned {got} as its reason; it gives a text"))
        }
        (other, _) => {
            let got = short::shape(&other);
            Err(format!(
                "returned {got}; it returns true, or false and a reason"
            ))
        }
    }
}

/// The environment as a table, in which a misspelt field is an error.
fn given(state: &State, env: &Data) -> mlua::Result<Value> {
    let env = convert::to_lua(&state.lua, env)?;
    if let Value::Table(table) = &env {
        let absent = ["model", "profile"].map(str::to_owned).to_vec();
        bind::strict_but(&state.lua, table, "env", absent)?;
    }
    Ok(env)
}

/// What a tool may know when it says whether it can be used. `model` is that of a turn.
fn env(scope: &Scope, services: &Services) -> Data {
    let workspace = services.files.workspace().to_string_lossy();
    Data::map([
        ("profile", scope.profile().map(str::to_owned).into()),
        ("caller", scope.caller().as_str().into()),
        ("workspace", (&*workspace).into()),
        ("platform", std::env::consts::OS.into()),
        ("attended", services.human.is_there().into()),
        ("session", services.session.as_str().into()),
    ])
}
