//! A door over a real temporary workspace, with test tools, hooks and a person made to measure.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::files::Files;
use crate::gate::{Dispatch, Recent, Rules};
use crate::permission::{Action, Bounds, Caller, Effect, Rule, Source};
use crate::store::{Ledger, Paths, SessionId, Spills};
use crate::tool::*;

/// A door and what belongs to it.
pub(super) struct Rig {
    pub(super) gate: Arc<Dispatch>,
    pub(super) recent: Arc<Recent>,
    pub(super) scope: Scope,
    pub(super) heard: Arc<Heard>,
    pub(super) asked: Arc<Mutex<Vec<Question>>>,
    _folder: tempfile::TempDir,
}

/// What a test changes about the door.
#[derive(Default)]
pub(super) struct Setup {
    pub(super) rules: Vec<(&'static str, Action)>,
    pub(super) hooks: Vec<Arc<dyn Hook>>,
    pub(super) answers: Vec<Answer>,
    pub(super) limits: Option<Limits>,
    pub(super) tools: Vec<Arc<dyn Tool>>,
    pub(super) human: Option<Arc<dyn Human>>,
    pub(super) approved: Option<Arc<Approved>>,
}

impl Rig {
    pub(super) fn new() -> Rig {
        Rig::with(Setup::default())
    }

    pub(super) fn with(setup: Setup) -> Rig {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let paths = Paths::at(root.join("config"), root.join("state"));
        let heard = Arc::new(Heard::default());
        let asked = Arc::new(Mutex::default());
        let home = root.join("home");
        let workspace = root.join("workspace");
        std::fs::create_dir(&workspace).unwrap();
        let services = Arc::new(Services {
            files: Arc::new(Files::new(
                workspace.clone(),
                workspace.clone(),
                Some(home.clone()),
                root.join("locks"),
            )),
            ledger: Arc::new(Ledger::default()),
            spills: Arc::new(Spills::new(&paths)),
            session: SessionId::new(SystemTime::now()).unwrap(),
            human: setup.human.unwrap_or_else(|| {
                Arc::new(Person {
                    answers: Mutex::new(setup.answers),
                    asked: Arc::clone(&asked),
                })
            }),
            sink: Arc::clone(&heard) as _,
            named: Vec::new(),
            inherited: Arc::new(|_| Vec::new()),
            limits: setup.limits.unwrap_or_default(),
            environment: Arc::new(BTreeMap::new()),
            secrets: Default::default(),
            keys: Default::default(),
            clock: SystemTime::now,
            thinking: Arc::default(),
            approved: setup.approved.unwrap_or_default(),
            breaker: Arc::default(),
            planning: Arc::default(),
            todos: Arc::default(),
        });
        let read = |(rule, action)| Rule::parse(rule, action, Source::CommandLine).unwrap();
        let rules = setup.rules.into_iter().map(read).collect();
        let policy = Arc::new(Rules {
            rules,
            restricted: false,
            bounds: Bounds {
                workspace: workspace.to_string_lossy().into_owned(),
                home: home.to_string_lossy().into_owned(),
                ..Bounds::default()
            },
            ..Rules::default()
        });
        let mut tools = tools();
        for tool in setup.tools {
            tools.insert(tool);
        }
        let generation = Generation {
            hooks: setup.hooks,
            ..Generation::new(tools, policy)
        };
        let recent = Arc::new(Recent::default());
        let gate = Dispatch::new(generation, services, Arc::clone(&recent) as _);
        let scope = Scope::root(Caller::User);
        Rig {
            gate,
            recent,
            scope,
            heard,
            asked,
            _folder: folder,
        }
    }

    /// Calls a tool with JSON arguments, for a program.
    pub(super) async fn call(&self, tool: &str, args: &str) -> Outcome {
        self.call_in(&self.scope, tool, args, Destination::Program)
            .await
    }

    pub(super) async fn call_in(
        &self,
        scope: &Scope,
        tool: &str,
        args: &str,
        destination: Destination,
    ) -> Outcome {
        let arguments = Arguments::Json(args.to_owned());
        let call = Call {
            tool: tool.to_owned(),
            arguments,
            destination,
        };
        Arc::clone(&self.gate).call(scope, call).await
    }

    /// The records so far, as `tool:ok` or `tool:kind`.
    pub(super) fn records(&self) -> Vec<String> {
        let line = |record: Record| {
            let end = record.error.map_or("ok", |kind| kind.as_str());
            format!("{}:{end}", record.tool)
        };
        self.recent.list().into_iter().map(line).collect()
    }
}

/// A listener that remembers.
#[derive(Default)]
pub(super) struct Heard(Mutex<Vec<Event>>);

impl Heard {
    pub(super) fn lines(&self) -> Vec<String> {
        let events = self.0.lock().unwrap();
        events
            .iter()
            .map(|event| serde_json::to_string(event).unwrap())
            .collect()
    }
}

impl Sink for Heard {
    fn emit(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

/// A person whose answers are known before; after the last, nobody is there.
struct Person {
    answers: Mutex<Vec<Answer>>,
    asked: Arc<Mutex<Vec<Question>>>,
}

impl Human for Person {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        self.asked.lock().unwrap().push(question);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.is_empty() {
            Answer::Nobody
        } else {
            answers.remove(0)
        };
        Box::pin(std::future::ready(answer))
    }
}

pub(in crate::gate) fn tools() -> Registry {
    let mut tools = Registry::default();
    for tool in [
        Shipped::<Echo>::tool(),
        Shipped::<Wait>::tool(),
        Shipped::<Panics>::tool(),
        Shipped::<Touch>::tool(),
        Shipped::<Relay>::tool(),
    ] {
        tools.insert(tool);
    }
    tools
}

macro_rules! test_tool {
    ($name:ident, $id:literal, $effect:expr, $args:ident, |$a:ident, $c:ident| $body:expr) => {
        /// A test tool.
        pub(super) struct $name;

        impl Typed for $name {
            const ID: &'static str = $id;
            const SURFACE: &'static str = "test";
            const EFFECT: Effect = $effect;
            const DESCRIPTION: &'static str = "A test tool.";
            const ALIASES: &'static [&'static str] = &[concat!($id, "_alias")];
            const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[("words", "text")];
            type Args = $args;

            async fn plan(_: &$args, _: &Context) -> Result<Plan, ToolError> {
                Ok(Plan {
                    effect: $effect,
                    subjects: vec![],
                    work: Work::None,
                    note: Data::Null,
                })
            }

            async fn execute($a: &$args, _: Plan, $c: &Context) -> Outcome {
                $body
            }
        }
    };
}

/// Arguments of the test tools.
#[derive(Deserialize, JsonSchema)]
pub(super) struct EchoArgs {
    /// What to say.
    text: String,
    /// How often.
    #[serde(default = "once")]
    times: u32,
}

fn once() -> u32 {
    1
}

/// No arguments.
#[derive(Deserialize, JsonSchema)]
pub(super) struct NoArgs {}

test_tool!(Echo, "echo", Effect::Read, EchoArgs, |args, _context| {
    let text = args.text.repeat(args.times as usize);
    Ok(Output::new(
        "echo",
        text.as_str(),
        [("text", Data::from(text.as_str()))],
    ))
});

test_tool!(Wait, "wait", Effect::Read, NoArgs, |_args, _context| {
    std::future::pending::<()>().await;
    Ok(Output::default())
});

test_tool!(Panics, "panics", Effect::Read, NoArgs, |_args, _context| {
    let nothing: Vec<u8> = Vec::new();
    Ok(Output::new(
        "",
        nothing[std::hint::black_box(3)].to_string(),
        [],
    ))
});

/// How often `touch` ran.
pub(super) static TOUCHED: AtomicUsize = AtomicUsize::new(0);

test_tool!(Touch, "touch", Effect::Write, NoArgs, |_args, _context| {
    TOUCHED.fetch_add(1, Ordering::SeqCst);
    Ok(Output::default())
});

test_tool!(Relay, "relay", Effect::Read, EchoArgs, |args, context| {
    let named = Map::from([("text".to_owned(), Data::from(args.text.as_str()))]);
    let call = Call {
        tool: "echo".to_owned(),
        arguments: Arguments::Named(named),
        destination: Destination::Program,
    };
    let inner = std::sync::Arc::clone(&context.gate)
        .call(&context.scope, call)
        .await?;
    let caller = context.caller().as_str();
    Ok(Output::new(
        "relay",
        format!("{caller}: {}", inner.text),
        [],
    ))
});
