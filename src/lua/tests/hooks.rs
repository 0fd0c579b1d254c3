//! Hooks in Lua: rewriting, refusing, asking, being late, going away.

use super::rig::Rig;
use crate::data::Data;
use crate::error::Kind;

#[test]
fn changes_arguments_and_results_in_place() {
    let rig = Rig::new();
    let said = rig.text(
        "local off = agent.on('tool.before', function(call)
           if call.tool == 'echo' then call.args.value = call.args.value .. '!' end
         end)
         local after = agent.on('tool.after', function(call) call.output = call.output .. ' heard' end)
         local r = tools.echo('hi')
         off() after() off()
         return r.value .. ' ' .. r.output .. ' ' .. tools.echo('hi').value",
    );
    assert_eq!(said, "hi! the echo heard hi");
}

#[test]
fn refuses_and_asks_with_a_reason() {
    let rig = Rig::new();
    rig.script(
        "agent.on('tool.before', function(call)
           if call.tool == 'count' then return 'deny', 'not today' end
           if call.tool == 'sleep' then return 'ask', 'are you sure' end
         end)",
    )
    .unwrap();
    let denied = rig.error("tools.count()");
    assert_eq!(denied.kind, Kind::Denied);
    assert!(denied.message.contains("not today"), "{denied}");
    let asked = rig.error("tools.sleep(0)");
    assert_eq!(asked.kind, Kind::Denied);
    assert_eq!(asked.detail.unwrap()["unattended"], true);
    assert_eq!(rig.effects(), 0);
}

#[test]
fn a_hook_that_fails_or_is_late_refuses_the_call() {
    let rig = Rig::new();
    for (body, says) in [
        ("error('broken')", "broken"),
        ("call.args = print", "call.args"),
        ("return 'allow'", "allow"),
        ("while true do end", "not done"),
        ("agent.sleep(30)", "not done"),
    ] {
        let error = rig.error(&format!(
            "local off = agent.on('tool.before', function(call) {body} end, {{ timeout = 0.05 }})
             local ok, e = pcall(tools.count)
             off()
             error(e)"
        ));
        assert_eq!(error.kind, Kind::Denied, "{body}");
        assert!(error.message.contains(says), "{body}: {error}");
    }
    assert_eq!(rig.effects(), 0);
}

#[test]
fn names_the_points_there_are() {
    let rig = Rig::new();
    let error = rig.error("agent.on('tool.befor', print)");
    assert_eq!(error.kind, Kind::Argument);
    assert!(error.hint().contains("tool.before") && error.hint().contains("tool.after"));
    assert_eq!(rig.error("agent.on('tool.after')").kind, Kind::Argument);
}

#[test]
fn does_not_fire_for_calls_that_it_causes() {
    let rig = Rig::new();
    let fired = rig.value(
        "local fired = 0
         agent.on('tool.before', function(call) fired = fired + 1 tools.echo('from the hook') end)
         tools.echo('x')
         return fired",
    );
    assert_eq!(fired, Data::Int(1));
    assert_eq!(rig.records_of("echo").len(), 2);
}

#[test]
fn options_may_be_empty_and_the_usual_limit_holds() {
    let rig = Rig::new();
    let said = rig.text(
        "agent.on('tool.before', function(call) call.args.value = 'heard' end, {})
         return tools.echo('x').value",
    );
    assert_eq!(said, "heard");
    assert_eq!(
        rig.error("agent.on('tool.before', print, { timout = 1 })")
            .kind,
        Kind::Argument
    );
}

#[test]
fn a_hook_that_raises_a_table_refuses_in_its_own_words() {
    let rig = Rig::new();
    let refused = |body: &str| {
        rig.error(&format!(
            "local off = agent.on('tool.before', function(call)
               if call.tool == 'count' then {body} end
             end)
             local ok, e = pcall(tools.count)
             off()
             error(e)"
        ))
    };
    let error = refused("error { kind = 'denied', message = 'not on Fridays', hint = 'wait' }");
    assert_eq!(
        (error.kind, error.message.as_str(), error.hint()),
        (Kind::Denied, "not on Fridays", "wait")
    );
    let error = refused("error { kind = 'argument', message = 'no such branch' }");
    assert_eq!(
        (error.kind, error.message.as_str()),
        (Kind::Argument, "no such branch")
    );
    for fault in [
        "tools.fail('inner')",
        "error('broken')",
        "error { message = 'broken', hint = 'h' }",
    ] {
        let error = refused(fault);
        assert_eq!(error.kind, Kind::Denied, "{fault}");
        assert!(
            error.message.starts_with("the hook test.lua:1 failed"),
            "{error}"
        );
    }
    assert_eq!(rig.effects(), 0);
}
