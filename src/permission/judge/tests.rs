//! Verdicts as tables: defaults, names, precedence, traces. Places and commands have their own files.
//! Every table here is a promise: changing a row changes what people have been told.

use proptest::prelude::*;

use super::*;

mod commands;
mod modes;
mod places;

const HOME: &str = "/home/ann";
const WORKSPACE: &str = "/home/ann/code";

fn bounds() -> Bounds {
    Bounds {
        workspace: WORKSPACE.to_owned(),
        home: HOME.to_owned(),
        own: vec!["/home/ann/.config/agent".to_owned()],
        ..Bounds::default()
    }
}

fn rule(action: Action, text: &str, source: Source) -> Rule {
    Rule::parse(text, action, source).unwrap()
}

fn allow(text: &str) -> Rule {
    rule(Action::Allow, text, Source::CommandLine)
}

fn deny(text: &str) -> Rule {
    rule(Action::Deny, text, Source::CommandLine)
}

fn inside(group: Group, path: &str) -> Subject {
    Subject::path(group, path, format!("{WORKSPACE}/{path}"), true)
}

fn outside(group: Group, path: &str) -> Subject {
    Subject::path(group, path, path, false)
}

fn verdict(
    caller: Caller,
    tool: (&str, &str, Effect),
    subjects: &[Subject],
    rules: &[Rule],
) -> Verdict {
    let bounds = bounds();
    let (tool, surface, effect) = tool;
    let request = Request {
        tool,
        surface,
        effect,
        caller,
        subjects,
        restricted: false,
        bounds: &bounds,
        limits: &[],
        modes: Modes::default(),
        declared: "file",
    };
    judge(&request, rules)
}

const READ: (&str, &str, Effect) = ("grep", "file", Effect::Read);
const EDIT: (&str, &str, Effect) = ("write", "file", Effect::Write);
const SHELL: (&str, &str, Effect) = ("shell", "command", Effect::Run);

fn read(caller: Caller, subject: Subject, rules: &[Rule]) -> Action {
    verdict(caller, READ, &[subject], rules).action
}

fn edit(caller: Caller, subject: Subject, rules: &[Rule]) -> Action {
    verdict(caller, EDIT, &[subject], rules).action
}

fn shell(caller: Caller, line: &str, rules: &[Rule]) -> Action {
    verdict(caller, SHELL, &[Subject::command(line)], rules).action
}

use Action::{Allow, Ask, Deny};
use Caller::{Model, User};
use Group::{Edit, Read};

#[test]
fn without_rules_the_default_for_the_caller_holds() {
    assert_eq!(read(Model, inside(Read, "a"), &[]), Allow);
    assert_eq!(read(Model, outside(Read, "/etc/passwd"), &[]), Ask);
    assert_eq!(edit(Model, inside(Edit, "a"), &[]), Ask);
    assert_eq!(edit(Model, outside(Edit, "/tmp/a"), &[]), Ask);
    assert_eq!(shell(Model, "ls", &[]), Ask);
    assert_eq!(read(User, outside(Read, "/etc/passwd"), &[]), Allow);
    assert_eq!(edit(User, inside(Edit, "a"), &[]), Allow);
    assert_eq!(edit(User, outside(Edit, "/tmp/a"), &[]), Ask);
    assert_eq!(edit(User, outside(Edit, "/tmp/a").named(), &[]), Allow);
    assert_eq!(edit(Model, outside(Edit, "/tmp/a").named(), &[]), Ask);
    assert_eq!(shell(User, "make && rm -rf target", &[]), Allow);
    let host = Subject::name(Group::Network, "a.test");
    let fetch = ("webfetch", "network", Effect::Network);
    assert_eq!(
        verdict(Model, fetch, std::slice::from_ref(&host), &[]).action,
        Ask
    );
    assert_eq!(verdict(User, fetch, &[host], &[]).action, Allow);
}

#[test]
fn a_call_without_subjects_is_judged_by_tool_and_effect() {
    let odd = |effect| ("stamp", "agent", effect);
    assert_eq!(verdict(Model, odd(Effect::Read), &[], &[]).action, Allow);
    assert_eq!(verdict(Model, odd(Effect::default()), &[], &[]).action, Ask);
    assert_eq!(
        verdict(Model, odd(Effect::Write), &[], &[allow("stamp")]).action,
        Allow
    );
    assert_eq!(
        verdict(Model, odd(Effect::Write), &[], &[allow("agent.write")]).action,
        Allow
    );
    assert_eq!(
        verdict(Model, odd(Effect::Write), &[], &[allow("agent.read")]).action,
        Ask
    );
    assert_eq!(
        verdict(User, odd(Effect::Write), &[], &[deny("st*")]).action,
        Deny
    );
}

#[test]
fn who_forbids_the_network_means_what_uses_it_without_a_host_and_an_allow_means_hosts_alone() {
    let odd = ("look", "user", Effect::Network);
    let all = [Subject::name(Group::from("look"), "{}")];
    for (rules, expected) in [
        (&[][..], [Allow, Ask]),
        (&[deny("network")], [Deny, Deny]),
        (&[deny("network:*")], [Deny, Deny]),
        (&[deny("network:a.test")], [Allow, Ask]),
        (&[deny("*.network")], [Deny, Deny]),
        (&[allow("network:*")], [Allow, Ask]),
        (&[allow("*.network")], [Allow, Allow]),
        (&[allow("look")], [Allow, Allow]),
    ] {
        for subjects in [&[][..], &all] {
            let met = [User, Model].map(|caller| verdict(caller, odd, subjects, rules).action);
            assert_eq!(met, expected, "{rules:?}");
        }
    }
}

#[test]
fn what_is_asked_for_in_the_middle_only_its_own_group_allows() {
    let tool = ("pf", "user", Effect::Write);
    let push = [Subject::command("git push").beside()];
    for (rules, expected) in [
        (&[][..], Ask),
        (&[allow("pf")], Ask),
        (&[allow("pf:git push")], Ask),
        (&[allow("user.*")], Ask),
        (&[allow("shell:git push")], Allow),
        (&[allow("shell")], Allow),
        (&[allow("*")], Allow),
        (&[allow("shell"), deny("pf:git push")], Deny),
        (&[allow("pf"), deny("shell:git *")], Deny),
    ] {
        assert_eq!(
            verdict(Model, tool, &push, rules).action,
            expected,
            "{rules:?}"
        );
    }
}

#[test]
fn an_effect_is_not_hidden_behind_a_subject_that_only_reads() {
    let subjects = [inside(Read, "a")];
    assert_eq!(verdict(Model, EDIT, &subjects, &[]).action, Ask);
    let both = [inside(Read, "a"), inside(Edit, "b")];
    let allowed = [allow("edit:b")];
    assert_eq!(verdict(Model, EDIT, &both, &allowed).action, Allow);
    assert_eq!(edit(Model, outside(Read, "/etc/x"), &[]), Ask);
    assert_eq!(
        read(Model, inside(Edit, "a"), &[]),
        Ask,
        "an edit is a change whatever is declared"
    );
}

#[test]
fn rules_name_a_tool_a_group_or_a_surface_and_effect() {
    for name in ["write", "edit", "file.write", "file.*", "*", "ed*", "wr?te"] {
        assert_eq!(
            edit(
                Model,
                inside(Edit, "src/a"),
                &[allow(&format!("{name}:src/**"))]
            ),
            Allow,
            "{name}"
        );
    }
    for name in ["read", "file.read", "shell", "edi", "writer"] {
        assert_eq!(
            edit(Model, inside(Edit, "src/a"), &[allow(name)]),
            Ask,
            "{name}"
        );
    }
    assert_eq!(
        edit(Model, inside(Edit, "lib/a"), &[allow("edit:src/**")]),
        Ask
    );
    assert_eq!(
        edit(Model, inside(Edit, "src"), &[allow("edit:src/**")]),
        Allow
    );
}

#[test]
fn the_last_matching_rule_of_a_source_speaks() {
    let (yes, no) = (
        allow("edit:src/**"),
        rule(Ask, "edit:src/gen/**", Source::CommandLine),
    );
    assert_eq!(
        edit(Model, inside(Edit, "src/gen/a"), &[yes.clone(), no.clone()]),
        Ask
    );
    assert_eq!(
        edit(Model, inside(Edit, "src/gen/a"), &[no.clone(), yes.clone()]),
        Allow
    );
    assert_eq!(edit(Model, inside(Edit, "src/a"), &[yes, no]), Allow);
}

#[test]
fn a_deny_wins_from_any_source_but_the_defaults_and_else_the_strongest_source() {
    for weak in Source::ALL {
        for strong in Source::ALL.into_iter().filter(|strong| *strong > weak) {
            for (first, second) in [
                (Allow, Ask),
                (Ask, Allow),
                (Allow, Deny),
                (Deny, Allow),
                (Deny, Ask),
            ] {
                let rules = [rule(second, "edit", strong), rule(first, "edit", weak)];
                let expected = match (first, second) {
                    (Deny, _) if !weak.is_default() => Deny,
                    (_, second) => second,
                };
                let got = edit(Model, inside(Edit, "a"), &rules);
                assert_eq!(got, expected, "{weak} {first}, {strong} {second}");
            }
        }
    }
}

#[test]
fn an_approval_lifts_an_ask_and_never_a_deny() {
    let approved = rule(Allow, "edit:a", Source::Session);
    let asks = rule(Ask, "edit", Source::User);
    assert_eq!(
        edit(Model, inside(Edit, "a"), &[asks, approved.clone()]),
        Allow
    );
    let denies = rule(Deny, "edit", Source::Shipped);
    assert_eq!(edit(Model, inside(Edit, "a"), &[denies, approved]), Deny);
}

#[test]
fn for_a_person_only_asks_that_somebody_wrote_hold() {
    for source in Source::ALL {
        let rules = [rule(Ask, "edit", source)];
        let expected = if source.is_written() { Ask } else { Allow };
        assert_eq!(edit(User, inside(Edit, "a"), &rules), expected, "{source}");
        assert_eq!(edit(Model, inside(Edit, "a"), &rules), Ask, "{source}");
    }
}

#[test]
fn a_call_is_as_strict_as_its_strictest_subject() {
    let rules = [allow("edit:a"), deny("edit:b")];
    let call = |paths: &[&str]| {
        let subjects: Vec<Subject> = paths.iter().map(|path| inside(Edit, path)).collect();
        verdict(Model, EDIT, &subjects, &rules)
    };
    assert_eq!(call(&["a"]).action, Allow);
    assert_eq!(call(&["a", "c"]).action, Ask);
    assert_eq!(call(&["c", "a"]).action, Ask);
    let refused = call(&["a", "b", "c"]);
    assert_eq!(refused.action, Deny);
    assert_eq!(
        refused.reason,
        "`b` is denied by the rule `edit:b` (command line)"
    );
}

#[test]
fn the_trace_tells_who_spoke_weakest_first() {
    let rules = [
        allow("write"),
        rule(Ask, "edit:a", Source::User),
        rule(Deny, "edit:b", Source::User),
    ];
    let got = verdict(Model, EDIT, &[inside(Edit, "a")], &rules);
    let trace: Vec<String> = got
        .trace
        .iter()
        .map(|step| format!("{}: {} {}", step.source, step.action, step.rule))
        .collect();
    assert_eq!(
        trace,
        [
            "default: ask a model asks before it changes something",
            "user: ask edit:a",
            "command line: allow write",
        ]
    );
    assert_eq!(
        got.reason,
        "`a` is allowed by the rule `write` (command line)"
    );
    let default = verdict(Model, READ, &[inside(Read, "a")], &[]);
    assert_eq!(default.trace.len(), 1);
    assert_eq!(default.reason, "a model may read what is in the workspace");
}

fn any_rule() -> impl Strategy<Value = Rule> {
    let names = prop::sample::select(vec![
        "edit",
        "write",
        "*",
        "shell",
        "external_directory",
        "file.*",
    ]);
    let patterns = prop::sample::select(vec!["", "*", "a", "src/**", "/tmp/**", "git *", "*x*"]);
    let actions = prop::sample::select(vec![Allow, Ask, Deny]);
    let sources = prop::sample::select(Source::ALL.to_vec());
    (names, patterns, actions, sources).prop_map(|(name, pattern, action, source)| Rule {
        place: None,
        name: name.to_owned(),
        pattern: (!pattern.is_empty()).then(|| pattern.to_owned()),
        action,
        source,
        reason: None,
        function: None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn adding_a_deny_never_loosens(
        rules in prop::collection::vec(any_rule(), 0..6),
        added in any_rule(),
        at in 0usize..6,
        which in 0usize..5,
        user in any::<bool>(),
    ) {
        let subjects = [
            inside(Edit, "a"),
            inside(Edit, "src/x"),
            outside(Edit, "/tmp/x"),
            Subject::command("git push"),
            Subject::command("a; git x"),
        ];
        let subject = &subjects[which..=which];
        let tool = if which < 3 { EDIT } else { SHELL };
        let caller = if user { User } else { Model };
        let before = verdict(caller, tool, subject, &rules);
        let mut more = rules.clone();
        let added = Rule { action: Deny, ..added };
        more.insert(at.min(more.len()), added.clone());
        let after = verdict(caller, tool, subject, &more);
        prop_assert!(after.action >= before.action, "{:?} loosened {:?}", added, rules);
        prop_assert!(!before.trace.is_empty() && !before.reason.is_empty());
    }
}
