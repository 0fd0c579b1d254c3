//! A yes is to the exact thing that was shown: each part of it counts, and who changes it afterwards is found out.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;

use super::hook::Made;
use super::rig::{Rig, Setup, tools};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::files::{Action as Does, Change, ChangeSet, Entry, Image, Place};
use crate::gate::yes::Yes;
use crate::permission::{Action, Caller, Effect, Group, Subject, Verdict};
use crate::tool::*;

fn context(rig: &Rig, caller: Caller, tool: &str) -> Context {
    Context {
        scope: rig.scope.lowered(caller).unwrap(),
        call: CallId(0),
        account: Arc::default(),
        tool: tool.into(),
        running: Arc::clone(tools().find(tool).unwrap()),
        destination: Destination::Model,
        services: Arc::clone(rig.gate.services()),
        generation: rig.gate.generation(),
        gate: Arc::clone(&rig.gate) as Arc<dyn Gate>,
    }
}

fn place(path: &str) -> Place {
    Place {
        asked: "the same".to_owned(),
        path: PathBuf::from("/w/the same"),
        real: PathBuf::from(path),
        display: "the same".to_owned(),
        name: "the same".to_owned(),
        inside: true,
        entry: Entry::File,
    }
}

fn command(line: &str, cwd: &str) -> Plan {
    Plan {
        effect: Effect::Run,
        subjects: vec![Subject::command(line)],
        work: Work::Command {
            line: line.to_owned(),
            cwd: place(cwd),
        },
        note: Data::Null,
    }
}

fn args(env: &str, stdin: &str) -> Data {
    let env = Data::map([("A", env.into())]);
    Data::map([("env", env), ("stdin", stdin.into())])
}

#[tokio::test]
async fn each_part_of_a_command_counts() {
    let (here, there) = (Rig::new(), Rig::new());
    let model = context(&here, Caller::Model, "echo");
    let asked = || Yes::to(&command("make", "/w"), &args("1", "x"), &model);
    assert_eq!(asked(), asked());
    let plan = || command("make", "/w");
    let seen = Plan {
        subjects: vec![Subject::command("make").read_only()],
        ..plan()
    };
    let milder = Plan {
        effect: Effect::Read,
        ..plan()
    };
    let noted = Plan {
        note: Data::Int(1),
        ..plan()
    };
    let same = args("1", "x");
    let user = context(&here, Caller::User, "echo");
    let other = context(&here, Caller::Model, "relay");
    let session = context(&there, Caller::Model, "echo");
    for (what, yes) in [
        ("line", Yes::to(&command("make ", "/w"), &same, &model)),
        ("cwd", Yes::to(&command("make", "/w2"), &same, &model)),
        ("env", Yes::to(&plan(), &args("2", "x"), &model)),
        ("stdin", Yes::to(&plan(), &args("1", "y"), &model)),
        ("stdin as bytes", Yes::to(&plan(), &bytes("1", "x"), &model)),
        ("what rules saw", Yes::to(&seen, &same, &model)),
        ("effect", Yes::to(&milder, &same, &model)),
        ("note", Yes::to(&noted, &same, &model)),
        ("caller", Yes::to(&plan(), &same, &user)),
        ("tool", Yes::to(&plan(), &same, &other)),
        ("session", Yes::to(&plan(), &same, &session)),
    ] {
        assert_ne!(yes, asked(), "{what}");
    }
}

fn bytes(env: &str, stdin: &str) -> Data {
    let Data::Map(mut map) = args(env, stdin) else {
        unreachable!()
    };
    map.insert("stdin".to_owned(), Data::Bytes(stdin.into()));
    Data::Map(map)
}

/// A change of one file.
struct Touched {
    path: &'static str,
    action: Does,
    before: Option<Image>,
    after: Option<Image>,
    inner: Vec<Change>,
}

fn update(before: &str, after: &str) -> Touched {
    let image = |text: &str| Some(Image::file(text.as_bytes(), Some(0o644)));
    Touched {
        path: "/w/a",
        action: Does::Update,
        before: image(before),
        after: image(after),
        inner: Vec::new(),
    }
}

fn change(touched: Touched) -> Change {
    Change {
        place: place(touched.path),
        action: touched.action,
        before: touched.before,
        after: touched.after,
        inner: touched.inner,
    }
}

#[tokio::test]
async fn each_part_of_a_change_counts() {
    let rig = Rig::new();
    let context = context(&rig, Caller::Model, "echo");
    let yes = |touched| {
        let changes = ChangeSet::new(vec![change(touched)]).unwrap();
        let subject = Subject::path(Group::Edit, "a", "/w/a", true);
        Yes::to(&Plan::files(vec![subject], changes), &Data::Null, &context)
    };
    let asked = yes(update("one", "two"));
    assert_eq!(asked, yes(update("one", "two")));
    let elsewhere = |touched| Touched {
        path: "/w/b",
        ..touched
    };
    let executable = |mut touched: Touched| {
        touched.after.as_mut().unwrap().mode = Some(0o755);
        touched
    };
    let moved = |to| Touched {
        action: Does::Move { to: place(to) },
        ..update("one", "two")
    };
    for (what, other) in [
        ("what stands there", update("One", "two")),
        ("what would", update("one", "twO")),
        ("where it really is", elsewhere(update("one", "two"))),
        ("the mode", executable(update("one", "two"))),
        (
            "that nothing stood there",
            Touched {
                before: None,
                ..update("one", "two")
            },
        ),
        (
            "what happens",
            Touched {
                action: Does::Delete,
                ..update("one", "two")
            },
        ),
        ("that it is moved", moved("/w/c")),
        (
            "what goes with it",
            Touched {
                inner: vec![change(update("x", "y"))],
                ..update("one", "two")
            },
        ),
    ] {
        assert_ne!(yes(other), asked, "{what}");
    }
    assert_ne!(yes(moved("/w/c")), yes(moved("/w/d")));
}

/// Puts into a file what stands in another one when it is planned, and remembers what it did.
struct Puts;

/// What was put, of the paths of all tests.
static PUT: Mutex<Vec<(PathBuf, String)>> = Mutex::new(Vec::new());

#[derive(Deserialize, JsonSchema)]
struct PutsArgs {
    path: String,
}

impl Typed for Puts {
    const ID: &'static str = "puts";
    const SURFACE: &'static str = "test";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str = "A test tool.";
    type Args = PutsArgs;

    async fn plan(args: &PutsArgs, context: &Context) -> Result<Plan, ToolError> {
        let place = context.services.files.resolve(&args.path)?;
        let text = std::fs::read_to_string(&place.real).unwrap();
        Ok(Plan {
            effect: Effect::Write,
            subjects: vec![Subject::path(
                Group::Edit,
                &*place.name,
                &*place.real.to_string_lossy(),
                true,
            )],
            work: Work::Data(text.into()),
            note: Data::Null,
        })
    }

    async fn execute(args: &PutsArgs, plan: Plan, context: &Context) -> Outcome {
        let place = context.services.files.resolve(&args.path)?;
        let Work::Data(Data::Text(text)) = plan.work else {
            unreachable!()
        };
        PUT.lock().unwrap().push((place.real, text));
        Ok(Output::default())
    }
}

/// Who meddles with the file, each time it has the chance, until it has done so often enough.
#[derive(Clone)]
struct Meddler {
    path: Arc<Path>,
    left: Arc<AtomicUsize>,
}

impl Meddler {
    fn meddle(&self) {
        let left = self.left.load(Ordering::SeqCst);
        if left > 0 {
            self.left.store(left - 1, Ordering::SeqCst);
            let text = std::fs::read_to_string(&self.path).unwrap();
            std::fs::write(&self.path, text + "!").unwrap();
        }
    }
}

/// A person who says yes to everything, and perhaps meddles meanwhile.
struct Yea(Option<Meddler>, Arc<Mutex<Vec<String>>>);

impl Human for Yea {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        self.1.lock().unwrap().push(question.shows);
        self.0.iter().for_each(Meddler::meddle);
        Box::pin(std::future::ready(Answer::Once))
    }
}

/// A tool that meddles when it is made ready: after the yes, and before it runs.
struct Unready(Arc<dyn Tool>, Meddler);

impl Tool for Unready {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn aliases(&self) -> Vec<&str> {
        self.0.aliases()
    }

    fn spec(&self) -> &Spec {
        self.0.spec()
    }

    fn ready<'a>(&'a self, _: &'a Context) -> Option<Asked<'a>> {
        self.1.meddle();
        None
    }

    fn bind(&self, args: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        self.0.bind(args)
    }
}

/// A policy whose functions meddle.
struct Meddling(Arc<dyn Policy>, Meddler);

impl Policy for Meddling {
    fn judge<'a>(&'a self, scope: &'a Scope, facts: &'a Facts<'a>) -> BoxFuture<'a, Verdict> {
        self.1.meddle();
        self.0.judge(scope, facts)
    }
}

/// Who has a chance to change something between the plan and the run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Where {
    Judging,
    Hook(Point),
    Answering,
    GettingReady,
}

/// Calls the tool while somebody meddles so often: how it ended, what was shown, and what was put.
async fn meddled(place: Where, times: usize) -> (Outcome, Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("a.txt");
    std::fs::write(&path, "text").unwrap();
    let meddler = Meddler {
        path: path.as_path().into(),
        left: Arc::new(AtomicUsize::new(times)),
    };
    let shown = Arc::default();
    let answering = (place == Where::Answering).then(|| meddler.clone());
    let tool = match place {
        Where::GettingReady => Arc::new(Unready(Shipped::<Puts>::tool(), meddler.clone())),
        _ => Shipped::<Puts>::tool(),
    };
    let rig = Rig::with(Setup {
        tools: vec![tool],
        human: Some(Arc::new(Yea(answering, Arc::clone(&shown)))),
        rules: vec![("puts", Action::Ask)],
        ..Setup::default()
    });
    let inner = meddler.clone();
    rig.gate.update(|generation| match place {
        Where::Hook(point) => {
            let hook = Made::new(1, point, move |event| {
                inner.meddle();
                event.insert(
                    "args".to_owned(),
                    Data::map([("path", "/etc/passwd".into())]),
                );
                Ok(None)
            });
            generation.add_hook(hook.boxed());
        }
        Where::Judging => {
            let policy = Arc::clone(&generation.policy);
            generation.policy = Arc::new(Meddling(policy, inner));
        }
        _ => {}
    });
    let args = serde_json::json!({ "path": path }).to_string();
    let outcome = rig.call("puts", &args).await;
    let put = PUT.lock().unwrap();
    let put = put.iter().filter(|(of, _)| *of == path);
    let put = put.map(|(_, text)| text.clone()).collect();
    let shown = std::mem::take(&mut *shown.lock().unwrap());
    (outcome, shown, put)
}

const EVERYWHERE: [Where; 5] = [
    Where::Judging,
    Where::Hook(Point::PermissionAsk),
    Where::Hook(Point::Notification),
    Where::Answering,
    Where::GettingReady,
];

#[tokio::test]
async fn what_changes_between_asking_and_running_is_asked_about_again() {
    for place in EVERYWHERE {
        let (outcome, shown, put) = meddled(place, 0).await;
        assert!(outcome.is_ok(), "{place:?}");
        assert_eq!(
            (shown, put),
            (vec!["\"text\"".to_owned()], vec!["text".to_owned()])
        );
        let (outcome, shown, put) = meddled(place, 1).await;
        assert!(outcome.is_ok(), "{place:?}");
        assert_eq!(shown, ["\"text\"", "\"text!\""], "{place:?}");
        assert_eq!(
            put,
            ["text!"],
            "{place:?}: what was shown last is what runs"
        );
    }
}

#[tokio::test]
async fn what_keeps_changing_never_runs() {
    for place in EVERYWHERE {
        let (outcome, shown, put) = meddled(place, 100).await;
        assert_eq!(outcome.unwrap_err().kind, Kind::Conflict, "{place:?}");
        assert_eq!((shown.len(), put.len()), (3, 0), "{place:?}");
    }
}

#[tokio::test]
async fn a_yes_for_good_says_nothing_of_what_a_command_is_given() {
    let plan = command("git push", "/w");
    let given = |env: Option<&str>, stdin: Option<&str>| {
        let env = env.map_or(Data::map([]), |value| Data::map([("A", value.into())]));
        let args = Data::map([("env", env), ("stdin", stdin.into())]);
        plan.is_given(&args)
    };
    assert!(!given(None, None) && given(Some("1"), None) && given(None, Some("x")));
    assert!(
        !Plan::read(Vec::new()).is_given(&args("1", "x")),
        "only commands are"
    );
}
