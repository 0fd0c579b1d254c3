//! A door with small tools, a vm behind it, and a way to run Lua and see what happened.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use futures_util::future::BoxFuture;
use tokio::runtime::{Builder, Runtime};

use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::files::Files;
use crate::gate::{Dispatch, Recent, Rules};
use crate::lua::{Chunk, Ended, Settings, Uncaught, Vm};
use crate::permission::{Caller, Effect};
use crate::schema::Parameters;
use crate::store::SessionId;
use crate::text::Keep;
use crate::tool::{
    Arguments, Bound, Call, Context, Destination, Event, Gate as _, Generation, Limits, Nobody,
    Origin, Outcome, Output, Plan, Record, Registry, Scope, Services, Sink, Spec, Thinking, Tool,
};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// Everything a test of the runtime needs.
pub(super) struct Rig {
    pub(super) runtime: Runtime,
    pub(super) door: Arc<Dispatch>,
    pub(super) vm: Vm,
    pub(super) scope: Scope,
    pub(super) records: Arc<Recent>,
    pub(super) effects: Arc<AtomicUsize>,
    pub(super) printed: Arc<Mutex<Vec<u8>>>,
    pub(super) logged: Arc<Mutex<Vec<String>>>,
}

impl Rig {
    pub(super) fn new() -> Rig {
        Rig::with(Caller::User, |_| {})
    }

    pub(super) fn with(caller: Caller, change: impl FnOnce(&mut Settings)) -> Rig {
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
        let sink = Arc::new(Heard(Arc::clone(&logged)));
        let recorder = Arc::clone(&records);
        let door = Dispatch::new(generation(&effects), Arc::new(services(sink)), recorder);
        let printed = Arc::<Mutex<Vec<u8>>>::default();
        let mut settings = Settings::new(runtime.handle().clone(), "/work".into());
        let paper = Arc::clone(&printed);
        settings.write = Arc::new(move |text| paper.lock().unwrap().extend_from_slice(text));
        change(&mut settings);
        let vm = Vm::new(&door, settings);
        let scope = Scope::root(caller);
        Rig {
            runtime,
            door,
            vm,
            scope,
            records,
            effects,
            printed,
            logged,
        }
    }

    /// Runs `future` to its end, within a time that no test should need.
    pub(super) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime
            .block_on(async { tokio::time::timeout(PATIENCE, future).await })
            .unwrap()
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

    pub(super) fn printed(&self) -> String {
        String::from_utf8(self.printed.lock().unwrap().clone()).unwrap()
    }

    /// The records of `tool`.
    pub(super) fn records_of(&self, tool: &str) -> Vec<Record> {
        let all = self.records.list();
        all.into_iter()
            .filter(|record| record.tool == tool)
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

struct Heard(Arc<Mutex<Vec<String>>>);

impl Sink for Heard {
    fn emit(&self, event: Event) {
        if let Event::Log { text, .. } = event {
            self.0.lock().unwrap().push(text);
        }
    }
}

fn services(sink: Arc<dyn Sink>) -> Services {
    Services {
        files: Arc::new(Files {
            workspace: "/work".into(),
        }),
        ledger: Arc::default(),
        spills: Arc::default(),
        session: SessionId("s1".to_owned()),
        human: Arc::new(Nobody),
        sink,
        limits: Limits::default(),
        environment: Arc::new(BTreeMap::new()),
        clock: SystemTime::now,
        thinking: Arc::new(Thinking::default()),
    }
}

fn generation(effects: &Arc<AtomicUsize>) -> Generation {
    let mut tools = Registry::default();
    for (id, positional, work) in [
        ("echo", &["value"][..], Work::Echo),
        ("sleep", &["seconds"], Work::Sleep),
        ("count", &[], Work::Count),
        ("fail", &["message"], Work::Fail),
        ("outer", &["tool"], Work::Outer),
        ("odd-name", &[], Work::Echo),
    ] {
        tools.insert(Arc::new(Small {
            spec: spec(id, positional),
            work,
            effects: Arc::clone(effects),
        }));
    }
    let policy = Arc::new(Rules {
        rules: Vec::new(),
        restricted: false,
    });
    Generation {
        tools,
        hooks: Vec::new(),
        policy,
    }
}

fn spec(id: &str, positional: &[&str]) -> Spec {
    Spec {
        id: id.to_owned(),
        surface: "test".to_owned(),
        effect: Effect::Read,
        description: String::new(),
        parameters: Parameters {
            json: serde_json::json!({ "type": "object" }),
            positional: positional.iter().map(|name| (*name).to_owned()).collect(),
        },
        parameter_aliases: Vec::new(),
        keep: Keep::Head,
        timeout: None,
        examples: Vec::new(),
        origin: Origin::Shipped,
    }
}

#[derive(Clone, Copy)]
enum Work {
    /// Gives back its arguments and its caller.
    Echo,
    /// Waits, then counts as one effect.
    Sleep,
    /// Counts as one effect, at once.
    Count,
    Fail,
    /// Calls another tool, as `batch` does.
    Outer,
}

struct Small {
    spec: Spec,
    work: Work,
    effects: Arc<AtomicUsize>,
}

impl Tool for Small {
    fn id(&self) -> &str {
        &self.spec.id
    }

    fn aliases(&self) -> &[&str] {
        &[]
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn bind(&self, args: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        Ok(Box::new(Once {
            args: Arc::clone(args),
            work: self.work,
            effects: Arc::clone(&self.effects),
        }))
    }
}

struct Once {
    args: Arc<Data>,
    work: Work,
    effects: Arc<AtomicUsize>,
}

impl Bound for Once {
    fn plan<'a>(&'a self, _context: &'a Context) -> BoxFuture<'a, Result<Plan, ToolError>> {
        Box::pin(async { Ok(Plan::read(Vec::new())) })
    }

    fn execute<'a>(&'a self, _plan: Plan, context: &'a Context) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            match self.work {
                Work::Echo => {
                    let caller = context.caller().as_str();
                    let value = self.args.get("value").cloned().unwrap_or_default();
                    let facts = [
                        ("value", value),
                        ("caller", caller.into()),
                        ("args", Data::clone(&self.args)),
                    ];
                    Ok(Output::new("echo", "the echo", facts))
                }
                Work::Sleep => {
                    let seconds = match self.args.get("seconds") {
                        Some(Data::Float(seconds)) => *seconds,
                        other => other.and_then(Data::as_int).unwrap_or(0) as f64,
                    };
                    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
                    self.effects.fetch_add(1, Ordering::SeqCst);
                    Ok(Output::new("slept", "slept", []))
                }
                Work::Count => {
                    let before = self.effects.fetch_add(1, Ordering::SeqCst);
                    Ok(Output::new(
                        "counted",
                        "counted",
                        [("n", (before + 1).into())],
                    ))
                }
                Work::Fail => {
                    let message = self
                        .args
                        .get("message")
                        .and_then(Data::as_str)
                        .unwrap_or("it failed");
                    Err(ToolError::new(Kind::Conflict, message).with_detail("line", 7))
                }
                Work::Outer => {
                    let tool = self
                        .args
                        .get("tool")
                        .and_then(Data::as_str)
                        .unwrap_or("echo");
                    let call = Call {
                        tool: tool.to_owned(),
                        arguments: Arguments::Positional(Vec::new()),
                        destination: Destination::Program,
                    };
                    Arc::clone(&context.gate).call(&context.scope, call).await
                }
            }
        })
    }
}
