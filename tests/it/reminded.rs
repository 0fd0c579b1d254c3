//! What a model is told besides results: what a tool takes that keeps failing, and that something is shown already.

use serde_json::json;

use crate::turns::{call, model, run};

#[test]
fn three_failures_in_a_row_remind_of_what_the_tool_takes() {
    let wrong = || json!({ "calls": [call("edit", json!({ "path": "a.txt", "old": "nine", "new": "9" }))] });
    let program = model(&[
        json!({ "calls": [call("read", json!({ "path": "a.txt" }))] }),
        wrong(),
        wrong(),
        wrong(),
        json!({ "expect": { "results": [{ "ok": false, "text": "It takes edit(path: string" }] }, "say": "Ah." }),
    ]);
    run(&program, &["--mode", "auto_edit", "--allow", "doom_loop"]).prints("Ah.\n");
}

#[test]
fn what_the_conversation_shows_already_is_named() {
    let long = "a line of some length\n".repeat(40);
    let read = || json!({ "calls": [call("read", json!({ "path": "long.txt" }))] });
    let program = model(&[
        read(),
        json!({
            "expect": { "results": [{ "text": "a line of some length" }] },
            "calls": [call("read", json!({ "path": "long.txt" }))],
        }),
        json!({
            "expect": { "results": [{ "text": "unchanged since the call call_1_1" }] },
            "calls": [call("edit", json!({ "path": "long.txt", "old": long.clone(), "new": long.replace("some", "no") }))],
        }),
        json!({
            "expect": { "results": [{ "ok": true }] },
            "calls": [call("read", json!({ "path": "long.txt" }))],
        }),
        json!({ "expect": { "results": [{ "text": "a line of no length" }] }, "say": "Seen." }),
    ])
    .file("long.txt", &long);
    run(&program, &["--mode", "auto_edit"]).prints("Seen.\n");
}
