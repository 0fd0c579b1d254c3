//! How hooks are called, at every point alike: one after the other, each seeing what those before it changed.
//!
//! What a point lets them do, and what their failing means, stands in the table of points; here it is held
//! to. A hook never fires for what it causes itself. The event moves through them and is not copied.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::dispatch::Dispatch;
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::permission::Action;
use crate::tool::{
    Context, Event, Failing, Gate as _, Generation, Guard, Hook, HookReply, Level, Point, Scope,
    Services, Sink, Tool,
};

/// What the hooks at a point came to.
#[derive(Clone, Debug, Default)]
pub struct Fired {
    /// The event as they left it.
    pub event: Map,
    /// What they said, in order: a tightening, and its reason with the name of the hook.
    pub said: Vec<(Action, String)>,
}

impl Fired {
    /// Why a hook refuses, if one does.
    pub fn refusal(&self) -> Option<&str> {
        let mut said = self.said.iter();
        said.find_map(|(action, reason)| (*action == Action::Deny).then_some(reason.as_str()))
    }
}

/// One point, about to be reached.
#[derive(Clone, Copy)]
pub(super) struct Firing<'a> {
    pub(super) point: Point,
    /// The tool it is about, if it is about one.
    pub(super) tool: Option<&'a dyn Tool>,
    pub(super) generation: &'a Generation,
    pub(super) scope: &'a Scope,
    pub(super) sink: &'a dyn Sink,
}

impl<'a> Firing<'a> {
    /// `point`, in the middle of a call of `tool`.
    pub(super) fn in_call(point: Point, tool: &'a dyn Tool, context: &'a Context) -> Firing<'a> {
        Firing {
            point,
            tool: Some(tool),
            generation: &context.generation,
            scope: &context.scope,
            sink: &*context.services.sink,
        }
    }

    /// The hooks that fire here, in order.
    pub(super) fn hooks(self) -> impl Iterator<Item = &'a Arc<dyn Hook>> {
        self.generation.hooks_at(self.point).filter(move |hook| {
            hook.hears(self.scope.caller())
                && !self.scope.is_inside_hook(hook.id())
                && self
                    .tool
                    .is_none_or(|tool| hook.concerns(tool, self.generation.surface_of(tool)))
        })
    }

    /// Whether any hook fires here.
    pub(super) fn is_heard(self) -> bool {
        self.hooks().next().is_some()
    }

    /// Calls them all. `accept` takes over what one has changed, or says what is wrong with it.
    ///
    /// # Errors
    /// A refusal in a hook's own words; that a hook failed, where that refuses; `cancelled`.
    pub(super) async fn run(
        self,
        mut event: Map,
        mut accept: impl FnMut(&mut Map, Map) -> Result<(), ToolError> + Send,
    ) -> Result<Fired, ToolError> {
        let mut said = Vec::new();
        for hook in self.hooks() {
            let shared = Arc::new(Data::Map(event));
            let reply = self.ask(hook, Arc::clone(&shared)).await;
            event = match Arc::unwrap_or_clone(shared) {
                Data::Map(event) => event,
                _ => Map::new(),
            };
            let accepted = reply.and_then(|HookReply { changed, verdict }| {
                if !changed.is_empty() {
                    accept(&mut event, changed).map_err(|error| misled(&error))?;
                }
                Ok(verdict)
            });
            match accepted {
                Ok(None) => {}
                Ok(Some((action, reason))) => {
                    said.push((action, format!("{reason} ({})", hook.name())));
                }
                Err(error) => self.failed(&**hook, error)?,
            }
        }
        Ok(Fired { event, said })
    }

    /// What `hook` says to `event`, held to what the point allows.
    ///
    /// # Errors
    /// What the hook says; `failed` where it does what it may not.
    pub(super) async fn ask(
        self,
        hook: &Arc<dyn Hook>,
        event: Arc<Data>,
    ) -> Result<HookReply, ToolError> {
        let scope = self.scope.hook(hook.id())?;
        let _guard = Guard::new(Arc::clone(scope.node()));
        let reply = AssertUnwindSafe(hook.run(&scope, event)).catch_unwind();
        let reply = reply
            .await
            .unwrap_or_else(|_| Err(ToolError::internal("it panicked")))?;
        allowed(self.point, reply)
    }

    /// What it means that `hook` did not do its work: nothing but a line in the log, or the end of
    /// what was about to happen.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn failed(self, hook: &dyn Hook, error: ToolError) -> Result<(), ToolError> {
        let powers = self.point.powers();
        let is_refusal = !is_fault(error.kind) && powers.may_refuse();
        match powers.failing {
            _ if error.kind == Kind::Cancelled => Err(error),
            _ if is_refusal => Err(error.with_detail("hook", hook.name())),
            Failing::Refuses => Err(broken(self.point, hook, &error)),
            Failing::PassedOver => {
                let (name, point) = (hook.name(), self.point.as_str());
                let hint = error.hint.as_ref().map(|hint| format!("; {hint}"));
                let line = format!(
                    "the hook {name} at {point} failed and was passed over: {error}{}",
                    hint.unwrap_or_default()
                );
                self.sink.log(Level::Warn, line);
                Ok(())
            }
        }
    }
}

/// Whether an error of this kind says that the hook is broken, and not what it has to say.
fn is_fault(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Failed | Kind::Internal | Kind::Timeout | Kind::Resource | Kind::Unavailable
    )
}

/// That a hook is broken, which is nobody's no.
fn broken(point: Point, hook: &dyn Hook, error: &ToolError) -> ToolError {
    let (name, refused) = (hook.name(), point.powers().refuses);
    let message = format!("the hook {name} failed, so {refused} was refused: {error}");
    let hint = match &error.hint {
        Some(hint) => format!("mend or remove the hook {name}: {hint}"),
        None => format!("mend or remove the hook {name}"),
    };
    ToolError::new(Kind::Failed, message)
        .with_hint(hint)
        .with_detail("reason", "hook_failed")
        .with_detail("hook", name)
        .with_detail("point", point.as_str())
}

/// What is wrong with a rewrite, as a fault of the hook.
fn misled(error: &ToolError) -> ToolError {
    let message = format!("what it changed is wrong: {}", error.message);
    let hint = error.hint.clone();
    ToolError {
        hint,
        ..ToolError::new(Kind::Failed, message)
    }
}

/// `reply`, held to what `point` allows.
fn allowed(point: Point, mut reply: HookReply) -> Result<HookReply, ToolError> {
    let powers = point.powers();
    let mut changed = Map::new();
    for (name, value) in reply.changed {
        let Some(form) = powers.form(&name) else {
            let message = format!("it changed `{name}`; {}", powers.changes(point));
            return Err(ToolError::new(Kind::Failed, message));
        };
        let value = form.settled(value).map_err(|value| {
            let (form, got) = (form.as_str(), value.got());
            ToolError::new(
                Kind::Failed,
                format!("call.{name}: expected {form}, got {got}"),
            )
        })?;
        changed.insert(name, value);
    }
    reply.changed = changed;
    match &reply.verdict {
        Some((action, _)) if !powers.verdicts.contains(action) => {
            let message = format!("it returned \"{action}\"; {}", powers.returns(point));
            Err(ToolError::new(Kind::Failed, message))
        }
        _ => Ok(reply),
    }
}

/// Takes over every change.
pub(super) fn as_it_is(event: &mut Map, changed: Map) -> Result<(), ToolError> {
    event.extend(changed);
    Ok(())
}

/// An event that is about no call, with where it happens.
pub(super) fn with_session(mut event: Map, scope: &Scope, services: &Services) -> Map {
    let workspace = services.files.workspace().to_string_lossy();
    for (name, value) in [
        ("session", services.session.as_str()),
        ("workspace", &*workspace),
        ("caller", scope.caller().as_str()),
    ] {
        event.insert(name.to_owned(), value.into());
    }
    event
}

impl Dispatch {
    /// Whether a hook fires at `point`.
    pub fn hears(&self, point: Point) -> bool {
        self.generation().hooks_at(point).next().is_some()
    }

    /// Calls the hooks at `point`, one after the other, on behalf of `scope`. The event gets `session`,
    /// `workspace` and `caller` besides; it comes back as they left it, with what they said.
    ///
    /// # Errors
    /// A refusal in a hook's own words; that a hook failed, where that refuses; `cancelled`.
    pub fn fire(
        &self,
        scope: &Scope,
        point: Point,
        event: Map,
    ) -> BoxFuture<'static, Result<Fired, ToolError>> {
        let (generation, scope) = (self.generation(), scope.clone());
        let services = Arc::clone(&self.services);
        Box::pin(async move {
            let firing = Firing {
                point,
                tool: None,
                generation: &generation,
                scope: &scope,
                sink: &*services.sink,
            };
            let event = with_session(event, &scope, &services);
            firing.run(event, as_it_is).await
        })
    }

    /// As [`crate::tool::Gate::notify`].
    pub(super) fn tell(
        &self,
        scope: &Scope,
        title: Option<String>,
        text: String,
    ) -> BoxFuture<'static, ()> {
        let sink = Arc::clone(&self.services.sink);
        sink.emit(Event::Notified {
            title: title.clone(),
            text: text.clone(),
        });
        let mut event = Map::from([("text".to_owned(), text.into())]);
        event.extend(title.map(|title| ("title".to_owned(), title.into())));
        let fired = self.fire(scope, Point::Notification, event);
        Box::pin(async move {
            match fired.await {
                Err(error) if error.kind != Kind::Cancelled => {
                    sink.log(Level::Warn, error.to_string());
                }
                _ => {}
            }
        })
    }
}
