//! Input that breaks other programs: endless files, huge lines, odd bytes, full disks, bombs.
//!
//! Each ends soon, with a result or a named error, and leaves what was there as it was.

use std::process::Command;

use serde_json::{Value, json};

use crate::program::Program;
use crate::running::{Ran, skipped};

fn call(program: &Program, tool: &str, arguments: &Value) -> Ran {
    program.run(&["call", tool, &arguments.to_string(), "-o", "json"])
}

fn metadata(program: &Program, tool: &str, arguments: &Value) -> Value {
    call(program, tool, arguments).json()["metadata"].take()
}

/// The kind of the error that the call must end with.
fn kind(program: &Program, tool: &str, arguments: &Value) -> String {
    let ran = call(program, tool, arguments);
    ran.exits(1).stderr();
    ran.json()["error"]["kind"].as_str().unwrap().to_owned()
}

#[test]
fn a_memory_bomb_is_an_error_in_lua() {
    let program = Program::new();
    for code in [
        "local s = 'x' while true do s = s .. s end",
        "string.rep('x', 1 << 40)",
        "local t = {} for i = 1, math.huge do t[i] = { i } end",
        "('x'):rep(1e6):gsub('x', ('y'):rep(1e6))",
    ] {
        let bomb = format!("return (pcall(function() {code} end))");
        program.run(&["eval", &bomb]).prints("false\n");
        program
            .run(&["eval", code])
            .exits(1)
            .prints("")
            .says("memory");
    }
    let deep = "local function f() return 1 + f() end return (pcall(f))";
    program.run(&["eval", deep]).prints("false\n");
}

#[test]
fn files_without_an_end_are_refused() {
    let program = Program::new().file("a.txt", "needle\n");
    let made = Command::new("mkfifo").arg(program.at("pipe")).status();
    assert!(made.unwrap().success());
    for path in ["/dev/zero", "pipe", "/dev/tty"] {
        let arguments = json!({ "path": path });
        assert_eq!(kind(&program, "read", &arguments), "argument", "{path}");
    }
    let found = metadata(&program, "grep", &json!({ "pattern": "needle" }));
    assert_eq!(found["count"], 1);
    let listed = metadata(&program, "glob", &json!({ "pattern": "*" }));
    assert!(
        listed["paths"]
            .as_array()
            .unwrap()
            .contains(&json!("a.txt")),
        "{listed}"
    );
    program
        .run(&["call", "write", r#"{"path":"pipe","content":"x"}"#])
        .exits(1)
        .says("pipe");
}

#[test]
fn one_huge_line_does_not_hide_the_others() {
    let huge = format!("{}needle{}\n", "x".repeat(35_000), "y".repeat(35_000));
    let program = Program::new()
        .file("huge.js", huge)
        .file("small.txt", "a needle\n");
    let found = metadata(&program, "grep", &json!({ "pattern": "needle" }));
    assert_eq!(found["count"], 2);
    let ran = program.run(&["--as", "model", "call", "grep", "needle"]);
    let output = ran.stdout();
    assert!(
        output.contains("a needle") && output.contains("huge.js"),
        "{ran}"
    );
    assert!(output.len() < 10_000, "{}", output.len());
}

#[test]
fn grep_searches_what_was_named_and_nothing_else() {
    let program = Program::new()
        .file("sub/a.txt", "needle\n")
        .file("sub/b.txt", "needle\n")
        .file("c.txt", "-n needle\n");
    let found = metadata(
        &program,
        "grep",
        &json!({ "pattern": "needle", "path": "sub/a.txt" }),
    );
    assert_eq!(found["paths"], json!(["sub/a.txt"]));
    let missing = json!({ "pattern": "needle", "path": "sub/nope" });
    assert_eq!(kind(&program, "grep", &missing), "not_found");
    let found = metadata(&program, "grep", &json!({ "pattern": "-n needle" }));
    assert_eq!(found["paths"], json!(["c.txt"]));
    assert_eq!(
        kind(&program, "grep", &json!({ "pattern": "(" })),
        "argument"
    );
}

#[test]
fn a_limit_of_nothing_is_refused() {
    let program = Program::new().file("a.txt", "needle\n");
    for (tool, arguments) in [
        ("read", json!({ "path": "a.txt", "limit": 0 })),
        ("grep", json!({ "pattern": "needle", "limit": 0 })),
        ("glob", json!({ "pattern": "*", "limit": 0 })),
        ("read", json!({ "path": "a.txt", "offset": 0 })),
        ("read", json!({ "path": "a.txt", "limit": -1 })),
    ] {
        assert_eq!(
            kind(&program, tool, &arguments),
            "argument",
            "{tool} {arguments}"
        );
    }
}

#[test]
fn a_child_left_behind_does_not_hold_the_call() {
    let program = Program::new().within(10);
    let left = metadata(
        &program,
        "shell",
        &json!({ "command": "sleep 300 & echo done" }),
    );
    assert_eq!(
        (&left["exit_code"], &left["stdout"]),
        (&json!(0), &json!("done\n"))
    );
    assert!(left["duration"].as_f64().unwrap() < 5.0, "{left}");
}

#[test]
fn a_killed_command_is_a_result_at_once() {
    let program = Program::new().within(10);
    let killed = metadata(&program, "shell", &json!({ "command": "kill -SEGV $$" }));
    assert!(
        killed["exit_code"].is_i64() && killed["exit_code"] != 0,
        "{killed}"
    );
    assert!(
        !killed["signal"].is_null() && killed["timed_out"] == false,
        "{killed}"
    );
    let late = metadata(
        &program,
        "shell",
        &json!({ "command": "echo a; sleep 300", "timeout": 1 }),
    );
    assert_eq!(
        (&late["timed_out"], &late["stdout"]),
        (&json!(true), &json!("a\n"))
    );
}

#[test]
fn a_cap_never_splits_a_character() {
    let program = Program::new()
        .file("han.txt", "漢".repeat(60_000))
        .file("mixed.txt", "é\n".repeat(40_000));
    let read = |path| ["--as", "model", "call", "read", path];
    let shell = [
        "--as",
        "model",
        "--allow",
        "shell",
        "call",
        "shell",
        "cat han.txt",
    ];
    for (args, character) in [
        (&read("han.txt")[..], '漢'),
        (&read("mixed.txt"), 'é'),
        (&shell, '漢'),
    ] {
        let ran = program.run(args);
        let shown = ran.stdout();
        assert!(
            shown.contains(character) && !shown.contains('\u{fffd}'),
            "{args:?}"
        );
        assert!(shown.len() < 60_000, "{args:?}: {}", shown.len());
    }
}

#[test]
fn text_is_told_by_its_bytes_and_not_by_its_name() {
    let program = Program::new()
        .file("x.bin", "plain text\n")
        .file(
            "x.txt",
            b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0".as_slice(),
        )
        .file("empty", "");
    program
        .run(&["call", "read", "x.bin"])
        .prints_part("plain text");
    assert_eq!(
        metadata(&program, "read", &json!({ "path": "empty" }))["text"],
        ""
    );
    program
        .run(&["call", "read", "x.txt"])
        .exits(1)
        .prints("")
        .says("binary");
}

#[test]
fn a_file_size_limit_leaves_the_old_file_as_it_was() {
    let old = "old\n".repeat(100);
    let program = Program::new()
        .file("a.txt", &old)
        .file("../config/.keep", "");
    for arguments in [
        json!({ "path": "a.txt", "content": "new\n".repeat(25_000) }),
        json!({ "path": "b.txt", "content": "new\n".repeat(25_000) }),
    ] {
        let arguments = arguments.to_string();
        let ran = program.run_after("ulimit -f 8", &["call", "write", &arguments, "-o", "json"]);
        ran.exits(1).stderr();
        assert_eq!(ran.json()["error"]["kind"], "resource", "{ran}");
    }
    assert_eq!(program.text("a.txt"), old);
    let names = std::fs::read_dir(program.at(".")).unwrap();
    assert_eq!(names.count(), 1, "no half file and no temporary one");
}

#[test]
fn a_full_disk_leaves_the_old_file_as_it_was() {
    let script = "
        mount -t tmpfs -o size=1m,mode=755 tmpfs . || exit 77
        cd \"$PWD\" && seq 1000 > a.txt && cp a.txt \"$TMPDIR/old\"
        change() { \"$AGENT\" eval \"return select(2, agent.try(tools.$1, $2)).kind\"; }
        change edit \"{ path = 'a.txt', old = '500', new = ('x'):rep(3e6) }\"
        change write \"{ path = 'a.txt', content = ('x'):rep(3e6) }\"
        change write \"{ path = 'b.txt', content = ('x'):rep(3e6) }\"
        cmp a.txt \"$TMPDIR/old\" && ls -A";
    let program = Program::of("unshare").env("AGENT", env!("CARGO_BIN_EXE_agent"));
    let ran = program.run(&["--user", "--map-root-user", "--mount", "bash", "-c", script]);
    if ran.code() == 77 || ran.stderr().starts_with("unshare:") {
        ran.stdout();
        return skipped(&format!("no tmpfs can be mounted here: {ran}"));
    }
    ran.exits(0).prints("resource\nresource\nresource\na.txt\n");
}

/// However little room the program has for what it keeps, an edit is made and can be undone, or is refused
/// and nothing has changed.
#[test]
fn a_full_disk_below_the_state_folder_tears_nothing() {
    let script = "
        mkdir -p \"$AGENT_STATE_DIR\"
        mount -t tmpfs -o size=256k,mode=700 tmpfs \"$AGENT_STATE_DIR\" || exit 77
        seq 4000 > old && sed s/500/x/ old > new && cp old a.txt
        edit() { \"$AGENT\" eval \"
            local r, why = agent.try(tools.edit, { path = 'a.txt', old = '\\n500\\n', new = '\\nx\\n' })
            return r and 'done' or why.kind\" 2>/dev/null; }
        for room in 0 4 8 12 16 20 24 28 32 48 64 96; do
            rm -rf \"$AGENT_STATE_DIR\"/*
            dd if=/dev/zero of=\"$AGENT_STATE_DIR/filler\" bs=1k count=$((256 - room)) 2>/dev/null
            cp old a.txt && said=$(edit)
            rm \"$AGENT_STATE_DIR/filler\"
            \"$AGENT\" call list >/dev/null || echo \"$room: no start\"
            case $said in
                done) grep -qx x a.txt && \"$AGENT\" undo >/dev/null && cmp a.txt old || echo \"$room: not undone\" ;;
                resource) cmp a.txt old || echo \"$room: torn\" ;;
                *) echo \"$room: $said\" ;;
            esac
            echo \"$said\" >> said
        done
        sort -u said; ls -A";
    let program = Program::of("unshare").env("AGENT", env!("CARGO_BIN_EXE_agent"));
    let ran = program.run(&["--user", "--map-root-user", "--mount", "bash", "-c", script]);
    if ran.code() == 77 || ran.stderr().starts_with("unshare:") {
        ran.stdout();
        return skipped(&format!("no tmpfs can be mounted here: {ran}"));
    }
    ran.exits(0)
        .prints("done\nresource\na.txt\nnew\nold\nsaid\n")
        .says("");
}
