//! `all`, `map`, `limit`, `sleep`, `try`: order, first failure, limits, nesting.

use std::time::{Duration, Instant};

use super::rig::{Rig, chunk};
use crate::data::Data;
use crate::error::Kind;
use crate::lua::Ended;

#[test]
fn all_runs_together_and_keeps_the_order() {
    let rig = Rig::new();
    let start = Instant::now();
    let said = rig.text(
        "local a, b, c = agent.all(
           function() tools.sleep(0.2) return 'a' end,
           function() tools.sleep(0.1) return 'b' end,
           function() end)
         return a .. b .. tostring(c)",
    );
    assert_eq!(said, "abnil");
    assert!(start.elapsed() >= Duration::from_millis(200));
}

#[test]
fn the_first_failure_ends_the_others() {
    let rig = Rig::new();
    let start = Instant::now();
    let said = rig.text(
        "local ok, e = pcall(agent.all,
           function() tools.sleep(30) end,
           coroutine.wrap(function() tools.sleep(30) end),
           function() tools.sleep(0.01) tools.fail('first') end)
         return e.message",
    );
    assert_eq!(said, "first");
    assert!(start.elapsed() < Duration::from_secs(5));
    let kinds: Vec<_> = rig
        .records_of("sleep")
        .into_iter()
        .map(|record| record.error)
        .collect();
    let cancelled = kinds
        .iter()
        .filter(|kind| **kind == Some(Kind::Cancelled))
        .count();
    assert_eq!((kinds.len(), cancelled), (3, 2));
}

#[test]
fn map_keeps_to_its_concurrency_and_the_order() {
    let rig = Rig::new();
    let most = rig.value(
        "local running, most = 0, 0
         local out = agent.map({ 1, 2, 3, 4, 5, 6, 7, 8, 9 }, function(item, index)
           assert(item == index)
           running = running + 1
           most = math.max(most, running)
           tools.sleep(0.002 * (10 - item))
           running = running - 1
           return item * 10
         end, { concurrency = 3 })
         for i = 1, 9 do assert(out[i] == i * 10) end
         assert(#agent.map({}, print) == 0)
         return most",
    );
    assert_eq!(most, Data::Int(3));
}

#[test]
fn a_limit_ends_what_takes_too_long() {
    let rig = Rig::new();
    for body in [
        "tools.sleep(30)",
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "tostring(setmetatable({}, { __tostring = function() while true do end end }))",
        "coroutine.wrap(function() tools.sleep(30) end)()",
        "agent.limit({ timeout = 30 }, function() agent.all(function() agent.sleep(30) end) end)",
    ] {
        let start = Instant::now();
        let kind = rig.text(&format!(
            "local ok, e = pcall(agent.limit, {{ timeout = 0.05 }}, function() {body} end) return e.kind"
        ));
        assert_eq!(kind, "timeout", "{body}");
        assert!(start.elapsed() < Duration::from_secs(5), "{body}");
    }
    assert_eq!(
        rig.value("return agent.limit({ timeout = 5 }, function() return 7 end)"),
        Data::Int(7)
    );
    assert_eq!(rig.effects(), 0);
}

#[test]
fn the_time_a_person_thinks_does_not_count() {
    let rig = Rig::new();
    let source =
        "return agent.limit({ timeout = 0.1 }, function() tools.sleep(0.25) return 'in time' end)";
    let thinking = &rig.door.services().thinking;
    let script = rig.vm.script(&rig.scope, chunk(source));
    let (_, result) = rig.wait(async {
        let asked = thinking.during(tokio::time::sleep(Duration::from_millis(300)));
        tokio::join!(asked, script)
    });
    assert!(matches!(result, Ok(Ended::Returned(_))), "{result:?}");
}

#[test]
fn refuses_options_that_nobody_knows() {
    let rig = Rig::new();
    let error = rig.error("agent.limit({ timout = 1 }, print)");
    assert_eq!(error.kind, Kind::Argument);
    assert!(error.hint().contains("`timeout`"), "{}", error.hint());
    for source in [
        "agent.limit({}, print)",
        "agent.limit({ timeout = -1 }, print)",
        "agent.limit({ timeout = 1 })",
        "agent.all(print, 3)",
        "agent.map({ 1 }, print, { concurrency = 0 })",
        "agent.map(3, print)",
        "agent.sleep('long')",
        "agent.sleep(0/0)",
        "agent.sleep()",
    ] {
        assert_eq!(rig.error(source).kind, Kind::Argument, "{source}");
    }
}

#[test]
fn nesting_without_end_is_an_error_and_not_the_end_of_the_process() {
    let rig = Rig::new();
    for source in [
        "local function f() agent.all(f, f) end f()",
        "local function f() agent.limit({ timeout = 60 }, f) end f()",
        "local function f() agent.map({ 1 }, f) end f()",
        "local function f() return coroutine.wrap(f)() end f()",
        "local function f() return pcall(f) end f() error { kind = 'resource', message = 'survived' }",
        "local function f() f() return 1 end f()",
        "local function f() ('x'):gsub('x', f) end f()",
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) end tostring(t)",
        "local function f() table.sort({ 2, 1 }, f) end f()",
    ] {
        let error = rig.error(source);
        assert_eq!(error.kind, Kind::Resource, "{source}: {error:?}");
    }
    assert_eq!(rig.value("return 1"), Data::Int(1));
}
