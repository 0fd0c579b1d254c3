//! What servers send besides the plain stream: other ways to send a call, an answer at once, errors in the
//! midst, every reason to stop.

use serde_json::json;

use super::*;
use crate::chat::{FailureKind, Opaque, Part, Reasoning, Stop, Usage};

fn events(values: &[Value]) -> String {
    values
        .iter()
        .map(|value| format!("data: {value}\n\n"))
        .collect()
}

/// Chunks of chat, the last with a reason to finish.
pub(super) fn chat(deltas: &[Value], reason: &str) -> (Vec<Call>, Gathered) {
    let mut all: Vec<Value> = deltas
        .iter()
        .map(|delta| json!({ "choices": [{ "delta": delta, "finish_reason": null }] }))
        .collect();
    all.push(json!({ "choices": [{ "delta": {}, "finish_reason": reason }] }));
    gathered(whole(Wire::OpenAiChat, &events(&all)))
}

pub(super) fn told(calls: &[Call]) -> Vec<String> {
    let told = |call: &Call| format!("{} {} {}", call.id, call.tool, call.arguments.as_str());
    calls.iter().map(told).collect()
}

#[test]
fn chat_thinks_aloud_under_several_names() {
    let list = json!([{ "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] }, { "type": "text", "text": "so" }]);
    for delta in [
        json!({ "reasoning_content": "hm", "content": "so" }),
        json!({ "reasoning": "hm", "reasoning_content": null, "content": "so" }),
        json!({ "content": list }),
    ] {
        let (_, all) = chat(&[delta], "stop");
        let thought = Part::Reasoning(Reasoning {
            text: "hm".to_owned(),
            opaque: None,
        });
        assert_eq!(all.message.parts, [thought, Part::text("so")]);
    }
}

#[test]
fn every_reason_to_stop_has_its_word() {
    let chat = |reason: &str| json!({ "choices": [{ "delta": { "content": "x" }, "finish_reason": reason }] });
    let claude =
        |reason: &str| json!({ "type": "message_delta", "delta": { "stop_reason": reason } });
    let gemini =
        |reason: &str| json!({ "candidates": [{ "content": {}, "finishReason": reason }] });
    let responses = |reason: Value| json!({ "type": "response.incomplete", "response": { "status": "incomplete", "incomplete_details": { "reason": reason } } });
    let other = |word: &str| Stop::Other(word.to_owned());
    let rows = [
        (Wire::OpenAiChat, chat("stop"), Stop::Done),
        (Wire::OpenAiChat, chat("length"), Stop::Length),
        (Wire::OpenAiChat, chat("content_filter"), Stop::Filtered),
        (Wire::OpenAiChat, chat("odd"), other("odd")),
        (Wire::Anthropic, claude("end_turn"), Stop::Done),
        (Wire::Anthropic, claude("stop_sequence"), Stop::Done),
        (Wire::Anthropic, claude("max_tokens"), Stop::Length),
        (
            Wire::Anthropic,
            claude("model_context_window_exceeded"),
            Stop::Length,
        ),
        (Wire::Anthropic, claude("refusal"), Stop::Refused),
        (Wire::Anthropic, claude("pause_turn"), Stop::Paused),
        (Wire::Gemini, gemini("MAX_TOKENS"), Stop::Length),
        (Wire::Gemini, gemini("SAFETY"), Stop::Filtered),
        (
            Wire::Gemini,
            gemini("MALFORMED_FUNCTION_CALL"),
            other("MALFORMED_FUNCTION_CALL"),
        ),
        (
            Wire::Gemini,
            json!({ "promptFeedback": { "blockReason": "SAFETY" } }),
            Stop::Filtered,
        ),
        (
            Wire::OpenAi,
            responses(json!("max_output_tokens")),
            Stop::Length,
        ),
        (
            Wire::OpenAi,
            responses(json!("content_filter")),
            Stop::Filtered,
        ),
        (Wire::OpenAi, responses(Value::Null), Stop::Length),
    ];
    for (wire, event, stop) in rows {
        let (_, all) = gathered(whole(wire, &events(std::slice::from_ref(&event))));
        assert_eq!(all.stop, Some(stop), "{wire}: {event}");
    }
}

#[test]
fn a_call_that_length_cut_off_is_incomplete_though_its_block_was_closed() {
    let begun = |index: u64, id: &str| json!({ "type": "content_block_start", "index": index, "content_block": { "type": "tool_use", "id": id, "name": "write", "input": {} } });
    let piece = |index: u64, text: &str| json!({ "type": "content_block_delta", "index": index, "delta": { "type": "input_json_delta", "partial_json": text } });
    let closed = |index: u64| json!({ "type": "content_block_stop", "index": index });
    let stop =
        |reason: &str| json!({ "type": "message_delta", "delta": { "stop_reason": reason } });
    let all = |second: &str, reason: &str| {
        let body = [
            begun(0, "a"),
            piece(0, "{\"p\":1}"),
            closed(0),
            begun(1, "b"),
            piece(1, second),
            closed(1),
            stop(reason),
        ];
        gathered(whole(Wire::Anthropic, &events(&body)))
    };
    for second in ["{\"content\":\"half", ""] {
        let (handed, all) = all(second, "max_tokens");
        assert_eq!(told(&handed), ["a write {\"p\":1}"]);
        let incomplete: Vec<bool> = all.message.calls().map(|call| call.incomplete).collect();
        assert_eq!(
            (incomplete, all.stop),
            (vec![false, true], Some(Stop::Length))
        );
    }
    // The same under another stop is a call that the model wrote badly: it is answered.
    let (handed, _) = all("{\"content\":\"half", "tool_use");
    assert_eq!(told(&handed)[1], "b write {\"content\":\"half");
    assert!(handed[1].arguments.parse().is_err());
}

#[test]
fn the_first_call_is_handed_out_before_the_second_is_whole() {
    for (wire, calls, _) in RECORDED
        .into_iter()
        .filter(|(wire, ..)| *wire != Wire::OpenAiChat)
    {
        let deltas = whole(wire, calls);
        let mut gather = Gather::new(1, HashSet::new());
        let mut order = Vec::new();
        for delta in deltas {
            let is_second = matches!(&delta, Delta::CallDone { key } if gather.call_at(*key).is_some_and(|(_, tool)| tool == "grep"));
            order.extend(gather.take(delta).into_iter().map(|call| call.tool));
            if is_second && !order.contains(&"second ends".to_owned()) {
                order.push("second ends".to_owned());
            }
        }
        assert_eq!(order, ["read", "grep", "second ends"], "{wire}");
    }
}

#[test]
fn an_answer_that_comes_at_once_is_read_like_a_stream() {
    let usage = Usage {
        input: 4,
        output: 2,
        ..Usage::default()
    };
    let chat = json!({ "object": "chat.completion", "choices": [{ "index": 0, "finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": "so", "tool_calls": [{ "id": "a", "type": "function", "function": { "name": "read", "arguments": "{\"p\":1}" } }] } }],
        "usage": { "prompt_tokens": 4, "completion_tokens": 2 } });
    let claude = json!({ "type": "message", "role": "assistant", "stop_reason": "tool_use", "content": [
        { "type": "text", "text": "so" }, { "type": "tool_use", "id": "a", "name": "read", "input": { "p": 1 } }],
        "usage": { "input_tokens": 4, "output_tokens": 2 } });
    let responses = json!({ "object": "response", "status": "completed", "output": [
        { "type": "message", "content": [{ "type": "output_text", "text": "so" }] },
        { "type": "function_call", "call_id": "a", "name": "read", "arguments": "{\"p\":1}" }],
        "usage": { "input_tokens": 4, "output_tokens": 2 } });
    let gemini = json!([{ "candidates": [{ "finishReason": "STOP", "content": { "parts": [
        { "text": "so" }, { "functionCall": { "id": "a", "name": "read", "args": { "p": 1 } } }] } }],
        "usageMetadata": { "promptTokenCount": 4, "candidatesTokenCount": 2 } }]);
    for (wire, body) in [
        (Wire::OpenAiChat, chat),
        (Wire::Anthropic, claude),
        (Wire::OpenAi, responses),
        (Wire::Gemini, gemini),
    ] {
        for body in [
            body.to_string(),
            serde_json::to_string_pretty(&body).unwrap(),
        ] {
            let (deltas, ended) = deltas(wire, body.as_bytes().chunks(7));
            assert_eq!(ended, Ok(()), "{wire}");
            let (handed, all) = gathered(deltas);
            assert_eq!(told(&handed), ["a read {\"p\":1}"], "{wire}");
            assert_eq!(
                (all.message.said().as_str(), all.usage),
                ("so", Some(usage)),
                "{wire}"
            );
        }
    }
}

#[test]
fn an_error_in_the_midst_of_a_stream_ends_it_with_its_reason() {
    let rows = [
        (
            Wire::Anthropic,
            json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }),
            FailureKind::Overloaded,
        ),
        (
            Wire::OpenAiChat,
            json!({ "error": { "message": "too many", "code": "rate_limit_exceeded" } }),
            FailureKind::RateLimited,
        ),
        (
            Wire::OpenAiChat,
            json!({ "error": "out of memory" }),
            FailureKind::Server,
        ),
        (
            Wire::OpenAi,
            json!({ "type": "error", "code": "server_error", "message": "broke" }),
            FailureKind::Server,
        ),
        (
            Wire::OpenAi,
            json!({ "type": "response.failed", "response": { "status": "failed", "error": { "code": "context_length_exceeded", "message": "long" } } }),
            FailureKind::TooLong,
        ),
        (
            Wire::Gemini,
            json!({ "error": { "code": 503, "status": "UNAVAILABLE", "message": "busy" } }),
            FailureKind::Overloaded,
        ),
    ];
    for (wire, event, kind) in rows {
        let (_, calls, _) = RECORDED.into_iter().find(|(one, ..)| *one == wire).unwrap();
        let start = calls
            .split_inclusive("\n\n")
            .next()
            .unwrap()
            .replace("\r\n", "\n");
        let start = if wire == Wire::Gemini {
            String::new()
        } else {
            start
        };
        let (_, ended) = deltas(wire, [format!("{start}{}", events(&[event])).as_bytes()]);
        let Err(StreamError::Failed(failure)) = ended else {
            panic!("{wire}: {ended:?}");
        };
        assert_eq!((failure.kind, failure.status), (kind, None), "{wire}");
    }
}

#[test]
fn an_event_that_is_no_json_ends_the_stream_and_says_how_it_began() {
    for wire in Wire::ALL {
        let (_, ended) = deltas(wire, [&b"data: {\"half\": \n\n"[..]]);
        assert_eq!(
            ended,
            Err(StreamError::Garbage("{\"half\": ".to_owned())),
            "{wire}"
        );
        let (_, ended) = deltas(wire, [&b"<html><title>Proxy</title>"[..]]);
        assert!(matches!(ended, Err(StreamError::NoStream(_))), "{wire}");
        let (_, ended) = deltas(wire, [&b""[..]]);
        assert_eq!(ended, Err(StreamError::Cut), "{wire}");
    }
}

#[test]
fn what_is_encrypted_is_kept_where_it_stood() {
    let claude = [
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "redacted_thinking", "data": "r" } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "thinking", "thinking": "" } }),
        json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "signature_delta", "signature": "s" } }),
        json!({ "type": "content_block_stop", "index": 1 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }),
    ];
    let (_, all) = gathered(whole(Wire::Anthropic, &events(&claude)));
    let of = |opaque| {
        Part::Reasoning(Reasoning {
            text: String::new(),
            opaque: Some(opaque),
        })
    };
    let redacted = Opaque::Redacted {
        data: "r".to_owned(),
    };
    let signed = Opaque::Signature {
        data: "s".to_owned(),
    };
    assert_eq!(all.message.parts, [of(redacted), of(signed)]);
}

#[test]
fn usage_that_comes_again_and_again_counts_once() {
    let of = |tokens: u64| json!({ "choices": [{ "delta": { "content": "x" }, "finish_reason": null }], "usage": { "prompt_tokens": 10, "completion_tokens": tokens, "prompt_cache_hit_tokens": 4 } });
    let stop = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
    let (_, all) = gathered(whole(
        Wire::OpenAiChat,
        &events(&[of(1), of(2), of(3), stop]),
    ));
    let usage = Usage {
        input: 6,
        output: 3,
        cache_read: 4,
        ..Usage::default()
    };
    assert_eq!(all.usage, Some(usage));
}
