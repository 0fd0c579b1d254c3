//! What stands before a tool's work: `enabled(env)`, asked of every call, and `init(env)`, run once, when a call may run.
//!
//! A function that raises leaves the tool unavailable, and says where. `init` is run by the first call that may; calls that
//! come meanwhile wait for it, and where it failed or was cut off the next one tries again.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use mlua::{MultiValue, Value};
use tokio::sync::OnceCell;

use super::Parts;
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::lua::api::bind;
use crate::lua::current::Current;
use crate::lua::entries::Entry;
use crate::lua::raise::Caught;
use crate::lua::state::State;
use crate::lua::{clock, convert};
use crate::tool::{Asked, Context, Scope, Services};

/// How long `enabled` may take.
const ASKED: Duration = Duration::from_secs(5);

/// How long `init` may take.
const PREPARED: Duration = Duration::from_secs(120);

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
        let asked = self.ask_env(scope, services, entry, ("enabled", ASKED));
        Some(Box::pin(async move {
            let no = |reason: &str| self.unavailable(reason);
            match asked.await.map_err(|error| no(&error.message))? {
                (true, _) => Ok(()),
                (false, Some(reason)) => Err(no(&reason)),
                (false, None) => Err(no("its `enabled` says no")),
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
                let what = ("init", PREPARED);
                let done = self.ask_env(&scope, &context.services, &init.entry, what);
                done.await.map(|_| ())
            };
            let done = init.done.get_or_try_init(work).await;
            done.map(|_| ()).map_err(|error| match error.kind {
                Kind::Cancelled => error,
                _ => self.unavailable(&error.message),
            })
        })
    }

    /// What the function `what` says of this environment: whether its first value counts as true, and its
    /// second one, if that is text.
    fn ask_env(
        self: &Arc<Parts>,
        scope: &Scope,
        services: &Services,
        entry: &Entry,
        (what, limit): (&'static str, Duration),
    ) -> impl Future<Output = Result<(bool, Option<String>), ToolError>> + Send + use<> {
        let (env, entry) = (env(scope, services), entry.clone());
        self.vm.job(scope, self.voice(), move |state| async move {
            let current = Current::get()?.block()?;
            let work = call(&state, &entry, &env);
            let done = clock::within(&state.host, current, limit, work).await;
            let late = || Err(clock::timeout(&format!("`{what}`"), limit));
            let mut values = match done {
                Some(called) => called.map_err(|caught| failed(what, caught)),
                None if state.host.is_stopped() => Err(ToolError::cancelled()),
                None => late(),
            }?;
            let first = values.pop_front().unwrap_or_default();
            let second = values.pop_front().unwrap_or_default();
            let is_true = !matches!(first, Value::Nil | Value::Boolean(false));
            Ok((
                is_true,
                second.as_string().map(|text| text.to_string_lossy()),
            ))
        })
    }

    fn unavailable(&self, reason: &str) -> ToolError {
        let message = format!("the tool `{}` is not available: {reason}", self.spec.id);
        let hint = self.spec.hint.clone();
        ToolError::new(Kind::Unavailable, message)
            .with_hint(hint.unwrap_or_else(|| "do without it, or mend what is missing".to_owned()))
    }
}

async fn call(state: &Rc<State>, entry: &Entry, env: &Data) -> Result<MultiValue, Caught> {
    let begin = || -> Result<_, mlua::Error> {
        let function = state.host.entries.get(entry);
        let function = function.map_err(mlua::Error::external)?;
        let env = convert::to_lua(&state.lua, env)?;
        if let Value::Table(table) = &env {
            let absent = ["model", "profile"].map(str::to_owned).to_vec();
            bind::strict_but(&state.lua, table, "env", absent)?;
        }
        Ok((function, env))
    };
    let (function, env) = begin().map_err(|error| crate::lua::raise::caught(&state.lua, &error))?;
    state.call(&function, env).await
}

fn failed(what: &str, caught: Caught) -> ToolError {
    let place = caught.position.map(|place| format!(" at {place}"));
    let message = format!(
        "its `{what}` failed{}: {}",
        place.unwrap_or_default(),
        caught.error
    );
    ToolError {
        message,
        ..caught.error
    }
}

/// What a tool may know when it says whether it can be used. `model` and `profile` are those of a turn.
fn env(scope: &Scope, services: &Services) -> Data {
    let workspace = services.files.workspace().to_string_lossy();
    Data::map([
        ("caller", scope.caller().as_str().into()),
        ("workspace", (&*workspace).into()),
        ("platform", std::env::consts::OS.into()),
        ("attended", services.human.is_there().into()),
        ("session", services.session.as_str().into()),
    ])
}
