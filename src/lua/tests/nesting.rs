//! Script, tool, hook, tool, Lua tool: no deadlock, no lost caller, no endless descent.

use super::rig::Rig;
use crate::data::Data;
use crate::error::Kind;
use crate::permission::Caller;

const SCRIPT: &str = "
    agent.tool { id = 'lua_inner', effect = 'read', execute = function(_, ctx)
      tools.sleep(0.001)
      return { output = 'inner', metadata = { caller = ctx.caller, seen = tools.echo(1).caller } }
    end }
    agent.on('tool.before', function(call)
      if call.tool == 'outer' then
        local r = tools.lua_inner()
        hook_saw = { call.caller, r.caller, r.seen }
      end
    end)
    local r = agent.map({ 1, 2, 3, 4 }, function()
      return coroutine.wrap(function() return tools.outer { tool = 'lua_inner' } end)()
    end)
    return { hook_saw[1], hook_saw[2], hook_saw[3], r[4].caller, r[4].seen, r[4].output }";

#[test]
fn script_tool_hook_tool_and_lua_tool_end_and_keep_the_caller() {
    for (caller, word) in [(Caller::User, "user"), (Caller::Model, "model")] {
        let rig = Rig::with(caller, |_| {});
        let said = rig.value(SCRIPT);
        let mut expected = vec![Data::from(word); 5];
        expected.push("inner".into());
        assert_eq!(said, Data::List(expected));
        assert!(
            rig.records
                .list()
                .iter()
                .all(|record| record.caller == caller && record.error.is_none())
        );
        assert_eq!(rig.records_of("lua_inner").len(), 8);
    }
}

#[test]
fn a_tool_that_calls_itself_ends_with_a_reason() {
    let rig = Rig::new();
    let error = rig.error(
        "agent.tool { id = 'again', effect = 'read', execute = function() return tools.again() end }
         tools.again()",
    );
    assert_eq!(error.kind, Kind::Resource);
    assert!(
        error.message.starts_with("`again` calls itself: "),
        "{error}"
    );
    assert_eq!(rig.records_of("again").len(), 17);
}

#[test]
fn a_cancelled_script_ends_the_lua_tools_it_called() {
    let rig = Rig::new();
    let source = "
        agent.tool { id = 'deep', effect = 'read', execute = function() tools.sleep(30) end }
        tools.outer { tool = 'deep' }";
    let (result, _) = rig.cancelled(source, |rig| rig.has_begun("asleep"));
    assert_eq!(result.unwrap_err().error.kind, Kind::Cancelled);
    for tool in ["outer", "deep", "sleep"] {
        let records = rig.records_of(tool);
        assert_eq!(records.len(), 1, "{tool}");
        assert_eq!(records[0].error, Some(Kind::Cancelled), "{tool}");
    }
}

#[test]
fn a_tool_that_takes_the_place_of_a_shipped_one_reaches_it() {
    let rig = Rig::new();
    let said = rig.value(
        "local shipped = require 'builtin.tools.echo'
         agent.tool { id = 'echo', description = shipped.description, effect = shipped.effect,
           parameters = shipped.parameters,
           execute = function(args, ctx)
             args.value = args.value .. '!'
             return shipped.execute(args, ctx)
           end }
         local seen = {}
         agent.on('tool.before', function(call) seen[#seen + 1] = call.tool .. call.args.value end)
         local r = tools.echo('hi')
         return { r.value, tostring(r), table.unpack(seen) }",
    );
    let expected = ["hi!", "the echo", "echohi", "echohi!"];
    assert_eq!(said, Data::List(expected.map(Data::from).to_vec()));
    assert_eq!(rig.records_of("echo").len(), 2);
    let denied = rig.error(
        "agent.on('tool.before', function() return 'deny', 'never' end)
         require('builtin.tools.echo').execute('x')",
    );
    assert_eq!(denied.kind, Kind::Denied);
    let rig = Rig::new();
    rig.script("agent.tool { id = 'mine', effect = 'read', execute = print }")
        .unwrap();
    for name in ["ehco", "mine"] {
        let error = rig.error(&format!("require 'builtin.tools.{name}'"));
        assert_eq!(error.kind, Kind::NotFound, "{name}: {error}");
    }
    assert!(
        rig.error("require 'builtin.tools.ehco'")
            .hint()
            .contains("`echo`")
    );
}
