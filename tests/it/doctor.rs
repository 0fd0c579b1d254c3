//! `agent doctor`: a list of checks, each with what it found and what to do.
//!
//! Each check is tried on a machine, or an environment, that fails it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::peer::{Peer, Reply};
use crate::program::Program;
use crate::running::Ran;

#[test]
fn a_sound_machine_passes() {
    let program = Program::new();
    let ran = program.run(&["doctor"]);
    for check in ["config", "state", "bash"] {
        ran.prints_part(check);
    }
    let document = program.run(&["doctor", "-o", "json"]).json();
    let checks = document["checks"].as_array().unwrap();
    assert!(checks.len() >= 3);
    assert!(
        checks
            .iter()
            .all(|check| check["name"].is_string() && check["ok"] == true)
    );
}

#[test]
fn a_state_folder_that_others_can_read_is_named() {
    let program = Program::new();
    let state = program.at("../state");
    std::fs::set_permissions(&state, Permissions::from_mode(0o777)).unwrap();
    let ran = program.run(&["doctor"]);
    assert!(ran.stdout().contains("state"), "{ran}");
    ran.exits(1).stderr();
}

#[test]
fn what_does_not_load_is_named() {
    let program = Program::new().file("../config/tools/permissions.lua", "return {");
    program
        .run(&["doctor"])
        .exits(1)
        .prints_part("FAIL loading    a policy does not load")
        .prints_part("permissions.lua:1:");
    let program = Program::new().file("../config/tools/x.lua", "return {");
    program
        .run(&["doctor"])
        .exits(1)
        .prints_part("FAIL loading    1 fault in what is loaded")
        .says("x.lua:1:");
}

#[test]
fn the_model_that_is_meant_is_named_and_no_key_is_shown() {
    let doctor = |program: &Program| program.run(&["doctor"]).exits(0).stdout().to_owned();
    let program = Program::new().env("GEMINI_API_KEY", "secret-of-ours");
    let found = doctor(&program);
    assert!(
        found.contains("none is chosen; providers: anthropic (ANTHROPIC_API_KEY is not set), gemini (GEMINI_API_KEY is set)"),
        "{found}"
    );
    assert!(!found.contains("secret-of-ours"), "{found}");

    let keyed = "return { default = 'gemini/g' }";
    let program = Program::new().file("../config/tools/models.lua", keyed);
    let found = doctor(&program);
    assert!(
        found.contains("warn models") && found.contains("GEMINI_API_KEY is not set"),
        "{found}"
    );
}

#[test]
fn a_missing_shell_is_named() {
    let program = Program::new().env("PATH", "/nowhere");
    let ran = program.run(&["doctor"]);
    ran.exits(1).prints_part("bash").stderr();
}

/// A stream of the format `openai_chat`: these deltas, the last with the reason why it ends.
fn chunks(deltas: &[Value], reason: &str) -> Reply {
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }],
                      "usage": { "prompt_tokens": 100, "completion_tokens": 10 } });
    let chunks = deltas
        .iter()
        .map(|delta| json!({ "choices": [{ "index": 0, "delta": delta }] }))
        .chain([end]);
    let text: String = chunks.map(|chunk| format!("data: {chunk}\n\n")).collect();
    let text = text + "data: [DONE]\n\n";
    Reply::events(&text)
}

/// A call of `echo` with this word.
fn call(word: &str) -> Reply {
    let call = json!([{ "index": 0, "id": "c1", "type": "function",
                        "function": { "name": "echo", "arguments": "" } }]);
    let arguments = json!({ "word": word }).to_string();
    let pieces = arguments
        .split_inclusive(':')
        .map(|piece| json!({ "tool_calls": [{ "index": 0, "function": { "arguments": piece } }] }));
    let first = json!({ "role": "assistant", "tool_calls": call });
    chunks(
        &[first].into_iter().chain(pieces).collect::<Vec<_>>(),
        "tool_calls",
    )
}

/// Words, a piece each.
fn words(pieces: &[&str]) -> Reply {
    let pieces: Vec<Value> = pieces
        .iter()
        .map(|piece| json!({ "content": piece }))
        .collect();
    chunks(&pieces, "stop")
}

/// What `doctor` says with a model that answers so.
fn doctor(script: Vec<Reply>) -> (Ran, Peer) {
    let peer = Peer::start(script);
    let models = format!(
        "return {{ default = 'near/m', providers = {{ near = {{ kind = 'openai_chat', attempts = 1, \
         base_url = '{}', key_env = 'NEAR_KEY', models = {{ m = {{ price = {{ input = 1, output = 10 }} }} }} }} }} }}",
        peer.url()
    );
    let program = Program::new()
        .env("NEAR_KEY", "a-key-of-ours")
        .file("../config/tools/models.lua", models);
    (program.run(&["doctor"]), peer)
}

#[test]
fn the_model_that_is_meant_is_seen_to_stream_and_to_call_a_tool() {
    let (ran, peer) = doctor(vec![call("ready"), words(&["It said ", "kestrel-27."])]);
    ran.prints_part("ok   model      near/m streams, calls a tool and reads its result (")
        .prints_part(" s, 220 tokens, $0.0004)\n");
    let bodies: Vec<Value> = peer
        .requests()
        .iter()
        .map(|request| serde_json::from_slice(&request.body).unwrap())
        .collect();
    assert_eq!(bodies.len(), 2);
    for body in &bodies {
        assert_eq!(body["stream"], true);
        assert_eq!(body["tools"][0]["function"]["name"], "echo");
        assert_eq!(body["tools"].as_array().map(Vec::len), Some(1));
    }
    let sent = bodies[1]["messages"].as_array().unwrap();
    assert_eq!(sent.last().unwrap()["content"], "kestrel-27");
}

#[test]
fn what_a_model_cannot_do_is_said_and_what_to_do_about_it() {
    let rows: [(Vec<Reply>, i32, &str); 6] = [
        (
            vec![words(&["I ", "would ", "rather not."])],
            1,
            "FAIL model      near/m did not call the tool that it was told to call (",
        ),
        (
            vec![call("other")],
            1,
            "did not call the tool that it was told to call (",
        ),
        (
            vec![call("ready"), words(&["Done", "."])],
            0,
            "warn model      near/m streams and calls a tool, and did not say what the tool returned (",
        ),
        (
            vec![
                chunks(
                    &[json!({ "tool_calls": [{ "index": 0, "id": "c1", "function":
                        { "name": "echo", "arguments": "{\"word\":\"ready\"}" } }] })],
                    "tool_calls",
                ),
                words(&["kestrel-27"]),
            ],
            0,
            "warn model      near/m calls a tool, and answers in one piece (",
        ),
        (
            vec![Reply::whole(
                401,
                &[("content-type", "application/json")],
                "{}",
            )],
            1,
            "FAIL model      near/m refuses the key",
        ),
        (
            vec![Reply::whole(
                200,
                &[("content-type", "text/html")],
                "<html>",
            )],
            1,
            "try: check `base_url`",
        ),
    ];
    for (script, exit, said) in rows {
        let (ran, _peer) = doctor(script);
        ran.exits(exit).prints_part(said);
        assert!(!ran.stdout().contains("a-key-of-ours"), "{ran}");
    }
}

#[test]
fn a_model_that_cannot_be_reached_or_is_not_there_fails_and_one_without_its_key_is_not_asked() {
    let near = "return { default = 'near/m', providers = { near = { kind = 'openai_chat', attempts = 1, \
                base_url = 'http://127.0.0.1:1/v1' } } }";
    let program = Program::new().file("../config/tools/models.lua", near);
    program
        .run(&["doctor"])
        .exits(1)
        .prints_part("ok   models     near/m at http://127.0.0.1:1/v1; needs no key")
        .prints_part("FAIL model      near/m cannot be reached");
    program
        .run(&["doctor", "-m", "far/m"])
        .exits(1)
        .prints_part("FAIL model      ");
    let document = program
        .run(&["doctor", "-m", "gemini/g", "-o", "json"])
        .exits(0)
        .json();
    let names: Vec<&str> = document["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|check| check["name"].as_str())
        .collect();
    assert!(
        names.contains(&"models") && !names.contains(&"model"),
        "{document}"
    );
}
