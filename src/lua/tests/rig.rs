//! A door with small tools, a vm behind it, and a way to run Lua and see what happened.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use tokio::runtime::{Builder, Runtime};

use super::small;
use crate::data::Data;
use crate::error::ToolError;
use crate::files::Files;
use crate::gate::{Dispatch, Recent};
use crate::layers::SourceFile;
use crate::lua::{Chunk, Ended, Policed, Report, Settings, Uncaught, Vm};
use crate::permission::Caller;
use crate::store::{Paths, SessionId, Spills};
use crate::tool::{
    Arguments, Call, Destination, Event, Gate as _, Human, Limits, Nobody, Outcome, Record,
    Registry, Scope, Services, Sink, Thinking,
};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// Everything a test of the runtime needs.
pub(in crate::lua) struct Rig {
    pub(super) runtime: Runtime,
    pub(super) door: Arc<Dispatch>,
    pub(in crate::lua) vm: Vm,
    pub(in crate::lua) scope: Scope,
    pub(super) records: Arc<Recent>,
    pub(super) effects: Arc<AtomicUsize>,
    pub(super) printed: Arc<Mutex<Vec<u8>>>,
    pub(super) logged: Arc<Mutex<Vec<String>>>,
    base: Registry,
    started: Arc<Mutex<Vec<String>>>,
}

impl Rig {
    pub(in crate::lua) fn new() -> Rig {
        Rig::with(Caller::User, |_| {})
    }

    pub(super) fn with(caller: Caller, change: impl FnOnce(&mut Settings)) -> Rig {
        Rig::made(
            caller,
            (Path::new("/w"), Path::new("/w")),
            Arc::new(Nobody),
            change,
        )
    }

    /// A rig in a real folder, under the rules that the program has without any being given.
    pub(super) fn at(caller: Caller, workspace: &Path) -> Rig {
        Rig::made(
            caller,
            (workspace, Path::new("/w")),
            Arc::new(Nobody),
            |_| {},
        )
    }

    /// As [`Rig::at`], with a folder for what the program keeps about itself.
    pub(super) fn at_with(caller: Caller, workspace: &Path, state: &Path) -> Rig {
        Rig::made(caller, (workspace, state), Arc::new(Nobody), |_| {})
    }

    /// A rig with somebody to ask.
    pub(super) fn before(caller: Caller, human: Arc<dyn Human>) -> Rig {
        Rig::made(caller, (Path::new("/w"), Path::new("/w")), human, |_| {})
    }

    fn made(
        caller: Caller,
        (workspace, state): (&Path, &Path),
        human: Arc<dyn Human>,
        change: impl FnOnce(&mut Settings),
    ) -> Rig {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let effects = Arc::new(AtomicUsize::new(0));
        let (records, logged) = (
            Arc::new(Recent::default()),
            Arc::<Mutex<Vec<String>>>::default(),
        );
        let started = Arc::<Mutex<Vec<String>>>::default();
        let sink = Arc::new(Heard {
            logged: Arc::clone(&logged),
            started: Arc::clone(&started),
        });
        let recorder = Arc::clone(&records);
        let door = Dispatch::new(
            small::generation(&effects, workspace),
            Arc::new(Services {
                human,
                ..services(sink, workspace, state)
            }),
            recorder,
        );
        let printed = Arc::<Mutex<Vec<u8>>>::default();
        let mut settings = Settings::new(runtime.handle().clone());
        let paper = Arc::clone(&printed);
        settings.write = Arc::new(move |text| paper.lock().unwrap().extend_from_slice(text));
        change(&mut settings);
        let vm = Vm::new(&door, settings);
        let scope = Scope::root(caller);
        Rig {
            base: door.generation().tools.clone(),
            runtime,
            door,
            vm,
            scope,
            records,
            effects,
            printed,
            logged,
            started,
        }
    }

    /// Runs `future` to its end, within a time that no test should need.
    pub(in crate::lua) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime
            .block_on(async { tokio::time::timeout(PATIENCE, future).await })
            .unwrap()
    }

    /// Loads `files` over the tools of the rig, and puts what comes of them in place.
    pub(super) fn load(&self, files: Vec<SourceFile>) -> Report {
        let base = self.base.clone();
        let enforce = Box::new(|_: &Policed, _: &Report| Ok(()));
        let loaded = self.wait(self.vm.load(&self.scope, base, files, enforce));
        let loaded = loaded.unwrap();
        self.door.update(|generation| {
            generation.tools = loaded.tools;
            generation.hooks = loaded.hooks;
            generation.commands = loaded.commands;
            generation.truncation = loaded.policy.truncation;
            generation.replacers = loaded.policy.replacers;
            generation.surfaces = loaded.policy.surfaces;
            generation.models = loaded.policy.models;
            generation.profiles = loaded.policy.profiles;
        });
        loaded.report
    }

    /// Runs a script.
    pub(super) fn script(&self, source: &str) -> Result<Ended, Uncaught> {
        self.wait(self.vm.script(&self.scope, chunk(source)))
    }

    /// The first value that a script returns, as data.
    pub(super) fn value(&self, source: &str) -> Data {
        match self.script(source) {
            Ok(Ended::Returned(mut values)) if !values.is_empty() => values.remove(0).data.unwrap(),
            other => panic!("{source}: {other:?}"),
        }
    }

    /// What a script that returns text returns.
    pub(super) fn text(&self, source: &str) -> String {
        let value = self.value(source);
        value
            .as_str()
            .unwrap_or_else(|| panic!("{value:?}"))
            .to_owned()
    }

    /// The error a script ends with.
    pub(super) fn error(&self, source: &str) -> ToolError {
        match self.script(source) {
            Err(uncaught) => uncaught.error,
            other => panic!("{source}: {other:?}"),
        }
    }

    /// Runs a script until `ready`, cancels it, and says what it ended with and how long that took.
    pub(super) fn cancelled(
        &self,
        source: &str,
        ready: impl Fn(&Rig) -> bool,
    ) -> (Result<Ended, Uncaught>, Duration) {
        let scope = self.scope.block().unwrap();
        let running = self.runtime.spawn(self.vm.script(&scope, chunk(source)));
        self.until(|| ready(self));
        let start = Instant::now();
        scope.node().close();
        let result = self.wait(running).unwrap();
        (result, start.elapsed())
    }

    /// Waits for something that is about to happen.
    pub(super) fn until(&self, happened: impl Fn() -> bool) {
        let start = Instant::now();
        while !happened() {
            assert!(start.elapsed() < PATIENCE, "it never happened");
            std::thread::yield_now();
        }
    }

    /// One call from outside of Lua.
    pub(super) fn call(&self, tool: &str, json: &str) -> Outcome {
        let call = Call {
            tool: tool.to_owned(),
            arguments: Arguments::Json(json.to_owned()),
            destination: Destination::Model,
        };
        self.wait(Arc::clone(&self.door).call(&self.scope, call))
    }

    pub(super) fn effects(&self) -> usize {
        self.effects.load(Ordering::SeqCst)
    }

    /// Whether a call has said that it is at `point`, or a call of the tool `point` has been opened.
    pub(super) fn has_begun(&self, point: &str) -> bool {
        self.started
            .lock()
            .unwrap()
            .iter()
            .any(|begun| begun == point)
    }

    pub(super) fn printed(&self) -> String {
        String::from_utf8(self.printed.lock().unwrap().clone()).unwrap()
    }

    /// The records of `tool`.
    pub(super) fn records_of(&self, tool: &str) -> Vec<Record> {
        let all = self.records.list();
        all.into_iter()
            .filter(|record| &*record.tool == tool)
            .collect()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.vm.stop();
        assert!(self.vm.wait(PATIENCE), "the vm thread does not end");
    }
}

pub(super) fn chunk(source: &str) -> Chunk {
    Chunk {
        name: "test.lua".to_owned(),
        source: source.as_bytes().to_vec(),
        args: Vec::new(),
    }
}

struct Heard {
    logged: Arc<Mutex<Vec<String>>>,
    started: Arc<Mutex<Vec<String>>>,
}

impl Sink for Heard {
    fn emit(&self, event: Event) {
        match event {
            Event::Log { text, .. } => self.logged.lock().unwrap().push(text),
            Event::Started { tool, .. } => self.started.lock().unwrap().push(tool.to_string()),
            Event::Updated { title, .. } => self.started.lock().unwrap().push(title),
            _ => {}
        }
    }
}

fn services(sink: Arc<dyn Sink>, workspace: &Path, state: &Path) -> Services {
    Services {
        files: Arc::new(Files::new(
            workspace.to_owned(),
            workspace.to_owned(),
            None,
            state.join("locks"),
        )),
        ledger: Arc::default(),
        spills: Arc::new(Spills::new(&Paths::at("/w/config", "/w/state"))),
        session: SessionId::new(SystemTime::now()).unwrap(),
        human: Arc::new(Nobody),
        sink,
        named: Vec::new(),
        inherited: Arc::new(|_| Vec::new()),
        limits: Limits::default(),
        environment: Arc::new(BTreeMap::new()),
        secrets: Default::default(),
        keys: Default::default(),
        clock: SystemTime::now,
        thinking: Arc::new(Thinking::default()),
        approved: Arc::default(),
        breaker: Arc::default(),
        planning: Arc::default(),
        todos: Arc::default(),
    }
}
