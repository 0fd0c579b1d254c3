//! One process, one session: what a command needs to call tools, wired together in one place.
//!
//! Order: working folder, workspace, folders of our own, terminal, services, door. The runtime starts
//! with the first command that calls a tool; the Lua thread with the first that needs Lua.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, SystemTime};

use tokio::runtime::{Handle, Runtime};

use super::answer::Answer;
use super::args::Options;
use super::asking::Asking;
use super::below::{self, Below};
use super::bounds::bounds;
use super::ending::Ending;
use super::handed::{Handed, Place};
use super::held;
use super::hooks;
use super::listener::Listener;
use super::loading::Loading;
use super::marking::Marking;
use super::mode::Chosen;
use super::outlet::Outlet;
use super::past;
use super::terminal::{self, AtTerminal};
use super::trusting::Project;
use crate::error::{Error, Exit, Kind, ToolError};
use crate::files::Files;
use crate::gate::{Audited, Dispatch, Rules};
use crate::layers::{Instructions, instructions};
use crate::lua::{Policed, Report, Settings, Vm};
use crate::model::Keys;
use crate::permission::{Action, Rule, Source};
use crate::store::{Approvals, Audit, Journal, Ledger, Paths, Room, Sessions, Spills, Workspace};
use crate::tool::{Approved, Gate, Generation, Human, Level, Limits, Nobody, Scope, Services};

/// How long the Lua thread may take to leave.
const GRACE: Duration = Duration::from_millis(500);

/// A session, ready to make calls.
pub(super) struct Session {
    /// The options of the command line.
    pub(super) options: Options,
    /// Where the answer goes.
    pub(super) answer: Arc<Answer>,
    /// The workspace.
    pub(super) workspace: Workspace,
    /// Our own folders.
    pub(super) paths: Paths,
    /// What all calls share.
    pub(super) services: Arc<Services>,
    /// The door.
    pub(super) dispatch: Arc<Dispatch>,
    audit: Arc<Audited>,
    loading: Arc<Loading>,
    /// How it is ended from outside.
    pub(super) ending: Arc<Ending>,
    /// What everything in it runs under.
    pub(super) root: Scope,
    vm: OnceLock<Vm>,
    /// How models are asked.
    pub(super) asking: Arc<Asking>,
}

impl Session {
    /// Wires a session together. Starts no thread and writes no file. `named` are the words of the
    /// command line that may be paths.
    ///
    /// # Errors
    /// Usage and configuration: exit 2.
    pub(super) fn start(
        mut options: Options,
        named: Vec<String>,
        env: BTreeMap<OsString, OsString>,
    ) -> Result<Session, Error> {
        let env = Arc::new(env);
        below::refuse_grants(&options, &env)?;
        let cwd = enter(&options)?;
        let handed = Handed::here(&env)?;
        let place = Place::of(handed.as_ref(), &cwd, &env)?;
        let below = Below::enter(handed.as_ref(), &mut options, &env, &place)?;
        let (paths, workspace, home) = (place.paths, place.workspace, place.home);
        let answer = Arc::new(Answer::new(options.format()));
        let listener = Arc::new(Listener::new(Arc::clone(&answer), &options));
        let root = below.root(&options)?;
        let outlet = Arc::clone(answer.outlet());
        let (ending, ended) = Ending::of(root.clone(), Arc::clone(&outlet))?;
        let session = past::session(&options, &Sessions::new(&paths), &workspace.root)?;
        let files = files(&workspace, cwd, home.as_deref(), &paths);
        let journal = Journal::new(&paths, files.workspace(), session.clone(), is_strict(&env));
        let services = Arc::new(Services {
            files: Arc::new(files.journalled(journal)),
            ledger: Arc::new(Ledger::default()),
            spills: Arc::new(Spills::new(&paths)),
            session,
            human: human(&options, ended, outlet),
            sink: Arc::clone(&listener) as _,
            named,
            limits: Limits::default(),
            inherited: below.inherited,
            environment: Arc::clone(&env),
            secrets: held::secrets(&env, home.as_deref())?,
            keys: Arc::new(Keys::new(Arc::clone(&env))),
            clock: SystemTime::now,
            thinking: Arc::default(),
            approved: Arc::new(Approved::with(Approvals::new(&paths, &workspace.root))),
            breaker: Arc::default(),
            planning: Arc::default(),
            todos: Arc::default(),
        });
        let instructions = instructions(&workspace);
        let policy = Rules {
            session: services.session.to_string(),
            rules: rules(&options, below.rules, &instructions)?,
            restricted: workspace.restricted,
            bounds: bounds(&workspace, &paths, home, &instructions, &options.tools),
            ..in_mode(below.mode)
        };
        let shipped = Generation::new(crate::tools::shipped(), Arc::new(policy.clone()));
        let audit = audited(&paths, &workspace, &services);
        let dispatch = Dispatch::new(shipped, Arc::clone(&services), Arc::clone(&audit) as _);
        let asking = Arc::new(Asking::new(&options, &dispatch, &paths, &workspace));
        listener.hide_from(options.caller(), &dispatch);
        let loading = Loading {
            options: options.clone(),
            paths: paths.clone(),
            project: Project::new(&options, &workspace, &paths),
            marking: Marking::of(&workspace, &paths),
            instructions,
            base: Mutex::new(policy),
            mode: below.mode,
            dispatch: Arc::downgrade(&dispatch),
            unguarded: Mutex::default(),
            newest: AtomicU64::new(0),
        };
        Ok(Session {
            options,
            answer,
            workspace,
            paths,
            services,
            dispatch,
            audit,
            loading: Arc::new(loading),
            ending,
            root,
            vm: OnceLock::new(),
            asking,
        })
    }

    /// The door, as a caller sees it.
    pub(super) fn gate(&self) -> Arc<dyn Gate> {
        Arc::clone(&self.dispatch) as Arc<dyn Gate>
    }

    /// The rules of the command line and the environment, with another folder as the workspace.
    pub(super) fn rules_in(&self, workspace: &Path) -> Rules {
        let mut rules = self.loading.base();
        rules.restricted = false;
        rules.bounds.workspace = workspace.to_string_lossy().into_owned();
        rules.bounds.loads_tools = false;
        rules
    }

    /// What was said of the mode where the session was started.
    pub(super) fn mode(&self) -> Chosen {
        self.loading.mode
    }

    /// A scope for one piece of work of this session.
    ///
    /// # Errors
    /// `cancelled` when the session is ending.
    pub(super) fn scope(&self) -> Result<Scope, ToolError> {
        self.root.block()
    }

    /// The Lua state of this session; it starts on first use. Only inside [`Session::run`].
    pub(super) fn vm(&self) -> &Vm {
        self.vm.get_or_init(|| {
            let mut settings = Settings::new(Handle::current());
            let answer = Arc::clone(&self.answer);
            settings.is_quiet = answer.is_machine();
            let outlet = Arc::clone(answer.outlet());
            settings.settle = Arc::new(move || {
                let _all = outlet.drain();
            });
            settings.write = Arc::new(move |bytes| answer.print(bytes));
            let asking = Arc::clone(&self.asking);
            let loading = Arc::clone(&self.loading);
            settings.agency = Arc::new(move |vm| {
                loading.lets_a_model_act()?;
                asking.agency(vm)
            });
            let loading = Arc::clone(&self.loading);
            settings.reload = Arc::new(move |vm, scope| {
                let loading = Arc::clone(&loading);
                Box::pin(async move { loading.again(&vm, &scope).await })
            });
            Vm::new(&self.dispatch, settings)
        })
    }

    /// Loads what a session that is not bare loads; what did not. Only inside [`Session::run`].
    ///
    /// # Errors
    /// A policy that does not load, and whatever else ends a run at its start.
    pub(super) async fn load(&self) -> Result<Report, Error> {
        self.loading.first(self.vm(), &self.root).await
    }

    /// Runs `work` to its end, under the signals and the clock. A failure is told, and its exit code
    /// returned. The hooks around a session see the `command`; one that only shows things has none.
    ///
    /// # Errors
    /// When the runtime cannot be started.
    pub(super) fn run<F>(
        self,
        command: Option<&str>,
        tool: Option<&str>,
        work: F,
    ) -> Result<Exit, Error>
    where
        F: AsyncFnOnce(&Session) -> Result<Exit, Error>,
    {
        let runtime = runtime()?;
        let result = runtime.block_on(async {
            self.ending.watch(self.options.timeout)?;
            for line in self.services.files.recover() {
                self.services.sink.log(Level::Warn, line);
            }
            self.loading.start(self.vm(), &self.root).await?;
            let Some(command) = command else {
                return work(&self).await;
            };
            hooks::start(&self, command).await;
            let result = work(&self).await;
            hooks::end(&self, command, &result).await;
            self.first_failure(result)
        });
        self.root.node().close();
        self.ending.wait();
        runtime.block_on(self.root.settled());
        if let Some(vm) = self.vm.get() {
            vm.stop();
            vm.wait(GRACE);
        }
        self.asking.end();
        self.audit.finish();
        let exit = self.tell(result, tool);
        // Signals are still heard while a slow reader takes what is left.
        runtime.shutdown_background();
        Ok(exit)
    }

    /// Ends what was watched. Where the run failed already its failure stays, and the other is logged.
    fn first_failure(&self, result: Result<Exit, Error>) -> Result<Exit, Error> {
        match (result, self.loading.finish()) {
            (result, Ok(())) => result,
            (Ok(_), Err(error)) => Err(error.into()),
            (Err(first), Err(error)) => {
                self.services.sink.log(Level::Warn, error.to_string());
                Err(first)
            }
        }
    }

    /// Tells how the run ended and waits until all is written; the exit code.
    fn tell(&self, result: Result<Exit, Error>, tool: Option<&str>) -> Exit {
        let exit = match (self.ending.cause(), result) {
            (Some(cause), _) => self.tell_ended(cause, tool),
            (None, Ok(exit)) => exit,
            (None, Err(error)) => {
                self.answer.failure(&error, tool);
                error.exit()
            }
        };
        let exit = self.answer.finish(exit);
        match self.answer.outlet().drain() {
            true => exit,
            false => self.ending.cause().unwrap_or(exit),
        }
    }

    fn tell_ended(&self, cause: Exit, tool: Option<&str>) -> Exit {
        if self.answer.is_given() {
            return cause;
        }
        let timeout = self.options.timeout.unwrap_or_default().as_secs_f64();
        let (kind, what, advice) = match cause {
            Exit::Timeout => (
                Kind::Timeout,
                format!("--timeout of {timeout} s passed"),
                Some("give it longer"),
            ),
            Exit::Terminated => (Kind::Cancelled, "terminated".to_owned(), None),
            _ => (Kind::Cancelled, "interrupted".to_owned(), None),
        };
        self.answer.ended(kind, &what, advice, tool);
        cause
    }
}

/// The folder that the program works in, entered if `-C` names another.
///
/// # Errors
/// Usage: the folder does not exist or cannot be entered.
pub(super) fn enter(options: &Options) -> Result<PathBuf, Error> {
    if let Some(folder) = &options.cwd {
        std::env::set_current_dir(folder).map_err(|error| {
            let shown = folder.display().to_string();
            let error = ToolError::from_io(&error, "enter", &shown);
            Error::usage(error.message, "name a folder that exists after -C")
        })?;
    }
    std::env::current_dir().map_err(|error| {
        let error = ToolError::from_io(&error, "find", "the working folder");
        Error::usage(error.message, "start in a folder that exists")
    })
}

/// Who is asked: the person at the terminal, if there is one.
fn human(options: &Options, ended: io::PipeReader, outlet: Arc<Outlet>) -> Arc<dyn Human> {
    match terminal::is_attended() && !options.asks_a_model {
        true => Arc::new(AtTerminal::new(ended, outlet)),
        false => Arc::new(Nobody),
    }
}

/// The way to the files of the workspace.
fn files(workspace: &Workspace, cwd: PathBuf, home: Option<&Path>, paths: &Paths) -> Files {
    let (root, home) = (workspace.root.clone(), home.map(PathBuf::from));
    Files::new(root, cwd, home, paths.room(Room::Locks))
}

/// No rules, in the mode that was chosen.
fn in_mode(mode: Chosen) -> Rules {
    Rules {
        modes: mode.over(&Policed::default()),
        fixed: mode.fixed(&Policed::default()),
        ..Rules::default()
    }
}

/// Whether every write to disk is waited for.
fn is_strict(env: &BTreeMap<OsString, OsString>) -> bool {
    let durability = env.get(OsStr::new("AGENT_DURABILITY"));
    durability.is_some_and(|value| value == "strict")
}

/// What records the calls.
fn audited(paths: &Paths, workspace: &Workspace, services: &Services) -> Arc<Audited> {
    let sink = Arc::clone(&services.sink);
    Arc::new(Audited::new(Audit::new(paths), &workspace.root, sink))
}

/// The rules that hold before any policy is loaded: those of the command line, the environment and the
/// workspace's instruction files.
fn rules(
    options: &Options,
    environment: Vec<Rule>,
    instructions: &Instructions,
) -> Result<Vec<Rule>, Error> {
    let allow = options.allow.iter().map(|rule| (rule, Action::Allow));
    let deny = options.deny.iter().map(|rule| (rule, Action::Deny));
    allow
        .chain(deny)
        .map(|(rule, action)| {
            Rule::parse(rule, action, Source::CommandLine).map_err(|error| match error {
                Error::Usage { message, hint } => {
                    Error::usage(format!("--{action}: {message}"), hint)
                }
                error => error,
            })
        })
        .chain(environment.into_iter().map(Ok))
        .chain(instructions.rules.iter().cloned().map(Ok))
        .collect()
}

fn runtime() -> Result<Runtime, Error> {
    let built = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("runtime")
        .enable_all()
        .build();
    Ok(built.map_err(|error: io::Error| ToolError::from_io(&error, "start", "the runtime"))?)
}
