//! The hooks at `permission.ask` and `notification`: what they see of a question, and what they cannot do.

use std::sync::{Arc, Mutex};

use super::hook::{Changing, Made};
use super::rig::{Rig, Setup};
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::permission::Action;
use crate::tool::{Answer, Arguments, Call, Destination, Gate as _, Hook, HookReply, Point};

const HI: &str = r#"{"text": "x"}"#;

/// A door where `echo` is asked about.
fn rig(hooks: Vec<Arc<dyn Hook>>, answers: Vec<Answer>) -> Rig {
    Rig::with(Setup {
        hooks,
        answers,
        rules: vec![("echo", Action::Ask)],
        ..Setup::default()
    })
}

fn said(run: Changing) -> Vec<Arc<dyn Hook>> {
    vec![Made::new(1, Point::PermissionAsk, run).boxed()]
}

#[tokio::test]
async fn a_hook_sees_the_question_before_it_is_asked() {
    let seen = Arc::new(Mutex::new(Map::new()));
    let keep = Arc::clone(&seen);
    let look = Made::new(1, Point::PermissionAsk, move |event| {
        keep.lock().unwrap().clone_from(event);
        Ok(None)
    });
    let rig = rig(vec![look.boxed()], vec![Answer::Once]);
    assert_eq!(rig.call("echo", HI).await.unwrap().text, "x");
    let question = rig.asked.lock().unwrap()[0].clone();
    let seen = seen.lock().unwrap();
    let text = |name: &str| seen[name].as_str().unwrap();
    assert_eq!(
        (text("tool"), text("surface"), text("caller")),
        ("echo", "test", "user")
    );
    assert_eq!(text("call"), "c1");
    assert_eq!(
        (text("reason"), text("shows")),
        (&*question.reason, &*question.shows)
    );
    assert_eq!(seen["warning"], Data::Null);
    assert_eq!(seen["args"].get("text").unwrap().as_str(), Some("x"));
    assert_eq!(seen["subjects"], Data::List(vec![]));
}

#[tokio::test]
async fn a_hook_may_refuse_in_the_persons_place() {
    let deny = said(|_| Ok(Some((Action::Deny, "not now".to_owned()))));
    let rig = rig(deny, vec![Answer::Once]);
    let error = rig.call("echo", HI).await.unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    assert_eq!(error.message, "not now (test.lua:1)");
    assert_eq!(error.detail.unwrap().get("unattended"), None);
    assert!(rig.asked.lock().unwrap().is_empty(), "nobody was asked");
}

#[tokio::test]
async fn no_hook_answers_yes() {
    let runs: [Changing; 5] = [
        |_| Ok(Some((Action::Allow, "sure".to_owned()))),
        |_| Ok(Some((Action::Ask, "again".to_owned()))),
        |_| Err(ToolError::new(Kind::Failed, "boom")),
        |event| {
            event.insert("shows".to_owned(), "harmless".into());
            Ok(None)
        },
        |_| Ok(None),
    ];
    for run in runs {
        let asked = rig(said(run), vec![Answer::Reject(None)]);
        let error = asked.call("echo", HI).await.unwrap_err();
        assert_eq!(error.kind, Kind::Rejected, "the question stays asked");
        let shows = asked.asked.lock().unwrap()[0].shows.clone();
        assert!(!shows.contains("harmless"));
        let nobody = rig(said(run), vec![]);
        let error = nobody.call("echo", HI).await.unwrap_err();
        assert_eq!(error.kind, Kind::Denied);
        assert_eq!(error.detail.unwrap()["unattended"], true);
    }
}

#[tokio::test]
async fn a_failure_is_logged_and_what_is_allowed_is_not_asked_about() {
    let fails = said(|_| Err(ToolError::new(Kind::Timeout, "late")));
    let failed = rig(fails.clone(), vec![Answer::Once]);
    assert!(failed.call("echo", HI).await.is_ok());
    let lines = failed.heard.lines().join("\n");
    assert!(
        lines.contains("the hook test.lua:1 at permission.ask failed and was passed over: late"),
        "{lines}"
    );
    let unheard = Rig::with(Setup {
        hooks: fails,
        ..Setup::default()
    });
    assert!(unheard.call("echo", HI).await.is_ok());
    assert!(!unheard.heard.lines().join("\n").contains("late"));
}

#[tokio::test]
async fn does_not_fire_for_a_question_that_it_raises_itself() {
    let count = Arc::new(Mutex::new(0));
    let rig = rig(vec![], vec![Answer::Once, Answer::Once]);
    let (counted, gate) = (Arc::clone(&count), Arc::downgrade(&rig.gate));
    let hook = Made::waiting(1, Point::PermissionAsk, move |scope, _| {
        *counted.lock().unwrap() += 1;
        let gate = gate.upgrade().unwrap();
        Box::pin(async move {
            let call = Call {
                tool: "echo".to_owned(),
                arguments: Arguments::Json(HI.to_owned()),
                destination: Destination::Program,
            };
            gate.call(&scope, call).await?;
            Ok(HookReply::default())
        })
    });
    rig.gate
        .update(|generation| generation.add_hook(hook.boxed()));
    assert!(rig.call("echo", HI).await.is_ok());
    assert_eq!(*count.lock().unwrap(), 1);
    assert_eq!(rig.asked.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_question_that_waits_is_told_of_beside_it() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&told);
    let hook = Made::waiting(1, Point::Notification, move |_, event| {
        let text = event["text"].as_str().unwrap().to_owned();
        keep.lock().unwrap().push(text);
        Box::pin(async { Err(ToolError::new(Kind::Failed, "no bell")) })
    });
    let attended = rig(vec![hook.clone().boxed()], vec![Answer::Once]);
    assert!(
        attended.call("echo", HI).await.is_ok(),
        "a failure changes nothing"
    );
    let words = told.lock().unwrap().clone();
    assert_eq!(words.len(), 1);
    assert!(
        words[0].starts_with("`echo` waits for an answer: "),
        "{words:?}"
    );
    let lines = attended.heard.lines().join("\n");
    assert!(lines.contains("no bell"), "{lines}");
}
