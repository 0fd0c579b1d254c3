//! `agent session list`, `show`, `search`: what sessions with a model leave, seen by who comes later.

use std::fs;

use serde_json::{Value, json};

use crate::program::Program;
use crate::running::Ran;

/// What a hostile page, script or terminal would make something of.
const HOSTILE: &str =
    "<script>alert(1)</script> ]]==] \"; os.exit(7) --[[ \u{1b}[2J\u{0} ```` 漢字";

pub(crate) fn workspace() -> Program {
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("a.txt", "one\ntwo\n")
}

pub(crate) fn call(tool: &str, args: Value) -> Value {
    json!({ "tool": tool, "args": args })
}

/// Asks a model whose answers are `lines`; the id of the session.
pub(crate) fn ask(program: &Program, lines: &[Value], more: &[&str], prompt: &str) -> String {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    program.write("../model.jsonl", lines.join("\n"));
    let words = ["run", "-m", "script:../model.jsonl", "-o", "json"];
    let ran = program.run(&[&words, more, &[prompt]].concat());
    ran.json()["session"].as_str().unwrap().to_owned()
}

/// A session that looks, writes what is hostile, and fails once.
pub(crate) fn working(program: &Program) -> String {
    let lines = [
        json!({ "say": "I look.", "calls": [call("read", json!({ "path": "a.txt" })), call("read", json!({ "path": "none" }))] }),
        json!({ "calls": [call("write", json!({ "path": "b.txt", "content": HOSTILE }))] }),
        json!({ "say": format!("Done: {HOSTILE}"), "usage": { "input": 10, "output": 5 } }),
    ];
    let prompt = format!("make {} pass", HOSTILE.replace('\0', ""));
    ask(program, &lines, &["--mode", "auto_edit"], &prompt)
}

pub(crate) fn session(program: &Program, words: &[&str]) -> Ran {
    program.run(&[&["session"], words].concat())
}

#[test]
fn a_session_is_listed_with_what_it_was_about() {
    let program = workspace();
    program.run(&["call", "read", "a.txt"]).stdout();
    let id = working(&program);
    let told = session(&program, &["list", "-o", "json"]).json();
    let rows: Vec<Value> = told["sessions"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 2, "{told}");
    let (first, second) = (&rows[0], &rows[1]);
    assert_eq!(
        (&first["id"], &first["turns"], &first["calls"]),
        (&json!(id), &json!(1), &json!(3))
    );
    assert_eq!(first["model"], "script:../model.jsonl");
    assert!(
        first["title"]
            .as_str()
            .unwrap()
            .starts_with("make <script>")
    );
    assert!(first["start"].as_str() <= first["end"].as_str());
    assert_eq!(
        (&second["model"], &second["title"], &second["turns"]),
        (&Value::Null, &Value::Null, &json!(0))
    );
    let ran = session(&program, &["list"]);
    let page = ran.stdout();
    assert!(
        page.lines().all(|line| line.chars().count() <= 80),
        "{page}"
    );
    let row = format!("{id}  1      3      0        script:../model.jsonl\n  make <script>");
    assert!(page.contains(&row), "{page}");
    let limited = session(&program, &["list", "--limit", "1", "-o", "json"]).json();
    assert_eq!(limited["sessions"], json!([first]));
}

#[test]
fn what_a_script_asked_stands_below_it() {
    let program = workspace().file(
        "ask.lua",
        "agent.ask('look', { model = 'script:../a.jsonl' }) agent.ask('again', { model = 'script:../b.jsonl' })",
    );
    let looks = json!({ "calls": [call("read", json!({ "path": "a.txt" }))] });
    program.write(
        "../a.jsonl",
        format!("{looks}\n{}", json!({ "say": "So." })),
    );
    program.write("../b.jsonl", json!({ "say": "Well." }).to_string());
    program.run(&["script", "ask.lua"]).exits(0);
    let told = session(&program, &["list", "-o", "json"]).json();
    let [one] = told["sessions"].as_array().unwrap().as_slice() else {
        panic!("not one session: {told}");
    };
    assert_eq!(
        (&one["calls"], &one["turns"], &one["model"]),
        (&json!(1), &json!(0), &Value::Null)
    );
    let children = one["children"].as_array().unwrap();
    assert!(children.is_sorted_by_key(|child| child["start"].as_str()));
    let find = |title: &str| children.iter().find(|child| child["title"] == title);
    let (child, other) = (find("look").unwrap(), find("again").unwrap());
    assert_eq!(
        (&child["turns"], &other["model"]),
        (&json!(1), &json!("script:../b.jsonl"))
    );
    let child = child["id"].as_str().unwrap();
    session(&program, &["list"]).prints_part(&format!("\n  asked {child}: look\n"));
    session(&program, &["show", child]).prints_part("So.");
    session(&program, &["show"]).exits(2).says("no session");
    let root = one["id"].as_str().unwrap();
    session(&program, &["show", root])
        .exits(2)
        .says("2 sessions begin with");
}

#[test]
fn a_session_is_shown_to_a_person_and_to_a_program() {
    let program = workspace();
    let id = working(&program);
    let ran = session(&program, &["show", &id]);
    let page = ran.stdout();
    assert!(!page.contains(['\u{1b}', '\0']), "{page}");
    for part in [
        "you:\n  make <script>",
        "model:\n  I look.\n\ncalls:\n  read path=a.txt\n    ",
        "  read path=none\n    error (not_found)",
        "content=<script>alert(1)</script> ]]==] \"; os.exit(7)",
        "model:\n  Done: ",
        "\n1 turn, 3 calls (1 failed); ",
    ] {
        assert!(page.contains(part), "{part:?} is not in\n{page}");
    }
    session(&program, &["show"]).prints(page);
    let told = session(&program, &["show", "-o", "json"]).json();
    assert_eq!(told["id"], id);
    assert_eq!(told["model"], "script:../model.jsonl");
    assert_eq!(
        told["workspace"],
        program.at(".").canonicalize().unwrap().to_str().unwrap()
    );
    let roles: Vec<&str> = told["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(
        roles,
        [
            "user",
            "assistant",
            "tool",
            "assistant",
            "tool",
            "assistant"
        ]
    );
    assert!(told["usage"]["output"].as_u64().unwrap() >= 5);
    let events = session(&program, &["show", "-o", "jsonl"]).json_lines();
    assert_eq!(events.len(), 7);
    assert_eq!(
        (&events[0]["type"], &events[6]["type"]),
        (&json!("message"), &json!("result"))
    );
}

#[test]
fn the_last_turns_are_shown_alone() {
    let program = workspace();
    ask(&program, &[json!({ "say": "First answer." })], &[], "first");
    ask(
        &program,
        &[json!({ "say": "Second answer." })],
        &["--session", "last"],
        "second",
    );
    let whole = session(&program, &["show"]);
    whole.prints_part("First answer.").prints_part("2 turns");
    let ran = session(&program, &["show", "--last", "1"]);
    let page = ran.stdout();
    assert!(
        page.contains("Second answer.") && !page.contains("First answer."),
        "{page}"
    );
    let ran = session(&program, &["export", "--last", "1", "--format", "html"]);
    assert!(!ran.stdout().contains("First answer."));
    session(&program, &["show", "--last", "0"])
        .exits(2)
        .stderr();
}

#[test]
fn a_text_is_found_in_words_calls_and_results() {
    let program = workspace().file("long.txt", "nothing\nthe Needle lies here\n");
    let first = ask(
        &program,
        &[
            json!({ "calls": [call("read", json!({ "path": "long.txt" }))] }),
            json!({ "say": "It is there." }),
        ],
        &[],
        "find it",
    );
    let second = ask(
        &program,
        &[json!({ "say": "no\nA NEEDLE (so to say)" })],
        &[],
        "and now?",
    );
    let found = |words: &[&str]| {
        let told = session(&program, &[&["search"], words, &["-o", "json"]].concat()).json();
        let found = told["sessions"].as_array().unwrap().clone();
        found
            .iter()
            .map(|one| one["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&["needle"]), [second.clone(), first.clone()]);
    assert_eq!(found(&["Needle"]), std::slice::from_ref(&first));
    assert_eq!(found(&["long.txt"]), std::slice::from_ref(&first));
    assert_eq!(found(&["AND NOW"]), [""; 0]);
    assert_eq!(found(&["(so to say)"]), std::slice::from_ref(&second));
    let ran = session(&program, &["search", "needle"]);
    ran.prints_part(&format!(
        "{second}  and now?\n  model: A NEEDLE (so to say)\n"
    ))
    .prints_part(&format!("{first}  find it\n  result of read: "))
    .prints_part("the Needle lies here\n");
    session(&program, &["search", "needle", "--limit", "1"])
        .says("more sessions hold it")
        .prints_part(&second);
    session(&program, &["search", "-nowhere-"])
        .prints("")
        .says("no session holds -nowhere-");
    session(&program, &["search", ""])
        .exits(2)
        .says("cannot be looked for");
}

#[test]
fn the_beginning_of_an_id_is_enough_where_it_is_one_sessions() {
    let program = workspace();
    let first = ask(&program, &[json!({ "say": "One." })], &[], "one");
    session(&program, &["show", &first[..12]]).prints_part("One.");
    let second = ask(&program, &[json!({ "say": "Two." })], &[], "two");
    for id in [&first, &second] {
        session(&program, &["show", &id[..24]]).prints_part(id);
    }
    session(&program, &["show", &first[..6]])
        .exits(2)
        .says(&first)
        .says(&second)
        .says("give more of the id");
    ask(
        &program,
        &[json!({ "say": "Three." })],
        &["--session", &first[..24]],
        "three",
    );
    session(&program, &["show", &first]).prints_part("Three.");
    for words in ["nope", "../../etc", "", "2"] {
        session(&program, &["show", words])
            .exits(2)
            .says("is not the id of a session");
    }
    session(&program, &["export", "2001"])
        .exits(2)
        .says("there is no session 2001");
}

#[test]
fn a_workspace_sees_its_own_sessions_and_a_person_all() {
    let program = workspace();
    let id = ask(&program, &[json!({ "say": "A needle." })], &[], "one");
    let elsewhere = program.at("../elsewhere");
    fs::create_dir_all(elsewhere.join(".git")).unwrap();
    let there = elsewhere.to_str().unwrap();
    let there = |words: &[&str]| program.run(&[&["-C", there, "session"], words].concat());
    there(&["list"]).prints_part("no session of this workspace");
    there(&["list", "--all"])
        .prints_part(&id)
        .prints_part("\n  in /");
    there(&["show"])
        .exits(2)
        .says("this workspace has no session");
    there(&["show", &id]).exits(2).says("another workspace");
    there(&["show", &id[..20]])
        .exits(2)
        .says("another workspace");
    there(&["show", "--all"]).prints_part("A needle.");
    there(&["export", &id[..20], "--all"]).prints_part("A needle.");
    there(&["fork", &id]).exits(2).says("another workspace");
    there(&["search", "needle"]).says("no session holds needle");
    there(&["search", "needle", "--all"]).prints_part("A needle.");
    for words in [
        &["list", "--all"][..],
        &["search", "x", "--all"],
        &["show", "--all"],
        &["fork"],
    ] {
        let as_model = [&["--as", "model"], words].concat();
        there(&as_model).exits(3).says("a model cannot");
    }
    session(&program, &["show", "--as", "model"]).prints_part("A needle.");
}
