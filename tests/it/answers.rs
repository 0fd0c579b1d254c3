//! What a provider answers, in each of the four formats: one call, or words.

use serde_json::{Value, json};

use crate::peer::{Peer, Reply, Seen};
use crate::program::Program;

pub(crate) const KINDS: [&str; 4] = ["anthropic", "openai", "openai_chat", "gemini"];

/// A workspace whose model `name` of the provider `near` is the peer's.
pub(crate) fn program(peer: &Peer, kind: &str, name: &str) -> Program {
    let models = format!(
        "return {{ default = 'near/{name}', providers = {{ near = {{ kind = '{kind}', base_url = '{}' }} }} }}",
        peer.url()
    );
    Program::new()
        .file("../config/tools/models.lua", models)
        .file("a.txt", "one\ntwo\n")
}

/// What a provider was recorded to answer, in a file of `tests/models`.
pub(crate) fn recorded(kind: &str, what: &str) -> String {
    let file = format!(
        "{}/tests/models/{kind}_{what}.sse",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(file).unwrap()
}

/// The model says `text` and is done.
pub(crate) fn says(kind: &str, text: &str) -> Reply {
    events(&match kind {
        "anthropic" => {
            let block = json!({ "type": "text", "text": text });
            anthropic(block, None, "end_turn")
        }
        "openai" => {
            let content = json!([{ "type": "output_text", "text": text }]);
            let item =
                json!({ "type": "message", "id": "m", "role": "assistant", "content": content });
            vec![openai(item)]
        }
        "openai_chat" => chat(json!({ "content": text }), "stop"),
        _ => vec![gemini(json!({ "text": text }))],
    })
}

/// The model calls `tool`, as it is named on the wire, in its `n`-th answer.
pub(crate) fn calls(kind: &str, n: usize, tool: &str, args: &Value) -> Reply {
    let id = format!("call_{n}");
    let text = args.to_string();
    events(&match kind {
        "anthropic" => {
            let block = json!({ "type": "tool_use", "id": id, "name": tool, "input": {} });
            anthropic(block, Some(&text), "tool_use")
        }
        "openai" => vec![openai(
            json!({ "type": "function_call", "id": format!("fc_{n}"), "call_id": id, "name": tool, "arguments": text }),
        )],
        "openai_chat" => {
            let function = json!({ "name": tool, "arguments": text });
            let call = json!([{ "index": 0, "id": id, "type": "function", "function": function }]);
            chat(json!({ "tool_calls": call }), "tool_calls")
        }
        _ => vec![gemini(
            json!({ "functionCall": { "name": tool, "args": args } }),
        )],
    })
}

fn events(events: &[Value]) -> Reply {
    let lines = events.iter().map(|data| {
        let name = data["type"].as_str();
        let name = name.map(|name| format!("event: {name}\n"));
        format!("{}data: {data}\n\n", name.unwrap_or_default())
    });
    let text: String = lines.collect();
    Reply::events(&text)
}

fn anthropic(block: Value, args: Option<&str>, stop: &str) -> Vec<Value> {
    let usage = json!({ "input_tokens": 10, "output_tokens": 5 });
    let message = json!({ "id": "m", "role": "assistant", "content": [], "usage": usage });
    let mut events = vec![
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
    ];
    events.extend(args.map(|args| {
        let delta = json!({ "type": "input_json_delta", "partial_json": args });
        json!({ "type": "content_block_delta", "index": 0, "delta": delta })
    }));
    events.extend([
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": stop }, "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ]);
    events
}

fn openai(item: Value) -> Value {
    let usage = json!({ "input_tokens": 10, "output_tokens": 5 });
    let response = json!({ "id": "r", "status": "completed", "output": [item], "usage": usage });
    json!({ "type": "response.completed", "response": response })
}

fn chat(delta: Value, stop: &str) -> Vec<Value> {
    let chunk = |delta: Value, stop: Value| json!({ "id": "c", "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": delta, "finish_reason": stop }] });
    vec![chunk(delta, Value::Null), chunk(json!({}), stop.into())]
}

fn gemini(part: Value) -> Value {
    let content = json!({ "role": "model", "parts": [part] });
    let usage = json!({ "promptTokenCount": 10, "candidatesTokenCount": 5 });
    json!({ "candidates": [{ "content": content, "index": 0, "finishReason": "STOP" }], "usageMetadata": usage })
}

/// The body of a request.
pub(crate) fn body(seen: &Seen) -> Value {
    serde_json::from_slice(&seen.body).unwrap()
}

/// The tools that a request offers, one declaration each.
pub(crate) fn offered(seen: &Seen) -> Vec<Value> {
    let body = body(seen);
    let tools = match &body["tools"][0]["functionDeclarations"] {
        Value::Null => &body["tools"],
        declared => declared,
    };
    let tools = tools.as_array().unwrap().iter();
    tools
        .map(|tool| match &tool["function"] {
            Value::Null => tool.clone(),
            function => function.clone(),
        })
        .collect()
}

/// Their names.
pub(crate) fn names(seen: &Seen) -> Vec<String> {
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    offered(seen).iter().map(name).collect()
}
