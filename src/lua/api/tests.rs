//! The interface in a real Lua state, with a door that has one tool.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use futures_util::future::BoxFuture;
use mlua::{MultiValue, Value};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::runtime::{Builder, Runtime};

use super::*;
use crate::error::ToolError;
use crate::files::Files;
use crate::gate::{Dispatch, Recent};
use crate::lua::current::{Current, Script, Voice};
use crate::lua::raise::{self, Caught};
use crate::lua::state::State;
use crate::lua::{Settings, Vm};
use crate::permission::{Caller, Effect, Verdict};
use crate::store::{Paths, SessionId, Spills};
use crate::tool::*;

mod pure;
mod re;
mod spoken;

/// Remembers what was said.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Sink for Heard {
    fn emit(&self, event: Event) {
        self.0
            .lock()
            .unwrap()
            .push(serde_json::to_string(&event).unwrap());
    }
}

struct Search;

/// What to look for.
#[derive(Deserialize, JsonSchema)]
struct SearchArgs {
    /// A regular expression.
    #[allow(dead_code)]
    pattern: String,
}

impl Typed for Search {
    const ID: &'static str = "grep";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Finds lines.\nReads the files of the workspace.";
    const ALIASES: &'static [&'static str] = &["search"];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "every TODO",
        files: &[],
        args: "{\"pattern\":\"TODO\"}",
        shows: "TODO",
    }];
    type Args = SearchArgs;

    async fn plan(_: &SearchArgs, _: &Context) -> Result<Plan, ToolError> {
        Err(ToolError::cancelled())
    }

    async fn execute(_: &SearchArgs, _: Plan, _: &Context) -> Outcome {
        Err(ToolError::cancelled())
    }
}

struct Silence;

impl Policy for Silence {
    fn judge<'a>(&'a self, _: &'a Scope, _: &'a Facts<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(std::future::pending())
    }
}

/// A state with the interface, in a folder of its own.
struct Bench {
    state: State,
    words: Vec<String>,
    heard: Arc<Heard>,
    folder: tempfile::TempDir,
    door: Option<Arc<Dispatch>>,
    runtime: Runtime,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().canonicalize().unwrap();
        let heard = Arc::new(Heard::default());
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let services = Arc::new(services(&workspace, &heard));
        let door = Dispatch::new(generation(), services, Arc::new(Recent::default()));
        let settings = Settings::new(runtime.handle().clone());
        let state = State::new(&Vm::new(&door, settings)).unwrap();
        Bench {
            state,
            words: Vec::new(),
            heard,
            folder,
            door: Some(door),
            runtime,
        }
    }

    fn run(&self, code: &str) -> Result<MultiValue, Caught> {
        let lua = &self.state.lua;
        let function = lua
            .load(code)
            .set_name("@test.lua")
            .into_function()
            .unwrap();
        let script = Script {
            name: "test.lua".to_owned(),
            args: self.words.iter().map(Into::into).collect(),
        };
        let current = Current::new(Scope::root(Caller::User), Voice::Out(script));
        let run = current.around(raise::run(lua, &function, ()));
        let limited = async { tokio::time::timeout(Duration::from_secs(30), run).await };
        self.runtime.block_on(limited).expect("ends by itself")
    }

    /// What `code` returns, each value as text, lists and tables as JSON.
    fn text(&self, code: &str) -> String {
        let values = match self.run(code) {
            Ok(values) => values,
            Err(caught) => panic!("{code}: {caught}"),
        };
        let shown = values.into_iter().map(|value| match value {
            Value::Table(_) => {
                serde_json::to_string(&crate::lua::convert::to_data(&value).unwrap()).unwrap()
            }
            other => other.to_string().unwrap(),
        });
        shown.collect::<Vec<_>>().join("|")
    }

    fn failure(&self, code: &str) -> ToolError {
        self.run(code).expect_err(code).error
    }
}

fn generation() -> Generation {
    let mut tools = Registry::default();
    tools.insert(Shipped::<Search>::tool());
    Generation::new(tools, Arc::new(Silence))
}

fn services(workspace: &Path, heard: &Arc<Heard>) -> Services {
    Services {
        files: Arc::new(Files::new(
            workspace.to_owned(),
            workspace.to_owned(),
            None,
            workspace.join("../locks"),
        )),
        ledger: Arc::default(),
        spills: Arc::new(Spills::new(&Paths::at("/nowhere", "/nowhere"))),
        session: SessionId::new(SystemTime::now()).unwrap(),
        human: Arc::new(Nobody),
        sink: Arc::clone(heard) as Arc<dyn Sink>,
        named: Vec::new(),
        inherited: Arc::new(|_| Vec::new()),
        limits: Limits::default(),
        environment: Arc::default(),
        secrets: Default::default(),
        keys: Default::default(),
        clock: SystemTime::now,
        thinking: Arc::default(),
        approved: Arc::default(),
        breaker: Arc::default(),
        planning: Arc::default(),
        todos: Arc::default(),
    }
}

fn text(code: &str) -> String {
    Bench::new().text(code)
}

#[test]
fn every_name_of_the_interface_is_documented_and_every_documented_name_is_there() {
    let bench = Bench::new();
    let documented: Vec<&str> = bench
        .state
        .lua
        .app_data_ref::<bind::Docs>()
        .unwrap()
        .0
        .iter()
        .map(|doc| doc.name)
        .collect();
    let page = include_str!("../../../lua/README.md");
    for name in &documented {
        let kind = bench.text(&format!("return type({name})"));
        assert_ne!(kind, "nil", "{name}");
        assert!(
            page.contains(&format!("`{name}")),
            "lua/README.md lacks {name}"
        );
    }
    let found = bench.text(
        "local names = {}\n\
         for key, value in pairs(agent) do\n\
           if type(value) == 'table' then\n\
             for inner in pairs(value) do names[#names + 1] = 'agent.' .. key .. '.' .. inner end\n\
           else names[#names + 1] = 'agent.' .. key end\n\
         end\n\
         return table.concat(names, ' ')",
    );
    for name in found.split(' ') {
        assert!(documented.contains(&name), "{name} has no line of help");
    }
}

#[test]
fn the_examples_of_the_page_are_true() {
    let bench = Bench::new();
    let page = include_str!("../../../lua/README.md");
    let examples: Vec<_> = page
        .lines()
        .filter_map(|line| line.split_once(" --> "))
        .collect();
    assert!(examples.len() > 20, "the examples were found");
    for (code, expected) in examples {
        let results = bench
            .run(&format!("return {code}"))
            .unwrap_or_else(|e| panic!("{code}: {e}"));
        let shown = results.iter().map(|value| match value {
            Value::Nil => "nil".to_owned(),
            value => serde_json::to_string(&crate::lua::convert::to_data(value).unwrap()).unwrap(),
        });
        assert_eq!(shown.collect::<Vec<_>>().join(", "), expected, "{code}");
    }
}

#[test]
fn a_misspelt_name_is_an_error_that_names_the_nearest() {
    let bench = Bench::new();
    let error = bench.failure("agent.jsom.encode(1)");
    assert_eq!(error.message, "there is no `agent.jsom`");
    assert!(
        error.hint().starts_with("did you mean `json`?"),
        "{}",
        error.hint()
    );
    assert!(
        bench
            .failure("agent.text.dedennt('')")
            .hint()
            .contains("`dedent`")
    );
    assert_eq!(bench.text("return rawget(agent, 'nothing')"), "nil");
}

#[test]
fn a_wrong_argument_is_named_with_the_line_it_stands_on() {
    let bench = Bench::new();
    let caught = bench.run("\nagent.text.trim(nil)").unwrap_err();
    assert_eq!(caught.position.as_deref(), Some("test.lua:2"));
    assert_eq!(
        caught.error.message,
        "agent.text.trim: argument 1 (text): expected text, got nothing"
    );
    assert_eq!(bench.text("return agent.text.trim(12)"), "12");
}
