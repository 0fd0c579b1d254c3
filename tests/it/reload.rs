//! `agent.reload()` in the real program: what changed is taken up, what broke stays, the newest files hold.
//!
//! A project's files wait for a yes, which `trusting.rs` shows.

use crate::layers::says;
use crate::program::Program;

#[test]
fn reload_takes_up_what_changed_and_keeps_what_broke() {
    let script = r#"
        local function write(path, text) local f = assert(io.open(path, "w")) f:write(text) f:close() end
        local config = os.getenv("AGENT_CONFIG_DIR") .. "/"
        print(tools.word())
        write(config .. "tools/word.lua", "return { effect = 'read', execute = function() return 'two' end }")
        write(config .. "tools/fresh.lua", "return { effect = 'read', execute = function() return 'fresh' end }")
        print(#agent.reload().problems, tools.word().output, tools.fresh().output)
        write(config .. "tools/word.lua", "return +")
        write(config .. "tools/permissions.lua", "return { rules = { { 'delete', 'deny' } } }")
        local report = agent.reload()
        print(report.problems[1].kept, tools.word().output, select(2, agent.try(tools.delete, "x.txt")).kind)
        write(config .. "tools/permissions.lua", "return 3")
        print(agent.reload().problems[1].kept, select(2, agent.try(tools.delete, "x.txt")).kind)
        os.remove(config .. "tools/fresh.lua")
        os.remove(config .. "tools/permissions.lua")
        agent.reload()
        print(select(2, agent.try(function() return tools.fresh() end)).kind, agent.try(tools.delete, "x.txt") ~= nil)
        agent.tool { id = "scripted", effect = "read", execute = function() return "stays" end }
        agent.reload()
        print(tools.scripted())
    "#;
    let program = Program::new()
        .file("../config/tools/word.lua", says("one"))
        .file("x.txt", "x")
        .file("reload.lua", script);
    let ran = program.run(&["script", "reload.lua"]);
    ran.prints("one\n0\ttwo\tfresh\ntrue\ttwo\tdenied\ntrue\tdenied\nnot_found\ttrue\nstays\n")
        .says("word.lua:1: not loaded")
        .says("what it gave before is still there");
}

#[test]
fn a_policy_that_was_kept_is_what_it_said_when_it_loaded() {
    let program = Program::new()
        .file("../config/tools/permissions.lua", "R = { rules = { { 'write', 'deny' } } } return R")
        .file(
            "s.lua",
            "R.rules[2] = { 'oops' } R.rules[1][2] = 'allow'
             local f = assert(io.open(os.getenv('AGENT_CONFIG_DIR') .. '/tools/permissions.lua', 'w')) f:write('return +') f:close()
             print(agent.reload().problems[1].kept, select(2, agent.try(tools.write, 'x', 'x')).kind)",
        );
    let ran = program.run(&["script", "s.lua"]);
    ran.prints("true\tdenied\n").says("permissions.lua:1");
}

#[test]
fn of_two_reloads_at_once_the_newer_files_hold() {
    let script = "
        local function write(text)
          local f = assert(io.open(os.getenv('AGENT_CONFIG_DIR') .. '/tools/permissions.lua', 'w')) f:write(text) f:close()
        end
        write [[while not go do agent.sleep(0.001) end return { rules = {} }]]
        agent.all(function() agent.reload() end, function()
          agent.sleep(0.05)
          write [[return { rules = { { 'write', 'deny' } } }]]
          agent.reload()
          go = true
        end)
        print(select(2, agent.try(tools.write, 'x', 'x')).kind)";
    let program = Program::new()
        .file("../config/tools/permissions.lua", "return { rules = {} }")
        .file("s.lua", script);
    program.run(&["script", "s.lua"]).prints("denied\n");
}

#[test]
fn files_that_are_loaded_load_nothing_anew() {
    for (file, text) in [
        ("init.lua", "agent.reload()"),
        ("init.lua", "print(pcall(agent.reload)) error 'then'"),
        ("tools/x.lua", "return function() agent.reload() end"),
        (
            "tools/x.lua",
            "return { description = function() agent.reload() return 'x' end, execute = function() end }",
        ),
        ("lua/m.lua", "agent.reload()"),
    ] {
        let program = Program::new()
            .file(&format!("../config/{file}"), text)
            .file("../config/tools/uses.lua", "pcall(require, 'm')");
        let ran = program.run(&["eval", "1"]);
        ran.prints("1\n");
        let told = ran
            .stderr()
            .contains("agent.reload cannot be called while files are loaded");
        assert!(
            told || file == "lua/m.lua" || text.contains("pcall"),
            "{file}: {ran}"
        );
    }
    let program = Program::new().file(
        "../config/tools/truncation.lua",
        "agent.reload() return { default = { lines = 5 } }",
    );
    program
        .run(&["-o", "json", "eval", "1"])
        .exits(2)
        .prints_part("while files are loaded")
        .stderr();
}
