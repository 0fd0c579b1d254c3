//! The real door with the shipped tools over a workspace of its own, without the program around it.
//!
//! Strict where a test is not: a call that must work panics with what the door said.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use futures_util::future::BoxFuture;

use agent::data::Data;
use agent::files::Files;
use agent::gate::{Dispatch, Recent, Rules};
use agent::permission::{Action, Bounds, Caller, Rule, Source};
use agent::redact::Secrets;
use agent::store::{Ledger, Paths, SessionId, Spills};
use agent::tool::{
    Answer, Arguments, Call, Deferred, Destination, Gate, Generation, Human, Limits, Nobody,
    Outcome, Output, Prompt, Question, Said, Scope, Services, Silent, Wants,
};

/// What a model behind a door may not see.
pub(crate) const SECRET: &str = "of-this-door-6912E7710c";

/// A door and the world behind it.
pub(crate) struct Door {
    pub(crate) gate: Arc<Dispatch>,
    pub(crate) scope: Scope,
    world: tempfile::TempDir,
    runtime: tokio::runtime::Runtime,
}

impl Door {
    pub(crate) fn new() -> Door {
        Door::with(&[])
    }

    /// A door with rules of the command line.
    pub(crate) fn with(rules: &[(&str, Action)]) -> Door {
        Door::before(Arc::new(Nobody), rules)
    }

    /// A door behind which all is as the examples of the tool `id` have it: somebody is there who agrees to everything,
    /// and who leaves off planning plans.
    pub(crate) fn staged(id: &str) -> Door {
        let mut door = Door::before(Arc::new(Agrees), &[]);
        match id {
            "plan_exit" => drop(door.gate.services().planning.begin()),
            "tool_search" => door.defer(&["move", "delete"]),
            _ => {}
        }
        door
    }

    /// A door before this person, with rules of the command line.
    pub(crate) fn before(human: Arc<dyn Human>, rules: &[(&str, Action)]) -> Door {
        let world = tempfile::tempdir().unwrap();
        let root = world.path().canonicalize().unwrap();
        let workspace = root.join("workspace");
        std::fs::create_dir(&workspace).unwrap();
        let paths = Paths::at(root.join("config"), root.join("state"));
        let locks = root.join("state/locks");
        let home = Some(root.join("home"));
        let mut secrets = Secrets::default();
        secrets.hold("door_key", SECRET);
        let services = Arc::new(Services {
            files: Arc::new(Files::new(workspace.clone(), workspace, home, locks)),
            ledger: Arc::new(Ledger::default()),
            spills: Arc::new(Spills::new(&paths)),
            session: SessionId::new(SystemTime::now()).unwrap(),
            human,
            sink: Arc::new(Silent),
            named: Vec::new(),
            inherited: Arc::new(|_| Vec::new()),
            limits: Limits::default(),
            environment: Arc::new(std::env::vars_os().collect::<BTreeMap<_, _>>()),
            secrets,
            keys: Default::default(),
            clock: SystemTime::now,
            thinking: Arc::default(),
            approved: Arc::default(),
            breaker: Arc::default(),
            planning: Arc::default(),
            todos: Arc::default(),
        });
        let rules = rules
            .iter()
            .map(|(rule, action)| Rule::parse(rule, *action, Source::CommandLine).unwrap())
            .collect();
        let bounds = Bounds {
            workspace: root.join("workspace").to_string_lossy().into_owned(),
            home: root.join("home").to_string_lossy().into_owned(),
            ..Bounds::default()
        };
        let policy = Arc::new(Rules {
            rules,
            restricted: false,
            bounds,
            ..Default::default()
        });
        let generation = Generation::new(agent::tools::shipped(), policy);
        let gate = Dispatch::new(generation, services, Arc::new(Recent::default()));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        Door {
            gate,
            scope: Scope::root(Caller::User),
            world,
            runtime,
        }
    }

    /// Makes these tools ones that a conversation has to open first.
    pub(crate) fn defer(&mut self, ids: &[&str]) {
        let ids = ids.iter().map(|id| (*id).to_owned());
        let deferred = Arc::new(Deferred::new(ids));
        self.scope = self.scope.deferring(deferred).unwrap();
    }

    /// A path in the workspace.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.world.path().join("workspace").join(path)
    }

    /// Puts a file into the workspace, with its folders.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// The bytes of a file in the workspace.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.at(path)).unwrap()
    }

    /// Calls a tool as the person's program would.
    pub(crate) fn call(&self, tool: &str, args: Data) -> Outcome {
        self.run(Caller::User, Destination::Program, tool, args)
    }

    /// Calls a tool as a model would.
    pub(crate) fn model(&self, tool: &str, args: Data) -> Outcome {
        self.run(Caller::Model, Destination::Model, tool, args)
    }

    /// The result of a call that works.
    pub(crate) fn ok(&self, tool: &str, args: Data) -> Output {
        self.call(tool, args)
            .unwrap_or_else(|error| panic!("{tool}: {error:?}"))
    }

    fn run(&self, caller: Caller, destination: Destination, tool: &str, args: Data) -> Outcome {
        let Data::Map(map) = args else {
            panic!("arguments are a map")
        };
        let scope = self.scope.lowered(caller).unwrap();
        let arguments = Arguments::Named(map);
        let call = Call {
            tool: tool.to_owned(),
            arguments,
            destination,
        };
        self.runtime
            .block_on(Arc::clone(&self.gate).call(&scope, call))
    }

    /// The runtime that calls run on.
    pub(crate) fn runtime(&self) -> &tokio::runtime::Runtime {
        &self.runtime
    }
}

/// Somebody who says yes, chooses the first and has no words of their own.
struct Agrees;

impl Human for Agrees {
    fn ask(&self, _: Question) -> BoxFuture<'static, Answer> {
        Box::pin(std::future::ready(Answer::Once))
    }

    fn prompt(&self, prompt: Prompt) -> BoxFuture<'static, Said> {
        let said = match prompt.wants {
            Wants::YesNo(_) => Said::YesNo(true),
            Wants::Line { .. } => Said::Line("as you like".to_owned()),
            Wants::Choice { .. } => Said::Choice(0),
            Wants::Open { .. } => Said::Choices(vec![0]),
        };
        Box::pin(std::future::ready(said))
    }
}

/// Arguments from pairs.
pub(crate) fn args<const N: usize>(pairs: [(&str, Data); N]) -> Data {
    Data::map(pairs)
}
