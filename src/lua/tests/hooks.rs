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
fn names_the_points_there_are() {
    let rig = Rig::new();
    let error = rig.error("agent.on('tool.befor', print)");
    assert_eq!(error.kind, Kind::Argument);
    assert!(error.hint().contains("tool.before") && error.hint().contains("tool.after"));
    assert_eq!(rig.error("agent.on('tool.after')").kind, Kind::Argument);
    for (name, _) in crate::tool::Point::ALL {
        assert!(error.hint().contains(name), "{name}");
        rig.script(&format!("agent.on('{name}', function() end)()"))
            .unwrap();
    }
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
fn two_hooks_change_one_table_in_place() {
    let rig = Rig::new();
    let said = rig.text(
        "local seen
         agent.on('tool.before', function(call) call.args.value = call.args.value .. 'b' end)
         agent.on('tool.before', function(call) call.args = { value = call.args.value .. 'c' } end)
         agent.on('tool.before', function(call) seen = call.args.value end)
         agent.on('tool.after', function(call) call.output = call.output .. '1' call.metadata.extra = true end)
         agent.on('tool.after', function(call) call.output = call.output .. '2' end)
         local r = tools.echo('a')
         return table.concat({ r.value, seen, r.output, tostring(r.extra) }, ' ')",
    );
    assert_eq!(said, "abc abc the echo12 true");
}

#[test]
fn hooks_come_and_go_while_others_run() {
    let rig = Rig::new();
    let said = rig.text(
        "local log = {}
         local function note(word) log[#log + 1] = word end
         local off_first, off_second
         off_first = agent.on('tool.before', function() note('first') off_first() off_first() off_second() end)
         off_second = agent.on('tool.before', function() note('second') end)
         local once
         agent.on('tool.before', function()
           once = once or agent.on('tool.before', function() note('new') end)
           note('third')
         end)
         tools.echo('x')
         note('|')
         tools.echo('x')
         return table.concat(log, ' ')",
    );
    // A call ends with the hooks that it began with.
    assert_eq!(said, "first second third | third new");
}

#[test]
fn the_switch_works_from_another_coroutine_while_the_hook_waits() {
    let rig = Rig::new();
    let said = rig.text(
        "local fired = 0
         local off = agent.on('tool.before', function() fired = fired + 1 agent.sleep(0.01) end)
         agent.all(function() tools.echo('x') end, function()
           local other = coroutine.wrap(function() off() off() end)
           other()
         end)
         tools.echo('x')
         return tostring(fired)",
    );
    assert_eq!(said, "1");
}

#[test]
fn chooses_its_tools_by_glob() {
    let rig = Rig::new();
    let fired = |options: &str| {
        rig.text(&format!(
            "local seen = {{}}
             local off = agent.on('tool.before', function(call) seen[#seen + 1] = call.tool end, {{ {options} }})
             tools.echo('x') tools.count()
             off()
             return table.concat(seen, ' ')"
        ))
    };
    assert_eq!(fired("tools = 'echo'"), "echo");
    assert_eq!(fired("tools = { 'c*t', 'nothing' }"), "count");
    assert_eq!(fired("tools = '*'"), "echo count");
    assert_eq!(fired("surface = 'nowhere'"), "");
    for (options, says) in [
        (
            "tools = {}",
            "agent.on: tools: expected a name or a list of names",
        ),
        ("tools = 3", "agent.on: tools: expected a name"),
        (
            "tools = 'edit:src/**'",
            "agent.on: tools: `edit:src/**` names nothing",
        ),
        ("surface = { '' }", "agent.on: surface: `` names nothing"),
        ("tool = 'echo'", "agent.on: there is no field `tool`"),
    ] {
        let error = rig.error(&format!("agent.on('tool.before', print, {{ {options} }})"));
        assert_eq!(error.kind, Kind::Argument, "{options}");
        assert!(error.message.starts_with(says), "{options}: {error}");
    }
    let error = rig.error("agent.on('session.start', print, { tools = 'echo' })");
    assert_eq!(
        error.message,
        "agent.on: tools: what happens at session.start is not about a tool"
    );
}

#[test]
fn does_not_fire_through_tools_and_other_hooks_for_what_it_causes() {
    let rig = Rig::new();
    let said = rig.text(
        "local log = {}
         agent.tool { id = 'outer', effect = 'read', execute = function() agent.sleep(0.001) return tools.echo('inner').value end }
         agent.on('tool.before', function(call)
           log[#log + 1] = 'a:' .. call.tool
           agent.all(function() tools.outer() end, function() agent.sleep(0.001) end)
         end)
         agent.on('tool.after', function(call)
           log[#log + 1] = 'b:' .. call.tool
           tools.outer()
         end, { tools = 'outer' })
         tools.outer()
         return table.concat(log, ' ')",
    );
    // a for the call; b for the call that a makes, whose own call is seen by neither; then a for the
    // echo inside of the call itself, b for the outer that this makes; last b for the call, and a for the
    // outer and the echo that b makes. What a causes, b sees; what either causes itself, it does not.
    let count = |word: &str| said.split(' ').filter(|seen| *seen == word).count();
    assert_eq!(count("a:outer"), 2, "{said}");
    assert_eq!(count("a:echo"), 2, "{said}");
    assert_eq!(count("b:echo"), 0, "{said}");
    assert!(count("b:outer") <= 5, "{said}");
}

#[test]
fn a_definition_is_changed_in_place_and_shown_in_help() {
    let rig = Rig::new();
    let said = rig.text(
        "agent.on('tool.definition', function(tool)
           tool.description = tool.description .. ' Twice as loud.'
           tool.parameters.properties.loud = { type = 'boolean', description = 'shout' }
         end, { tools = 'echo' })
         agent.on('tool.before', function(call) if call.args.loud then call.args.value = call.args.value:upper() end end)
         local help = agent.help('echo')
         assert(help:find('loud?: boolean', 1, true) and help:find('Twice as loud.', 1, true), help)
         assert(agent.help():find('loud?: boolean', 1, true))
         assert(not agent.help('count'):find('loud', 1, true))
         return tools.echo { value = 'x', loud = true }.value .. tools.echo('y').value",
    );
    assert_eq!(said, "Xy");
    let logged = rig.logged.lock().unwrap();
    assert!(logged.is_empty(), "{logged:?}");
}

#[test]
fn sees_what_a_person_would_be_asked_and_may_refuse_it() {
    let rig = Rig::new();
    rig.script(
        "asked = {}
         agent.on('tool.before', function() return 'ask', 'really?' end, { tools = 'count' })
         agent.on('permission.ask', function(call) asked[#asked + 1] = call.tool .. ': ' .. call.reason end)",
    )
    .unwrap();
    let error = rig.error("tools.count()");
    assert_eq!(error.detail.unwrap()["unattended"], true);
    assert_eq!(rig.text("return asked[1]"), "count: really? (test.lua:2)");
    rig.script("agent.on('permission.ask', function() return 'deny', 'never at night' end)")
        .unwrap();
    let error = rig.error("tools.count()");
    assert_eq!(
        (error.kind, error.message.as_str()),
        (Kind::Denied, "never at night (test.lua:1)")
    );
    assert_eq!(rig.effects(), 0);
}

#[test]
fn every_change_of_the_event_is_seen_however_small() {
    let rig = Rig::new();
    for (change, sees) in [
        (
            "a.list[2] = 9",
            r#"{"deep":{"x":{"y":1}},"list":[1,9],"none":[],"value":"v"}"#,
        ),
        (
            "a.list[3] = 3",
            r#"{"deep":{"x":{"y":1}},"list":[1,2,3],"none":[],"value":"v"}"#,
        ),
        (
            "a.list[2] = nil",
            r#"{"deep":{"x":{"y":1}},"list":[1],"none":[],"value":"v"}"#,
        ),
        (
            "a.none[1] = 'x'",
            r#"{"deep":{"x":{"y":1}},"list":[1,2],"none":["x"],"value":"v"}"#,
        ),
        (
            "a.deep.x.y = 2",
            r#"{"deep":{"x":{"y":2}},"list":[1,2],"none":[],"value":"v"}"#,
        ),
        (
            "a.deep.x.z, a.deep.x.y = 1, nil",
            r#"{"deep":{"x":{"z":1}},"list":[1,2],"none":[],"value":"v"}"#,
        ),
        (
            "a.deep.x = 'y'",
            r#"{"deep":{"x":"y"},"list":[1,2],"none":[],"value":"v"}"#,
        ),
        (
            "a.value, a.deep = { 'v' }, nil",
            r#"{"list":[1,2],"none":[],"value":["v"]}"#,
        ),
        (
            "a.value = setmetatable({}, { __eq = function() return true end })",
            r#"{"deep":{"x":{"y":1}},"list":[1,2],"none":[],"value":{}}"#,
        ),
        (
            "a.value, a.other = nil, 'v'",
            r#"{"deep":{"x":{"y":1}},"list":[1,2],"none":[],"other":"v"}"#,
        ),
        (
            "a.list = a.list",
            r#"{"deep":{"x":{"y":1}},"list":[1,2],"none":[],"value":"v"}"#,
        ),
    ] {
        let seen = rig.text(&format!(
            "local off = agent.on('tool.before', function(call) local a = call.args {change} end, {{ tools = 'echo' }})
             local args = tools.echo('v', {{ list = {{ 1, 2 }}, none = agent.array{{}}, deep = {{ x = {{ y = 1 }} }} }}).args
             off()
             return agent.json.encode(args)"
        ));
        assert_eq!(seen, sees, "{change}");
    }
}
