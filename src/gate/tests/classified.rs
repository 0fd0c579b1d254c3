//! What a classifier may say in the mode `auto`, and where it is not heard.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::{BoxFuture, ready};

use super::rig::{Rig, Setup};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::gate::{Given, Rules};
use crate::permission::{Action, Caller, Mode, Rule, Source};
use crate::tool::{Classified, Classifier, Destination, Outcome, Risk, Scope};

/// Always says the same, and counts how often.
struct Says(Option<Action>, AtomicUsize);

impl Classifier for Says {
    fn classify<'a>(
        &'a self,
        _scope: &'a Scope,
        _call: Arc<Data>,
    ) -> BoxFuture<'a, Result<Option<Classified>, ToolError>> {
        self.1.fetch_add(1, Ordering::SeqCst);
        let said = self.0.map(|action| Classified {
            action,
            risk: Risk::of(action),
            reason: "as the test wants it".to_owned(),
        });
        Box::pin(ready(Ok(said)))
    }
}

/// What becomes of a model's call that writes, and how often the classifier was asked.
async fn touch(mode: Mode, says: Option<Action>, rules: Vec<Rule>) -> (Outcome, usize) {
    let rig = Rig::with(Setup::default());
    let classifier = Arc::new(Says(says, AtomicUsize::new(0)));
    let policy = Rules {
        modes: mode.into(),
        classifier: Some(Arc::clone(&classifier) as _),
        rules,
        ..Rules::default()
    };
    rig.gate
        .update(|generation| generation.policy = Arc::new(policy));
    let model = rig.scope.lowered(Caller::Model).unwrap();
    let outcome = rig.call_in(&model, "touch", "{}", Destination::Model).await;
    (outcome, classifier.1.load(Ordering::SeqCst))
}

#[tokio::test]
async fn settles_what_no_rule_settles_in_the_mode_auto_alone() {
    let (allowed, asked) = touch(Mode::Auto, Some(Action::Allow), vec![]).await;
    assert!(allowed.is_ok() && asked == 1);
    let (denied, _) = touch(Mode::Auto, Some(Action::Deny), vec![]).await;
    let denied = denied.unwrap_err();
    assert_eq!(denied.kind, Kind::Denied);
    assert!(denied.message.contains("as the test wants it"), "{denied}");
    for says in [Some(Action::Ask), None] {
        let (unattended, _) = touch(Mode::Auto, says, vec![]).await;
        let detail = unattended.unwrap_err().detail.unwrap();
        assert_eq!(
            detail["unattended"], true,
            "no verdict, so somebody is asked"
        );
    }
    let (unattended, asked) = touch(Mode::Default, Some(Action::Allow), vec![]).await;
    assert!(unattended.is_err() && asked == 0);
    let allow = Rule::parse("touch", Action::Allow, Source::User).unwrap();
    let (allowed, asked) = touch(Mode::Auto, Some(Action::Deny), vec![allow]).await;
    assert!(allowed.is_ok() && asked == 0, "the rule has settled it");
}

#[tokio::test]
async fn after_three_denials_in_a_row_somebody_is_asked_and_only_calls_that_are_made_count() {
    let rig = Rig::with(Setup::default());
    let classifier = Arc::new(Says(Some(Action::Deny), AtomicUsize::new(0)));
    let policy = Rules {
        modes: Mode::Auto.into(),
        classifier: Some(Arc::clone(&classifier) as _),
        ..Rules::default()
    };
    rig.gate
        .update(|generation| generation.policy = Arc::new(policy));
    let model = rig.scope.lowered(Caller::Model).unwrap();
    for _ in 0..5 {
        let nothing = Given::Arguments(Default::default());
        let foreseen = rig.gate.foresee(&model, "touch", nothing).await.unwrap();
        assert_eq!(foreseen.verdict.action, Action::Deny);
    }
    let call = || rig.call_in(&model, "touch", "{}", Destination::Model);
    for _ in 0..3 {
        let denied = call().await.unwrap_err();
        assert!(denied.message.contains("as the test wants it"), "{denied}");
    }
    let before = classifier.1.load(Ordering::SeqCst);
    let asked = call().await.unwrap_err();
    assert_eq!(asked.detail.unwrap()["unattended"], true);
    assert!(
        asked.message.contains("denied 3 calls in a row"),
        "{}",
        asked.message
    );
    assert_eq!(classifier.1.load(Ordering::SeqCst), before, "asked no more");
    let steps = rig.recent.list().pop().unwrap().judged.unwrap().trace;
    let last = steps.last().unwrap();
    assert_eq!(
        (last.source, last.action),
        (Source::Classifier, Action::Ask)
    );
}
