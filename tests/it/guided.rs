//! The instruction files of folders that a model comes to in the middle of a conversation: once, with what it came for.

use serde_json::{Value, json};

use crate::program::Program;
use crate::turns::{call, model, run, session};

fn reads(paths: &[&str]) -> Value {
    let calls = paths
        .iter()
        .map(|path| call("read", json!({ "path": path })));
    json!({ "calls": calls.collect::<Vec<_>>() })
}

fn workspace(lines: &[Value]) -> Program {
    model(lines)
        .file("AGENTS.md", "Of the whole.\n")
        .file("pkg/AGENTS.md", "Of the package.\n")
        .file(
            "pkg/deep/CLAUDE.md",
            "Of what lies deep: hidden-word-of-ours.\n",
        )
        .file("pkg/deep/a.rs", "a\n")
        .file("pkg/deep/b.rs", "b\n")
        .file("pkg/c.rs", "c\n")
}

/// The instruction files that the results of the newest session show, in order.
fn shown(program: &Program) -> Vec<String> {
    let lines = session(program).into_iter();
    let texts = lines.filter_map(|line| Some(line["result"]["text"].as_str()?.to_owned()));
    let names = texts.flat_map(|text| {
        let names = text.split("<instructions file=\"").skip(1);
        let names = names.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        names.collect::<Vec<_>>()
    });
    names.collect()
}

#[test]
fn they_come_once_with_the_first_result_from_the_folder_or_from_below_it() {
    let first = json!({ "results": [{ "text": "Of the package." }, { "ok": false }], "system": "Of the whole." });
    let program = workspace(&[
        reads(&["pkg/deep/a.rs", "pkg/none.rs"]),
        json!({ "expect": first, "calls": [call("read", json!({ "path": "pkg/c.rs" })), call("list", json!({ "path": "pkg" }))] }),
        reads(&["pkg/deep/b.rs", "a.txt"]),
        json!({ "say": "Read." }),
    ])
    .env("OUR_TOKEN", "hidden-word-of-ours");
    run(&program, &[]).prints("Read.\n");
    assert_eq!(shown(&program), ["pkg/AGENTS.md", "pkg/deep/CLAUDE.md"]);
    let text = session(&program)
        .iter()
        .map(Value::to_string)
        .collect::<String>();
    assert!(
        text.contains("Of what lies deep: [") && !text.contains("hidden-word"),
        "{text}"
    );
    // Whoever goes on knows them already.
    program.write(
        "../model.jsonl",
        [
            reads(&["pkg/c.rs", "pkg/deep/b.rs"]),
            json!({ "say": "On." }),
        ]
        .map(|line| line.to_string())
        .join("\n"),
    );
    run(&program, &["--session", "last"]).prints("On.\n");
    assert_eq!(shown(&program).len(), 2);
}

#[test]
fn one_that_a_rule_keeps_from_the_model_is_not_shown() {
    let program = workspace(&[reads(&["pkg/deep/a.rs"]), json!({ "say": "Read." })]);
    run(&program, &["--deny", "read:pkg/AGENTS.md"]).prints("Read.\n");
    assert_eq!(shown(&program), ["pkg/deep/CLAUDE.md"]);
}

#[test]
fn what_a_summary_has_dropped_is_shown_again() {
    let long = "word ".repeat(2000);
    let about = json!({ "about": { "window": 4000 } });
    let program = workspace(&[
        about,
        reads(&["pkg/c.rs"]),
        json!({ "say": long, "usage": { "input": 3300, "output": 20 } }),
    ]);
    run(&program, &[]).stdout();
    program.write(
        "../model.jsonl",
        [
            json!({ "about": { "window": 4000 } }),
            json!({ "say": "They read." }),
            reads(&["pkg/c.rs"]),
            json!({ "expect": { "results": [{ "text": "Of the package." }] }, "say": "Again." }),
        ]
        .map(|line| line.to_string())
        .join("\n"),
    );
    // What is gone on with is as long as it was.
    let own = "return { at = 0.5, turns = 1, shrink = 100000, summarise = function() return agent.complete { messages = { { role = 'user', text = 'sum' } } }.text end }";
    program.write("../config/lua/own.lua", own);
    program.write(
        "../config/tools/agents.lua",
        "return { build = { compact = 'own' } }",
    );
    run(&program, &["--session", "last"])
        .prints("Again.\n")
        .says("summed up");
    assert_eq!(shown(&program), ["pkg/AGENTS.md", "pkg/AGENTS.md"]);
}
