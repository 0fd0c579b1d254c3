//! Who may do what: rules, questions, answers.

use std::sync::atomic::Ordering;

use super::rig::{Rig, Setup, TOUCHED};
use crate::error::Kind;
use crate::permission::{Action, Caller};
use crate::tool::{Answer, Destination, Outcome};

async fn touch_as_model(setup: Setup) -> Outcome {
    let rig = Rig::with(setup);
    let model = rig.scope.lowered(Caller::Model).unwrap();
    rig.call_in(&model, "touch", "{}", Destination::Model).await
}

#[tokio::test]
async fn a_refused_tool_never_runs() {
    let before = TOUCHED.load(Ordering::SeqCst);
    let denied = Setup {
        rules: vec![("touch", Action::Deny)],
        ..Setup::default()
    };
    let error = Rig::with(denied).call("touch", "{}").await.unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    let error = touch_as_model(Setup::default()).await.unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    assert_eq!(error.detail.as_ref().unwrap()["unattended"], true);
    let no = Setup {
        answers: vec![Answer::Reject(None)],
        ..Setup::default()
    };
    assert_eq!(touch_as_model(no).await.unwrap_err().kind, Kind::Rejected);
    let words = Some("use echo".to_owned());
    let no = Setup {
        answers: vec![Answer::Reject(words)],
        ..Setup::default()
    };
    assert!(
        touch_as_model(no)
            .await
            .unwrap_err()
            .message
            .contains("use echo")
    );
    assert_eq!(TOUCHED.load(Ordering::SeqCst), before);

    let yes = Setup {
        answers: vec![Answer::Once],
        ..Setup::default()
    };
    touch_as_model(yes).await.unwrap();
    let allowed = Setup {
        rules: vec![("test.write", Action::Allow)],
        ..Setup::default()
    };
    touch_as_model(allowed).await.unwrap();
    assert_eq!(TOUCHED.load(Ordering::SeqCst), before + 2);
}
