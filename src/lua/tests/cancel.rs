//! What is not wanted any more ends: calls are recorded once, loops stop, nothing new begins.

use std::time::{Duration, Instant};

use super::rig::{Rig, chunk};
use crate::data::Data;
use crate::error::Kind;
use crate::lua::Ended;

/// How long an end may take: what is promised. In truth milliseconds.
const SOON: Duration = Duration::from_secs(1);

fn printed(word: &'static str) -> impl Fn(&Rig) -> bool {
    move |rig| rig.printed().contains(word)
}

#[test]
fn a_call_pending_in_a_coroutine_of_the_script_is_recorded_once() {
    let rig = Rig::new();
    let source = "collectgarbage('stop')
        kept = coroutine.wrap(function() tools.sleep(30) end)
        kept()";
    let (result, _) = rig.cancelled(source, |rig| rig.has_begun("asleep"));
    assert_eq!(result.unwrap_err().error.kind, Kind::Cancelled);
    rig.script("kept = nil collectgarbage('restart') collectgarbage() collectgarbage()")
        .unwrap();
    let records = rig.records_of("sleep");
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].error, Some(Kind::Cancelled));
    assert_eq!(rig.effects(), 0);
}

#[test]
fn a_call_of_a_dropped_job_is_recorded_once() {
    let rig = Rig::new();
    let running = rig
        .runtime
        .spawn(rig.vm.script(&rig.scope, chunk("tools.sleep(30)")));
    rig.until(|| rig.has_begun("asleep"));
    running.abort();
    rig.until(|| !rig.records_of("sleep").is_empty());
    assert!(rig.wait(running).unwrap_err().is_cancelled());
    assert_eq!(rig.records_of("sleep").len(), 1);
    assert_eq!(rig.effects(), 0);
}

#[test]
fn a_close_handler_of_a_cancelled_block_cannot_start_a_tool() {
    let rig = Rig::new();
    let source = "local ran, inside
        local ok, e = pcall(agent.limit, { timeout = 0.02 }, function()
          local x <close> = setmetatable({}, { __close = function() ran = true tools.count() end })
          local y <close> = setmetatable({}, { __close = function()
            inside = true
            coroutine.wrap(function() tools.count() end)()
          end })
          tools.sleep(30)
        end)
        return { e.kind, ran, inside }";
    let said = rig.value(source);
    assert_eq!(
        said,
        Data::List(vec!["timeout".into(), true.into(), true.into()])
    );
    assert_eq!(rig.effects(), 0);
    let source = "local x <close> = setmetatable({}, { __close = function() pcall(tools.count) tools.count() end })
        print('begun')
        while true do pcall(function() while true do end end) end";
    let (result, took) = rig.cancelled(source, printed("begun"));
    assert_eq!(result.unwrap_err().error.kind, Kind::Cancelled);
    assert!(took < SOON, "{took:?}");
    assert_eq!(rig.effects(), 0);
}

#[test]
fn every_kind_of_loop_stops() {
    for source in [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "while true do pcall(error, 'x') end",
        "coroutine.wrap(function() while true do end end)()",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "while true do pcall(coroutine.wrap(function() while true do end end)) end",
        "table.sort({ 3, 2, 1 }, function() while true do end end)",
        "xpcall(error, function() while true do end end, 'x')",
        "while true do xpcall(error, function() while true do end end, 'x') end",
        "string.gsub('x', 'x', function() while true do end end)",
        "setmetatable({}, { __index = function() while true do end end }).x()",
        "tostring(setmetatable({}, { __tostring = function() while true do end end }))",
        "agent.try(function() while true do end end) while true do end",
        "while true do pcall(tools.sleep, 30) end",
        "while true do pcall(agent.all, function() while true do end end, function() tools.sleep(30) end) end",
        "agent.map({ 1, 2 }, function() while true do pcall(function() while true do end end) end end)",
        "local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end",
        "coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end end)()",
        "local x <close> = setmetatable({}, { __close = function() while true do end end }) tools.sleep(30)",
        "repeat local ok = pcall(string.rep, 'x', 1 << 40) until false",
    ] {
        let rig = Rig::new();
        let (result, took) = rig.cancelled(&format!("print('begun'); {source}"), printed("begun"));
        match result {
            Err(uncaught) => assert_eq!(uncaught.error.kind, Kind::Cancelled, "{source}"),
            other => panic!("{source}: {other:?}"),
        }
        assert!(took < SOON, "{source}: {took:?}");
    }
}

#[test]
fn all_lua_stops_with_the_vm() {
    let rig = Rig::new();
    let source = "print('begun') while true do pcall(function() while true do end end) end";
    let running = rig.runtime.spawn(rig.vm.script(&rig.scope, chunk(source)));
    rig.until(|| rig.printed().contains("begun"));
    let start = Instant::now();
    rig.vm.stop();
    assert!(rig.vm.wait(Duration::from_secs(5)));
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    let error = rig.wait(running).unwrap().unwrap_err().error;
    assert!(
        matches!(error.kind, Kind::Cancelled | Kind::Unavailable),
        "{error:?}"
    );
    assert_eq!(rig.error("return 1").kind, Kind::Unavailable);
}

#[test]
fn a_busy_script_delays_another_job_by_milliseconds() {
    for busy in [
        "while not done do end",
        "coroutine.wrap(function() while not done do end end)()",
        "coroutine.wrap(function() coroutine.wrap(function() while not done do end end)() end)()",
        "while not done do pcall(function() for i = 1, 1e5 do end end) end",
    ] {
        let rig = Rig::new();
        rig.script("done = false agent.on('tool.before', function(call) seen = call.tool end)")
            .unwrap();
        let running = rig.runtime.spawn(rig.vm.script(
            &rig.scope,
            chunk(&format!("print('begun') {busy} return seen")),
        ));
        rig.until(|| rig.printed().contains("begun"));
        let start = Instant::now();
        rig.call("echo", "{}").unwrap();
        let took = start.elapsed();
        assert!(took < Duration::from_millis(250), "{busy}: {took:?}");
        rig.script("done = true").unwrap();
        match rig.wait(running).unwrap() {
            Ok(Ended::Returned(values)) => assert_eq!(values[0].text, "echo"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn slices_do_not_show_in_what_coroutines_give() {
    let rig = Rig::new();
    let ok = rig.value(
        "local function busy() for i = 1, 3e5 do end end
         local gen = coroutine.wrap(function()
           for i = 1, 20 do busy() coroutine.yield(i) busy() coroutine.yield() end
         end)
         for i = 1, 20 do
           assert(select('#', gen()) == 0 or true)
           local _ = gen()
         end
         local inner = coroutine.create(function(a) busy() local b = coroutine.yield(a) busy() return b end)
         local _, a = coroutine.resume(inner, 1)
         local _, b = coroutine.resume(inner, 2)
         local sorted = { 5, 4, 3, 2, 1 }
         table.sort(sorted, function(x, y) busy() return x < y end)
         return a == 1 and b == 2 and sorted[1] == 1 and sorted[5] == 5",
    );
    assert_eq!(ok, Data::Bool(true));
}
