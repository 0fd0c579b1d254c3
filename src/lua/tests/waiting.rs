//! Where a call may wait, and where it is refused before it has any effect.

use super::rig::Rig;
use crate::data::Data;
use crate::error::Kind;

fn is_true(rig: &Rig, source: &str) {
    assert_eq!(rig.value(source), Data::Bool(true), "{source}");
}

#[test]
fn waits_inside_coroutines_and_iterators() {
    let rig = Rig::new();
    is_true(
        &rig,
        "local function numbers(n)
           return coroutine.wrap(function()
             for i = 1, n do
               tools.sleep(0.001)
               coroutine.yield(i, tools.echo(i).value)
             end
           end)
         end
         local seen = {}
         for i, echoed in numbers(5) do
           tools.sleep(0.001)
           assert(i == echoed)
           seen[#seen + 1] = i
         end
         return #seen == 5",
    );
    is_true(
        &rig,
        "local outer = coroutine.create(function(a)
           local inner = coroutine.wrap(function(b)
             tools.sleep(0.001)
             local c = coroutine.yield(b + 1)
             tools.sleep(0.001)
             return c + 1
           end)
           local x = inner(a)
           local y = coroutine.yield(x)
           return inner(y)
         end)
         local _, x = coroutine.resume(outer, 1)
         local _, y = coroutine.resume(outer, 10)
         return x == 2 and y == 11 and coroutine.status(outer) == 'dead'",
    );
}

#[test]
fn waits_inside_pcall_metamethods_sort_and_gsub() {
    let rig = Rig::new();
    is_true(
        &rig,
        "return pcall(tools.sleep, 0.001) and xpcall(function() tools.sleep(0.001) end, print)",
    );
    is_true(
        &rig,
        "local lazy = setmetatable({}, {
           __index = function(_, key) return tools.echo(key).value end,
           __add = function(a, b) tools.sleep(0.001) return 42 end,
           __call = function(_, x) tools.sleep(0.001) return x end,
         })
         return lazy.name == 'name' and lazy + 1 == 42 and lazy(7) == 7",
    );
    is_true(
        &rig,
        "local list = { 5, 3, 9, 1, 8, 2, 7, 4, 6, 10, 12, 11 }
         table.sort(list, function(a, b) tools.sleep(0) return a > b end)
         for i = 1, 11 do assert(list[i] > list[i + 1]) end
         return true",
    );
    is_true(
        &rig,
        "local text, n = ('a-b-c'):gsub('%a', function(c) tools.sleep(0.001) return c:upper() end)
         local lazy = setmetatable({}, { __index = function(_, k) tools.sleep(0.001) return '<' .. k .. '>' end })
         return text == 'A-B-C' and n == 3 and string.gsub('xy', '%a', lazy) == '<x><y>'",
    );
    is_true(
        &rig,
        "do local guard <close> = setmetatable({}, { __close = function() tools.count() end }) end
         return true",
    );
    assert_eq!(rig.effects(), 1 + count_of_sleeps(&rig));
}

fn count_of_sleeps(rig: &Rig) -> usize {
    rig.records_of("sleep").len()
}

#[test]
fn is_refused_before_any_effect_where_lua_cannot_wait() {
    let rig = Rig::new();
    for source in [
        "tostring(setmetatable({}, { __tostring = function() tools.count() return 'x' end }))",
        "print(setmetatable({}, { __tostring = function() tools.count() return 'x' end }))",
        "table.concat(setmetatable({}, { __len = function() return 1 end, __index = function() tools.count() return 'x' end }))",
        "table.unpack(setmetatable({}, { __index = function() tools.count() end }), 1, 2)",
        "xpcall(error, function() tools.count() return 'x' end) error('reached')",
        "string.format('%s', setmetatable({}, { __tostring = function() return coroutine.wrap(function() tools.count() return 'x' end)() end }))",
        "tostring(setmetatable({}, { __tostring = function() return coroutine.wrap(function() return coroutine.wrap(function() tools.count() return 'x' end)() end)() end }))",
        "tostring(setmetatable({}, { __tostring = function() agent.all(tools.count) return 'x' end }))",
    ] {
        let result = rig.script(source);
        assert!(result.is_err(), "{source}: {result:?}");
        assert_eq!(rig.effects(), 0, "{source}");
    }
    let error = rig.error(
        "local x = setmetatable({}, { __tostring = function() tools.count() end })\ntostring(x)",
    );
    assert_eq!(error.kind, Kind::Unavailable);
    assert!(
        error.message.contains("tools.count") && error.hint().contains("before"),
        "{error:?}"
    );
}

#[test]
fn a_finalizer_cannot_start_a_tool() {
    let rig = Rig::new();
    is_true(
        &rig,
        "local ran, ok = false, nil
         setmetatable({}, { __gc = function() ran = true ok = pcall(tools.count) end })
         collectgarbage() collectgarbage()
         local inside
         setmetatable({}, { __gc = function() inside = pcall(coroutine.wrap(function() tools.count() end)) end })
         collectgarbage() collectgarbage()
         return ran and ok == false and inside == false",
    );
    assert_eq!(rig.effects(), 0);
}

#[test]
fn a_coroutine_that_waits_is_nobody_elses_to_resume() {
    let rig = Rig::new();
    is_true(
        &rig,
        "local co = coroutine.create(function() tools.sleep(0.05) return 'done' end)
         local first, second = agent.all(
           function() local _, value = coroutine.resume(co) return value end,
           function()
             agent.sleep(0.005)
             local ok, why = coroutine.resume(co)
             return { ok = ok, why = why, status = coroutine.status(co), closed = pcall(coroutine.close, co) }
           end)
         return first == 'done' and second.ok == false and second.status == 'normal' and second.closed == false",
    );
    assert_eq!(rig.effects(), 1);
}

#[test]
fn coroutines_keep_their_manners() {
    let rig = Rig::new();
    is_true(
        &rig,
        "local co = coroutine.create(function(...) local a = coroutine.yield(select('#', ...)) error(a) end)
         local ok, n = coroutine.resume(co, nil, nil)
         assert(ok and n == 2 and coroutine.status(co) == 'suspended')
         local ok, e = coroutine.resume(co, 'boom')
         assert(not ok and e:find('boom') and coroutine.status(co) == 'dead')
         assert(coroutine.close(co) == false)
         local ok, e = coroutine.resume(co)
         assert(not ok and e == 'cannot resume dead coroutine')
         local _, main = coroutine.running()
         assert(main == true and not coroutine.isyieldable())
         assert(not pcall(coroutine.yield, 1))
         local closed = false
         local held = coroutine.create(function()
           local x <close> = setmetatable({}, { __close = function() closed = true end })
           coroutine.yield()
         end)
         coroutine.resume(held)
         assert(coroutine.close(held) and closed)
         local empty = coroutine.wrap(function() coroutine.yield() coroutine.yield(nil) end)
         assert(select('#', empty()) == 0 and select('#', empty()) == 1 and select('#', empty()) == 0)
         assert(not pcall(empty))
         return true",
    );
}

#[test]
fn sort_and_gsub_do_what_the_library_does() {
    let rig = Rig::new();
    is_true(
        &rig,
        r#"math.randomseed(7)
         for size = 0, 60 do
           local list, copy = {}, {}
           for i = 1, size do list[i] = math.random(1, 20) copy[i] = list[i] end
           table.sort(list, function(a, b) return a < b end)
           table.sort(copy)
           for i = 1, size do assert(list[i] == copy[i]) end
         end
         local stable = {}
         for i = 1, 100 do stable[i] = { key = i % 3, at = i } end
         table.sort(stable, function(a, b) return a.key < b.key end)
         for i = 2, 100 do
           local a, b = stable[i - 1], stable[i]
           assert(a.key < b.key or (a.key == b.key and a.at < b.at))
         end
         assert(not pcall(table.sort, { 1, 'x', 2 }))
         local function same(text, pattern, limit)
           local ours, n = text:gsub(pattern, function(...) return '<' .. tostring((...)) .. '>' end, limit)
           local theirs, m = text:gsub(pattern, '<%1>', limit)
           assert(ours == theirs and n == m, text .. ' ' .. pattern .. ': ' .. ours .. ' ' .. theirs)
         end
         for _, text in ipairs { '', 'abc', 'hello world', 'aXbXc', '  two  ', 'x\0y', 'aaa' } do
           for _, pattern in ipairs { '%a', '%a*', 'x*', '^%a', '()', '(%a)(%a)', '%f[%w]%w+', '.', '%s*', '^', '$', 'X' } do
             same(text, pattern)
             same(text, pattern, 2)
             same(text, pattern, 0)
           end
         end
         assert(('abc'):gsub('b', function() return nil end) == 'abc')
         assert(not pcall(string.gsub, 'abc', 'b', function() return {} end))
         return true"#,
    );
}

#[test]
fn wakes_wherever_a_slice_ends_between_a_call_and_its_wait() {
    let rig = Rig::new();
    // The slice is over when the call begins to wait, and the count hook cuts in somewhere behind that:
    // at a place that depends on how much has run before.
    let stalls = |wrap: &str| {
        rig.value(&format!(
            "local call = {wrap}
             for extra = 1, 250 do
               for _ = 1, extra do end
               call()
             end
             return true"
        ))
    };
    assert_eq!(stalls("function() tools.stall() end"), Data::Bool(true));
    assert_eq!(
        stalls("function() coroutine.wrap(function() tools.stall() end)() end"),
        Data::Bool(true)
    );
    assert_eq!(
        stalls("function() agent.all(tools.stall, tools.stall) end"),
        Data::Bool(true)
    );
}
