//! Opening a call: its number, its place in the tree, its one record. The stages are in `run`.
//!
//! A call is open from the moment it is made, not from its first poll: whoever closes its scope ends it.

use std::borrow::Cow;
use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::task::Poll;
use std::time::Instant;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::definition::Definitions;
use super::doom_loop::DoomLoop;
use super::run::Run;
use crate::error::{Kind, ToolError};
use crate::permission::Subject;
use crate::redact::Reach;
use crate::tool::{
    Account, Call, CallId, Context, Event, Gate, Generation, Guard, Guarded, Hiding, Outcome,
    Record, Recorder, Scope, Services, Tool,
};

/// The one implementation of [`Gate`].
pub struct Dispatch {
    generation: RwLock<Arc<Generation>>,
    pub(super) services: Arc<Services>,
    pub(super) definitions: Arc<Definitions>,
    pub(super) doom_loop: DoomLoop,
    recorder: Arc<dyn Recorder>,
    next: AtomicU64,
    next_hook: AtomicU64,
}

impl Dispatch {
    /// A door with these tools, hooks and rules.
    pub fn new(
        generation: Generation,
        services: Arc<Services>,
        recorder: Arc<dyn Recorder>,
    ) -> Arc<Dispatch> {
        let generation = RwLock::new(Arc::new(generation));
        Arc::new(Dispatch {
            generation,
            services,
            definitions: Arc::default(),
            doom_loop: DoomLoop::default(),
            recorder,
            next: AtomicU64::new(1),
            next_hook: AtomicU64::new(1),
        })
    }

    /// Swaps tools, hooks and policy as one. Calls that are open end with what they began with.
    pub fn replace(&self, generation: Generation) {
        let mut current = self
            .generation
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *current = Arc::new(generation);
    }

    /// Changes tools, hooks or policy as one: `change` gets a copy of what is there now.
    pub fn update<T>(&self, change: impl FnOnce(&mut Generation) -> T) -> T {
        let mut current = self
            .generation
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let mut next = Generation::clone(&current);
        let result = change(&mut next);
        *current = Arc::new(next);
        result
    }

    /// As [`Gate::call`], of this very tool, whatever has taken its place: what a definition's `execute` does.
    /// The id, and so rules, hooks and record, are the same.
    pub fn call_beneath(
        self: Arc<Self>,
        scope: &Scope,
        call: Call,
        tool: Arc<dyn Tool>,
    ) -> BoxFuture<'static, Outcome> {
        let generation = self.generation();
        self.enter(scope, call, generation, Ok(tool))
    }

    /// Whether the hook `id` is there.
    pub fn has_hook(&self, id: u64) -> bool {
        self.generation().hooks.iter().any(|hook| hook.id() == id)
    }

    /// A number for a new hook, which no other of this session has or will have.
    pub fn hook_id(&self) -> u64 {
        self.next_hook.fetch_add(1, Ordering::Relaxed)
    }

    /// What all calls share.
    pub fn services(&self) -> &Arc<Services> {
        &self.services
    }

    /// The number of a new call, and what keeps its record when it has its result.
    fn open(
        self: &Arc<Self>,
        scope: &Scope,
        tool: Arc<str>,
        generation: &Generation,
    ) -> Result<Opened, ToolError> {
        let hiding = Hiding::new(&generation.redaction, &self.services);
        let call = CallId(self.next.fetch_add(1, Ordering::Relaxed));
        let (parent, caller) = (scope.enclosing_call(), scope.caller());
        let profile = scope.profile().map(Arc::from);
        let mut chain: Vec<CallId> = scope.calls().collect();
        chain.reverse();
        let (start, began) = (Instant::now(), (self.services.clock)());
        let account = Arc::new(Account::default());
        let noted = Arc::clone(&account);
        let (dispatch, name, asked) = (Arc::clone(self), Arc::clone(&tool), Arc::clone(&tool));
        let record = move |result: Result<(), &ToolError>| {
            let (error, duration) = (result.err(), start.elapsed());
            let judged = noted.close(error);
            let error = error.map(|error| error.kind);
            dispatch.recorder.record(Record {
                session: dispatch.services.session.clone(),
                began,
                call,
                chain,
                tool: Arc::clone(&name),
                caller,
                profile,
                error,
                duration,
                judged,
                hiding,
            });
            let (ok, duration) = (error.is_none(), duration.as_secs_f64());
            let finished = Event::Finished {
                call,
                tool: name,
                ok,
                kind: error,
                duration,
            };
            dispatch.services.sink.emit(finished);
        };
        self.services.sink.emit(Event::Started {
            call,
            parent,
            tool,
            caller,
        });
        match scope.call(call) {
            Ok(scope) => {
                scope.node().on_record(record);
                Ok(Opened {
                    id: call,
                    scope,
                    account,
                })
            }
            Err(error) => {
                let error = nested(error, &asked);
                record(Err(&error));
                Err(error)
            }
        }
    }
}

/// A call that is open.
struct Opened {
    id: CallId,
    scope: Scope,
    account: Arc<Account>,
}

/// The failure to open a call, with the name of the tool where calls nest too deeply.
fn nested(error: ToolError, tool: &str) -> ToolError {
    let message = match error.kind {
        Kind::Resource => format!("`{tool}` calls itself: {}", error.message),
        _ => error.message,
    };
    ToolError { message, ..error }
}

impl Dispatch {
    /// The name of a tool that is not there, as it is told and recorded: a model may have named anything.
    fn said(&self, call: &Call, scope: &Scope, generation: &Generation) -> String {
        let redaction = &generation.redaction;
        let redactor = redaction.hiding(&self.services, scope, call.destination);
        let redacted = redactor.map(|redactor| redactor.redact(&call.tool, Reach::Model));
        redacted.map_or_else(|| call.tool.clone(), Cow::into_owned)
    }

    /// Opens the call of `tool`; what is returned drives it.
    fn enter(
        self: Arc<Self>,
        scope: &Scope,
        call: Call,
        generation: Arc<Generation>,
        tool: Result<Arc<dyn Tool>, ToolError>,
    ) -> BoxFuture<'static, Outcome> {
        let name: Arc<str> = match &tool {
            Ok(tool) => tool.id().into(),
            Err(_) => self.said(&call, scope, &generation).into(),
        };
        let Opened { id, scope, account } = match self.open(scope, Arc::clone(&name), &generation) {
            Ok(opened) => opened,
            Err(error) => return Box::pin(std::future::ready(Err(error))),
        };
        let node = Arc::clone(scope.node());
        let guard = Guard::new(Arc::clone(&node));
        Box::pin(Guarded::new(guard, async move {
            let run = Run {
                dispatch: self,
                generation,
                scope,
                id,
                account,
                name,
                call,
            };
            let stages = AssertUnwindSafe(run.stages(tool)).catch_unwind();
            let (mut stages, mut closed) = (pin!(stages), pin!(node.closed()));
            // Nothing is polled once the node is closed; its end is waited for only where there is a wait.
            let outcome = poll_fn(|context| {
                if node.is_closed() {
                    return Poll::Ready(Err(ToolError::cancelled()));
                }
                match stages.as_mut().poll(context) {
                    Poll::Ready(outcome) => {
                        Poll::Ready(outcome.unwrap_or_else(|_| Err(panicked())))
                    }
                    Poll::Pending => closed
                        .as_mut()
                        .poll(context)
                        .map(|()| Err(ToolError::cancelled())),
                }
            });
            let outcome = outcome.await;
            node.finish(outcome.as_ref().map(|_| ()))?;
            outcome
        }))
    }
}

impl Gate for Dispatch {
    fn call(self: Arc<Self>, scope: &Scope, call: Call) -> BoxFuture<'static, Outcome> {
        let generation = self.generation();
        let tool = generation.tools.find(&call.tool).cloned();
        self.enter(scope, call, generation, tool)
    }

    fn permit(
        &self,
        context: &Context,
        subject: Subject,
        reason: String,
    ) -> BoxFuture<'static, Result<(), ToolError>> {
        let context = context.clone();
        Box::pin(async move { super::verdict::permit(&context, subject, reason).await })
    }

    fn notify(&self, scope: &Scope, title: Option<String>, text: String) -> BoxFuture<'static, ()> {
        self.tell(scope, title, text)
    }

    fn generation(&self) -> Arc<Generation> {
        Arc::clone(
            &self
                .generation
                .read()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }
}

fn panicked() -> ToolError {
    ToolError::new(Kind::Internal, "the tool panicked; nothing more was done")
}
