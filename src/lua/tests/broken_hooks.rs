//! Hooks in Lua that are wrong, late or broken: what becomes of the call, and what is said of the hook.

use super::rig::Rig;
use crate::error::Kind;

#[test]
fn a_hook_that_fails_or_is_late_refuses_the_call_and_is_nobodys_no() {
    let rig = Rig::new();
    for (body, says) in [
        ("error('broken')", "refused: test.lua:1: broken"),
        (
            "local x = nil; x()",
            "test.lua:1: attempt to call a nil value",
        ),
        ("error { message = 'in words', hint = 'h' }", "in words"),
        ("error { code = 3 }", "{\"code\":3}"),
        ("error()", "without a value"),
        (
            "error(setmetatable({}, { __tostring = function() return 'odd' end }))",
            "odd",
        ),
        ("tools.fail('inner')", "inner"),
        (
            "call.args = print",
            "call.args: expected plain data, got a function",
        ),
        (
            "call.args = nil",
            "call.args: expected a table, got nothing",
        ),
        (
            "call.args = 'all'",
            "call.args: expected a table, got text \"all\"",
        ),
        (
            "call.args = { 1, 2 }",
            "call.args: expected a table, got a list of 2",
        ),
        ("call.args = { x = call }", "call.args"),
        (
            "call.arg = {}",
            "it set call.arg, and there is no such field",
        ),
        (
            "call[1] = 'x'",
            "it put something into the event that has no name",
        ),
        (
            "call.tool = 'echo'",
            "it changed call.tool, which stands fast at tool.before",
        ),
        ("call.caller = nil", "it changed call.caller"),
        (
            "return 'allow'",
            "it returned \"allow\"; a hook at tool.before returns \"deny\" or \"ask\"",
        ),
        ("return 'no'", "it returned \"no\""),
        ("return true", "it returned true"),
        ("return {}", "it returned a table"),
        ("return 1, 2, 3", "it returned 1"),
        ("while true do end", "it was not done after 0.05 s"),
        ("pcall(function() while true do end end)", "it was not done"),
        ("agent.sleep(30)", "it was not done"),
    ] {
        let error = rig.error(&format!(
            "local off = agent.on('tool.before', function(call) if call.tool == 'count' then {body} end end, {{ timeout = 0.05 }})
             local ok, e = pcall(tools.count)
             off()
             error(e)"
        ));
        assert_eq!(error.kind, Kind::Failed, "{body}: {error}");
        let begins = "the hook test.lua:1 failed, so the call was refused: ";
        assert!(error.message.starts_with(begins), "{body}: {error}");
        assert!(error.message.contains(says), "{body}: {error}");
        assert_eq!(error.detail.unwrap()["reason"], "hook_failed", "{body}");
    }
    assert_eq!(rig.effects(), 0);
}

#[test]
fn a_failure_after_the_call_is_logged_and_the_output_stands() {
    let rig = Rig::new();
    for (body, says) in [
        ("error('broken')", "test.lua:1: broken"),
        (
            "call.output = 5",
            "call.output: expected text, got number 5",
        ),
        (
            "call.title, call.output = 'x', nil",
            "call.output: expected text, got nothing",
        ),
        ("call.metadata = 'none'", "call.metadata: expected a table"),
        ("call.args.value = 'x'", "it changed call.args"),
        ("call.outptu = 'x'", "did you mean `output`?"),
        (
            "return 'deny', 'late'",
            "a hook at tool.after returns nothing",
        ),
        ("return call", "it returned a table"),
        ("while true do end", "it was not done after 0.05 s"),
    ] {
        let said = rig.text(&format!(
            "local off = agent.on('tool.after', function(call) {body} end, {{ timeout = 0.05 }})
             local r = tools.echo('hi')
             off()
             return r.title .. ' ' .. r.output .. ' ' .. r.value"
        ));
        assert_eq!(said, "echo the echo hi", "{body}");
        let logged = rig.logged.lock().unwrap().pop().unwrap_or_default();
        let begins = "the hook test.lua:1 at tool.after failed and was passed over: ";
        assert!(
            logged.starts_with(begins) && logged.contains(says),
            "{body}: {logged}"
        );
    }
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
        assert_eq!(error.kind, Kind::Failed, "{fault}");
        assert!(
            error.message.starts_with("the hook test.lua:1 failed"),
            "{error}"
        );
    }
    assert_eq!(rig.effects(), 0);
}

#[test]
fn a_command_is_checked_when_it_is_registered() {
    let rig = Rig::new();
    for (what, says) in [
        (
            "{}",
            "agent.on: command: expected a command line, or a list",
        ),
        ("{ command = '' }", "agent.on: command: expected"),
        ("{ command = {} }", "agent.on: command: expected"),
        ("{ command = { 'a', {} } }", "agent.on: command: expected"),
        ("{ command = 3 }", "agent.on: command: expected"),
        ("{ comand = 'x' }", "agent.on: there is no field `comand`"),
        (
            "{ command = 'x', timeout = 'soon' }",
            "agent.on: timeout: expected seconds",
        ),
        (
            "{ command = 'x' }, { timeout = 1 }",
            "agent.on: argument 3: expected nothing",
        ),
        (
            "'x'",
            "agent.on: argument 2: expected a function or { command = … }",
        ),
    ] {
        let error = rig.error(&format!("agent.on('tool.before', {what})"));
        assert_eq!(error.kind, Kind::Argument, "{what}");
        assert!(error.message.starts_with(says), "{what}: {error}");
    }
    rig.script("agent.on('tool.before', { command = { 'a', 'b' }, timeout = 1, tools = 'x', surface = 's' })()")
        .unwrap();
}

#[test]
fn a_broken_definition_is_logged_with_its_line() {
    let rig = Rig::new();
    let value = rig.text(
        "agent.on('tool.definition', function(tool) tool.parameters = { 1 } end)
         agent.on('tool.definition', function() error('lost') end)
         return tools.echo('x').value .. tools.echo('y').value",
    );
    assert_eq!(value, "xy");
    let logged = rig.logged.lock().unwrap().clone();
    assert_eq!(logged.len(), 2, "once for each hook: {logged:?}");
    assert!(
        logged[0]
            .starts_with("the hook test.lua:1 at tool.definition failed and was passed over: ")
    );
    assert!(logged[1].contains("test.lua:2: lost"), "{logged:?}");
}

#[test]
fn a_rewrite_to_something_invalid_names_the_hook_and_the_argument() {
    let rig = Rig::new();
    rig.script(
        "agent.tool {
           id = 'strict', effect = 'read', parameters = { 'text', times = 'integer?' },
           execute = function(args) return args.text end,
         }",
    )
    .unwrap();
    for (body, says) in [
        ("call.args.loud = true", "there is no parameter `loud`"),
        (
            "call.args.times = 'two'",
            "args.times: expected a whole number, got text \"two\"",
        ),
        ("call.args.text = nil", "missing `text`"),
        ("call.args = {}", "missing `text`"),
        ("call.args.text = { 1 }", "args.text: expected text"),
    ] {
        let error = rig.error(&format!(
            "local off = agent.on('tool.before', function(call) {body} end)
             local ok, e = pcall(tools.strict, 'x')
             off()
             error(e)"
        ));
        assert_eq!(error.kind, Kind::Failed, "{body}");
        let begins =
            "the hook test.lua:1 failed, so the call was refused: what it changed is wrong: ";
        assert!(error.message.starts_with(begins), "{body}: {error}");
        assert!(error.message.contains(says), "{body}: {error}");
    }
    let text = rig.text(
        "agent.on('tool.before', function(call) call.args = { text = 'y', times = 2.0 } end)
         return tools.strict('x').output",
    );
    assert_eq!(text, "y");
}
