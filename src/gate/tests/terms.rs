//! What whoever sets a model to work lays down for it, at the door: rules, tools, and what is left of them inside.

use std::sync::Arc;

use super::rig::{Rig, Setup};
use crate::error::Kind;
use crate::permission::{Action, Caller};
use crate::tool::{Destination, Scope, TermWords, Terms};

fn list(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// `scope` as a model's, on terms that `caller` lays down.
fn on(scope: &Scope, words: TermWords) -> Scope {
    let outer = scope.terms().map(|terms| &**terms);
    let terms = Terms::new(words, scope.caller(), outer).unwrap();
    let scope = scope.on_terms(Arc::new(terms)).unwrap();
    scope.lowered(Caller::Model).unwrap()
}

async fn touch(rig: &Rig, scope: &Scope) -> Option<Kind> {
    let outcome = rig.call_in(scope, "touch", "{}", Destination::Model).await;
    outcome.err().map(|error| error.kind)
}

#[tokio::test]
async fn what_is_allowed_holds_below_and_nowhere_else() {
    let rig = Rig::new();
    let words = TermWords {
        allow: list(&["touch"]),
        ..TermWords::default()
    };
    let below = on(&rig.scope, words);
    assert_eq!(touch(&rig, &below).await, None);
    let beside = rig.scope.lowered(Caller::Model).unwrap();
    assert_eq!(touch(&rig, &beside).await, Some(Kind::Denied));
}

#[tokio::test]
async fn no_terms_outweigh_a_deny_of_the_person_or_of_the_terms_around() {
    let denied = Setup {
        rules: vec![("touch", Action::Deny)],
        ..Setup::default()
    };
    let allow = TermWords {
        allow: list(&["touch"]),
        ..TermWords::default()
    };
    let rig = Rig::with(denied);
    assert_eq!(
        touch(&rig, &on(&rig.scope, allow.clone())).await,
        Some(Kind::Denied)
    );
    let rig = Rig::new();
    let deny = TermWords {
        deny: list(&["touch"]),
        ..TermWords::default()
    };
    let terms = Terms::new(deny, Caller::User, None).unwrap();
    let outer = rig.scope.on_terms(Arc::new(terms)).unwrap();
    assert_eq!(touch(&rig, &on(&outer, allow)).await, Some(Kind::Denied));
}

#[tokio::test]
async fn a_mode_is_laid_down_too() {
    let rig = Rig::new();
    let mode = |word: &str| TermWords {
        mode: Some(word.to_owned()),
        ..TermWords::default()
    };
    assert_eq!(touch(&rig, &on(&rig.scope, mode("bypass"))).await, None);
    let closed = on(&rig.scope, mode("deny_all"));
    assert_eq!(touch(&rig, &closed).await, Some(Kind::Denied));
    assert_eq!(
        touch(&rig, &on(&closed, mode("bypass"))).await,
        Some(Kind::Denied)
    );
}

#[tokio::test]
async fn a_tool_that_was_not_given_is_not_offered_and_not_run() {
    let rig = Rig::new();
    let words = TermWords {
        tools: Some(list(&["echo", "relay"])),
        mode: Some("bypass".to_owned()),
        ..TermWords::default()
    };
    let below = on(&rig.scope, words);
    assert_eq!(touch(&rig, &below).await, Some(Kind::Unavailable));
    let said = r#"{"text":"hi"}"#;
    let echo = rig.call_in(&below, "echo", said, Destination::Model).await;
    assert_eq!(echo.unwrap().text, "hi");
    let defined = rig.gate.defined(&below, None).await.unwrap();
    let offered: Vec<&str> = defined.iter().map(|defined| defined.tool.id()).collect();
    assert_eq!(offered, ["echo", "relay"]);
}
