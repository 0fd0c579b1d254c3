//! Who changes something between the plan and the run, wherever there is a chance to: it is asked about again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;

use super::hook::Made;
use super::rig::{Rig, Setup};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Effect, Group, Subject, Verdict};
use crate::tool::*;

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
