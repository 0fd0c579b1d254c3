//! What stands in a session beside what is said, the list of what is to be done and whether something is planned: it is
//! there again for whoever goes on with the session, or with a copy of it.

use serde_json::{Value, json};

use crate::program::Program;
use crate::turns::{call, model, run};

fn todos(contents: &[&str]) -> Value {
    let todos: Vec<Value> = contents
        .iter()
        .map(|content| json!({ "content": content }))
        .collect();
    call("todo_write", json!({ "todos": todos }))
}

/// A session in which the list was written twice.
fn session() -> Program {
    let program = model(&[
        json!({ "calls": [todos(&["parse", "print"])] }),
        json!({ "calls": [todos(&["print it <all>"])] }),
        json!({ "say": "Noted." }),
    ]);
    run(&program, &[]).prints("Noted.\n");
    program
}

/// What a model is told by `todo_read` that goes on with the session `id`.
fn goes_on(program: &Program, id: &str, expected: &str) {
    let lines = [
        json!({ "calls": [call("todo_read", json!({}))] }),
        json!({ "expect": { "results": [{ "text": expected }] }, "say": "So it is." }),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    program.write("../model.jsonl", lines.join("\n"));
    run(program, &["--session", id]).prints("So it is.\n");
}

fn file(program: &Program) -> std::path::PathBuf {
    let mut files: Vec<_> = program
        .at("../state/sessions")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.pop().unwrap()
}

#[test]
fn the_list_is_there_again_for_whoever_goes_on_and_in_a_copy() {
    let program = session();
    goes_on(&program, "last", "[ ] print it <all>");
    let copy = program
        .run(&["session", "fork", "last", "-o", "json"])
        .json();
    goes_on(&program, copy["id"].as_str().unwrap(), "[ ] print it <all>");
    // A session of its own begins with none.
    program.write(
        "../model.jsonl",
        [
            json!({ "calls": [call("todo_read", json!({}))] }).to_string(),
            json!({ "expect": { "results": [{ "text": "the list is empty" }] }, "say": "None." })
                .to_string(),
        ]
        .join("\n"),
    );
    run(&program, &[]).prints("None.\n");
}

#[test]
fn the_list_that_was_written_before_the_end_of_the_file_was_lost_is_back() {
    let program = session();
    let file = file(&program);
    let text = std::fs::read_to_string(&file).unwrap();
    let second = text.rfind("{\"type\":\"todos\"").unwrap();
    std::fs::write(&file, &text[..second + 30]).unwrap();
    goes_on(&program, "last", "[ ] parse\n[ ] print");
}

#[test]
fn whoever_looks_at_a_session_sees_what_is_to_be_done() {
    let program = session();
    let shown = |words: &[&str]| {
        program
            .run(&[&["session"], words].concat())
            .stdout()
            .to_owned()
    };
    assert!(shown(&["show", "last"]).contains("\nto do:\n  [ ] print it <all>\n"));
    assert!(
        shown(&["export", "last"]).contains("\n## To do\n\n```text\n[ ] print it <all>\n```\n")
    );
    let html = shown(&["export", "--format", "html", "last"]);
    assert!(
        html.contains("<h2>to do</h2>\n<pre>\n[ ] print it &lt;all&gt;\n</pre>"),
        "{html}"
    );
    let document = program
        .run(&["session", "show", "last", "-o", "json"])
        .json();
    assert_eq!(
        document["todos"],
        json!([{ "content": "print it <all>", "status": "pending" }])
    );
    assert_eq!(document["planning"], false);
}

#[test]
fn a_session_that_is_planning_goes_on_with_that_and_changes_nothing() {
    let program = session();
    let file = file(&program);
    let mut text = std::fs::read_to_string(&file).unwrap();
    text += "{\"type\":\"planning\",\"time\":\"2026-12-01T00:00:00.000Z\",\"on\":true}\n";
    std::fs::write(&file, text).unwrap();
    let lines = [
        json!({ "calls": [call("write", json!({ "path": "x", "content": "" }))] }),
        json!({ "say": "I may not." }),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    program.write("../model.jsonl", lines.join("\n"));
    let ran = run(&program, &["--session", "last", "--mode", "auto_edit"]);
    ran.exits(3).prints("I may not.\n").says("refused: write x");
    assert!(!program.at("x").exists());
    let shown = program.run(&["session", "show", "last"]);
    shown.prints_part("\n  a plan is being made\n");
}
