//! What one tool call from Lua costs beyond the tool's own work: bare, with a Lua hook, and of a Lua tool.
//! The tool is ready at once, so that only the way through the door and the bridge is measured.

#![allow(
    clippy::panic,
    reason = "a benchmark that cannot set up its world stops"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::gate::Audited;
use agent::lua::{Chunk, Ended};
use agent::permission::Effect;
use agent::store::{Audit, Paths};
use agent::tool::{Context, Outcome, Output, Plan, Recorder, Registry, Shipped, Silent, Typed};
use agent::{data::Data, error::ToolError};
use criterion::{Criterion, criterion_group, criterion_main};
use schemars::JsonSchema;
use serde::Deserialize;

use door::Door;

mod door;

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

/// What keeps the records of a program whose state is in `state`.
fn audit(state: &Path) -> Arc<dyn Recorder> {
    let log = Audit::new(&Paths::at(state.join("config"), state.join("state")));
    Arc::new(Audited::new(log, state, Arc::new(Silent)))
}

const AUDITED: &str = "a ready tool, with its line in the audit log";

const SCRIPTS: [(&str, &str); 6] = [
    (
        "a ready tool",
        "local call = tools.ready\nreturn function() call('x') end",
    ),
    (
        AUDITED,
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
        "a thousand at once, by agent.map",
        "local list = {}\nfor i = 1, 1000 do list[i] = 'x' end\n\
         return function() agent.map(list, function(text) return tools.ready(text) end, { concurrency = 1000 }) end",
    ),
    (
        "a Lua function (peer)",
        "local function own() return '' end\nreturn function() own() end",
    ),
];

fn call(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one call from Lua");
    for (name, script) in SCRIPTS {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("a folder: {error}"));
        let mut tools = Registry::default();
        tools.insert(Shipped::<Ready>::tool());
        let door = match name {
            AUDITED => Door::with(folder.path(), folder.path(), tools, audit(folder.path())),
            _ => Door::new(folder.path(), folder.path(), tools),
        };
        let vm = door.vm();
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
                let ended = door.runtime.block_on(vm.script(&door.scope, chunk));
                assert!(matches!(ended, Ok(Ended::Returned(_))), "{ended:?}");
                start.elapsed()
            });
        });
        vm.stop();
        vm.wait(Duration::from_secs(1));
    }
    group.finish();
}

criterion_group!(benches, call);
criterion_main!(benches);
