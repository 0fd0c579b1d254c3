//! Ctrl-C, SIGTERM and `--timeout` end whatever runs, within a second and with all its children.
//!
//! That nothing is left running is checked for every test when its world goes.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::program::Program;
use crate::running::{Ran, times, until};
use crate::terminal::Terminal;

/// How long the program may take to end once it was told to.
const AT_ONCE: Duration = Duration::from_secs(1);

/// Endless in different ways. Each says `ready` first.
const ENDLESS: [(&str, &str); 9] = [
    ("a loop", "while true do end"),
    (
        "a loop that catches",
        "while true do pcall(function() while true do end end) end",
    ),
    (
        "a loop that catches with a handler",
        "while true do xpcall(error, function() while true do end end) end",
    ),
    (
        "a loop in a coroutine",
        "coroutine.wrap(function() while true do end end)()",
    ),
    (
        "a generator",
        "for _ in coroutine.wrap(function() while true do coroutine.yield(1) end end) do end",
    ),
    (
        "a resumed coroutine",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
    ),
    (
        "a comparator",
        "table.sort({ 3, 2, 1 }, function() while true do end end)",
    ),
    ("a pause", "agent.sleep(300)"),
    (
        "a loop of calls",
        "while true do pcall(tools.read, 'nope') end",
    ),
];

/// What a person's children may look like: a plain one, a stubborn one, one below another.
const COMMANDS: [&str; 3] = [
    "sleep 300",
    "trap '' INT TERM; sleep 300; sleep 300",
    "bash -c 'sleep 300 & sleep 300; wait'",
];

fn interrupted(program: &Program, code: &str, signal: Signal) -> Ran {
    let code = format!("io.stderr:write('ready\\n') {code}");
    let running = program.spawn(&["eval", &code]);
    running.wait_for("ready");
    if code.contains("sleep 300") {
        let started = until(program.patience(), || {
            let running = program.processes();
            let mut commands = running.iter().filter_map(|line| line.split_once(' '));
            commands.any(|(_, command)| command.starts_with("sleep 300"))
        });
        assert!(started, "the command never ran");
    }
    let told = Instant::now();
    running.signal(signal);
    let ran = running.wait();
    let took = ran.ended - told;
    assert!(took < AT_ONCE, "took {took:?} to end: {ran}");
    ran
}

#[test]
fn ctrl_c_ends_endless_lua() {
    let program = Program::new();
    for _ in 0..times() {
        for (what, code) in ENDLESS {
            let ran = interrupted(&program, code, Signal::INT);
            ran.says("ready");
            assert!(ran.code() == 130, "{what}: {ran}");
        }
    }
}

#[test]
fn ctrl_c_ends_commands_and_what_they_started() {
    for command in COMMANDS {
        let program = Program::new();
        let code = format!("tools.shell{{ command = [[{command}]] }} print('after')");
        let ran = interrupted(&program, &code, Signal::INT);
        ran.exits(130).prints("").says("ready");
        drop(ran);
        let alone = until(AT_ONCE, || program.processes().is_empty());
        assert!(alone, "left by {command:?}: {:?}", program.processes());
    }
}

#[test]
fn ctrl_c_ends_all_that_run_together() {
    let program = Program::new();
    let code = "
        local function f() tools.shell{ command = 'sleep 300' } end
        agent.all(f, f, function() coroutine.wrap(f)() end)";
    interrupted(&program, code, Signal::INT)
        .exits(130)
        .prints("")
        .says("ready");
}

#[test]
fn cancellation_is_not_caught() {
    let code = "
        local ok = pcall(tools.shell, { command = 'sleep 300' })
        tools.write{ path = 'late.txt', content = tostring(ok) }";
    let program = Program::new();
    interrupted(&program, code, Signal::INT)
        .exits(130)
        .says("ready");
    assert!(!program.at("late.txt").exists());
}

#[test]
fn sigterm_ends_everything_too() {
    let program = Program::new();
    for code in [
        "while true do pcall(error) end",
        "tools.shell{ command = 'sleep 300' }",
    ] {
        interrupted(&program, code, Signal::TERM)
            .exits(143)
            .prints("")
            .says("ready");
    }
}

#[test]
fn a_timeout_ends_everything_too() {
    let program = Program::new();
    for code in [
        "while true do end",
        "tools.shell{ command = 'sleep 300' }",
        "agent.sleep(300)",
    ] {
        let ran = program.run(&["--timeout", "1", "eval", code]);
        ran.exits(124).prints("").says("timeout");
        assert!(ran.took < Duration::from_secs(2), "{:?}: {ran}", ran.took);
    }
    program
        .run(&["eval", "--timeout", "60", "return 1"])
        .prints("1\n");
}

#[test]
fn ctrl_c_from_the_keyboard_leaves_the_terminal_as_it_was() {
    for code in ["while true do end", "tools.shell{ command = 'sleep 300' }"] {
        let program = Program::new();
        let code = format!("io.stderr:write('ready\\n') {code}");
        let mut terminal = Terminal::open(&program, &["eval", &code]);
        terminal.wait_for("ready");
        let told = Instant::now();
        terminal.send("\x03");
        assert_eq!(terminal.exit_code(), 130, "{}", terminal.screen());
        assert!(told.elapsed() < AT_ONCE);
        assert!(terminal.is_restored());
    }
}

/// Files changed inside a transaction, and something that does not end.
const CHANGING: &str = "
    for i = 1, 20 do tools.write { path = 'd/' .. i, content = 'new' } end
    tools.write { path = 'a.txt', content = 'new' }
    tools.delete 'b'
    io.stderr:write('ready\\n')
    tools.shell { command = 'sleep 300' }";

#[test]
fn ctrl_c_puts_back_what_a_transaction_changed() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let program = Program::new().file("a.txt", "old\r\n").file("b/c.txt", "c");
        let script = format!("agent.transaction(function() {CHANGING} end) print('after')");
        let running = program.spawn(&["eval", &script]);
        running.wait_for("ready");
        assert_eq!(program.text("a.txt"), "new");
        running.signal(signal);
        running.wait().exits(code).prints("").says("ready");
        assert_eq!(program.text("a.txt"), "old\r\n");
        assert_eq!(program.text("b/c.txt"), "c");
        assert!(!program.at("d").exists(), "nothing is left of what was new");
    }
}

#[test]
fn a_second_signal_ends_what_cannot_be_put_back() {
    let program = Program::new().file("a.txt", "old").file("b/c.txt", "c");
    let script = format!("agent.transaction(function() {CHANGING} end)");
    let running = program.spawn(&["eval", &script]);
    running.wait_for("ready");
    // As another process would that is changing the same file, and is stuck.
    let path = program.at("a.txt").canonicalize().unwrap();
    let name = agent::store::Hash::of(path.as_os_str().as_encoded_bytes()).to_string();
    let lock = program.at("../state/store/locks").join(&name[..32]);
    let lock = std::fs::File::create(lock).unwrap();
    lock.try_lock().unwrap();
    running.signal(Signal::INT);
    let ended = until(Duration::from_secs(5), || !running.reaches(Signal::INT));
    assert!(ended, "it waits for what never comes");
    running.wait().exits(130).prints("").says("left at once");
    assert_eq!(program.text("a.txt"), "new");
}

#[test]
fn a_timeout_puts_back_what_a_transaction_changed() {
    let program = Program::new().file("a.txt", "old\n").file("b/c.txt", "c");
    let script = format!("agent.transaction(function() {CHANGING} end)");
    let ran = program.run(&["--timeout", "1", "eval", &script]);
    ran.exits(124).prints("").says("ready");
    ran.says("timeout");
    assert_eq!(program.text("a.txt"), "old\n");
    assert!(program.at("b/c.txt").exists() && !program.at("d").exists());
}

#[test]
fn ctrl_c_during_a_rename_puts_every_byte_back() {
    let program = Program::new()
        .file("a.txt", "old_name\n")
        .file("b.txt", "old_name\r\n");
    let test = "echo ready >&2; sleep 300";
    let running = program.spawn(&["script", "rename", "old_name", "new_name", "--test", test]);
    let changed = until(program.patience(), || {
        program.text("b.txt") == "new_name\r\n"
    });
    assert!(changed, "it never began");
    let asked = until(program.patience(), || {
        program
            .processes()
            .iter()
            .any(|line| line.contains("sleep 300"))
    });
    assert!(asked, "the tests never ran");
    running.signal(Signal::INT);
    running.wait().exits(130).prints("").says("interrupted");
    assert_eq!(program.text("a.txt"), "old_name\n");
    assert_eq!(program.text("b.txt"), "old_name\r\n");
}
