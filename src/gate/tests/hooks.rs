//! What hooks may do: rewrite, refuse, ask; and what their failing means.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::rig::{Rig, Setup};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::Action;
use crate::tool::{Answer, Hook, HookReply, Point, Scope};

type Said = Result<Option<(Action, String)>, ToolError>;

/// A hook made of a function over the event.
struct Fixed {
    id: u64,
    point: Point,
    run: fn(&mut Data) -> Said,
}

impl Hook for Fixed {
    fn id(&self) -> u64 {
        self.id
    }

    fn layer(&self) -> crate::layers::Layer {
        crate::layers::Layer::Script
    }

    fn point(&self) -> Point {
        self.point
    }

    fn name(&self) -> String {
        format!("test.lua:{}", self.id)
    }

    fn run<'a>(
        &'a self,
        _scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>> {
        let mut event = Data::clone(&event);
        let said = (self.run)(&mut event);
        Box::pin(async move { said.map(|verdict| HookReply { event, verdict }) })
    }
}

/// A hook that asks about every call.
pub(super) fn asking() -> impl Hook {
    Fixed {
        id: 1,
        point: Point::ToolBefore,
        run: |_| Ok(Some((Action::Ask, "really?".to_owned()))),
    }
}

fn rig(point: Point, runs: &[fn(&mut Data) -> Said], answers: Vec<Answer>) -> Rig {
    let hook = |(id, run): (usize, &fn(&mut Data) -> Said)| {
        Arc::new(Fixed {
            id: id as u64 + 1,
            point,
            run: *run,
        }) as Arc<dyn Hook>
    };
    let hooks = runs.iter().enumerate().map(hook).collect();
    Rig::with(Setup {
        hooks,
        answers,
        ..Setup::default()
    })
}

fn set_arg(event: &mut Data, name: &str, value: Data) {
    let Data::Map(event) = event else {
        panic!("not a map")
    };
    let Some(Data::Map(args)) = event.get_mut("args") else {
        panic!("no args")
    };
    args.insert(name.to_owned(), value);
}

#[tokio::test]
async fn a_second_hook_sees_what_the_first_one_changed() {
    let double: fn(&mut Data) -> Said = |event| {
        let times = event
            .get("args")
            .and_then(|args| args.get("times"))
            .and_then(Data::as_int);
        set_arg(event, "times", Data::Int(times.unwrap_or(0) * 2));
        Ok(None)
    };
    let rig = rig(Point::ToolBefore, &[double, double], vec![]);
    assert_eq!(
        rig.call("echo", r#"{"text": "x"}"#).await.unwrap().text,
        "xxxx"
    );
}

#[tokio::test]
async fn a_rewrite_is_checked_again() {
    let wrong: fn(&mut Data) -> Said = |event| {
        set_arg(event, "times", Data::from("many"));
        Ok(None)
    };
    let rig = rig(Point::ToolBefore, &[wrong], vec![]);
    let error = rig.call("echo", r#"{"text": "x"}"#).await.unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    assert!(
        error.message.contains("test.lua:1") && error.message.contains("times"),
        "{error}"
    );
}

#[tokio::test]
async fn a_failing_hook_refuses_before_and_is_passed_over_after() {
    let fails: fn(&mut Data) -> Said = |_| Err(ToolError::new(Kind::Failed, "boom"));
    let before = rig(Point::ToolBefore, &[fails], vec![]);
    let error = before.call("echo", r#"{"text": "x"}"#).await.unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    assert!(error.message.contains("test.lua:1") && error.message.contains("boom"));
    let after = rig(Point::ToolAfter, &[fails], vec![]);
    assert_eq!(
        after.call("echo", r#"{"text": "x"}"#).await.unwrap().text,
        "x"
    );
    assert!(
        after.heard.lines().iter().any(|line| line.contains("boom")),
        "it is logged"
    );
}

#[tokio::test]
async fn refuses_and_asks_but_never_loosens() {
    let deny: fn(&mut Data) -> Said = |_| Ok(Some((Action::Deny, "not today".to_owned())));
    let allow: fn(&mut Data) -> Said = |_| Ok(Some((Action::Allow, "sure".to_owned())));
    let ask: fn(&mut Data) -> Said = |_| Ok(Some((Action::Ask, "really?".to_owned())));
    let denied = rig(Point::ToolBefore, &[deny, allow], vec![Answer::Once]);
    let error = denied.call("echo", r#"{"text": "x"}"#).await.unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    assert!(error.message.contains("not today"), "{error}");
    let asked = rig(Point::ToolBefore, &[ask], vec![Answer::Once]);
    assert!(asked.call("echo", r#"{"text": "x"}"#).await.is_ok());
    assert!(
        asked.call("echo", r#"{"text": "x"}"#).await.is_err(),
        "once is once"
    );
}

#[tokio::test]
async fn rewrites_a_result() {
    let shout: fn(&mut Data) -> Said = |event| {
        let Data::Map(event) = event else {
            panic!("not a map")
        };
        let text = event["output"].as_str().unwrap().to_uppercase();
        event.insert("output".to_owned(), Data::from(text));
        Ok(None)
    };
    let rig = rig(Point::ToolAfter, &[shout], vec![]);
    assert_eq!(
        rig.call("echo", r#"{"text": "x"}"#).await.unwrap().text,
        "X"
    );
}
