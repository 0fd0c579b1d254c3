//! `batch` against the real program and the real door: each call meets what it would meet alone, neighbours that read
//! run together, and what failed takes back what was to follow.

use agent::data::{self, Data};
use agent::tool::{Arguments, Gate as _, Weight};
use serde_json::{Value, json};

use crate::door::Door;
use crate::program::Program;

fn batch(calls: &Value) -> String {
    json!({ "calls": calls }).to_string()
}

/// `tool` and how it ended, of each call.
fn ends(document: &Value) -> Vec<String> {
    let calls = document["metadata"]["calls"].as_array().unwrap();
    let end = |call: &Value| {
        let kind = call["kind"].as_str().unwrap_or("ok");
        assert_eq!(call["ok"] == true, kind == "ok", "{call}");
        format!("{}:{kind}", call["tool"].as_str().unwrap())
    };
    calls.iter().map(end).collect()
}

#[test]
fn each_call_is_judged_and_recorded_by_itself() {
    let program = Program::new().file("a.txt", "alpha\n");
    let calls = batch(&json!([
        { "tool": "read", "arguments": { "path": "a.txt" } },
        { "tool": "write", "arguments": { "path": "b.txt", "content": "x" } },
        { "tool": "bash", "arguments": "{\"command\": \"ls\"}" },
        { "tool": "raed", "arguments": { "path": "a.txt" } },
        { "tool": "read", "arguments": { "file": "a.txt", "limit": "x" } },
    ]));
    let ran = program.run(&["-o", "jsonl", "--as", "model", "call", "batch", &calls]);
    ran.exits(0);
    let lines = ran.json_lines();
    let document = lines.last().unwrap();
    let kinds = [
        "read:ok",
        "write:denied",
        "bash:ok",
        "raed:not_found",
        "read:argument",
    ];
    assert_eq!(ends(document), kinds);
    let text = document["output"].as_str().unwrap();
    assert!(text.starts_with("5 calls, 3 failed\n"), "{text}");
    for part in [
        "[1 read]\na.txt: 1 line, utf-8, lf\n     1\talpha\n",
        "[2 write]\nerror (denied): a model asks before it changes something\ntry: nobody is there to ask: allow it with --allow 'edit:b.txt'",
        "[4 raed]\nerror (not_found): there is no tool `raed`\ntry: did you mean `read`?",
        "[5 read]\nerror (argument): ",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
    assert!(!program.at("b.txt").exists());
    let starts = |line: &&Value| line["type"] == "started";
    let starts: Vec<&Value> = lines.iter().filter(starts).collect();
    let whole = starts
        .iter()
        .find(|start| start["tool"] == "batch")
        .unwrap();
    let inner = starts
        .iter()
        .filter(|start| start["parent"] == whole["call"]);
    assert_eq!(inner.count(), 5, "{starts:?}");
    let audit = program.run(&["session", "audit"]);
    audit.exits(0).prints_part("write").prints_part("denied");
    // A rule about the batch is about the batch, one about a call about that call, whoever makes it.
    let denied = ["--deny", "batch", "call", "batch", &calls];
    program.run(&denied).exits(3).says("denied");
    let only = ["-o", "json", "--deny", "shell", "call", "batch", &calls];
    assert_eq!(ends(&program.run(&only).json())[2], "bash:denied");
}

#[test]
fn what_reads_runs_together_and_what_changes_waits_its_turn() {
    let met = "local here = 0
        return { effect = 'read', execute = function()
            here = here + 1
            while here < 2 do agent.sleep(.005) end
            return 'met ' .. here
        end }";
    let program = Program::new()
        .file("own/met.lua", met)
        .file("a.txt", "old\n");
    let write = |content: &str| json!({ "tool": "write", "arguments": { "path": "a.txt", "content": content } });
    let read = json!({ "tool": "read", "arguments": { "path": "a.txt" } });
    let calls = batch(
        &json!([{ "tool": "met" }, { "tool": "met" }, read, write("new\n"), read, write("newer\n")]),
    );
    let options = ["--tools", "own", "--timeout", "20", "-o", "json", "call"];
    let ran = program.run(&[&options[..], &["batch", &calls]].concat());
    let document = ran.exits(0).json();
    assert!(
        ends(&document).iter().all(|end| end.ends_with(":ok")),
        "{document}"
    );
    let text = document["output"].as_str().unwrap();
    assert!(
        text.contains("[1 met]\nmet 2\n\n[2 met]\nmet 2\n"),
        "{text}"
    );
    assert!(
        text.contains("[3 read]\na.txt: 1 line, utf-8, lf\n     1\told\n"),
        "{text}"
    );
    assert!(
        text.contains("[5 read]\na.txt: 1 line, utf-8, lf\n     1\tnew\n"),
        "{text}"
    );
    assert_eq!(program.text("a.txt"), "newer\n");
}

#[test]
fn a_command_that_fails_takes_back_what_follows_unless_it_only_read() {
    let program = Program::new().file("a.txt", "a\n");
    let shell = |line: &str| json!({ "tool": "shell", "arguments": { "command": line } });
    let write = json!({ "tool": "write", "arguments": { "path": "b.txt", "content": "x" } });
    let calls = batch(
        &json!([shell("touch c.txt; exit 3"), write, { "tool": "read", "arguments": { "path": "a.txt" } }]),
    );
    let document = program
        .run(&["-o", "json", "call", "batch", &calls])
        .exits(0)
        .json();
    assert_eq!(
        ends(&document),
        ["shell:ok", "write:cancelled", "read:cancelled"]
    );
    let text = document["output"].as_str().unwrap();
    let why = "the command before it in the same batch failed (`shell`), so it was not run";
    assert_eq!(text.matches(why).count(), 2, "{text}");
    assert!(program.at("c.txt").exists() && !program.at("b.txt").exists());
    let calls = batch(&json!([shell("grep nothing a.txt"), write]));
    let document = program.run(&["-o", "json", "call", "batch", &calls]).json();
    assert_eq!(ends(&document), ["shell:ok", "write:ok"]);
    assert!(program.at("b.txt").exists());
}

#[test]
fn what_is_no_batch_runs_nothing() {
    let program = Program::new();
    let write = json!({ "tool": "write", "arguments": { "path": "b.txt", "content": "x" } });
    let nested = json!([write, { "tool": "Batch", "arguments": { "calls": [write] } }]);
    for (calls, said) in [
        (json!([]), "calls: expected 1 to 25 calls, got 0"),
        (
            json!(vec![write.clone(); 26]),
            "calls: expected 1 to 25 calls, got 26",
        ),
        (nested, "calls[2].tool: a batch holds no other batch"),
        (
            json!([write, { "tool": "write", "arguments": 3 }]),
            "calls[2].arguments: expected values by name, got number 3",
        ),
        (
            json!([write, { "arguments": {} }]),
            "args.calls[2]: missing field `tool`",
        ),
        (
            json!([write, { "tool": "list", "path": "." }]),
            "args.calls[2].path: unknown field `path`",
        ),
    ] {
        program
            .run(&["call", "batch", &batch(&calls)])
            .exits(1)
            .says("error (argument)")
            .says(said);
        assert!(!program.at("b.txt").exists());
    }
    // Other names of it and of what it takes, as other systems have them.
    let theirs = json!({ "tool_uses": [{ "recipient_name": "write", "parameters": { "path": "b.txt", "content": "x" } }] });
    program
        .run(&["call", "multi_tool_use.parallel", &theirs.to_string()])
        .exits(0)
        .prints_part("[1 write]\n");
    assert!(program.at("b.txt").exists());
}

#[test]
fn what_may_run_beside_what_is_told_before_anything_is_judged() {
    let door = Door::new();
    let (generation, files) = (door.gate.generation(), &door.gate.services().files);
    for (tool, arguments, expected) in [
        ("read", r#"{"path":"a"}"#, Weight::Read),
        ("read", "{", Weight::Read),
        ("raed", "{}", Weight::Read),
        ("write", "{}", Weight::Change),
        ("shell", r#"{"command":"ls | head"}"#, Weight::Read),
        ("bash", r#"{"cmd":"ls"}"#, Weight::Read),
        ("shell", r#"{"command":"ls > out"}"#, Weight::Change),
        ("shell", "{", Weight::Change),
        ("todo_read", "{}", Weight::Read),
        ("todo_write", "{}", Weight::Change),
        (
            "batch",
            r#"{"calls":[{"tool":"read"},{"tool":"grep","arguments":{}}]}"#,
            Weight::Read,
        ),
        (
            "batch",
            r#"{"tool_calls":[{"tool":"read"},{"tool":"edit","parameters":{}}]}"#,
            Weight::Change,
        ),
        (
            "batch",
            r#"{"calls":[{"tool":"shell","arguments":{"command":"cat a"}}]}"#,
            Weight::Read,
        ),
    ] {
        let given = Arguments::Json(arguments.to_owned());
        assert_eq!(
            generation.weigh(tool, &given, files),
            expected,
            "{tool} {arguments}"
        );
        if let Ok(Data::Map(map)) = data::parse(arguments) {
            let given = Arguments::Named(map);
            assert_eq!(
                generation.weigh(tool, &given, files),
                expected,
                "{tool} {arguments}"
            );
        }
    }
}
