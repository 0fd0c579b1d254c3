//! The functions of a tool that answer questions: none of them runs for ever, and each is told of by name and line.

use std::time::Duration;

use super::rig::Rig;
use crate::error::{Kind, ToolError};
use crate::layers::{Layer, Role, SourceFile};
use crate::permission::Caller;
use crate::tool::Gate as _;

/// A rig in which questions are answered soon or not at all.
fn rig() -> Rig {
    Rig::with(Caller::User, |settings| {
        settings.loading = Duration::from_millis(50);
        settings.asked = Duration::from_millis(50);
    })
}

/// A tool file.
fn file(text: &str) -> SourceFile {
    SourceFile {
        layer: Layer::User,
        role: Role::Tool,
        name: "t".to_owned(),
        shown: "t/t.lua".to_owned(),
        text: Ok(text.as_bytes().into()),
    }
}

/// What becomes of a call of a tool with this field.
fn called(rig: &Rig, field: &str) -> Result<String, ToolError> {
    let tool = format!("agent.tool {{ id = 't', {field}, execute = function() return 'ran' end }}");
    rig.script(&tool).unwrap();
    rig.call("t", "{}").map(|output| output.text)
}

#[test]
fn a_function_that_does_not_end_costs_its_call_and_no_more() {
    let rig = rig();
    for (field, name) in [
        (
            "effect = function() while true do end end",
            "`effect` of `t`",
        ),
        (
            "effect = 'read', subjects = function() while true do end end",
            "`subjects` of `t`",
        ),
        (
            "effect = 'read', timeout = 0.05, plan = function() while true do end end",
            "`plan` of `t`",
        ),
        (
            "effect = 'read', timeout = 0.05, plan = function() agent.sleep(60) end",
            "`plan` of `t`",
        ),
        (
            "effect = 'read', enabled = function() while true do end end",
            "its `enabled`",
        ),
    ] {
        let late = called(&rig, field).unwrap_err();
        let expected = format!("{name} failed at test.lua:1: it was not done after 0.05 s");
        assert!(late.message.contains(&expected), "{field}: {late}");
    }
    assert_eq!(called(&rig, "effect = 'read'").unwrap(), "ran");
}

#[test]
fn a_description_that_does_not_end_disables_its_tool_alone() {
    let rig = rig();
    let never = "return { effect = 'read',\n description = function() while true do end end,\n execute = print }";
    let report = rig.load(vec![file(never)]);
    let problem = report.problems[0].to_string();
    let expected =
        "t/t.lua:2: not loaded: `description` failed at t/t.lua:2: it was not done after 0.05 s";
    assert!(problem.starts_with(expected), "{problem}");
    assert_eq!(rig.call("t", "{}").unwrap_err().kind, Kind::Unavailable);

    let error = rig.error(
        "agent.tool { id = 'u', description = function() while true do end end, execute = print }",
    );
    assert_eq!(error.kind, Kind::Timeout, "{error}");
    let prints = "return { description = function() print('hi') return 'd' end, execute = print }";
    assert!(rig.load(vec![file(prints)]).problems.is_empty());
    assert_eq!(rig.logged.lock().unwrap().last().unwrap(), "t/t.lua: hi");
}

#[test]
fn forms_that_do_not_end_are_passed_over() {
    let rig = rig();
    let failing = "execute = function() error { kind = 'conflict', message = 'm' } end";
    rig.script(&format!(
        "agent.tool {{ id = 'f', effect = 'read', format_error = function() while true do end end, {failing} }}
         agent.tool {{ id = 'r', effect = 'read', render = function() while true do end end, execute = function() return 'x' end }}"
    ))
    .unwrap();
    let error = rig.call("f", "{}").unwrap_err();
    assert_eq!((error.kind, &*error.message), (Kind::Conflict, "m"));
    let logged = rig.logged.lock().unwrap().join("\n");
    let expected =
        "`format_error` of `f` was passed over: it failed at test.lua:1: it was not done";
    assert!(logged.contains(expected), "{logged}");

    let output = rig.call("r", "{}").unwrap();
    let tools = rig.door.generation().tools.clone();
    let shown = tools
        .get("r")
        .unwrap()
        .shown(&output, 40, &rig.scope)
        .unwrap();
    let error = rig.wait(shown).unwrap_err();
    assert!(
        error
            .message
            .starts_with("`render` of `r` failed at test.lua:2"),
        "{error}"
    );
}

#[test]
fn what_only_computes_makes_no_call() {
    let rig = rig();
    for (field, name) in [
        (
            "effect = function() return tools.count().n and 'read' end",
            "`effect` of `t`",
        ),
        (
            "effect = 'read', subjects = function() tools.count() end",
            "`subjects` of `t`",
        ),
        (
            "effect = 'read', subjects = function(_, ctx) ctx.permit('x', 'y') end",
            "`subjects` of `t`",
        ),
        (
            "effect = function() agent.tool { id = 'late', execute = print } end",
            "`effect` of `t`",
        ),
        (
            "effect = function() agent.on('tool.before', print) end",
            "`effect` of `t`",
        ),
        (
            "effect = function() agent.command { id = 'late', execute = print } end",
            "`effect` of `t`",
        ),
    ] {
        let error = called(&rig, field).unwrap_err();
        let expected = format!("cannot be called inside of {name}: it only computes");
        assert!(error.message.contains(&expected), "{error}");
    }
    assert_eq!(rig.effects(), 0);
    assert_eq!(
        called(&rig, "effect = 'read', plan = function() tools.count() end").unwrap(),
        "ran"
    );
    assert_eq!(rig.effects(), 1);
}

#[test]
fn a_failure_is_told_with_function_and_line_and_a_word_of_its_author_is_not() {
    let rig = rig();
    let broken = called(
        &rig,
        "effect = 'read', subjects = function() error('no') end",
    )
    .unwrap_err();
    assert_eq!(broken.message, "`subjects` of `t` failed at test.lua:1: no");
    let said =
        "effect = 'read', plan = function() error { kind = 'conflict', message = 'changed' } end";
    let said = called(&rig, said).unwrap_err();
    assert_eq!((said.kind, &*said.message), (Kind::Conflict, "changed"));
}

#[test]
fn a_tool_is_offered_unless_its_function_says_no() {
    let rig = rig();
    for yes in [
        "function() end",
        "function() return nil end",
        "function() return true, 'x' end",
    ] {
        assert_eq!(
            called(&rig, &format!("effect = 'read', enabled = {yes}")).unwrap(),
            "ran"
        );
    }
    for (odd, got) in [
        (
            "function() return 'yes' end",
            "`enabled` at test.lua:1 returned text; it returns true, or false and a reason",
        ),
        ("function() return 1 end", "returned 1"),
        (
            "function() return false, {} end",
            "returned a table as its reason",
        ),
    ] {
        let error = called(&rig, &format!("effect = 'read', enabled = {odd}")).unwrap_err();
        assert_eq!(error.kind, Kind::Unavailable);
        assert!(error.message.contains(got), "{error}");
    }
}
