//! Answers of a given shape that come as a call: outside a call, inside text.

use serde_json::json;

use super::*;
use crate::chat::{Message, Offered, Role, Stop, Structure};

fn request(tools: &[&str]) -> Request {
    let mut request = Request::new("m", vec![Message::text(Role::User, "x")]);
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    request.structure = Some(Structure {
        name: "rating".to_owned(),
        schema: schema.clone(),
    });
    let offered = |name: &&str| Offered {
        name: (*name).to_owned(),
        description: String::new(),
        found: false,
        schema: schema.clone(),
    };
    request.tools = tools.iter().map(offered).collect();
    request
}

/// Recorded calls with the tool `grep` renamed.
fn renamed(wire: Wire, name: &str) -> String {
    let (_, calls, _) = RECORDED.into_iter().find(|(one, ..)| *one == wire).unwrap();
    calls.replace("\"grep\"", &format!("\"{name}\""))
}

#[test]
fn the_call_of_the_answer_is_its_text_and_other_calls_stay_calls() {
    let quirks = Quirks {
        structure_by_call: true,
        ..Quirks::default()
    };
    for wire in Wire::ALL {
        let request = request(&["read"]);
        let decoder = wire.decoder(&request, &quirks);
        let (deltas, ended) = read(decoder, [renamed(wire, "answer").as_bytes()]);
        assert_eq!(ended, Ok(()));
        let (handed, all) = gathered(deltas);
        assert_eq!(handed.len(), 1, "{wire}");
        assert_eq!(handed[0].tool, "read");
        assert!(
            all.message
                .said()
                .ends_with(r#"🦀.{"pattern":"TODO","path":"src"}"#),
            "{wire}"
        );
        assert_eq!(all.stop, Some(Stop::Calls), "{wire}");
    }
}

#[test]
fn an_answer_alone_ends_the_turn() {
    let body = r#"
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"answer","input":{}}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":":3}"}}

data: {"type":"content_block_stop","index":0}

data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":3}}

data: {"type":"message_stop"}

"#;
    let decoder = Wire::Anthropic.decoder(&request(&[]), &Quirks::default());
    let (deltas, ended) = read(decoder, [body.as_bytes()]);
    assert_eq!(ended, Ok(()));
    let (handed, all) = gathered(deltas);
    assert_eq!(
        (handed.len(), all.message.said().as_str(), all.stop),
        (0, "{\"n\":3}", Some(Stop::Done))
    );
}

#[test]
fn a_tool_that_is_called_answer_already_stays_itself() {
    let request = request(&["answer"]);
    let body = Wire::Anthropic.body(&request, &Quirks::default());
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["tools"][1]["name"], "answer_2");
    assert_eq!(body["tool_choice"]["type"], "any");
    let decoder = Wire::Anthropic.decoder(&request, &Quirks::default());
    let (deltas, _) = read(decoder, [renamed(Wire::Anthropic, "answer").as_bytes()]);
    assert_eq!(gathered(deltas).0.len(), 2);
}
