//! `agent call`: one tool, from any program, with arguments as JSON, as text or from stdin.
//!
//! As `user` a program gets the whole result; as `model` it gets what a model would see, and may do
//! what a model may do.

use serde_json::{Value, json};

use crate::program::Program;

fn workspace() -> Program {
    let long: String = (1..=3000).map(|n| format!("line {n}\n")).collect();
    Program::new()
        .file("a.txt", "hello\n")
        .file("long.txt", long)
}

#[test]
fn text_fills_the_first_parameter() {
    let program = workspace();
    program.run(&["call", "read", "a.txt"]).prints_part("hello");
    program
        .run(&["call", "read", r#"{"path":"a.txt"}"#])
        .prints_part("hello");
    program
        .run(&["call", "shell", "echo [x] {y}"])
        .prints_part("[x] {y}");
    program.run(&["call", "list"]).prints_part("long.txt");
    // JSON that is no object is text like any other.
    program.write("12", "a file named by a number\n");
    program
        .run(&["call", "read", "12"])
        .prints_part("named by a number");
}

#[test]
fn a_dash_reads_the_arguments_from_stdin() {
    let program = workspace().stdin(r#"{"path":"b.txt","content":"from stdin\n"}"#);
    program.run(&["call", "write", "-"]).stdout();
    assert_eq!(program.text("b.txt"), "from stdin\n");
    let program = workspace().stdin("a.txt");
    program.run(&["call", "read", "-"]).prints_part("hello");
}

#[test]
fn names_from_other_systems_work() {
    let program = workspace();
    program.run(&["call", "bash", "echo hi"]).prints_part("hi");
    program
        .run(&["call", "read", r#"{"filePath":"a.txt"}"#])
        .prints_part("hello");
    let edit = r#"{"file_path":"a.txt","old_string":"hello","new_string":"bye"}"#;
    program.run(&["call", "edit", edit]).stdout();
    assert_eq!(program.text("a.txt"), "bye\n");
}

#[test]
fn a_document_says_what_a_tool_returned() {
    let ran = workspace().run(&["call", "read", "a.txt", "-o", "json"]);
    let document = ran.json();
    assert_eq!(
        keys(&document),
        [
            "version",
            "ok",
            "tool",
            "title",
            "output",
            "metadata",
            "attachments"
        ]
    );
    assert_eq!(
        (&document["ok"], &document["tool"]),
        (&json!(true), &json!("read"))
    );
    assert_eq!(document["metadata"]["text"], "hello\n");
    assert_eq!(document["metadata"]["path"], "a.txt");
    assert_eq!(document["metadata"]["total_lines"], 1);
    assert_eq!(document["attachments"], json!([]));
}

#[test]
fn a_document_says_what_went_wrong() {
    let ran = workspace().run(&["-o", "json", "call", "read", r#"{"path":7}"#]);
    let document = ran.exits(1).json();
    assert_eq!(keys(&document), ["version", "ok", "tool", "error"]);
    assert_eq!(document["error"]["kind"], "argument");
    assert!(
        document["error"]["message"]
            .as_str()
            .unwrap()
            .contains("path")
    );
    assert!(!document["error"]["hint"].as_str().unwrap().is_empty());
    assert!(document["error"]["detail"].is_object());
    ran.stderr();
}

#[test]
fn a_failing_command_is_a_result() {
    let ran = workspace().run(&[
        "call",
        "shell",
        "echo out; echo err >&2; exit 5",
        "-o",
        "json",
    ]);
    let metadata = &ran.json()["metadata"];
    assert_eq!(metadata["exit_code"], 5);
    assert_eq!(
        (&metadata["stdout"], &metadata["stderr"]),
        (&json!("out\n"), &json!("err\n"))
    );
    assert_eq!(metadata["timed_out"], false);
}

#[test]
fn a_program_gets_the_whole_and_a_model_a_part_of_it() {
    let program = workspace();
    let whole = program
        .run(&["call", "read", "long.txt", "-o", "json"])
        .json();
    let text = whole["metadata"]["text"].as_str().unwrap();
    assert_eq!(text.lines().count(), 3000);

    let part = program
        .run(&["--as", "model", "call", "read", "long.txt", "-o", "json"])
        .json();
    let output = part["output"].as_str().unwrap();
    assert!(
        output.contains("line 2000") && !output.contains("line 2001\n"),
        "{output}"
    );
    assert!(
        output.contains("3000"),
        "it says how much there is: {output}"
    );
    assert_eq!(part["metadata"]["total_lines"], 3000);
}

#[test]
fn what_was_cut_for_a_model_is_kept_and_can_be_read() {
    let program = workspace();
    let args = [
        "--as", "model", "--allow", "shell", "call", "shell", "seq 5000", "-o", "json",
    ];
    let document = program.run(&args).json();
    let metadata = &document["metadata"];
    assert_eq!(metadata["truncated"], true);
    let output = document["output"].as_str().unwrap();
    assert!(
        output.len() < 52_000 && output.lines().count() <= 2010,
        "{}",
        output.len()
    );
    let id = metadata["spill"].as_str().unwrap();
    assert!(output.contains(id), "the notice names it: {output}");
}

#[test]
fn a_model_may_read_and_must_ask_to_change() {
    let program = workspace();
    program
        .run(&["--as", "model", "call", "read", "a.txt"])
        .prints_part("hello");

    let write = r#"{"path":"new.txt","content":"x"}"#;
    let ran = program.run(&["--as", "model", "call", "write", write, "-o", "json"]);
    let document = ran.exits(3).json();
    assert_eq!(document["error"]["kind"], "denied");
    assert_eq!(document["error"]["detail"]["unattended"], true);
    ran.stderr();
    assert!(!program.at("new.txt").exists());

    program
        .run(&[
            "--as",
            "model",
            "--allow",
            "edit:*.txt",
            "call",
            "write",
            write,
        ])
        .stdout();
    assert_eq!(program.text("new.txt"), "x");
}

#[test]
fn a_person_has_said_yes_to_the_workspace_only() {
    let script = "--- Writes.\ntools.write{ path = ..., content = 'x' }\n";
    let program = workspace()
        .file("s.lua", script)
        .file("../beside/kept.txt", "kept\n");
    program.run(&["script", "s.lua", "inside.txt"]).prints("");
    assert_eq!(program.text("inside.txt"), "x");

    std::os::unix::fs::symlink(program.at("../beside"), program.at("link")).unwrap();
    for outside in ["../beside/new.txt", "../beside/kept.txt", "link/new.txt"] {
        program.write("s.lua", script.replace("...", &format!("'{outside}'")));
        program
            .run(&["script", "s.lua"])
            .exits(3)
            .prints("")
            .says("workspace");
    }
    assert_eq!(program.text("../beside/kept.txt"), "kept\n");
    assert!(!program.at("../beside/new.txt").exists());
    // Reading is allowed anywhere.
    program
        .run(&["eval", "tools.read('../beside/kept.txt').text"])
        .prints("kept\n");
}

fn keys(document: &Value) -> Vec<&str> {
    let object = document.as_object().expect("a document is an object");
    object.keys().map(String::as_str).collect()
}

#[test]
fn output_beyond_what_a_result_keeps_is_whole_in_the_spill() {
    let program = Program::new();
    let code = "local t = tools.shell('seq 1 3000000'); \
        local s = tools.read { path = 'spill:' .. t.spill, offset = 1500000, limit = 1 }; \
        return t.truncated, #t.stdout < 17 << 20, s.text";
    program.run(&["eval", code]).prints("true\ttrue\t1500000\n");
}
