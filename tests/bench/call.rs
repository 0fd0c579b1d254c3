//! What one tool call from Lua costs beyond the tool's own work: bare, with a Lua hook, and of a Lua tool.
//! The tool is ready at once, so that only the way through the door and the bridge is measured.

#![allow(
    clippy::panic,
    reason = "a benchmark that cannot set up its world stops"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use agent::files::Files;
use agent::gate::{Dispatch, Recent, Rules};
use agent::lua::{Chunk, Ended, Settings, Vm};
use agent::permission::{Bounds, Caller, Effect};
use agent::store::{Ledger, Paths, SessionId, Spills};
use agent::tool::{
    Context, Generation, Limits, Nobody, Outcome, Output, Plan, Registry, Scope, Services, Shipped,
    Silent, Typed,
};
use agent::{data::Data, error::ToolError};
use criterion::{Criterion, criterion_group, criterion_main};
use schemars::JsonSchema;
use serde::Deserialize;

struct Ready;

#[derive(Deserialize, JsonSchema)]
struct Args {
    /// What is given back
    text: String,
}

impl Typed for Ready {
    const ID: &'static str = "ready";
    const SURFACE: &'static str = "bench";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Gives back its text at once.";
    type Args = Args;

    async fn plan(_: &Args, _: &Context) -> Result<Plan, ToolError> {
        Ok(Plan::read(Vec::new()))
    }

    async fn execute(args: &Args, _: Plan, _: &Context) -> Outcome {
        let text = args.text.as_str();
        Ok(Output::new("ready", text, [("text", Data::from(text))]))
    }
}

const SCRIPTS: [(&str, &str); 4] = [
    (
        "a ready tool",
        "local call = tools.ready\nreturn function() call('x') end",
    ),
    (
        "with a Lua hook",
        "local off = agent.on('tool.before', function() end)\nreturn function() tools.ready('x') end, off",
    ),
    (
        "a Lua tool",
        "agent.tool { id = 'own', effect = 'read', execute = function() return '' end }\n\
         return function() tools.own() end",
    ),
    (
        "a Lua function (peer)",
        "local function own() return '' end\nreturn function() own() end",
    ),
];

fn call(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one call from Lua");
    for (name, script) in SCRIPTS {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap_or_else(|error| panic!("a runtime: {error}"));
        let dispatch = door();
        let vm = Vm::new(&dispatch, Settings::new(runtime.handle().clone()));
        let scope = Scope::root(Caller::User);
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let source = format!(
                    "local once, done = (function() {script} end)()\n\
                     for _ = 1, {times} do once() end\nif done then done() end\nreturn 0"
                );
                let chunk = Chunk {
                    name: name.to_owned(),
                    source: source.into_bytes(),
                    args: vec![],
                };
                let start = Instant::now();
                let ended = runtime.block_on(vm.script(&scope, chunk));
                assert!(matches!(ended, Ok(Ended::Returned(_))), "{ended:?}");
                start.elapsed()
            });
        });
        vm.stop();
        vm.wait(Duration::from_secs(1));
    }
    group.finish();
}

fn door() -> Arc<Dispatch> {
    let services = Arc::new(Services {
        files: Arc::new(Files::new(
            "/w".into(),
            "/w".into(),
            None,
            "/w/locks".into(),
        )),
        ledger: Arc::new(Ledger::default()),
        spills: Arc::new(Spills::new(&Paths::at("/w/config", "/w/state"))),
        session: SessionId::new(SystemTime::now()).unwrap_or_else(|error| panic!("{error}")),
        human: Arc::new(Nobody),
        sink: Arc::new(Silent),
        named: Vec::new(),
        inherited: Vec::new(),
        limits: Limits::default(),
        environment: Arc::new(BTreeMap::new()),
        clock: SystemTime::now,
        thinking: Arc::default(),
    });
    let mut tools = Registry::default();
    tools.insert(Shipped::<Ready>::tool());
    let policy = Arc::new(Rules {
        rules: Vec::new(),
        restricted: false,
        bounds: Bounds::default(),
        ..Default::default()
    });
    let generation = Generation::new(tools, policy);
    Dispatch::new(generation, services, Arc::new(Recent::default()))
}

criterion_group!(benches, call);
criterion_main!(benches);
