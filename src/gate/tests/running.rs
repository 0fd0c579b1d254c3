//! What happens while a tool runs: lost races, the end of its time, a reload, facts of its errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use super::hook::Made;
use super::rig::{NoArgs, Rig, Setup};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::files::ChangeSet;
use crate::permission::{Action, Bounds, Effect, Group, Rule, Source, Subject};
use crate::tool::*;

macro_rules! tool {
    ($name:ident, $timeout:expr, $work:expr, |$c:ident| $body:expr) => {
        struct $name;

        impl Typed for $name {
            const ID: &'static str = "it";
            const SURFACE: &'static str = "test";
            const EFFECT: Effect = Effect::Read;
            const DESCRIPTION: &'static str = "A test tool.";
            const TIMEOUT: Option<Duration> = $timeout;
            type Args = NoArgs;

            async fn plan(_: &NoArgs, _: &Context) -> Result<Plan, ToolError> {
                let work = $work;
                Ok(Plan {
                    work,
                    ..Plan::read(Vec::new())
                })
            }

            async fn execute(_: &NoArgs, _: Plan, $c: &Context) -> Outcome {
                $body
            }
        }
    };
}

fn rig<T: Typed>(hooks: Vec<Arc<dyn Hook>>) -> Rig {
    Rig::with(Setup {
        tools: vec![Shipped::<T>::tool()],
        hooks,
        ..Setup::default()
    })
}

static RACES: AtomicUsize = AtomicUsize::new(0);

tool!(Racer, None, Work::Files(ChangeSet::default()), |_c| {
    match RACES.fetch_add(1, Ordering::SeqCst) {
        0 | 1 => Err(ToolError::conflict("somebody was faster")),
        _ => Ok(Output::default()),
    }
});

static FORGED: AtomicUsize = AtomicUsize::new(0);

tool!(Forger, None, Work::Data(Data::Null), |_c| {
    FORGED.fetch_add(1, Ordering::SeqCst);
    Err(ToolError::conflict("as if").with_detail("raced", true))
});

#[tokio::test]
async fn a_lost_race_is_planned_again_and_nobody_else_can_ask_for_that() {
    rig::<Racer>(vec![]).call("it", "{}").await.unwrap();
    assert_eq!(RACES.load(Ordering::SeqCst), 3);
    let error = rig::<Forger>(vec![]).call("it", "{}").await.unwrap_err();
    assert_eq!(error.kind, Kind::Conflict);
    assert_eq!(FORGED.load(Ordering::SeqCst), 1, "it ran once");
}

static ENDED: AtomicBool = AtomicBool::new(false);

tool!(
    Late,
    Some(Duration::from_millis(5)),
    Work::None,
    |context| {
        let _kept = context.adopt(|| ENDED.store(true, Ordering::SeqCst));
        std::future::pending::<Outcome>().await
    }
);

#[tokio::test]
async fn what_a_late_tool_began_has_ended_before_anything_else_happens() {
    let seen = Arc::new(AtomicBool::new(false));
    let keep = Arc::clone(&seen);
    let after = Made::new(1, Point::ToolAfter, move |_| {
        keep.store(ENDED.load(Ordering::SeqCst), Ordering::SeqCst);
        Ok(None)
    });
    let rig = rig::<Late>(vec![after.boxed()]);
    let error = rig.call("it", "{}").await.unwrap_err();
    assert_eq!(error.kind, Kind::Timeout);
    assert!(seen.load(Ordering::SeqCst), "the hook came after the end");
    assert_eq!(rig.records(), ["it:timeout"]);
}

static BEGUN: Notify = Notify::const_new();
static GO: Notify = Notify::const_new();

tool!(Asks, None, Work::None, |context| {
    BEGUN.notify_one();
    GO.notified().await;
    let subject = Subject::name(Group::Read, "x");
    context.permit(subject, "to look at it").await?;
    Ok(Output::default())
});

#[tokio::test]
async fn a_call_ends_under_the_rules_it_began_with() {
    let rig = rig::<Asks>(vec![]);
    let tightening = async {
        BEGUN.notified().await;
        let deny = Rule::parse("*", Action::Deny, Source::CommandLine).unwrap();
        rig.gate.update(|generation| {
            generation.policy = Arc::new(crate::gate::Rules {
                rules: vec![deny],
                restricted: false,
                bounds: Bounds::default(),
                ..Default::default()
            });
        });
        GO.notify_one();
    };
    let (outcome, ()) = tokio::join!(rig.call("it", "{}"), tightening);
    assert!(outcome.is_ok(), "{outcome:?}");
    let error = rig.call("it", "{}").await.unwrap_err();
    assert_eq!(
        error.kind,
        Kind::Denied,
        "the next call meets the new rules"
    );
}

tool!(Homely, None, Work::None, |context| {
    let home = context
        .services
        .files
        .home()
        .unwrap_or(std::path::Path::new(""));
    let file = home.join("a.txt").display().to_string();
    let facts = serde_json::json!({ "path": file, "all": [{ "at": file }] });
    Err(ToolError::conflict(format!("{file} is odd"))
        .with_hint(format!("look at {file}"))
        .with_detail("facts", facts))
});

#[tokio::test]
async fn no_part_of_an_error_names_the_home_folder() {
    let error = rig::<Homely>(vec![]).call("it", "{}").await.unwrap_err();
    assert_eq!(error.message, "~/a.txt is odd");
    assert_eq!(error.hint(), "look at ~/a.txt");
    let facts = &error.detail.unwrap()["facts"];
    let expected = serde_json::json!({ "path": "~/a.txt", "all": [{ "at": "~/a.txt" }] });
    assert_eq!(*facts, expected);
}
