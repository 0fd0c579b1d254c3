//! A session of a model after its turn: gone on with, held by one process, interrupted, killed.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::running::times;
use crate::turns::{call, model, run, session};

#[test]
fn a_session_is_gone_on_with() {
    let program = model(&[json!({ "say": "First." })]);
    run(&program, &[]).prints("First.\n");
    program.write(
        "../model.jsonl",
        json!({ "expect": { "user": "do it" }, "say": "Second." }).to_string(),
    );
    let first = run(&program, &["--session", "last", "-o", "json"]).json();
    let said: Vec<Value> = session(&program)
        .into_iter()
        .filter(|line| line["type"] == "message")
        .collect();
    assert_eq!(said.len(), 4);
    assert_eq!(first["text"], "Second.");
    let id = first["session"].as_str().unwrap();
    run(&program, &["--session", id]).prints("Second.\n");
    run(&program, &["--session", "20260101T000000000-000000000000"])
        .exits(2)
        .says("there is no session");
    run(&program, &["--session", "../../etc"])
        .exits(2)
        .says("not the id of a session");
    let elsewhere = program.at("../elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let there = elsewhere.to_string_lossy();
    let ran = program.run(&[
        "-C",
        &there,
        "run",
        "-m",
        "script:../model.jsonl",
        "--session",
        id,
        "x",
    ]);
    ran.exits(2).says("another workspace");
    let ran = program.run(&[
        "-C",
        &there,
        "run",
        "-m",
        "script:../model.jsonl",
        "--session",
        "last",
        "x",
    ]);
    ran.exits(2).says("no session to go on with");
}

#[test]
fn one_process_writes_a_session() {
    let program = model(&[
        json!({ "say": "First.", "calls": [call("shell", json!({ "command": "echo ready >&2; sleep 300" }))] }),
    ]);
    let args = [
        "run",
        "-m",
        "script:../model.jsonl",
        "-v",
        "--allow",
        "shell",
        "do it",
    ];
    let running = program.spawn(&args);
    running.wait_for("call_1_1 shell");
    let ran = run(&program, &["--session", "last"]);
    ran.exits(1)
        .says("another process goes on with the session");
    running.signal(Signal::INT);
    let ran = running.wait();
    ran.exits(130).prints("First.\n").stderr();
}

#[test]
fn an_interrupted_turn_has_its_document_and_a_session_that_can_be_gone_on_with() {
    for _ in 0..times() {
        let program = model(&[json!({
            "say": "I try.",
            "calls": [
                call("read", json!({ "path": "a.txt" })),
                call("shell", json!({ "command": "sleep 300" })),
                call("read", json!({ "path": "a.txt" })),
            ],
        })]);
        let args = [
            "run",
            "-m",
            "script:../model.jsonl",
            "-v",
            "-o",
            "json",
            "--allow",
            "shell",
            "do it",
        ];
        let running = program.spawn(&args);
        running.wait_for("call_1_2 shell");
        let told = Instant::now();
        running.signal(Signal::INT);
        let ran = running.wait();
        assert!(ran.ended - told < Duration::from_secs(2), "{ran}");
        ran.stderr();
        let document = ran.exits(130).json();
        assert_eq!(document["status"], "interrupted");
        let answers = json!({
            "expect": { "user": "do it" },
            "say": "Again.",
        });
        program.write("../model.jsonl", answers.to_string());
        run(&program, &["--session", "last"]).prints("Again.\n");
    }
}

#[test]
fn whenever_it_is_killed_every_whole_line_is_back_and_every_call_has_its_result() {
    let reads: Vec<Value> = (0..40)
        .map(|n| {
            json!({
                "say": "Next.",
                "calls": [
                    call("read", json!({ "path": "a.txt", "limit": n + 1 })),
                    call("write", json!({ "path": format!("f{n}"), "content": "x" })),
                ],
            })
        })
        .collect();
    for round in 0..times() * 2 {
        let program = model(&reads);
        let args = [
            "run",
            "-m",
            "script:../model.jsonl",
            "-v",
            "--mode",
            "auto_edit",
            "do it",
        ];
        let running = program.spawn(&args);
        running.wait_for(&format!("call_{}_", round % 7 + 1));
        let ended = !running.reaches(Signal::KILL);
        let ran = running.wait();
        ran.stderr();
        ran.stdout();
        ran.code();
        assert!(!ended || round > 0, "it was over before it could be killed");
        // A model out of a file refuses a call without its result.
        program.write("../model.jsonl", json!({ "say": "Back." }).to_string());
        run(&program, &["--session", "last"]).prints("Back.\n");
    }
}
