//! The answer goes to stdout and nothing else does; what is said on the way goes to stderr.
//!
//! With `-o json` stdout is one document, with `-o jsonl` one event a line.

use crate::program::Program;
use crate::terminal::Terminal;

const SCRIPT: &str = "--- A script.\nprint('shown', 1)\nio.write('raw')\nagent.log('logged')\nreturn { n = 3, list = { 1, 2 } }\n";

#[test]
fn a_script_prints_to_stdout_and_logs_to_stderr() {
    let program = Program::new().file("s.lua", SCRIPT);
    let ran = program.run(&["script", "s.lua"]);
    ran.prints("shown\t1\nraw").says("logged");
    assert!(!ran.stderr().contains("shown"));
}

#[test]
fn a_document_holds_what_a_script_returned() {
    let program = Program::new().file("s.lua", SCRIPT);
    for args in [
        &["-o", "json", "script", "s.lua"][..],
        &["script", "-o", "json", "s.lua"],
        &["script", "--output=json", "s.lua"],
    ] {
        let ran = program.run(args);
        let document = ran.json();
        assert_eq!(document["value"].to_string(), r#"{"list":[1,2],"n":3}"#);
        ran.says("shown\t1").says("raw").says("logged");
    }
}

#[test]
fn the_environment_chooses_the_form_and_the_option_outranks_it() {
    let program = Program::new().env("AGENT_OUTPUT", "json");
    assert_eq!(program.run(&["eval", "return 1"]).json()["value"], 1);
    program
        .run(&["eval", "-o", "text", "return 1"])
        .prints("1\n");
}

#[test]
fn an_error_is_a_document_too() {
    let ran = Program::new().run(&["-o", "json", "eval", "tools.read('nope')"]);
    let document = ran.exits(1).json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["error"]["kind"], "not_found");
    assert_eq!(document["error"]["tool"], "read");
    ran.stderr();
}

#[test]
fn events_end_with_the_result() {
    let program = Program::new().file("a.txt", "hello\n");
    let ran = program.run(&["-o", "jsonl", "eval", "return #tools.read('a.txt').text"]);
    let events = ran.json_lines();
    assert!(events.iter().all(|event| event["type"].is_string()));
    let last = events.last().unwrap();
    assert_eq!(
        (last["type"].as_str(), last["value"].as_i64()),
        (Some("result"), Some(6))
    );
    let results = events
        .iter()
        .filter(|event| event["type"] == "result")
        .count();
    assert_eq!(results, 1);
    assert!(events.len() > 1, "the call of `read` is an event: {ran}");
}

#[test]
fn bytes_that_are_not_text_do_not_break_a_document() {
    let program = Program::new().file("s.lua", "--- Bytes.\nreturn 'a\\xff\\0b'");
    let ran = program.run(&["-o", "json", "script", "s.lua"]);
    assert!(ran.json()["value"].is_string() || ran.json()["value"].is_object());
    program
        .run(&["eval", "io.write('a\\xff')"])
        .exits(0)
        .stdout();
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let program = Program::of("bash").env("AGENT", env!("CARGO_BIN_EXE_agent"));
    let line = "set -o pipefail; \"$AGENT\" eval 'for i = 1, 1e6 do print(i) end' | head -n 1";
    // Which code says so is the shell's affair; nothing may be said on standard error.
    program.run(&["-c", line]).prints("1\n").code();
}

#[test]
fn colour_is_for_terminals() {
    let program = Program::new().file("a.txt", "TODO\n");
    let ran = program.run(&["tools"]);
    assert!(!ran.stdout().contains('\x1b'), "{ran}");
    let ran = program.run(&["call", "raed", "x"]);
    assert!(!ran.exits(1).stderr().contains('\x1b'), "{ran}");
    let plain = Program::new().env("NO_COLOR", "1");
    let mut terminal = Terminal::open(&plain, &["call", "raed", "x"]);
    assert_eq!(terminal.exit_code(), 1);
    terminal.wait_for("raed");
    assert!(!terminal.raw().contains("\x1b[3"), "{:?}", terminal.raw());
}

#[test]
fn foreign_text_does_not_command_the_terminal() {
    let program = Program::new().file("evil.txt", "a\x1b[2Jb\x1b]0;title\x07c\u{202e}d\n");
    let mut terminal = Terminal::open(&program, &["call", "read", "evil.txt"]);
    assert_eq!(terminal.exit_code(), 0);
    terminal.wait_for("d");
    let raw = terminal.raw();
    let obeyed = ["\x1b[2J", "\x1b]0;", "\u{202e}"];
    assert!(
        !obeyed.iter().any(|sequence| raw.contains(sequence)),
        "{raw:?}"
    );
    // Into a pipe goes what the file holds.
    program
        .run(&["call", "read", "evil.txt"])
        .prints_part("a\x1b[2Jb");
}

#[test]
fn a_full_standard_output_is_an_error() {
    let program = Program::new();
    program
        .run_after("exec > /dev/full", &["eval", "return 1"])
        .exits(1)
        .says("output");
}

#[test]
fn what_is_said_keeps_its_order_and_is_never_lost() {
    let program = Program::new();
    let log = program.at("log");
    let both = format!("exec >{0} 2>&1", log.display());
    let talk = "for i = 1, 300 do print('out ' .. i) agent.log('err ' .. i) end ";
    for (end, code, last) in [
        ("", 0, ""),
        ("os.exit(7)", 7, ""),
        ("error('the end')", 1, "the end"),
        (
            "io.popen('kill -TERM $PPID'):close() agent.sleep(60)",
            143,
            "terminated",
        ),
        (
            "io.popen('kill -INT $PPID'):close() agent.sleep(60)",
            130,
            "interrupted",
        ),
    ] {
        let code_of_lua = format!("{talk}{end}");
        program
            .run_after(&both, &["eval", &code_of_lua])
            .exits(code);
        let said = program.text("log");
        let lines: Vec<&str> = said.lines().collect();
        let expected: Vec<String> = (1..=300)
            .flat_map(|i| [format!("out {i}"), format!("err {i}")])
            .collect();
        assert_eq!(lines[..600], expected, "{end}");
        assert!(lines[600..].concat().contains(last), "{end}: {lines:?}");
    }
    let late = format!("{talk} agent.sleep(60)");
    program
        .run_after(&both, &["--timeout", "1", "eval", &late])
        .exits(124);
    assert_eq!(program.text("log").lines().count(), 601);
}

#[test]
fn a_reader_that_does_not_read_holds_nothing_up() {
    // The pipe takes 64 kB; the script says more, goes on, and is ended in spite of it.
    let program = Program::new();
    let code = "print(('x'):rep(1000000)) io.stderr:write('went on') agent.sleep(60)";
    let setup = "mkfifo pipe; exec 3<>pipe >pipe";
    let running = program.spawn_after(setup, &["eval", code]);
    running.wait_for("went on");
    running.signal(rustix::process::Signal::INT);
    let ran = running.wait();
    ran.exits(130).says("went on");
    assert!(ran.took < std::time::Duration::from_secs(10), "{ran}");
}

#[test]
fn what_a_script_prints_into_a_full_disk_is_an_error() {
    let program = Program::new();
    let ran = program.run_after("exec > /dev/full", &["eval", "print('lost') return"]);
    ran.exits(1).says("standard output");
    // The code of a failure stands.
    let ran = program.run_after("exec > /dev/full", &["eval", "print('lost') os.exit(7)"]);
    ran.exits(7).says("standard output");
    program
        .run_after("exec > /dev/full", &["--version"])
        .exits(1);
}

#[test]
fn progress_makes_room_for_what_is_printed() {
    let script = "--- Works.\nfor i = 1, 30 do agent.progress(i, 30, 'f' .. i) end\nprint('done')\n\
        agent.progress(1, 2, 'more') agent.log('logged') agent.progress(2, 2, 'last')\n";
    let program = Program::new().file("s.lua", script);
    let mut terminal = Terminal::open(&program, &["script", "s.lua"]);
    assert_eq!(terminal.exit_code(), 0);
    terminal.wait_for("logged");
    let raw = terminal.raw();
    for wiped in [
        "30/30 f30\r\x1b[Kdone\r\n",
        "1/2 more\r\x1b[Klogged\r\n",
        "2/2 last\r\x1b[K",
    ] {
        assert!(raw.contains(wiped), "{raw:?}");
    }
    // A line that is not finished is not drawn over.
    let code = "io.write('half ') agent.progress(1, 2, 'x') print('whole')";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    assert_eq!(terminal.exit_code(), 0);
    terminal.wait_for("half whole");
}

#[test]
fn one_word_has_a_colour_on_a_terminal() {
    let program = Program::new();
    let mut terminal = Terminal::open(&program, &["call", "raed", "x"]);
    assert_eq!(terminal.exit_code(), 1);
    terminal.wait_for("raed");
    assert!(
        terminal
            .raw()
            .contains("\x1b[31merror\x1b[0m (not_found): there")
    );
    let mut terminal = Terminal::open(&program, &["doctor"]);
    assert_eq!(terminal.exit_code(), 0);
    terminal.wait_for("person");
    assert!(terminal.raw().contains("\x1b[32mok  \x1b[0m version"));
    let forced = Program::new().env("CLICOLOR_FORCE", "1");
    forced
        .run(&["doctor"])
        .prints_part("\x1b[32mok  \x1b[0m version");
    let warned = forced.run(&["eval", "agent.log('off', 'warn')"]);
    warned.says("\x1b[33mwarning\x1b[0m: off");
}
