//! `agent session fork`, and sessions that are damaged or in the middle of something.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::past_sessions::{ask, call, session, workspace};
use crate::program::Program;

fn place(program: &Program, id: &str) -> std::path::PathBuf {
    program.at(&format!("../state/sessions/{id}.jsonl"))
}

#[test]
fn a_copy_goes_its_own_way() {
    let program = workspace();
    let id = ask(
        &program,
        &[json!({ "say": "First answer.", "usage": { "input": 7, "output": 3 } })],
        &[],
        "first",
    );
    let before = fs::read(place(&program, &id)).unwrap();
    let ran = session(&program, &["fork"]);
    let copy = ran.stdout().trim_end();
    assert_ne!(copy, id);
    let lines = [json!({ "expect": { "user": "second" }, "say": "Second answer." })];
    assert_eq!(ask(&program, &lines, &["--session", copy], "second"), copy);
    let told = session(&program, &["show", copy, "-o", "json"]).json();
    assert_eq!(told["forked_from"], id);
    assert_eq!(told["messages"].as_array().unwrap().len(), 4);
    assert_eq!(fs::read(place(&program, &id)).unwrap(), before);
    let original = session(&program, &["show", &id, "-o", "json"]).json();
    assert_eq!(
        original["messages"],
        json!(told["messages"].as_array().unwrap()[..2])
    );
    assert_eq!(original["usage"]["input"], 7);
    let mode = place(&program, copy)
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let again = session(&program, &["fork", &id, "-o", "json"]).json();
    assert_eq!(
        (&again["ok"], &again["forked_from"]),
        (&json!(true), &json!(id))
    );
}

#[test]
fn a_session_that_is_being_written_is_copied_as_far_as_it_is() {
    let program = workspace();
    let lines = [
        json!({ "say": "I wait.", "calls": [call("shell", json!({ "command": "echo ready >&2; sleep 300" }))] }),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    program.write("../model.jsonl", lines.join("\n"));
    let words = [
        "run",
        "-m",
        "script:../model.jsonl",
        "-v",
        "--allow",
        "shell",
        "wait",
    ];
    let running = program.spawn(&words);
    running.wait_for("call_1_1 shell");
    let ran = session(&program, &["fork", "last"]);
    let copy = ran.stdout().trim_end().to_owned();
    let told = session(&program, &["show", &copy, "-o", "json"]).json();
    let messages = told["messages"].as_array().unwrap();
    let last = messages.last().unwrap()["parts"][0]["text"]
        .as_str()
        .unwrap();
    assert!(
        last.contains("cancelled") || last.contains("wait"),
        "{told}"
    );
    ask(
        &program,
        &[json!({ "say": "I go on." })],
        &["--session", &copy],
        "go on",
    );
    running.signal(rustix::process::Signal::INT);
    running.wait().exits(130).prints("I wait.\n").stderr();
}

#[test]
fn what_is_damaged_is_told_and_the_rest_is_there() {
    let program = workspace();
    session(&program, &["show"])
        .exits(2)
        .says("this workspace has no session");
    session(&program, &["fork"])
        .exits(2)
        .says("this workspace has no session");
    session(&program, &["search", "x"]).says("no session holds x");
    let id = ask(&program, &[json!({ "say": "A needle." })], &[], "one");
    let whole = fs::read_to_string(place(&program, &id)).unwrap();
    fs::write(place(&program, &id), format!("{whole}{{\"type\":\"mess")).unwrap();
    session(&program, &["show"]).prints_part("A needle.");
    let (head, rest) = whole.split_once('\n').unwrap();
    fs::write(
        place(&program, &id),
        format!("{head}\nno json\n{rest}\u{0}\n{{\"type\":\"later\"}}\n"),
    )
    .unwrap();
    let said = format!("2 lines of the session {id} cannot be read");
    for words in [&["show"][..], &["export"], &["fork"], &["search", "needle"]] {
        let said = match words[0] {
            "search" => "2 lines of these sessions cannot be read",
            _ => &said,
        };
        session(&program, words).says(said).stdout();
    }
    // Without its first line nobody knows whose it is: it is found by its whole id, and a copy can be gone on with.
    let headless = "20010101T000000000-000000000000";
    fs::write(place(&program, headless), rest).unwrap();
    session(&program, &["show", headless]).prints_part("A needle.");
    session(&program, &["show", "2001"])
        .exits(2)
        .says("there is no session 2001");
    let words = [
        "run",
        "-m",
        "script:../model.jsonl",
        "--session",
        headless,
        "x",
    ];
    program.run(&words).exits(2).says("agent session fork");
    let copy = session(&program, &["fork", headless]);
    let copy = copy.stdout().trim_end();
    ask(
        &program,
        &[json!({ "say": "On." })],
        &["--session", copy],
        "go on",
    );
    let empty = "20010101T000000000-111111111111";
    fs::write(place(&program, empty), "").unwrap();
    for words in ["show", "export", "fork"] {
        session(&program, &[words, empty]).exits(2).says("is empty");
    }
    let told = session(&program, &["show", empty, "-o", "json"]);
    assert_eq!(told.exits(2).json()["error"]["kind"], "argument");
    session(&program, &["list"]).prints_part(&id);
}
