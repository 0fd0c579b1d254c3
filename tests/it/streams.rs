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
