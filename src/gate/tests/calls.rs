//! One call from the door to its one record: names, arguments, cancelling, panics, nesting.

use std::sync::Arc;
use std::time::Duration;

use super::rig::Rig;
use crate::error::Kind;
use crate::permission::Caller;
use crate::tool::{Arguments, Call, Destination, Gate};

#[tokio::test]
async fn answers_to_aliases_and_names_the_nearest() {
    let rig = Rig::new();
    let output = rig
        .call("echo_alias", r#"{"words": "hi", "times": 2.0}"#)
        .await
        .unwrap();
    assert_eq!(output.text, "hihi");
    let error = rig.call("ecko", "{}").await.unwrap_err();
    assert_eq!(error.kind, Kind::NotFound);
    assert!(
        error.hint().contains("did you mean `echo`?"),
        "{}",
        error.hint()
    );
    let error = rig.call("echo", r#"{"txet": "hi"}"#).await.unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    assert!(
        format!("{error} {}", error.hint()).contains("`text`"),
        "{error}"
    );
    assert_eq!(
        rig.records(),
        ["echo:ok", "ecko:not_found", "echo:argument"]
    );
}

#[tokio::test]
async fn refuses_arguments_that_are_no_object_or_say_a_thing_twice() {
    let rig = Rig::new();
    for args in [
        "",
        "[1]",
        "{\"text\": \"a\", \"text\": \"b\"}",
        "{\"text\": }",
        "null",
    ] {
        let error = rig.call("echo", args).await.unwrap_err();
        assert_eq!(error.kind, Kind::Argument, "{args}");
    }
}

#[tokio::test]
async fn records_exactly_once_when_the_future_is_dropped() {
    let rig = Rig::new();
    let call = rig.call("wait", "{}");
    assert!(
        tokio::time::timeout(Duration::from_millis(5), call)
            .await
            .is_err()
    );
    assert_eq!(rig.records(), ["wait:cancelled"]);
}

#[tokio::test]
async fn ends_when_its_scope_is_closed_and_opens_nothing_after() {
    let rig = Rig::new();
    let closing = async {
        tokio::task::yield_now().await;
        rig.scope.node().close();
    };
    let (outcome, ()) = tokio::join!(rig.call("wait", "{}"), closing);
    assert_eq!(outcome.unwrap_err().kind, Kind::Cancelled);
    assert_eq!(
        rig.call("echo", "{}").await.unwrap_err().kind,
        Kind::Cancelled
    );
    assert_eq!(rig.records(), ["wait:cancelled", "echo:cancelled"]);
}

#[tokio::test]
async fn is_recorded_though_nobody_ever_polls_it() {
    let rig = Rig::new();
    let arguments = Arguments::Json("{}".to_owned());
    let call = Call {
        tool: "wait".to_owned(),
        arguments,
        destination: Destination::Program,
    };
    let kept = Arc::clone(&rig.gate).call(&rig.scope, call);
    rig.scope.node().close();
    assert_eq!(
        rig.records(),
        ["wait:cancelled"],
        "the record does not wait for the drop"
    );
    drop(kept);
    assert_eq!(rig.records().len(), 1);
}

#[tokio::test]
async fn survives_a_tool_that_panics() {
    let rig = Rig::new();
    assert_eq!(
        rig.call("panics", "{}").await.unwrap_err().kind,
        Kind::Internal
    );
    assert_eq!(
        rig.call("echo", r#"{"text": "still here"}"#)
            .await
            .unwrap()
            .text,
        "still here"
    );
}

#[tokio::test]
async fn what_is_done_for_a_model_is_done_as_a_model() {
    let rig = Rig::new();
    let model = rig.scope.lowered(Caller::Model).unwrap();
    let output = rig
        .call_in(&model, "relay", r#"{"text": "x"}"#, Destination::Program)
        .await;
    assert_eq!(output.unwrap().text, "model: x");
    let callers: Vec<Caller> = rig
        .recent
        .list()
        .iter()
        .map(|record| record.caller)
        .collect();
    assert_eq!(callers, [Caller::Model, Caller::Model]);
    let inner = &rig.recent.list()[0];
    assert_eq!(
        inner.parent(),
        Some(rig.recent.list()[1].call),
        "the nested call knows its parent"
    );
}

#[tokio::test]
async fn tells_listeners_of_start_and_end() {
    let rig = Rig::new();
    rig.call("echo", r#"{"text": "x"}"#).await.unwrap();
    let lines = rig.heard.lines();
    assert!(lines[0].starts_with(r#"{"type":"started","call":"c1","parent":null,"tool":"echo""#));
    assert!(lines[1].contains(r#""type":"finished""#) && lines[1].contains(r#""ok":true"#));
    assert_eq!(lines.len(), 2);
}
