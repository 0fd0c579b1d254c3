//! The vm thread, and the handle that everybody else holds of it.
//!
//! The thread starts on first use, owns the Lua state, and serves jobs from its inbox until it is told
//! to stop. It never blocks: jobs interleave at awaits.

use std::future::Future;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::{BoxFuture, LocalBoxFuture, ready};
use futures_util::stream::FuturesUnordered;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::clock::Limit;
use super::current::Voice;
use super::entries::Entry;
use super::job;
use super::load::Report;
use super::state::State;
use super::testing::TestWorld;
use crate::agent::Agency;
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::gate::Dispatch;
use crate::layers::Layer;
use crate::tool::{Guard, Guarded, Level, Scope, Services};

/// Takes what a script prints, as it prints it. Called on the vm thread; must not block for long.
pub type Write = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// Loads everything anew, in a scope, and puts it in place.
pub type Reload =
    Arc<dyn Fn(Vm, Scope) -> BoxFuture<'static, Result<Report, ToolError>> + Send + Sync>;

/// The stack of the vm thread, in bytes. Deep recursion ends as a Lua error long before it is used up.
const STACK: usize = 16 << 20;

/// How a state finds the way to ask models.
pub type Reach = Arc<dyn Fn(&Vm) -> Option<Arc<Agency>> + Send + Sync>;

/// What a Lua state is made with.
pub struct Settings {
    /// Where timers, sockets and children are served.
    pub runtime: Handle,
    /// What one state may use, in bytes. Beyond: an error of kind `resource`.
    pub memory: usize,
    /// Where `require` looks, as templates with `?`; empty: the system's own folders.
    pub module_path: String,
    /// Takes what a script prints.
    pub write: Write,
    /// Waits until all that was printed is written; called off the vm thread.
    pub settle: Arc<dyn Fn() + Send + Sync>,
    /// Whether standard output carries a document, so that no child may write there.
    pub is_quiet: bool,
    /// How long one file may take to load, not counting the time people think.
    pub loading: Duration,
    /// How long a function may take that answers a question about a tool or a call.
    pub asked: Duration,
    /// What `agent.reload` does.
    pub reload: Reload,
    /// The way to ask models, where there is one.
    pub agency: Reach,
    /// Where tests run: set where this state runs them, and then it has their words.
    pub testing: Option<TestWorld>,
}

impl Settings {
    /// The usual: 512 MiB, the system's modules, prints into nothing.
    pub fn new(runtime: Handle) -> Settings {
        Settings {
            runtime,
            memory: allowance(),
            module_path: String::new(),
            write: Arc::new(|_| {}),
            settle: Arc::new(|| {}),
            is_quiet: false,
            loading: Duration::from_secs(10),
            asked: Duration::from_secs(5),
            reload: Arc::new(|_, _| Box::pin(ready(Ok(Report::default())))),
            agency: Arc::new(|_| None),
            testing: None,
        }
    }
}

/// What a state may use: 512 MiB, or a quarter of the address space where that is limited, so that a
/// script meets its own limit before the process meets the system's.
fn allowance() -> usize {
    const USUAL: usize = 512 << 20;
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
    let quarter = limit.and_then(|limit| usize::try_from(limit / 4).ok());
    quarter.map_or(USUAL, |quarter| quarter.min(USUAL))
}

/// What begins a job on the vm thread.
type Start = Box<dyn FnOnce(&Rc<State>) -> LocalBoxFuture<'static, ()> + Send>;

enum Message {
    Job(Start),
    Forget(u64),
    Stop,
}

/// The way to one Lua state, from any thread.
#[derive(Clone)]
pub struct Vm(Arc<Shared>);

pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) door: Weak<Dispatch>,
    pub(super) services: Arc<Services>,
    pub(super) stop: Arc<AtomicBool>,
    /// How many loadings have begun.
    pub(super) loads: AtomicU64,
    inbox: OnceLock<Result<UnboundedSender<Message>, ToolError>>,
    ended: Mutex<Option<mpsc::Receiver<()>>>,
}

impl Vm {
    /// A state behind `door`. Nothing runs until it is first used.
    pub fn new(door: &Arc<Dispatch>, settings: Settings) -> Vm {
        Vm(Arc::new(Shared {
            settings,
            door: Arc::downgrade(door),
            services: Arc::clone(door.services()),
            stop: Arc::default(),
            loads: AtomicU64::new(1),
            inbox: OnceLock::new(),
            ended: Mutex::default(),
        }))
    }

    /// Calls the function behind `entry` with `args` and returns its first result. The call is wanted
    /// until the future is dropped or `scope` ends.
    ///
    /// # Errors
    /// What the function raised; `argument` when its result is no plain data; `cancelled`.
    pub fn run(
        &self,
        scope: &Scope,
        entry: &Entry,
        args: Vec<Data>,
    ) -> impl Future<Output = Result<Data, ToolError>> + Send + use<> {
        let entry = entry.clone();
        let voice = Voice::Log("a Lua function".to_owned(), Layer::Script);
        self.job(scope, voice, move |state| async move {
            state.run(&entry, &args).await
        })
    }

    /// Ends everything: jobs are cancelled, the state is closed, the thread leaves. Returns at once.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Release);
        if let Some(Ok(inbox)) = self.0.inbox.get() {
            let _gone_already = inbox.send(Message::Stop);
        }
    }

    /// Waits until the thread has left, after [`Vm::stop`]. False when it has not within `limit`: some
    /// function in C does not return. Blocks; not for the vm thread itself.
    pub fn wait(&self, limit: Duration) -> bool {
        let mut ended = self.0.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(leaving) = ended.take() else {
            return true;
        };
        match leaving.recv_timeout(limit) {
            Err(mpsc::RecvTimeoutError::Timeout) => {
                *ended = Some(leaving);
                false
            }
            _ => true,
        }
    }

    /// One entry into Lua: `start` gets the state, on its thread. Ends when `scope` does, or when the
    /// returned future is dropped.
    pub(super) fn job<T, E, S, F>(
        &self,
        scope: &Scope,
        voice: Voice,
        start: S,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, S, F>
    where
        T: Send + 'static,
        E: From<ToolError> + Send + 'static,
        S: FnOnce(Rc<State>) -> F + Send + 'static,
        F: Future<Output = Result<T, E>> + 'static,
    {
        let opened = scope.block().map(|scope| {
            let guard = Guard::new(Arc::clone(scope.node()));
            (guard, self.enter(scope, voice, None, start))
        });
        async move {
            let (guard, answer) = opened?;
            Guarded::new(guard, answer).await
        }
    }

    /// As [`Vm::job`], in a scope that is the job's own: whoever opened it ends it. Where there is a limit
    /// the scope ends when the time is over.
    pub(super) fn enter<T, E, S, F>(
        &self,
        scope: Scope,
        voice: Voice,
        limit: Option<Limit>,
        start: S,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, S, F>
    where
        T: Send + 'static,
        E: From<ToolError> + Send + 'static,
        S: FnOnce(Rc<State>) -> F + Send + 'static,
        F: Future<Output = Result<T, E>> + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let node = Arc::clone(scope.node());
        let start: Start = Box::new(move |state| {
            let entry = job::Entry {
                state: Rc::clone(state),
                scope,
                voice,
                limit,
            };
            Box::pin(job::run(entry, start, answer))
        });
        let sent = self.send(Message::Job(start));
        async move {
            sent?;
            let lost = |_| Err(E::from(lost(node.is_closed())));
            answered.await.unwrap_or_else(lost)
        }
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.0
    }

    /// Lets the function go that a dropped handle stood for.
    pub(super) fn forget(&self, number: u64) {
        if let Some(Ok(inbox)) = self.0.inbox.get() {
            let _gone_already = inbox.send(Message::Forget(number));
        }
    }

    fn send(&self, message: Message) -> Result<(), ToolError> {
        let inbox = self.0.inbox.get_or_init(|| self.begin());
        let inbox = inbox.as_ref().map_err(Clone::clone)?;
        inbox.send(message).map_err(|_| lost(false))
    }

    fn begin(&self) -> Result<UnboundedSender<Message>, ToolError> {
        let (inbox, messages) = unbounded_channel();
        let (leave, leaving) = mpsc::channel();
        let vm = self.clone();
        let thread = std::thread::Builder::new()
            .name("vm".to_owned())
            .stack_size(STACK);
        let spawned = thread.spawn(move || {
            serve(vm, messages);
            let _nobody_waits = leave.send(());
        });
        spawned.map_err(|error| ToolError::from_io(&error, "start", "the thread for Lua"))?;
        *self.0.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(leaving);
        Ok(inbox)
    }
}

/// Why no answer came.
fn lost(cancelled: bool) -> ToolError {
    if cancelled {
        return ToolError::cancelled();
    }
    ToolError::new(Kind::Unavailable, "the Lua state has ended")
}

/// The life of the vm thread.
fn serve(vm: Vm, messages: UnboundedReceiver<Message>) {
    let runtime = vm.0.settings.runtime.clone();
    match State::new(&vm) {
        Ok(state) => runtime.block_on(turn(&Rc::new(state), messages)),
        Err(error) => {
            let line = format!("the Lua state cannot be made: {error}");
            vm.0.services.sink.log(Level::Error, line);
        }
    }
}

/// Serves jobs until it is told to stop; what still runs then is dropped.
async fn turn(state: &Rc<State>, mut messages: UnboundedReceiver<Message>) {
    let mut jobs = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            message = messages.recv() => match message {
                Some(Message::Job(start)) => jobs.push(start(state)),
                Some(Message::Forget(number)) => state.host.entries.forget(number),
                Some(Message::Stop) | None => return,
            },
            Some(()) = jobs.next(), if !jobs.is_empty() => {}
        }
    }
}
