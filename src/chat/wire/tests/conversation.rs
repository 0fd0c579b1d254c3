//! One conversation through each wire: the person asks, the model thinks, speaks and calls twice, both results
//! go back, it answers. Inside it is the same conversation; outside each provider sees its own.

use serde_json::{Value, json};

use super::*;
use crate::chat::{
    CallResult, Image, Message, Offered, Opaque, Part, Reasoning, Role, Stop, Usage, pairs,
};

const READ: &str = r#"{"path":"src/über.rs"}"#;
const GREP: &str = r#"{"pattern":"TODO","path":"src"}"#;
const THOUGHT: &str = "Zwei Dateien, also zwei Aufrufe…";
const SAID: &str = "Ich lese beide Dateien: naïve – 你好 🦀.";
const ANSWER: &str = "Fertig: 2 Stellen ✓";

fn request() -> Request {
    let mut request = Request::new("m", vec![Message::text(Role::User, "Such die Stellen.")]);
    request.system = vec!["Be brief.".to_owned(), "Here is Linux.".to_owned()];
    request.tools = ["read", "grep"].map(offered).into();
    request
}

fn offered(name: &str) -> Offered {
    Offered {
        name: name.to_owned(),
        description: format!("Does {name}."),
        found: false,
        schema: json!({ "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"] }),
    }
}

fn results(calls: &[Call]) -> Message {
    let results = calls.iter().map(|call| CallResult {
        id: call.id.clone(),
        tool: call.tool.clone(),
        text: format!("result of {}", call.tool),
        is_error: call.tool == "grep",
        images: match call.tool.as_str() {
            "read" => vec![Image::new("image/png", b"png")],
            _ => Vec::new(),
        },
    });
    Message::results(results.collect())
}

/// What only one provider knows, apart.
fn stripped(message: &Message) -> (Message, Vec<Opaque>, Vec<String>) {
    let mut message = message.clone();
    let (mut opaque, mut ids) = (Vec::new(), Vec::new());
    for part in &mut message.parts {
        match part {
            Part::Reasoning(reasoning) => opaque.extend(reasoning.opaque.take()),
            Part::Call(call) => {
                opaque.extend(call.opaque.take());
                ids.push(std::mem::take(&mut call.id));
            }
            _ => {}
        }
    }
    let is_empty = |part: &Part| *part == Part::Reasoning(Reasoning::default());
    message.parts.retain(|part| !is_empty(part));
    (message, opaque, ids)
}

/// The conversation through one wire: the request of the second step, its answer, and both usages.
fn talk(wire: Wire, first: &str, second: &str) -> (Request, Message, [Usage; 2]) {
    let mut request = request();
    let (handed, one) = gathered(whole(wire, first));
    assert_eq!(one.stop, Some(Stop::Calls), "{wire}");
    assert_eq!(
        handed,
        one.message.calls().cloned().collect::<Vec<_>>(),
        "{wire}"
    );
    request.messages.push(one.message);
    assert_eq!(pairs::open_calls(&request.messages).len(), 2);
    request.messages.push(results(&handed));
    assert!(pairs::is_paired(&request.messages));
    let (none, two) = gathered(whole(wire, second));
    assert_eq!((none, two.stop), (Vec::new(), Some(Stop::Done)), "{wire}");
    (
        request,
        two.message,
        [one.usage.unwrap(), two.usage.unwrap()],
    )
}

#[test]
fn the_conversation_is_the_same_inside_whichever_wire_carries_it() {
    for (wire, first, second) in RECORDED {
        let (request, answer, usage) = talk(wire, first, second);
        let (message, opaque, ids) = stripped(&request.messages[1]);
        let call = |tool: &str, text: &str| {
            Part::Call(Call {
                id: String::new(),
                tool: tool.to_owned(),
                arguments: crate::chat::Arguments::new(text),
                incomplete: false,
                opaque: None,
            })
        };
        let thought = Part::Reasoning(Reasoning {
            text: THOUGHT.to_owned(),
            opaque: None,
        });
        let parts = vec![
            thought,
            Part::text(SAID),
            call("read", READ),
            call("grep", GREP),
        ];
        assert_eq!(message.parts, parts, "{wire}");
        assert_eq!(answer.said(), ANSWER, "{wire}");
        match wire {
            Wire::Gemini => assert_eq!(ids, ["call_1_1", "call_1_2"]),
            _ => assert_eq!(ids, ["call_a", "call_b"]),
        }
        assert_eq!(
            opaque.len(),
            usize::from(wire != Wire::OpenAiChat),
            "{wire}"
        );
        let [first, second] = usage;
        assert_eq!(
            (first.context(), first.output, first.cache_read),
            (100, 40, 50),
            "{wire}"
        );
        assert_eq!(
            (second.context(), second.output, second.cache_read),
            (105, 7, 100),
            "{wire}"
        );
    }
}

fn sent(wire: Wire) -> Value {
    let (_, first, second) = RECORDED.into_iter().find(|(one, ..)| *one == wire).unwrap();
    let (request, ..) = talk(wire, first, second);
    serde_json::from_slice(&wire.body(&request, &Quirks::default())).unwrap()
}

#[test]
fn anthropic_sees_results_first_signed_thinking_and_four_marks() {
    let mark = json!({ "type": "ephemeral" });
    let schema = request().tools[0].schema.clone();
    let expected = json!({
        "model": "m", "max_tokens": 8192, "stream": true,
        "tools": [
            { "name": "read", "description": "Does read.", "input_schema": schema },
            { "name": "grep", "description": "Does grep.", "input_schema": schema, "cache_control": mark },
        ],
        "system": [
            { "type": "text", "text": "Be brief." },
            { "type": "text", "text": "Here is Linux.", "cache_control": mark },
        ],
        "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "Such die Stellen.", "cache_control": mark }] },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": THOUGHT, "signature": "c2lnbmVk" },
                { "type": "text", "text": SAID },
                { "type": "tool_use", "id": "call_a", "name": "read", "input": { "path": "src/über.rs" } },
                { "type": "tool_use", "id": "call_b", "name": "grep", "input": { "pattern": "TODO", "path": "src" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "call_a", "content": [
                    { "type": "text", "text": "result of read" },
                    { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "cG5n" } },
                ] },
                { "type": "tool_result", "tool_use_id": "call_b", "content": "result of grep", "is_error": true,
                  "cache_control": mark },
            ] },
        ],
    });
    assert_eq!(sent(Wire::Anthropic), expected);
}

#[test]
fn openai_sees_items_with_its_encrypted_reasoning() {
    let expected = json!([
        { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Such die Stellen." }] },
        { "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_text", "text": THOUGHT }],
          "encrypted_content": "c2VjcmV0" },
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": SAID }] },
        { "type": "function_call", "call_id": "call_a", "name": "read", "arguments": READ },
        { "type": "function_call", "call_id": "call_b", "name": "grep", "arguments": GREP },
        { "type": "function_call_output", "call_id": "call_a", "output": [
            { "type": "input_text", "text": "result of read" },
            { "type": "input_image", "image_url": "data:image/png;base64,cG5n" },
        ] },
        { "type": "function_call_output", "call_id": "call_b", "output": "result of grep" },
    ]);
    let sent = sent(Wire::OpenAi);
    assert_eq!(sent["input"], expected);
    assert_eq!(sent["instructions"], "Be brief.\n\nHere is Linux.");
    assert_eq!(
        (&sent["store"], &sent["stream"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(sent["include"], json!(["reasoning.encrypted_content"]));
    assert_eq!(sent["tools"][1]["name"], "grep");
}

#[test]
fn chat_sees_one_message_a_result_and_images_after_them() {
    let function = |name: &str, text: &str| json!({ "name": name, "arguments": text });
    let expected = json!([
        { "role": "system", "content": "Be brief.\n\nHere is Linux." },
        { "role": "user", "content": "Such die Stellen." },
        { "role": "assistant", "content": SAID, "tool_calls": [
            { "id": "call_a", "type": "function", "function": function("read", READ) },
            { "id": "call_b", "type": "function", "function": function("grep", GREP) },
        ] },
        { "role": "tool", "tool_call_id": "call_a", "content": "result of read" },
        { "role": "tool", "tool_call_id": "call_b", "content": "result of grep" },
        { "role": "user", "content": [
            { "type": "text", "text": "From the call call_a of read:" },
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,cG5n" } },
        ] },
    ]);
    let sent = sent(Wire::OpenAiChat);
    assert_eq!(sent["messages"], expected);
    assert_eq!(sent["stream_options"], json!({ "include_usage": true }));
    assert_eq!(sent["tools"][0]["function"]["name"], "read");
}

#[test]
fn gemini_sees_results_in_order_and_its_signature_where_it_was() {
    let expected = json!([
        { "role": "user", "parts": [{ "text": "Such die Stellen." }] },
        { "role": "model", "parts": [
            { "text": SAID },
            { "functionCall": { "name": "read", "args": { "path": "src/über.rs" } }, "thoughtSignature": "dGhvdWdodA==" },
            { "functionCall": { "name": "grep", "args": { "pattern": "TODO", "path": "src" } } },
        ] },
        { "role": "user", "parts": [
            { "functionResponse": { "name": "read", "response": { "output": "result of read" } } },
            { "functionResponse": { "name": "grep", "response": { "error": "result of grep" } } },
            { "inlineData": { "mimeType": "image/png", "data": "cG5n" } },
        ] },
    ]);
    let sent = sent(Wire::Gemini);
    assert_eq!(sent["contents"], expected);
    assert_eq!(
        sent["systemInstruction"],
        json!({ "parts": [{ "text": "Be brief." }, { "text": "Here is Linux." }] })
    );
}

#[test]
fn a_conversation_goes_on_with_another_provider_without_what_only_the_first_could_read() {
    for (from, first, second) in RECORDED {
        for to in Wire::ALL.into_iter().filter(|to| *to != from) {
            let (mut request, answer, _) = talk(from, first, second);
            request.messages.push(answer);
            request.messages.push(Message::text(Role::User, "Und nun?"));
            let body = String::from_utf8(to.body(&request, &Quirks::default())).unwrap();
            for secret in ["c2lnbmVk", "c2VjcmV0", "dGhvdWdodA", "ZW5k", THOUGHT] {
                assert!(!body.contains(secret), "{from} to {to}: {body}");
            }
            assert!(
                body.contains(SAID) && body.contains(ANSWER),
                "{from} to {to}"
            );
        }
    }
}
