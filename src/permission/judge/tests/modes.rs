//! Verdicts in each mode: what the mode says where no rule does, what it says over rules, and that a stricter
//! mode never is milder.

use super::*;
use crate::permission::{Mode, Modes};

use Mode::{Auto, AutoEdit, Bypass, Default, DenyAll, DontAsk, Plan};

fn judged(
    modes: impl Into<Modes>,
    caller: Caller,
    tool: (&str, &str, Effect),
    subject: Subject,
    rules: &[Rule],
) -> Verdict {
    let bounds = bounds();
    let (tool, surface, effect) = tool;
    let subjects = [subject];
    let request = Request {
        tool,
        surface,
        effect,
        caller,
        modes: modes.into(),
        subjects: &subjects,
        restricted: false,
        bounds: &bounds,
        limits: &[],
        declared: "file",
    };
    judge(&request, rules)
}

/// What is judged in the tables, in the order of their columns.
fn things() -> [((&'static str, &'static str, Effect), Subject); 7] {
    let host = Subject::name(Group::Network, "a.test");
    [
        (READ, inside(Read, "a")),
        (READ, outside(Read, "/etc/x")),
        (EDIT, inside(Edit, "a")),
        (EDIT, outside(Edit, "/tmp/a")),
        (SHELL, Subject::command("make")),
        (("webfetch", "network", Effect::Network), host),
        (EDIT, inside(Edit, ".git/hooks/x")),
    ]
}

#[test]
fn each_mode_says_what_holds_where_no_rule_speaks() {
    // read, read outside, edit, edit outside, command, network, critical
    for (mode, model, user) in [
        (
            Default,
            [Allow, Ask, Ask, Ask, Ask, Ask, Ask],
            [Allow, Allow, Allow, Ask, Allow, Allow, Ask],
        ),
        (
            AutoEdit,
            [Allow, Ask, Allow, Ask, Ask, Ask, Ask],
            [Allow, Allow, Allow, Ask, Allow, Allow, Ask],
        ),
        (
            Plan,
            [Allow, Ask, Deny, Deny, Deny, Deny, Deny],
            [Allow, Allow, Deny, Deny, Deny, Deny, Deny],
        ),
        (
            Auto,
            [Allow, Ask, Ask, Ask, Ask, Ask, Ask],
            [Allow, Allow, Allow, Ask, Allow, Allow, Ask],
        ),
        (
            DontAsk,
            [Deny, Deny, Deny, Deny, Deny, Deny, Deny],
            [Allow, Allow, Allow, Deny, Allow, Allow, Deny],
        ),
        (DenyAll, [Deny; 7], [Deny; 7]),
        (
            Bypass,
            [Allow, Allow, Allow, Allow, Allow, Allow, Ask],
            [Allow, Allow, Allow, Allow, Allow, Allow, Ask],
        ),
    ] {
        for (caller, expected) in [(Model, model), (User, user)] {
            for ((tool, subject), expected) in things().into_iter().zip(expected) {
                let got = judged(mode, caller, tool, subject.clone(), &[]);
                assert_eq!(got.action, expected, "{mode} {caller} {subject:?}");
            }
        }
    }
}

#[test]
fn each_mode_says_what_rules_may_say_over_it() {
    // Of an edit in the workspace: a deny, an ask that a person wrote, one that nobody wrote, an allow.
    let rules = [
        rule(Deny, "edit", Source::Project),
        rule(Ask, "edit", Source::User),
        rule(Ask, "edit", Source::Shipped),
        rule(Allow, "edit", Source::CommandLine),
    ];
    for (mode, model, user) in [
        (Default, [Deny, Ask, Ask, Allow], [Deny, Ask, Allow, Allow]),
        (AutoEdit, [Deny, Ask, Ask, Allow], [Deny, Ask, Allow, Allow]),
        (Plan, [Deny; 4], [Deny; 4]),
        (Auto, [Deny, Ask, Ask, Allow], [Deny, Ask, Allow, Allow]),
        (
            DontAsk,
            [Deny, Deny, Deny, Allow],
            [Deny, Deny, Allow, Allow],
        ),
        (DenyAll, [Deny; 4], [Deny; 4]),
        (Bypass, [Deny, Ask, Allow, Allow], [Deny, Ask, Allow, Allow]),
    ] {
        for (caller, expected) in [(Model, model), (User, user)] {
            for (rule, expected) in rules.iter().zip(expected) {
                let one = std::slice::from_ref(rule);
                let got = judged(mode, caller, EDIT, inside(Edit, "a"), one);
                assert_eq!(got.action, expected, "{mode} {caller} {rule:?}");
            }
        }
    }
}

#[test]
fn protected_names_are_asked_about_in_modes_that_ask_less_and_a_rule_lifts_that() {
    let write = |mode: Mode, caller, path: &str, rules: &[Rule]| {
        judged(mode, caller, EDIT, inside(Edit, path), rules)
    };
    for path in [".github/workflows/ci.yml", ".GIT/index", ".gitlab-ci.yml."] {
        for mode in [AutoEdit, Auto, Bypass] {
            let got = write(mode, Model, path, &[]);
            assert_eq!((got.action, got.is_open), (Ask, false), "{mode} {path}");
            assert_eq!(write(mode, User, path, &[]).action, Allow, "{mode} {path}");
            let rules = [allow("edit")];
            assert_eq!(
                write(mode, Model, path, &rules).action,
                Allow,
                "{mode} {path}"
            );
        }
    }
    assert_eq!(write(AutoEdit, Model, ".github/x", &[]).action, Allow);
}

#[test]
fn the_trace_names_the_mode_that_spoke() {
    let traced = |mode: Mode, rules: &[Rule]| {
        let got = judged(mode, Model, EDIT, inside(Edit, "a"), rules);
        let steps = got.trace.iter();
        let steps: Vec<String> = steps
            .map(|step| format!("{}: {} {}", step.source, step.action, step.rule))
            .collect();
        (got.reason.into_owned(), steps)
    };
    let (reason, steps) = traced(AutoEdit, &[]);
    assert_eq!(
        reason,
        "the mode `auto_edit` lets a model change files in the workspace"
    );
    assert_eq!(steps, [format!("mode: allow {reason}")]);
    let (reason, steps) = traced(Plan, &[allow("edit")]);
    assert_eq!(
        reason,
        "the mode `plan` only reads: say what you would do instead"
    );
    assert_eq!(
        steps,
        [
            "default: ask a model asks before it changes something".to_owned(),
            "command line: allow edit".to_owned(),
            format!("mode: deny {reason}"),
        ]
    );
    let (reason, _) = traced(DontAsk, &[rule(Ask, "edit:a", Source::User)]);
    assert_eq!(
        reason,
        "`a` is asked about because of the rule `edit:a` (user); the mode `dont_ask` asks nobody"
    );
    let read = judged(DenyAll, Model, READ, inside(Read, "a"), &[allow("*")]);
    let last = read.trace.last().unwrap();
    assert_eq!((last.source, last.action), (Source::Mode, Deny));
}

#[test]
fn only_what_nothing_settles_is_open_to_a_classifier() {
    let open = |modes: Modes, caller, (tool, subject), rules: &[Rule]| {
        judged(modes, caller, tool, subject, rules).is_open
    };
    let [read, far, edit, .., critical] = things();
    let command = || (SHELL, Subject::command("make"));
    let auto = || Modes::from(Auto);
    assert!(open(auto(), Model, command(), &[]) && open(auto(), Model, edit.clone(), &[]));
    assert!(open(auto(), Model, far, &[]));
    assert!(open(auto().and(AutoEdit), Model, edit.clone(), &[]));
    for (modes, caller, thing, rules) in [
        (auto(), Model, read, vec![]),
        (auto(), Model, critical, vec![]),
        (
            auto(),
            Model,
            command(),
            vec![rule(Ask, "shell", Source::User)],
        ),
        (auto(), Model, command(), vec![deny("shell")]),
        (auto(), Model, command(), vec![allow("shell")]),
        (auto(), User, command(), vec![]),
        (auto().and(AutoEdit), Model, command(), vec![]),
        (auto().and(Default), Model, edit, vec![]),
        (auto().and(Plan), Model, command(), vec![]),
        (Default.into(), Model, command(), vec![]),
    ] {
        assert!(
            !open(modes, caller, thing.clone(), &rules),
            "{modes} {thing:?} {rules:?}"
        );
    }
    let looped = (SHELL, Subject::name(Group::DoomLoop, "x"));
    assert!(!open(auto(), Model, looped, &[]));
}

#[test]
fn a_redirect_of_a_command_is_a_change_to_a_file() {
    let bounds = bounds();
    let subjects = [Subject::command("make"), inside(Edit, "out.txt")];
    let request = Request {
        tool: "shell",
        surface: "command",
        declared: "command",
        effect: Effect::Run,
        caller: Model,
        modes: AutoEdit.into(),
        subjects: &subjects,
        restricted: false,
        bounds: &bounds,
        limits: &[],
    };
    assert_eq!(
        judge(&request, &[]).action,
        Ask,
        "the command itself is asked about"
    );
    assert_eq!(judge(&request, &[allow("shell:make")]).action, Allow);
}

fn any_modes() -> impl Strategy<Value = Modes> {
    let mode = || prop::sample::select(Mode::ALL.to_vec());
    (mode(), mode()).prop_map(|(a, b)| Modes::from(a).and(b))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn a_mode_that_is_added_never_loosens_and_a_deny_never_allows_more(
        rules in prop::collection::vec(any_rule(), 0..5),
        added in any_rule(),
        modes in any_modes(),
        more in any_modes(),
        which in 0usize..7,
        user in any::<bool>(),
    ) {
        let caller = if user { User } else { Model };
        let (tool, subject) = things()[which].clone();
        let before = judged(modes, caller, tool, subject.clone(), &rules);
        prop_assert!(!before.trace.is_empty() && !before.reason.is_empty());
        let both = judged(modes.and(more), caller, tool, subject.clone(), &rules);
        let other = judged(more, caller, tool, subject.clone(), &rules);
        prop_assert_eq!(both.action, before.action.max(other.action), "{} and {}", modes, more);
        let mut denied = rules.clone();
        denied.push(Rule { action: Deny, ..added });
        let after = judged(modes, caller, tool, subject, &denied);
        prop_assert!(after.action >= before.action, "{} {:?}", modes, denied);
    }
}
