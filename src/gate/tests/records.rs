//! What the record of a call says of its verdict: also of what is asked in its middle, and of calls that come to none.
//!
//! And that what is foreseen leaves no record.

use super::rig::{Rig, Setup};
use crate::data::Map;
use crate::error::ToolError;
use crate::gate::Given;
use crate::permission::{Action, Caller, Effect, Group, Source, Subject};
use crate::tool::*;

/// A tool that asks for a host in its middle.
struct Fetch;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

impl Typed for Fetch {
    const ID: &'static str = "fetch";
    const SURFACE: &'static str = "test";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Asks for more.";
    type Args = Nothing;

    async fn plan(_: &Nothing, _: &Context) -> Result<Plan, ToolError> {
        Ok(Plan::read(vec![Subject::name(Group::Read, "page")]))
    }

    async fn execute(_: &Nothing, _: Plan, context: &Context) -> Outcome {
        let host = Subject::name(Group::Network, "a.test");
        context.permit(host, "it leads there").await?;
        Ok(Output::default())
    }
}

fn rig(rules: Vec<(&'static str, Action)>) -> Rig {
    Rig::with(Setup {
        rules,
        tools: vec![Shipped::<Fetch>::tool()],
        ..Setup::default()
    })
}

fn last(rig: &Rig) -> Judged {
    rig.recent.list().pop().unwrap().judged.unwrap()
}

#[tokio::test]
async fn what_is_asked_in_the_middle_is_recorded_with_the_plan() {
    let rig_open = rig(vec![]);
    rig_open.call("fetch", "{}").await.unwrap();
    let judged = last(&rig_open);
    let texts: Vec<&str> = judged.subjects.iter().map(|one| &*one.text).collect();
    assert_eq!(texts, ["page", "a.test"]);
    assert_eq!(
        (judged.action, judged.effect),
        (Action::Allow, Some(Effect::Read))
    );

    let closed = rig(vec![("network:a.test", Action::Deny)]);
    closed.call("fetch", "{}").await.unwrap_err();
    let judged = last(&closed);
    assert_eq!(judged.action, Action::Deny);
    let decided = judged.decided().unwrap();
    assert_eq!(
        (decided.source, &*decided.rule),
        (Source::CommandLine, "network:a.test")
    );
    assert!(judged.trace.len() > 1 && judged.reason.contains("a.test"));
}

#[tokio::test]
async fn a_call_that_is_not_judged_has_no_verdict() {
    let rig = rig(vec![]);
    for (tool, args) in [("echo", "{}"), ("nothing", "{}")] {
        rig.call(tool, args).await.unwrap_err();
        assert!(rig.recent.list().pop().unwrap().judged.is_none());
    }
}

#[tokio::test]
async fn an_asked_call_is_recorded_as_asked_whatever_the_answer() {
    let answers = || vec![Answer::Once, Answer::Reject(None)];
    let rig = Rig::with(Setup {
        rules: vec![("fetch", Action::Ask)],
        answers: answers(),
        tools: vec![Shipped::<Fetch>::tool()],
        ..Setup::default()
    });
    let model = rig.scope.lowered(Caller::Model).unwrap();
    for _ in answers() {
        let _answered = rig.call_in(&model, "fetch", "{}", Destination::Model).await;
        let record = rig.recent.list().pop().unwrap();
        assert_eq!(record.judged.unwrap().action, Action::Ask);
    }
}

#[tokio::test]
async fn what_is_foreseen_is_no_call() {
    let rig = rig(vec![("fetch:page", Action::Ask)]);
    let given = || Given::Arguments(Map::new());
    let told = rig
        .gate
        .foresee(&rig.scope, "fetch", given())
        .await
        .unwrap();
    assert_eq!(told.verdict.action, Action::Ask);
    assert_eq!(told.subjects.len(), 1);
    assert!(rig.recent.list().is_empty() && rig.asked.lock().unwrap().is_empty());
    assert!(rig.heard.lines().is_empty());
}
