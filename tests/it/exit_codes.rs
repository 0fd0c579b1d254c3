//! What goes wrong is named, offers the nearest name, exits with its code and changes nothing.
//!
//! The codes are public interface: scripts branch on them.

use std::collections::BTreeMap;
use std::fs;

use crate::program::Program;
use crate::running::Ran;

fn workspace() -> Program {
    Program::new()
        .file("name.txt", "one\n")
        .file("secret.txt", "two\n")
}

/// Runs and asserts that no file of the workspace came, went or changed.
fn run_in_vain(program: &Program, args: &[&str]) -> Ran {
    let before = files(program);
    let ran = program.run(args);
    assert!(files(program) == before, "files changed: {ran}");
    ran
}

fn files(program: &Program) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(program.at(".")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .map(|name| (name.clone(), program.bytes(&name)))
        .collect()
}

#[test]
fn an_unknown_name_offers_the_nearest_one() {
    let program = workspace();
    for (args, code, wrong, near) in [
        (&["call", "raed", "name.txt"][..], 1, "raed", "read"),
        (
            &["call", "read", r#"{"path":"name.txt","ofset":2}"#],
            1,
            "ofset",
            "offset",
        ),
        (&["call", "read", "nmae.txt"], 1, "nmae.txt", "name.txt"),
        (&["eval", "tools.raed('name.txt')"], 1, "raed", "read"),
        (
            &["eval", "tools.write{ path = 'new', contnet = 'x' }"],
            1,
            "contnet",
            "content",
        ),
        (&["scirpt", "x.lua"], 2, "scirpt", "script"),
        (&["--outptu", "json", "tools"], 2, "--outptu", "--output"),
        (&["tools", "gerp"], 1, "gerp", "grep"),
    ] {
        run_in_vain(&program, args)
            .exits(code)
            .prints("")
            .says(wrong)
            .says(near);
    }
}

#[test]
fn wrong_usage_is_exit_2() {
    let program = workspace();
    for (args, wrong) in [
        (&["eval"][..], "CODE"),
        (&["call"], "TOOL"),
        (&["script"], "FILE"),
        (&["script", "nope.lua"], "nope.lua"),
        (&["-o", "yaml", "tools"], "yaml"),
        (&["-C", "nowhere", "tools"], "nowhere"),
        (&["--timeout", "soon", "tools"], "soon"),
        (&["--deny", "", "tools"], "--deny"),
        (&["completions", "dish"], "dish"),
        (&["eval", "--as", "model", "1"], "model"),
    ] {
        run_in_vain(&program, args).exits(2).prints("").says(wrong);
    }
}

#[test]
fn folders_of_the_program_inside_the_workspace_are_exit_2() {
    for name in ["AGENT_CONFIG_DIR", "AGENT_STATE_DIR"] {
        let program = workspace();
        let inside = program.at("inside");
        let program = program.env(name, inside);
        run_in_vain(&program, &["call", "read", "name.txt"])
            .exits(2)
            .prints("")
            .says(name);
    }
}

#[test]
fn a_syntax_error_names_file_and_line() {
    let program = Program::new().file("bad.lua", "--- A script.\nlocal x = = 1\n");
    program
        .run(&["script", "bad.lua"])
        .exits(1)
        .prints("")
        .says("bad.lua:2:");
    program
        .run(&["eval", "return ("])
        .exits(1)
        .prints("")
        .says(":1:");
}

#[test]
fn an_error_names_the_line_of_the_script() {
    let script = "local function inner()\n  tools.read('nope')\nend\ninner()\n";
    let program = Program::new().file("s.lua", script);
    program
        .run(&["script", "s.lua"])
        .exits(1)
        .says("nope")
        .says("s.lua:2:");
}

#[test]
fn the_kind_of_an_uncaught_error_decides() {
    let program = Program::new();
    for (kind, code) in [
        ("denied", 3),
        ("rejected", 3),
        ("limit", 4),
        ("provider", 5),
        ("cancelled", 130),
        ("failed", 1),
        ("not_found", 1),
        ("conflict", 1),
        ("resource", 1),
        ("internal", 1),
    ] {
        let code_of_lua =
            format!("error {{ kind = '{kind}', message = 'said so', hint = 'try b' }}");
        program
            .run(&["eval", &code_of_lua])
            .exits(code)
            .prints("")
            .says("said so")
            .says("try b");
    }
    program
        .run(&["eval", "error('plain')"])
        .exits(1)
        .says("plain");
    program.run(&["eval", "error()"]).exits(1).stderr();
    program
        .run(&["eval", "error(setmetatable({}, { __tostring = error }))"])
        .exits(1)
        .stderr();
}

#[test]
fn a_caught_error_leaves_no_trace() {
    let code = "local ok, e = pcall(tools.read, 'nope') return ok, e.kind, e.tool";
    Program::new()
        .run(&["eval", code])
        .prints("false\tnot_found\tread\n");
}

#[test]
fn os_exit_decides_after_cleaning_up() {
    let program = Program::new();
    program
        .run(&["eval", "print('before') os.exit(7)"])
        .exits(7)
        .prints("before\n");
    program.run(&["eval", "os.exit(true)"]).exits(0).prints("");
    program.run(&["eval", "os.exit(false)"]).exits(1).prints("");
    program
        .run(&["eval", "pcall(os.exit, 9) print('after')"])
        .exits(9)
        .prints("");
    // What still runs is ended: the world is checked for processes when it goes.
    let busy = "agent.all(function() tools.shell{ command = 'sleep 300' } end,
        function() agent.sleep(.1) os.exit(4) end)";
    program.run(&["eval", busy]).exits(4).prints("");
}

#[test]
fn what_a_rule_denies_is_exit_3() {
    let program = workspace();
    for args in [
        &["--deny", "read:secret*", "call", "read", "secret.txt"][..],
        &["call", "read", "secret.txt", "--deny", "read:secret*"],
        &["--deny", "read", "eval", "tools.read('secret.txt')"],
        &["--deny", "shell:cat *", "call", "shell", "cat secret.txt"],
        &[
            "--deny",
            "edit",
            "--allow",
            "edit",
            "call",
            "delete",
            "secret.txt",
        ],
    ] {
        run_in_vain(&program, args).exits(3).prints("").says("den");
    }
    program
        .run(&["--deny", "read:secret*", "call", "read", "name.txt"])
        .prints_part("one");
}
