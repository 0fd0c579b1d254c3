//! A conversation that nears the window of its model: what is left out, what is summed up, and what stays.

use serde_json::{Value, json};

use crate::program::Program;

fn read(n: usize) -> Value {
    json!({ "tool": "read", "args": { "path": format!("f{n}.txt") } })
}

/// A workspace with five long files, and a model with a small window whose answers are `lines`.
fn model(window: usize, lines: &[Value]) -> Program {
    let about = json!({ "about": { "window": window } });
    let lines: Vec<String> = std::iter::once(&about)
        .chain(lines)
        .map(Value::to_string)
        .collect();
    let program = Program::new().file("../model.jsonl", lines.join("\n"));
    (0..5).fold(program, |program, n| {
        let text = format!("line of {n}\n").repeat(400);
        program.file(&format!("f{n}.txt"), text)
    })
}

fn session(program: &Program) -> String {
    let folder = program.at("../state/sessions");
    let mut names: Vec<_> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    std::fs::read_to_string(names.last().unwrap()).unwrap()
}

const RUN: [&str; 4] = ["run", "-m", "script:../model.jsonl", "look at all of it"];

#[test]
fn old_results_are_left_out_first() {
    let program = model(
        6000,
        &[
            json!({ "calls": [read(0)] }),
            json!({ "calls": [read(1)] }),
            json!({ "calls": [read(2)] }),
            json!({ "calls": [read(3)] }),
            // What was left out can be read again, and is shown.
            json!({ "expect": { "results": [{ "text": "line of 3" }] }, "calls": [read(0)] }),
            json!({ "expect": { "results": [{ "text": "line of 0" }] }, "say": "Looked." }),
        ],
    );
    program.run(&RUN).prints("Looked.\n").stderr();
    let kept = session(&program);
    assert!(kept.contains("\"type\":\"shrunk\""), "{kept}");
    assert!(!kept.contains("\"type\":\"compaction\""), "{kept}");
    // The original is all there, and what is gone on with has every pair.
    for n in 0..4 {
        assert!(kept.contains(&format!("line of {n}\\n")), "{n}");
    }
    program.write(
        "../model.jsonl",
        json!({ "expect": { "user": "go on" }, "say": "On." }).to_string(),
    );
    let on = [
        "run",
        "-m",
        "script:../model.jsonl",
        "--session",
        "last",
        "go on",
    ];
    program.run(&on).prints("On.\n");
}

#[test]
fn a_summary_takes_the_place_of_what_is_old() {
    let talk = |n: usize| json!({ "say": format!("{n} word ").repeat(570), "calls": [{ "tool": "read", "args": { "path": "b.txt", "limit": n } }] });
    let program = model(
        3000,
        &[
            talk(1),
            talk(2),
            talk(3),
            json!({ "expect": { "system": "You keep the memory", "user": "look at all of it" }, "say": "They want it looked at." }),
            json!({
                "expect": { "user": "<summary>\nThey want it looked at.", "results": [{ "ok": true }] },
                "say": "Looked.",
            }),
        ],
    )
    .file("b.txt", "b\n".repeat(9));
    program.run(&RUN).prints("Looked.\n").says("summed up");
    let kept = session(&program);
    assert!(
        kept.contains("\"type\":\"compaction\"") && kept.contains("1 word 1 word"),
        "{kept}"
    );
    let on = json!({ "expect": { "user": "go on" }, "say": "On." });
    program.write("../model.jsonl", on.to_string());
    let on = [
        "run",
        "-m",
        "script:../model.jsonl",
        "--session",
        "last",
        "go on",
    ];
    program.run(&on).prints("On.\n");
}

#[test]
fn a_profile_names_a_module_of_its_own() {
    let own = "return { at = 0.5, turns = 1, shrink = 100000, summarise = function(c) return 'mine: ' .. #c.messages end }";
    let talk = |n: usize| json!({ "say": format!("{n} word ").repeat(570) });
    let program = model(3000, &[talk(1)])
        .file("../config/lua/mine.lua", own)
        .file(
            "../config/tools/agents.lua",
            "return { build = { compact = 'mine' } }",
        );
    program.run(&RUN).stdout();
    for answer in [
        talk(2),
        json!({ "expect": { "user": "look" }, "say": "Short." }),
    ] {
        let about = json!({ "about": { "window": 3000 } });
        program.write("../model.jsonl", format!("{about}\n{answer}"));
        let on = [
            "run",
            "-m",
            "script:../model.jsonl",
            "--session",
            "last",
            "look",
        ];
        let ran = program.run(&on);
        ran.stdout();
        ran.stderr();
    }
    assert!(
        session(&program).contains("\"summary\":\"mine: "),
        "{}",
        session(&program)
    );
}

#[test]
fn a_model_is_told_once_that_its_conversation_is_nearly_full_and_results_are_cut_to_what_is_left() {
    let near = "% of what this conversation can hold is used";
    let program = model(
        8000,
        &[
            // A result of 400 lines has 7 kB.
            json!({ "calls": [read(0)], "usage": { "input": 5700, "output": 20 } }),
            json!({ "calls": [read(1)], "usage": { "input": 6000, "output": 20 }, "expect": { "results": [{ "text": "400\tline of 0" }] } }),
            json!({ "calls": [read(2)], "usage": { "input": 6300, "output": 20 }, "expect": { "results": [{ "text": near }] } }),
            json!({ "say": "Looked." }),
        ],
    )
    .file(
        "../config/tools/agents.lua",
        "return { build = { compact = 'late' } }",
    )
    .file(
        "../config/lua/late.lua",
        "return { at = 1, turns = 9, shrink = 100000, summarise = function() return 'x' end }",
    );
    program.run(&RUN).stdout();
    let kept = session(&program);
    assert_eq!(kept.matches(near).count(), 1, "{kept}");
    let has_all = |n: usize| kept.contains(&format!("  400\\tline of {n}"));
    assert_eq!([0, 1, 2].map(has_all), [true, false, false], "{kept}");
    // What no tool cuts by itself says why it was cut.
    let command = json!({ "tool": "shell", "args": { "command": "seq 3000" } });
    let program = model(
        8000,
        &[
            json!({ "calls": [command], "usage": { "input": 5700, "output": 20 } }),
            json!({ "calls": [command], "expect": { "results": [{ "text": "3000" }] } }),
            json!({ "say": "Done.", "expect": { "results": [{ "text": "the conversation is nearly full" }] } }),
        ],
    );
    let ran = program.run(&[&["--allow", "shell"], &RUN[..]].concat());
    ran.prints("Done.\n").stderr();
}
