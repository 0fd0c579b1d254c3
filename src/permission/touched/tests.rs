//! What is said of a path that a command may touch, by rules, modes and sources alone.

use super::super::judge::{Request as Asked, judge};
use super::*;
use crate::permission::{Bounds, Doubt};

fn verdict(touch: Touch, mode: Mode, rules: &[Rule]) -> Verdict {
    let subjects = [Subject {
        touches: vec![touch],
        ..Subject::command("mytool x")
    }];
    let bounds = Bounds {
        workspace: "/w".to_owned(),
        ..Bounds::default()
    };
    judge(
        &Asked {
            tool: "shell",
            surface: "command",
            declared: "command",
            effect: Effect::Run,
            caller: Caller::Model,
            subjects: &subjects,
            modes: mode.into(),
            restricted: false,
            bounds: &bounds,
            limits: &[],
        },
        rules,
    )
}

fn touch(path: &str, written: bool) -> Touch {
    let subject = Subject::path(Group::Edit, path, format!("/w/{path}"), true);
    Touch { subject, written }
}

fn rule(action: Action, text: &str) -> Rule {
    Rule::parse(text, action, Source::User).unwrap()
}

#[test]
fn a_touch_only_tightens_and_is_denied_where_it_is_certain() {
    let rules = [
        rule(Action::Allow, "shell"),
        rule(Action::Deny, "edit:x/**"),
    ];
    for mode in [Mode::Default, Mode::Auto, Mode::AutoEdit, Mode::Bypass] {
        let action = |path, written| verdict(touch(path, written), mode, &rules).action;
        assert_eq!(action("x/y", true), Action::Deny, "{mode}");
        assert_eq!(action("x/y", false), Action::Ask, "{mode}");
        assert_eq!(action("y", true), Action::Allow, "{mode}");
    }
    let dont_ask = verdict(touch("x/y", false), Mode::DontAsk, &rules);
    assert_eq!(dont_ask.action, Action::Deny, "nothing waits");
    let allowed = [rule(Action::Allow, "edit")];
    let unasked = verdict(touch("y", true), Mode::Default, &allowed).action;
    assert_eq!(unasked, Action::Ask, "it allows no command");
}

#[test]
fn a_rule_about_everything_says_nothing_of_a_word() {
    for text in ["edit", "edit:*", "read", "external_directory"] {
        let rules = [rule(Action::Allow, "shell:*"), rule(Action::Deny, text)];
        let said = verdict(touch("y", true), Mode::Default, &rules);
        assert_eq!(said.action, Action::Allow, "{text}: {}", said.reason);
    }
}

#[test]
fn what_is_not_told_is_asked_about_where_a_rule_denies_anything() {
    let touch = || Touch {
        subject: Subject::name(Group::Edit, "what its words do not name").in_doubt(Doubt::Unknown),
        written: false,
    };
    let allow = rule(Action::Allow, "shell");
    for text in ["edit:x/**", "read:x/**"] {
        let rules = [allow.clone(), rule(Action::Deny, text)];
        let said = verdict(touch(), Mode::Default, &rules);
        assert_eq!(said.action, Action::Ask, "{text}");
        assert!(said.reason.contains(text), "{}", said.reason);
    }
    let none = verdict(touch(), Mode::Default, &[allow]);
    assert_eq!(none.action, Action::Allow);
}
