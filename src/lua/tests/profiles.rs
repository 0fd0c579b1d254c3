//! `agents.lua`: which tools a list means, and what several layers come to.

use super::layers::{load, problems};
use super::rig::Rig;
use crate::layers::Layer::{Project, Shipped, User};
use crate::permission::Source;
use crate::tool::{Choice, Gate as _, Profile};

/// The shipped tools that a list means, in their order.
fn chosen(list: &[&str]) -> String {
    let rig = Rig::new();
    rig.door
        .update(|generation| generation.tools = crate::tools::shipped());
    let profile = Profile {
        tools: vec![Choice::new(list.iter().copied())],
        ..Profile::default()
    };
    rig.door.generation().tools_under(&profile).join(" ")
}

#[test]
fn the_last_entry_that_is_about_a_tool_decides() {
    for (list, expected) in [
        (&["read"][..], "read"),
        (&[], ""),
        (&["command.run", "grep"], "grep shell"),
        (&["file.read", "!gre*"], "read glob list"),
        (
            &["!file.*"],
            "shell batch plan_enter plan_exit tool_search think question todo_read todo_write",
        ),
        (
            &["!*.read", "!*.run", "delete", "!delete", "grep"],
            "write edit apply_patch hashline_edit grep move",
        ),
        (
            &["*", "!*.write"],
            "read glob grep list shell batch plan_enter plan_exit tool_search think question todo_read todo_write",
        ),
        // Another name of a tool leaves it out, and takes nothing in.
        (&["*.run", "!bash"], ""),
        (&["bash"], ""),
    ] {
        assert_eq!(chosen(list), expected, "{list:?}");
    }
}

#[test]
fn rules_of_all_layers_add_up_and_lists_of_tools_replace() {
    let rig = Rig::new();
    let path = "tools/agents.lua";
    let shipped = "return { one = { prompt = 'p', tools = { 'echo' }, rules = { { 'read', 'a', 'deny' } } } }";
    let own = "return { one = { tools = { 'count' }, rules = { { 'read', 'b', function() end } } }, two = { model = 'a/b' } }";
    let project = "return { one = { tools = { '!count' }, rules = { { 'read', 'c', 'ask' } } }, two = { model = 'a/c' }, three = {} }";
    let files = [
        (Shipped, path, shipped),
        (User, path, own),
        (Project, path, project),
    ];
    assert_eq!(problems(&load(&rig, &files)), [""; 0]);
    let profiles = rig.door.generation().profiles.clone();
    let one = &profiles.0["one"];
    let rules: Vec<(String, Source, &str)> = one
        .rules
        .iter()
        .map(|rule| {
            (
                rule.to_string(),
                rule.source,
                rule.place.as_deref().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        rules,
        [
            (
                "read:a".to_owned(),
                Source::Profile,
                "shipped/tools/agents.lua"
            ),
            (
                "read:b".to_owned(),
                Source::Profile,
                "user/tools/agents.lua"
            ),
            (
                "read:c".to_owned(),
                Source::Project,
                "project/tools/agents.lua"
            ),
        ]
    );
    assert_eq!(one.prompt.as_deref(), Some("p"));
    assert_eq!(profiles.0["two"].model.as_deref(), Some("a/c"));
    assert_eq!(profiles.0.len(), 3);
    assert_eq!(rig.door.generation().tools_under(one), [""; 0]);
}

#[test]
fn a_function_is_given_all_rules_and_a_project_takes_none_back() {
    let rig = Rig::new();
    let path = "tools/agents.lua";
    let shipped = "return { one = { rules = { { 'read', 'a', 'deny' } } } }";
    let own = "return { one = { rules = { { 'read', 'b', 'deny' } } } }";
    let project = "return function(below)
        assert(#below.one.rules == 2, 'not given all')
        below.one.rules = { { 'read', 'a', 'allow' }, below.one.rules[2] }
        below.one.tools = { '*' }
        return below end";
    let files = [
        (Shipped, path, shipped),
        (User, path, own),
        (Project, path, project),
    ];
    assert_eq!(problems(&load(&rig, &files)), [""; 0]);
    let profiles = rig.door.generation().profiles.clone();
    let rules = profiles.0["one"].rules.iter();
    let rules: Vec<String> = rules
        .map(|rule| format!("{} {} {rule}", rule.source, rule.action))
        .collect();
    assert_eq!(
        rules,
        [
            "profile deny read:a",
            "profile deny read:b",
            "project allow read:a"
        ]
    );
    let whole = "return function() return { two = {} } end";
    let files = [(Shipped, path, shipped), (User, path, whole)];
    assert_eq!(problems(&load(&rig, &files)), [""; 0]);
    let generation = rig.door.generation();
    assert_eq!(generation.profiles.0.keys().collect::<Vec<_>>(), ["two"]);
}

#[test]
fn a_profile_of_the_wrong_shape_is_told_of_with_its_field() {
    for (text, said) in [
        ("{ one = 1 }", "agents.one: expected a table"),
        (
            "{ one = { tools = 'read' } }",
            "agents.one.tools: expected a table",
        ),
        (
            "{ one = { model = 'x' } }",
            "agents.one.model: expected `provider/model`",
        ),
        (
            "{ one = { rules = { { 'read' } } } }",
            "agents.one.rules[1]",
        ),
        ("{ one = { promt = 'x' } }", "there is no field `promt`"),
    ] {
        let text = format!("return {text}");
        let files = [(User, "tools/agents.lua", text.as_str())];
        let report = load(&Rig::new(), &files);
        let problems = problems(&report).join("\n");
        assert!(problems.contains(said), "{text}: {problems}");
    }
}
