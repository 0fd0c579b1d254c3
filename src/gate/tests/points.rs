//! Points that are about no call: the event comes back as the hooks left it, with what they said.

use std::time::Duration;

use super::hook::{Changing, Made};
use super::rig::{Rig, Setup};
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Caller};
use crate::tool::{Gate as _, Point};

fn rig(point: Point, runs: &[Changing]) -> Rig {
    let runs = (1u64..).zip(runs);
    Rig::with(Setup {
        hooks: runs
            .map(|(id, run)| Made::new(id, point, *run).boxed())
            .collect(),
        ..Setup::default()
    })
}

fn event() -> Map {
    Map::from([("text".to_owned(), Data::from("hi"))])
}

#[tokio::test]
async fn an_event_goes_from_hook_to_hook_and_comes_back() {
    let add: Changing = |event| {
        let text = format!("{}!", event["text"].as_str().unwrap());
        event.insert("text".to_owned(), text.into());
        Ok(None)
    };
    let rig = rig(Point::TurnStart, &[add, add]);
    assert!(rig.gate.hears(Point::TurnStart) && !rig.gate.hears(Point::TurnEnd));
    let model = rig.scope.lowered(Caller::Model).unwrap();
    let fired = rig
        .gate
        .fire(&model, Point::TurnStart, event())
        .await
        .unwrap();
    assert_eq!(fired.event["text"].as_str(), Some("hi!!"));
    assert_eq!(fired.event["caller"].as_str(), Some("model"));
    assert!(fired.event.contains_key("session") && fired.event.contains_key("workspace"));
    assert_eq!(fired.refusal(), None);
    let unheard = rig
        .gate
        .fire(&model, Point::TurnEnd, event())
        .await
        .unwrap();
    assert_eq!(unheard.event["text"].as_str(), Some("hi"));
}

#[tokio::test]
async fn what_may_be_refused_is_refused_by_a_word_or_by_a_failure() {
    let deny: Changing = |_| Ok(Some((Action::Deny, "enough".to_owned())));
    let fails: Changing = |_| Err(ToolError::new(Kind::Failed, "boom"));
    for point in [Point::TurnStart, Point::ModelRequest, Point::CompactBefore] {
        let rig = rig(point, &[deny]);
        let fired = rig.gate.fire(&rig.scope, point, event()).await.unwrap();
        assert_eq!(fired.refusal(), Some("enough (test.lua:1)"));
    }
    for (point, is_refused) in [
        (Point::TurnStart, true),
        (Point::ModelRequest, true),
        (Point::ModelResponse, false),
        (Point::CompactBefore, false),
        (Point::SessionStart, false),
        (Point::SessionEnd, false),
        (Point::TurnEnd, false),
        (Point::Notification, false),
    ] {
        let rig = rig(point, &[fails]);
        let fired = rig.gate.fire(&rig.scope, point, event()).await;
        assert_eq!(fired.is_err(), is_refused, "{}", point.as_str());
        assert_eq!(
            rig.heard.lines().is_empty(),
            is_refused,
            "{}",
            point.as_str()
        );
    }
}

#[tokio::test]
async fn ends_with_its_scope() {
    let hook = Made::waiting(1, Point::SessionStart, |_, _| {
        Box::pin(std::future::pending())
    });
    let rig = Rig::with(Setup {
        hooks: vec![hook.boxed()],
        ..Setup::default()
    });
    let fired = rig.gate.fire(&rig.scope, Point::SessionStart, event());
    let dropped = tokio::time::timeout(Duration::from_millis(5), fired).await;
    assert!(dropped.is_err());
    rig.scope.node().close();
    let fired = rig
        .gate
        .fire(&rig.scope, Point::SessionStart, event())
        .await;
    assert_eq!(fired.unwrap_err().kind, Kind::Cancelled);
}

#[tokio::test]
async fn a_notification_is_told_to_listeners_first() {
    let fails: Changing = |event| {
        assert_eq!(event["title"].as_str(), Some("Done"));
        Err(ToolError::new(Kind::Failed, "no bell"))
    };
    let rig = rig(Point::Notification, &[fails]);
    let title = Some("Done".to_owned());
    rig.gate
        .notify(&rig.scope, title, "all green".to_owned())
        .await;
    let lines = rig.heard.lines();
    assert_eq!(
        lines[0],
        r#"{"type":"notified","title":"Done","text":"all green"}"#
    );
    assert!(lines[1].contains("no bell"), "{lines:?}");
}
