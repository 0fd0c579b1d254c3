//! `agent run`: a turn with a model out of a file. What it says, what it may do, how it ends, and what is left of it.

use serde_json::{Value, json};

use crate::program::Program;
use crate::running::Ran;

/// A workspace with a model whose answers are `lines`.
pub(crate) fn model(lines: &[Value]) -> Program {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    Program::new()
        .file("a.txt", "one\ntwo\n")
        .file("../model.jsonl", lines.join("\n"))
}

pub(crate) fn run(program: &Program, more: &[&str]) -> Ran {
    program.run(&[&["run", "-m", "script:../model.jsonl", "do it"], more].concat())
}

pub(crate) fn call(tool: &str, args: Value) -> Value {
    json!({ "tool": tool, "args": args })
}

/// The lines of the newest session.
pub(crate) fn session(program: &Program) -> Vec<Value> {
    let folder = program.at("../state/sessions");
    let mut names: Vec<_> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    let text = std::fs::read_to_string(names.last().unwrap()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The texts of the results in it, by the id of the call.
fn results(program: &Program) -> Vec<(String, String)> {
    let lines = session(program);
    let results = lines.iter().filter(|line| line["type"] == "result");
    let shown = |line: &Value| {
        let text = |name: &str| line["result"][name].as_str().unwrap().to_owned();
        (text("id"), text("text"))
    };
    results.map(shown).collect()
}

#[test]
fn reads_edits_and_says_what_it_did() {
    let program = model(&[
        json!({
            "expect": { "user": "do it", "tools": ["read", "edit", "write", "shell"], "no_tools": ["apply_patch", "invalid"] },
            "say": "I look.", "calls": [call("read", json!({ "path": "a.txt" }))],
        }),
        json!({
            "expect": { "results": [{ "tool": "read", "ok": true, "text": "two" }] },
            "calls": [call("edit", json!({ "path": "a.txt", "old": "two", "new": "2" }))],
        }),
        json!({ "expect": { "results": [{ "tool": "edit", "ok": true }] }, "say": "Done." }),
    ]);
    run(&program, &["--mode", "auto_edit"]).prints("Done.\n");
    assert_eq!(program.text("a.txt"), "one\n2\n");
    program.run(&["undo"]).prints_part("a.txt");
    assert_eq!(program.text("a.txt"), "one\ntwo\n");
}

#[test]
fn what_is_refused_is_told_and_the_turn_goes_on() {
    let lines = [
        json!({ "calls": [call("write", json!({ "path": "b.txt", "content": "x" }))] }),
        json!({ "expect": { "results": [{ "ok": false, "text": "denied" }] }, "say": "I may not." }),
    ];
    let ran = run(&model(&lines), &["-o", "json"]);
    let document = ran.exits(3).json();
    assert_eq!(document["status"], "blocked");
    assert_eq!(document["text"], "I may not.");
    let refused = &document["refused"][0];
    assert_eq!(
        (&refused["tool"], &refused["subject"]),
        (&json!("write"), &json!("b.txt"))
    );
    assert_eq!(
        document["calls"],
        json!([{ "tool": "write", "ok": false, "kind": "denied" }])
    );
    let ran = run(&model(&lines), &[]);
    ran.exits(3)
        .prints("I may not.\n")
        .says("refused: write b.txt");
}

#[test]
fn every_event_is_a_line_and_the_last_is_the_document() {
    let program = model(&[
        json!({ "think": "hm", "say": "Look.", "calls": [call("read", json!({ "path": "a.txt" }))] }),
        json!({ "say": "Two words.", "usage": { "input": 10, "output": 5 } }),
    ]);
    let lines = run(&program, &["-o", "jsonl"]).json_lines();
    let kinds: Vec<&str> = lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    let expected = [
        "session",
        "turn.start",
        "reasoning",
        "text",
        "call.start",
        "call.end",
        "text",
        "text",
        "turn.end",
        "result",
    ];
    assert_eq!(kinds, expected);
    let mut last = lines.last().unwrap().clone();
    let again = model(&[
        json!({ "think": "hm", "say": "Look.", "calls": [call("read", json!({ "path": "a.txt" }))] }),
        json!({ "say": "Two words.", "usage": { "input": 10, "output": 5 } }),
    ]);
    let mut document = run(&again, &["-o", "json"]).json();
    for document in [&mut last, &mut document] {
        let object = document.as_object_mut().unwrap();
        object.remove("type");
        object.remove("session");
    }
    assert_eq!(last, document);
    assert_eq!(
        (&document["status"], &document["steps"]),
        (&json!("done"), &json!(2))
    );
    assert_eq!(document["usage"]["output"], json!(5 + 2));
}

#[test]
fn whatever_a_model_calls_has_one_result() {
    let program = model(&[
        json!({
            "calls": [
                { "tool": "read", "arguments": "{\"path\":" },
                { "tool": "raed", "args": { "path": "a.txt" } },
                { "tool": "read", "args": { "pth": "a.txt" }, "id": "same" },
                { "tool": "read", "args": { "path": "a.txt", "limit": 1 }, "id": "same" },
                { "tool": "read" },
            ],
        }),
        json!({
            "expect": {
                "results": [
                    { "ok": false }, { "tool": "raed", "ok": false, "text": "did you mean `read`" },
                    { "ok": false, "text": "pth" }, { "ok": true, "text": "one" }, { "ok": false, "text": "path" },
                ],
            },
            "say": "Well.",
        }),
    ]);
    run(&program, &[]).prints("Well.\n");
}

#[test]
fn half_a_call_never_runs() {
    let program = model(&[
        json!({
            "stop": "length",
            "calls": [
                { "tool": "read", "args": { "path": "a.txt" } },
                { "tool": "write", "arguments": "{\"path\":\"b.txt\",\"content\":\"ab" },
            ],
        }),
        json!({
            "expect": { "results": [{ "ok": true }, { "ok": false, "text": "broke off" }] },
            "say": "Short now.",
        }),
    ]);
    run(&program, &["--mode", "auto_edit"]).prints("Short now.\n");
    assert!(!program.at("b.txt").exists());
    let program = model(&[json!({ "say": "a long an", "stop": "length" })]);
    run(&program, &[])
        .exits(4)
        .prints("a long an\n")
        .says("longer than");
}

#[test]
fn a_failed_command_takes_back_what_follows_and_one_that_only_reads_does_not() {
    let program = model(&[
        json!({
            "calls": [
                call("shell", json!({ "command": "grep -q nothing a.txt" })),
                call("shell", json!({ "command": "touch made; exit 3" })),
                call("read", json!({ "path": "a.txt" })),
                call("edit", json!({ "path": "a.txt", "old": "one", "new": "1" })),
            ],
        }),
        json!({
            "expect": {
                "results": [
                    { "text": "exit code 1" }, { "text": "exit code 3" },
                    { "ok": false, "text": "failed" }, { "ok": false, "text": "failed" },
                ],
            },
            "say": "Stopped.",
        }),
    ]);
    let allowed = ["--mode", "auto_edit", "--allow", "shell"];
    run(&program, &allowed).prints("Stopped.\n");
    assert!(program.at("made").exists());
    assert_eq!(program.text("a.txt"), "one\ntwo\n");
}

#[test]
fn fifty_calls_of_one_step_come_back_in_their_order() {
    let calls = (0..50).map(|n| match n % 10 {
        9 => call("write", json!({ "path": format!("f{n}"), "content": "x" })),
        _ => call("read", json!({ "path": "a.txt", "limit": n + 1 })),
    });
    let expected =
        (0..50).map(|n| json!({ "ok": true, "tool": if n % 10 == 9 { "write" } else { "read" } }));
    let program = model(&[
        json!({ "calls": calls.collect::<Vec<_>>() }),
        json!({ "expect": { "results": expected.collect::<Vec<_>>() }, "say": "Fifty." }),
    ]);
    run(&program, &["--mode", "auto_edit"]).prints("Fifty.\n");
    let document = program.run(&["session", "audit", "-o", "json"]).json();
    assert_eq!(document["calls"].as_array().unwrap().len(), 50);
}

#[test]
fn limits_end_a_turn_before_the_request_that_would_exceed_them() {
    let read = || json!({ "calls": [call("read", json!({ "path": "a.txt" }))], "usage": { "input": 1000, "output": 10 } });
    let priced = json!({ "about": { "price": { "input": 100.0, "output": 100.0 } } });
    for (option, value, said) in [
        ("--max-steps", "1", "max_steps is reached"),
        ("--max-tokens", "1500", "max_tokens is reached"),
        ("--max-cost", "0.15", "max_cost is reached"),
    ] {
        let ran = run(
            &model(&[priced.clone(), read()]),
            &[option, value, "-o", "json"],
        );
        let document = ran.exits(4).json();
        assert_eq!(
            (&document["status"], &document["steps"]),
            (&json!("limit"), &json!(1)),
            "{option}"
        );
        let message = document["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(said), "{message}");
    }
}

#[test]
fn what_is_piped_in_is_added_to_the_words() {
    let seen = |user: &str| model(&[json!({ "expect": { "user": user }, "say": "Read." })]);
    let program = seen("do it\n\n<stdin>\n+ a line\n</stdin>").stdin("+ a line\n");
    run(&program, &[]).prints("Read.\n");
    let program = seen("all of it").stdin("all of it\n");
    program
        .run(&["run", "-m", "script:../model.jsonl", "-"])
        .prints("Read.\n");
    program
        .run(&["run", "-m", "script:../model.jsonl"])
        .prints("Read.\n");
    let program = seen("x").stdin("");
    program
        .run(&["run", "-m", "script:../model.jsonl"])
        .exits(2)
        .says("nothing to ask");
    let secret = "password = \"hunter2hunter2\"\n";
    let program = seen("password = ").stdin(secret);
    run(&program, &[]).prints("Read.\n");
    assert!(
        !session(&program)
            .iter()
            .any(|line| line.to_string().contains("hunter2"))
    );
}

#[test]
fn a_profile_has_its_tools_and_no_others() {
    let program = model(&[
        json!({
            "expect": { "tools": ["read", "grep"], "no_tools": ["edit", "write", "move", "delete"] },
            "calls": [call("write", json!({ "path": "b", "content": "x" }))],
        }),
        json!({ "expect": { "results": [{ "ok": false, "text": "unavailable" }] }, "say": "I only look." }),
    ]);
    run(&program, &["--profile", "explore", "--mode", "bypass"]).prints("I only look.\n");
    assert!(!program.at("b").exists());
}

#[test]
fn an_answer_keeps_to_a_schema_or_is_asked_for_again() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
    let program = model(&[
        json!({ "say": "three" }),
        json!({ "expect": { "user": "does not fit the schema" }, "say": "```json\n{\"n\":3}\n```" }),
    ])
    .file("n.json", schema);
    let document = run(&program, &["--schema", "n.json", "-o", "json"]).json();
    assert_eq!(
        (&document["data"], &document["steps"]),
        (&json!({ "n": 3 }), &json!(2))
    );
    let never = [
        json!({ "say": "one" }),
        json!({ "say": "two" }),
        json!({ "say": "{}" }),
    ];
    let program = model(&never).file("n.json", schema);
    let ran = run(&program, &["--schema", "n.json"]);
    ran.exits(1).prints("{}\n").says("does not fit the schema");
    run(&program, &["--schema", "a.txt"])
        .exits(2)
        .says("a.txt is no JSON");
}

#[test]
fn without_a_model_it_says_how_to_name_one() {
    let program = Program::new();
    let ran = program.run(&["run", "x"]);
    ran.exits(2)
        .says("no model is configured")
        .says("models.lua")
        .says("AGENT_MODEL")
        .says("base_url");
    let ran = program.run(&["run", "-m", "script:none.jsonl", "x"]);
    ran.exits(2).says("none.jsonl");
    let program = program.file("bad.jsonl", "{\"say\":1}\n");
    program
        .run(&["run", "-m", "script:bad.jsonl", "x"])
        .exits(2)
        .says("bad.jsonl:1");
}

#[test]
fn a_model_out_of_a_file_minds_what_it_is_asked() {
    let program = model(&[json!({ "expect": { "user": "something else" }, "say": "x" })]);
    run(&program, &[])
        .exits(5)
        .says("model.jsonl:1: expected \"something else\"");
    let program = model(&[json!({ "say": "x" }), json!({ "say": "y" })]);
    run(&program, &[])
        .exits(5)
        .prints("x\n")
        .says("1 of 2 answers were not asked for");
    let program = model(&[json!({ "fail": "overloaded" })]);
    let document = run(&program, &["-o", "json"]).exits(5).json();
    assert_eq!(document["status"], "provider_error");
    assert_eq!(results(&program), []);
}

#[test]
fn what_the_repository_says_is_told_first() {
    let program = model(&[json!({
        "expect": { "system": "<instructions file=\"AGENTS.md\">\nUse tabs.\n</instructions>" },
        "say": "Tabs.",
    })])
    .file("AGENTS.md", "Use tabs.\n");
    run(&program, &[]).prints("Tabs.\n");
}

#[test]
fn a_project_whose_policy_is_not_trusted_stops_a_turn_before_it_begins() {
    let program =
        model(&[json!({ "say": "x" })]).file(".agent/tools/permissions.lua", "return {}\n");
    run(&program, &[]).exits(2).says("trust");
    run(&program, &["--untrusted=ignore"])
        .prints("x\n")
        .stderr();
}
