//! A door over a folder, for benchmarks: the shipped tools without the program around them.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark that cannot set up its world stops"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use agent::data::Data;
use agent::files::Files;
use agent::gate::{Dispatch, Recent, Rules};
use agent::lua::{Settings, Vm};
use agent::permission::{Bounds, Caller};
use agent::redact::{Key, Secrets};
use agent::store::{Journal, Ledger, Paths, SessionId, Spills};
use agent::tool::{
    Arguments, Call, Destination, Gate, Generation, Limits, Nobody, Output, Recorder, Registry,
    Scope, Services, Silent,
};

/// Values as an environment holds them.
fn secrets() -> Secrets {
    let held = (0..5).map(|n| {
        (
            format!("KEY_{n}"),
            format!("b7Xq{n}-Zr9wT2vLk8{n}mNp4+sD/f"),
        )
    });
    let held: Vec<_> = held
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    Secrets::of(
        Key::of("a seed"),
        held.iter().map(|(name, value)| (name, value)),
        &|_| false,
    )
}

/// What is written down before a file is changed.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "not every benchmark changes files")]
pub(crate) enum Kept {
    /// Nothing: as if there were no journal.
    Nothing,
    /// What undo needs, as the program does it.
    Journal,
    /// The same, on the disk before the work goes on.
    Strictly,
}

/// A door and what calls run on.
pub(crate) struct Door {
    pub(crate) gate: Arc<Dispatch>,
    pub(crate) scope: Scope,
    pub(crate) runtime: tokio::runtime::Runtime,
}

impl Door {
    /// The door of a program that was started in `workspace`, with its state in `state`. It keeps a journal.
    #[allow(dead_code, reason = "some benchmarks say what is kept")]
    pub(crate) fn new(workspace: &Path, state: &Path, tools: Registry) -> Door {
        Door::keeping(Kept::Journal, workspace, state, tools)
    }

    /// The same, with what keeps the records.
    #[allow(dead_code, reason = "not every benchmark looks at the records")]
    pub(crate) fn with(
        workspace: &Path,
        state: &Path,
        tools: Registry,
        recorder: Arc<dyn Recorder>,
    ) -> Door {
        Door::made(Kept::Journal, (workspace, state), tools, recorder)
    }

    /// The same, with what is written down before a change.
    #[allow(dead_code, reason = "not every benchmark changes files")]
    pub(crate) fn keeping(kept: Kept, workspace: &Path, state: &Path, tools: Registry) -> Door {
        let recent = Arc::new(Recent::default());
        Door::made(kept, (workspace, state), tools, recent)
    }

    fn made(
        kept: Kept,
        (workspace, state): (&Path, &Path),
        tools: Registry,
        recorder: Arc<dyn Recorder>,
    ) -> Door {
        let workspace = workspace.canonicalize().expect("the workspace is there");
        let root = workspace.to_string_lossy().into_owned();
        let paths = Paths::at(state.join("config"), state.join("state"));
        let session = SessionId::new(SystemTime::now()).expect("a session id");
        let files = Files::new(workspace.clone(), workspace, None, state.join("locks"));
        let is_strict = match kept {
            Kept::Nothing => None,
            Kept::Journal => Some(false),
            Kept::Strictly => Some(true),
        };
        let journal = is_strict
            .map(|strict| Journal::new(&paths, files.workspace(), session.clone(), strict));
        let files = match journal {
            Some(journal) => files.journalled(journal),
            None => files,
        };
        let services = Arc::new(Services {
            files: Arc::new(files),
            ledger: Arc::new(Ledger::default()),
            spills: Arc::new(Spills::new(&paths)),
            session,
            human: Arc::new(Nobody),
            sink: Arc::new(Silent),
            named: Vec::new(),
            inherited: Arc::new(|_| Vec::new()),
            limits: Limits::default(),
            environment: Arc::new(std::env::vars_os().collect::<BTreeMap<_, _>>()),
            secrets: secrets(),
            keys: Default::default(),
            clock: SystemTime::now,
            thinking: Arc::default(),
            approved: Arc::default(),
            breaker: Arc::default(),
            planning: Arc::default(),
            todos: Arc::default(),
        });
        let bounds = Bounds {
            workspace: root,
            ..Bounds::default()
        };
        let policy = Arc::new(Rules {
            rules: Vec::new(),
            restricted: false,
            bounds,
            ..Default::default()
        });
        let generation = Generation::new(tools, policy);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let gate = Dispatch::new(generation, services, recorder);
        Door {
            gate,
            scope: Scope::root(Caller::User),
            runtime,
        }
    }

    /// A Lua state behind the door.
    #[allow(dead_code, reason = "not every benchmark runs Lua")]
    pub(crate) fn vm(&self) -> Vm {
        Vm::new(&self.gate, Settings::new(self.runtime.handle().clone()))
    }

    /// One call, which must work.
    #[allow(dead_code, reason = "not every benchmark calls tools from Rust")]
    pub(crate) fn call(&self, tool: &str, args: Data) -> Output {
        let Data::Map(map) = args else {
            unreachable!("arguments are a map")
        };
        let arguments = Arguments::Named(map);
        let call = Call {
            tool: tool.to_owned(),
            arguments,
            destination: Destination::Program,
        };
        let outcome = self
            .runtime
            .block_on(Arc::clone(&self.gate).call(&self.scope, call));
        outcome.unwrap_or_else(|error| panic!("{tool}: {error}"))
    }
}
