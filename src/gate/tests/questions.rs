//! What a person is asked, and what is offered where nobody is there.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rig::{Rig, Setup};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Caller, Effect, Group, Subject};
use crate::tool::*;

/// Changes one path.
pub(super) struct Change;

#[derive(Deserialize, JsonSchema)]
pub(super) struct ChangeArgs {
    path: String,
}

impl Typed for Change {
    const ID: &'static str = "change";
    const SURFACE: &'static str = "test";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str = "A test tool.";
    type Args = ChangeArgs;

    async fn plan(args: &ChangeArgs, context: &Context) -> Result<Plan, ToolError> {
        let place = context.services.files.resolve(&args.path)?;
        let real = place.real.to_string_lossy();
        let subject = Subject::path(Group::Edit, place.name.as_str(), real, place.inside);
        Ok(Plan {
            effect: Effect::Write,
            subjects: vec![subject],
            work: Work::None,
            note: Data::Null,
        })
    }

    async fn execute(_: &ChangeArgs, _: Plan, _: &Context) -> Outcome {
        Ok(Output::default())
    }
}

fn rig(rules: Vec<(&'static str, Action)>, answers: Vec<Answer>) -> Rig {
    Rig::with(Setup {
        tools: vec![Shipped::<Change>::tool()],
        rules,
        answers,
        ..Setup::default()
    })
}

async fn change(rig: &Rig, path: &str) -> Outcome {
    let model = rig.scope.lowered(Caller::Model).unwrap();
    let args = serde_json::json!({ "path": path }).to_string();
    rig.call_in(&model, "change", &args, Destination::Model)
        .await
}

#[tokio::test]
async fn the_narrowest_rule_is_offered_where_nobody_is_there() {
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().canonicalize().unwrap().join("it's.txt");
    let outside = outside.to_str().unwrap();
    let escaped = outside.replace('\'', r"'\''");
    for (path, rule) in [("src/a.txt", "src/a.txt"), (outside, escaped.as_str())] {
        let error = change(&rig(vec![], vec![]), path).await.unwrap_err();
        assert_eq!(error.kind, Kind::Denied);
        let hint = format!("nobody is there to ask: allow it with --allow 'edit:{rule}'");
        assert_eq!(error.hint(), hint);
    }
    let inside = rig(vec![("edit:src/a.txt", Action::Allow)], vec![]);
    assert!(change(&inside, "src/a.txt").await.is_ok());
    let rule: &'static str = Box::leak(format!("edit:{outside}").into_boxed_str());
    let elsewhere = rig(vec![(rule, Action::Allow)], vec![]);
    assert!(change(&elsewhere, outside).await.is_ok());
}

#[tokio::test]
async fn what_is_critical_is_named_first_and_no_rule_is_offered_for_it() {
    let asked = rig(vec![], vec![Answer::Once]);
    assert!(change(&asked, ".git/config").await.is_ok());
    let warning = ".git/config is run by git without asking";
    let question = asked.asked.lock().unwrap()[0].clone();
    assert_eq!(question.warning.as_deref(), Some(warning));
    assert_eq!(question.reason, format!("critical: {warning}"));
    assert!(question.shows.contains(".git/config"));

    let allowed = rig(vec![("*", Action::Allow)], vec![]);
    let error = change(&allowed, ".git/config").await.unwrap_err();
    assert_eq!(error.message, format!("critical: {warning}"));
    assert!(error.hint().contains("no rule allows what is critical"));
    let plain = rig(vec![], vec![Answer::Once]);
    change(&plain, "a.txt").await.unwrap();
    assert_eq!(plain.asked.lock().unwrap()[0].warning, None);
}

#[tokio::test]
async fn a_hook_is_named_in_the_trace_and_no_rule_is_offered_against_it() {
    let hook: Arc<dyn Hook> = Arc::new(super::hooks::asking());
    let rig = Rig::with(Setup {
        hooks: vec![hook],
        ..Setup::default()
    });
    let error = rig.call("echo", r#"{"text": "x"}"#).await.unwrap_err();
    let trace = &error.detail.as_ref().unwrap()["trace"];
    let step = trace.as_array().unwrap().last().unwrap();
    assert_eq!(step["source"], "hook");
    assert_eq!(step["rule"], "really? (test.lua:1)");
    assert!(error.hint().contains("no rule answers for a hook"));
}
