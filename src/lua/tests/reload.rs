//! Loading again: what stays, what goes, and what never comes back by itself.
//!
//! One generation is swapped for the next; calls that run end with what they began with.

use std::time::Duration;

use super::layers::{load, problems};
use super::rig::{Rig, chunk};
use crate::layers::Layer::User;
use crate::lua::Ended;
use crate::permission::Caller;

#[test]
fn a_module_runs_once_in_a_generation_and_anew_in_the_next() {
    let rig = Rig::new();
    let module = (
        User,
        "lua/count.lua",
        "counted = (counted or 0) + 1 return {}",
    );
    let a = (
        User,
        "tools/a.lua",
        "require 'count' return { execute = function() end }",
    );
    let b = (
        User,
        "tools/b.lua",
        "require 'count' return { execute = function() end }",
    );
    load(&rig, &[module, a, b]);
    assert_eq!(rig.text("return tostring(counted)"), "1");
    load(&rig, &[module, a, b]);
    assert_eq!(rig.text("return tostring(counted)"), "2");
}

#[test]
fn what_a_file_registers_counts_only_if_it_comes_to_its_end() {
    let rig = Rig::new();
    let init = "agent.tool { id = 'early', effect = 'read', execute = function() return 'e' end }
        agent.on('tool.before', function(call) if call.tool == 'echo' then call.args.value = 'hooked' end end)";
    load(&rig, &[(User, "init.lua", init)]);
    assert_eq!(
        rig.text("return tools.echo('x').value .. tools.early().output"),
        "hookede"
    );
    let broken = format!("{init} error 'no'");
    // It did load once, and what it gave then is still there.
    let report = load(&rig, &[(User, "init.lua", &broken)]);
    assert!(
        problems(&report)[0].starts_with("user/init.lua:2: not loaded"),
        "{:?}",
        problems(&report)
    );
    assert!(report.problems[0].is_kept);
    assert_eq!(rig.text("return tools.echo('x').value"), "hooked");
    load(&rig, &[]);
    assert_eq!(rig.text("return tools.echo('x').value"), "x");
    let rig = Rig::new();
    load(&rig, &[(User, "init.lua", &broken)]);
    assert_eq!(rig.text("return tools.echo('x').value"), "x");
    assert!(rig.error("return tools.early()").message.contains("early"));
}

#[test]
fn a_hook_that_is_taken_off_while_its_file_loads_is_off() {
    let rig = Rig::new();
    let init = "local off = agent.on('tool.before', function() return 'deny', 'no' end) off()
        later = agent.on('tool.before', function(call) call.args.value = 'on' end)";
    load(&rig, &[(User, "init.lua", init)]);
    assert_eq!(rig.text("return tools.echo('x').value"), "on");
    assert_eq!(rig.text("later() return tools.echo('x').value"), "x");
}

#[test]
fn a_tool_file_that_fails_keeps_its_last_good_version_and_never_brings_the_shipped_one_back() {
    let rig = Rig::new();
    let good = "return { parameters = { 'value' }, effect = 'read', execute = function() return { metadata = { value = 'guarded' } } end }";
    load(&rig, &[(User, "tools/echo.lua", good)]);
    for bad in [
        "error 'x'",
        "return 3",
        "return +",
        "return { execute = 3 }",
        "while true do end",
    ] {
        if bad.starts_with("while") {
            continue; // the time limit has a test of its own
        }
        let report = load(&rig, &[(User, "tools/echo.lua", bad)]);
        assert_eq!(report.problems.len(), 1, "{bad}");
        let said = rig.text("return select(2, agent.try(function() return tools.echo('x').value end)) and 'refused' or tools.echo('x').value");
        assert!(said == "guarded" || said == "refused", "{bad}: {said}");
    }
    let rig = Rig::new();
    let report = load(&rig, &[(User, "tools/echo.lua", "error 'x'")]);
    assert!(!report.problems[0].is_kept);
    assert_eq!(
        rig.error("return tools.echo('x')").kind.as_str(),
        "unavailable"
    );
}

#[test]
fn two_files_of_one_folder_with_one_id_are_told_of_and_the_first_stays() {
    let rig = Rig::new();
    let tool = |word: &str| {
        format!(
            "return {{ id = 'same', effect = 'read', execute = function() return '{word}' end }}"
        )
    };
    let (a, b) = (tool("a"), tool("b"));
    let report = load(
        &rig,
        &[(User, "tools/a.lua", &a), (User, "tools/b.lua", &b)],
    );
    assert_eq!(report.problems[0].file, "user/tools/b.lua");
    assert!(
        report.problems[0]
            .error
            .message
            .contains("user/tools/a.lua")
    );
    assert_eq!(rig.text("return tools.same().output"), "a");
}

#[test]
fn a_running_call_ends_with_the_version_it_began_with() {
    let rig = Rig::new();
    let version = |n: u32| {
        format!(
            "return {{ effect = 'read', execute = function()
                agent.sleep(gate and 0 or 0.01)
                while not gate do agent.sleep(0.005) end
                return '{n}' .. require 'm' end }}"
        )
    };
    let (one, two) = (version(1), version(2));
    load(
        &rig,
        &[
            (User, "tools/slow.lua", &one),
            (User, "lua/m.lua", "return 'one'"),
        ],
    );
    let running = rig.runtime.spawn(
        rig.vm
            .script(&rig.scope, chunk("return tools.slow().output")),
    );
    rig.until(|| rig.has_begun("slow"));
    load(
        &rig,
        &[
            (User, "tools/slow.lua", &two),
            (User, "lua/m.lua", "return 'two'"),
        ],
    );
    rig.script("gate = true").unwrap();
    match rig.wait(running).unwrap().unwrap() {
        Ended::Returned(values) => assert_eq!(values[0].text, "1one"),
        other => panic!("{other:?}"),
    }
    assert_eq!(rig.text("return tools.slow().output"), "2two");
}

#[test]
fn a_file_that_loads_for_ever_is_ended_and_the_rest_goes_on() {
    let rig = Rig::with(Caller::User, |settings| {
        settings.loading = Duration::from_millis(200);
    });
    let report = load(
        &rig,
        &[
            (
                User,
                "init.lua",
                "local n = 0\nwhile true do\n n = n + 1\nend",
            ),
            (
                User,
                "tools/fine.lua",
                "return { effect = 'read', execute = function() return 'fine' end }",
            ),
        ],
    );
    let told = problems(&report);
    assert!(
        told[0].starts_with("user/init.lua:3: not loaded")
            || told[0].starts_with("user/init.lua:2: not loaded"),
        "{told:?}"
    );
    assert!(told[0].contains("after 0.2 s"), "{told:?}");
    assert_eq!(rig.text("return tools.fine().output"), "fine");
}

/// Files that bear the name of a tool and give none of that name, however they came to that.
const LOST: [&str; 9] = [
    "return { default = 5 }",
    "local t = { effect = 'write', execute = function() error 'guarded' end }",
    "",
    "return nil",
    "return function(shadowed) end",
    "return function(shadowed) return nil end",
    "return { defualt = { effect = 'read', execute = function() return 'x' end } }",
    "return { id = 'other', effect = 'read', execute = function() return 'x' end }",
    "return { description = 5, execute = function() end }",
];

#[test]
fn a_file_that_bears_the_name_of_a_tool_never_leaves_that_tool_as_it_was() {
    for text in LOST {
        let rig = Rig::new();
        let report = load(&rig, &[(User, "tools/echo.lua", text)]);
        assert!(!report.problems.is_empty(), "{text}");
        let error = rig.error("return tools.echo('x')");
        assert_eq!(error.kind.as_str(), "unavailable", "{text}: {error}");
        // And where it did load once, what it gave then stays.
        let rig = Rig::new();
        let good = "return { parameters = { 'value' }, effect = 'read', execute = function() return 'guarded' end }";
        load(&rig, &[(User, "tools/echo.lua", good)]);
        let report = load(&rig, &[(User, "tools/echo.lua", text)]);
        assert!(
            report.problems.iter().all(|problem| problem.is_kept),
            "{text}"
        );
        assert_eq!(
            rig.text("return tools.echo('x').output"),
            "guarded",
            "{text}"
        );
    }
}

#[test]
fn a_tool_whose_id_is_known_is_disabled_under_that_id() {
    let rig = Rig::new();
    let text = "return { id = 'echo', description = 5, execute = function() end }";
    load(&rig, &[(User, "tools/mine.lua", text)]);
    assert_eq!(
        rig.error("return tools.echo('x')").kind.as_str(),
        "unavailable"
    );
}

#[test]
fn a_file_that_only_registers_hooks_may_bear_the_name_of_a_tool() {
    let rig = Rig::new();
    let text = "agent.on('tool.before', function(call) if call.tool == 'echo' then call.args.value = 'hooked' end end)";
    let report = load(&rig, &[(User, "tools/echo.lua", text)]);
    assert_eq!(problems(&report), [""; 0]);
    assert_eq!(rig.text("return tools.echo('x').value"), "hooked");
}
