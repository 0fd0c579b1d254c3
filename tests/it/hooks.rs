//! The hooks around a session, and those of several layers, through the real program.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::program::Program;
use crate::running::times;
use crate::terminal::Terminal;

/// Notes the start and the end in the log, and everything it sees of them.
fn noting(name: &str) -> String {
    format!(
        "agent.on('session.start', function(s) agent.log('{name} start ' .. s.command .. ' ' .. s.caller) end)
         agent.on('session.end', function(s) agent.log('{name} end ' .. s.command .. ' ' .. s.exit) end)"
    )
}

fn program() -> Program {
    let program = Program::new().file("t/noting.lua", noting("file"));
    program.write("../config/init.lua", noting("init"));
    program
}

#[test]
fn a_session_is_framed_by_its_hooks_in_the_order_of_the_layers() {
    let program = program();
    let code = format!("{} agent.log('work')", noting("script"));
    let ran = program.run(&["--tools", "t", "eval", &code]);
    assert_eq!(
        ran.stderr(),
        "init start eval user\nfile start eval user\nwork\n\
         init end eval 0\nfile end eval 0\nscript end eval 0\n"
    );
    let none = program.run(&["--no-config", "eval", "1"]);
    none.prints("1\n");
}

#[test]
fn the_end_comes_however_it_ends() {
    let program = program().file("exits.lua", "os.exit(7)\n");
    for (words, code, command) in [
        (&["eval", "error('boom')"][..], 1, "eval"),
        (
            &["eval", "error{ kind = 'denied', message = 'no' }"],
            3,
            "eval",
        ),
        (&["script", "exits.lua"], 7, "script"),
        (&["call", "read", "nope"], 1, "call"),
        (&["--as", "model", "call", "delete", "exits.lua"], 3, "call"),
    ] {
        let ran = program.run(words);
        ran.exits(code).says(&format!("init start {command} "));
        ran.says(&format!("init end {command} {code}\n"));
    }
    program.run(&["tools", "read"]).prints_part("read(path");
    program.run(&["doctor"]).prints_part("workspace");
}

#[test]
fn a_hook_that_fails_around_a_session_is_logged() {
    let hooks = "agent.on('session.start', function() error('no start') end)
        agent.on('session.start', function(s) s.command = 'other' end)
        agent.on('session.start', function() return 'deny', 'never' end)
        agent.on('session.end', function() error('no end') end)
        agent.on('session.end', { command = 'exit 2' })";
    let program = Program::new();
    program.write("../config/init.lua", hooks);
    let ran = program.run(&["eval", "1 + 1"]);
    ran.prints("2\n").says("init.lua:1: no start");
    ran.says("it changed call.command, which stands fast at session.start")
        .says("a hook at session.start returns nothing")
        .says("init.lua:4: no end")
        .says("its command ended with exit code 2");
    assert_eq!(
        ran.stderr().matches("failed and was passed over").count(),
        5
    );
}

#[test]
fn commands_frame_a_session_too() {
    let program = Program::new();
    program.write(
        "../config/init.lua",
        "agent.on('session.start', { command = 'cat >> events; echo $AGENT_HOOK >> hooks' })
         agent.on('session.end', { command = 'cat >> events; echo $AGENT_HOOK >> hooks' })",
    );
    program
        .run(&["eval", "tools.write('hooks', 'work\\n')"])
        .stdout();
    assert_eq!(program.text("hooks"), "work\nsession.end\n");
    let events = program.text("events");
    let events: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0]["point"], "session.start");
    assert_eq!(events[0]["session"], events[1]["session"]);
    assert_eq!(events[1]["exit"], 0);
}

#[test]
fn an_interrupted_session_has_its_end_within_a_second() {
    for (body, ends) in [
        ("agent.log('bye ' .. s.exit)", true),
        ("while true do end", false),
        ("agent.sleep(300)", false),
        ("os.execute('sleep 300')", false),
        ("tools.shell('sleep 300')", false),
    ] {
        for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)]
            .into_iter()
            .cycle()
            .take(times().min(2))
        {
            let program = Program::new();
            program.write(
                "../config/init.lua",
                format!("agent.on('session.end', function(s) {body} end)"),
            );
            let running = program.spawn(&["eval", "io.stderr:write('ready\\n') agent.sleep(300)"]);
            running.wait_for("ready");
            let told = Instant::now();
            running.signal(signal);
            let ran = running.wait();
            assert!(
                ran.ended - told < Duration::from_secs(1),
                "{body}: {:?}",
                ran.ended - told
            );
            ran.exits(code).says("ready");
            if ends {
                ran.says(&format!("bye {code}"));
            } else {
                ran.says("the hooks at session.end were not done in time and were ended");
            }
        }
    }
}

#[test]
fn a_command_at_the_end_of_an_interrupted_session_is_ended_with_it() {
    let program = Program::new();
    program.write(
        "../config/init.lua",
        "agent.on('session.end', { command = 'trap \"\" TERM INT; sleep 300' })",
    );
    let ran = program.run(&["--timeout", "0.5", "eval", "agent.sleep(300)"]);
    ran.exits(124)
        .says("were not done in time")
        .says("--timeout");
    assert!(ran.took < Duration::from_secs(2), "{:?}", ran.took);
}

#[test]
fn a_question_at_a_terminal_is_told_of_while_it_waits() {
    let program = Program::new();
    program.write(
        "../config/init.lua",
        "agent.on('notification', { command = 'cat > told' })
         agent.on('permission.ask', function(call) if call.args.content == 'no' then return 'deny', 'not that' end end)",
    );
    let code = "tools.write('../beside.txt', 'yes')";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("run it?");
    terminal.send("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    let told: Value = serde_json::from_str(&program.text("told")).unwrap();
    let text = told["text"].as_str().unwrap();
    assert!(text.starts_with("`write` waits for an answer: "), "{text}");
    let mut refused = Terminal::open(&program, &["eval", "tools.write('../beside.txt', 'no')"]);
    refused.wait_for("not that");
    assert_eq!(refused.exit_code(), 3, "{}", refused.screen());
    assert_eq!(program.text("../beside.txt"), "yes");
}

#[test]
fn a_notification_of_a_script_reaches_the_hooks() {
    let program = Program::new();
    program.write(
        "../config/init.lua",
        "agent.on('notification', { command = 'cat > told' })",
    );
    let code = "agent.notify('all green', { title = 'build' })";
    program.run(&["eval", code]).says("build: all green");
    let told: Value = serde_json::from_str(&program.text("told")).unwrap();
    assert_eq!(
        (&told["text"], &told["title"]),
        (&"all green".into(), &"build".into())
    );
    let lines = program.run(&["-o", "jsonl", "eval", code]);
    let notified = lines
        .json_lines()
        .into_iter()
        .find(|line| line["type"] == "notified");
    assert_eq!(notified.unwrap()["text"], "all green");
    lines.stderr();
}

#[test]
fn a_hook_that_names_a_tool_that_is_not_there_is_told_of() {
    let program = Program::new();
    program.write(
        "../config/init.lua",
        "agent.on('tool.before', function() end, { tools = { 'shel', 'bash', 'mcp.x.y', 'sh*' } })",
    );
    let told =
        "config/init.lua:1 names the tool `shel`, and there is no such tool; did you mean shell?\n";
    let ran = program.run(&["eval", "1"]);
    assert_eq!(ran.stderr().lines().count(), 1, "{ran}");
    ran.prints("1\n").says(told);
    let code = "local off = agent.on('tool.before', print, { tools = 'raed' })";
    program
        .run(&["--no-config", "eval", code])
        .says("names the tool `raed`, and there is no such tool; did you mean read?");
    let named = "agent.tool { id = 'late', execute = print } local off = agent.on('tool.before', print, { tools = 'late' })";
    program.run(&["--no-config", "eval", named]).exits(0);
}
