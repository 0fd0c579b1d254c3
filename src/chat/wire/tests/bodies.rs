//! Bodies: the same bytes for the same beginning, and what goes back in another form or not at all.

use serde_json::{Value, json};

use super::*;
use crate::chat::{Arguments, CallResult, Image, Message, Offered, Opaque, Part, Reasoning, Role};

pub(super) fn history() -> Vec<Message> {
    let call = |id: &str, written: &str| {
        Part::Call(Call {
            id: id.to_owned(),
            tool: "read".to_owned(),
            arguments: Arguments::new(written),
            incomplete: false,
            opaque: Some(Opaque::Thought {
                data: "s".to_owned(),
            }),
        })
    };
    let result = |id: &str| CallResult {
        id: id.to_owned(),
        tool: "read".to_owned(),
        text: "text".to_owned(),
        is_error: false,
        images: vec![Image::new("image/png", id.as_bytes())],
    };
    let thought = Part::Reasoning(Reasoning {
        text: "hm".to_owned(),
        opaque: Some(Opaque::Signature {
            data: "s".to_owned(),
        }),
    });
    let of = |role, parts| Message { role, parts };
    vec![
        Message::text(Role::User, "one"),
        of(
            Role::Assistant,
            vec![thought, call("a", "{\"z\":1,\"a\":2}"), call("b", "{bad")],
        ),
        Message::results(vec![result("a"), result("b")]),
        Message::text(Role::User, "steer"),
        Message::text(Role::System, "remember"),
        Message::text(Role::Assistant, "two"),
        of(
            Role::User,
            vec![
                Part::text("see"),
                Part::Image(Image::new("image/gif", b"g")),
            ],
        ),
        of(Role::Assistant, vec![Part::text("three"), call("c", "")]),
        Message::results(vec![result("c")]),
        Message::text(Role::Assistant, "four"),
    ]
}

pub(super) fn request(messages: Vec<Message>) -> Request {
    let mut request = Request::new("m", messages);
    request.system = vec!["head".to_owned()];
    request.tools = vec![Offered {
        name: "read".to_owned(),
        description: "Reads.".to_owned(),
        found: false,
        schema: json!({ "type": "object", "properties": {}, "required": [] }),
    }];
    request
}

pub(super) fn sent(wire: Wire, request: &Request, quirks: &Quirks) -> Value {
    serde_json::from_slice(&wire.body(request, quirks)).unwrap()
}

#[test]
fn more_messages_only_add_to_the_end_of_the_body() {
    let plain = Quirks::default();
    let odd = Quirks {
        no_system_role: true,
        reasoning_field: Some("reasoning_content".to_owned()),
        developer: true,
        ..Quirks::default()
    };
    let mark = ",\"cache_control\":{\"type\":\"ephemeral\"}";
    for (wire, quirks) in Wire::ALL
        .into_iter()
        .flat_map(|wire| [(wire, &plain), (wire, &odd)])
    {
        let body = |count: usize| {
            let body = wire.body(&request(history()[..count].to_vec()), quirks);
            String::from_utf8(body).unwrap().replace(mark, "")
        };
        for count in 1..history().len() {
            let (short, long) = (body(count), body(count + 1));
            let kept = short.trim_end_matches([']', '}']);
            assert!(short.len() - kept.len() <= 8, "{wire}: {short}");
            assert!(
                long.starts_with(kept),
                "{wire} at {count}:\n{short}\n{long}"
            );
            assert_eq!(short, body(count));
        }
    }
}

#[test]
fn malformed_arguments_go_back_as_an_object_everywhere() {
    for wire in Wire::ALL {
        let body = String::from_utf8(wire.body(&request(history()), &Quirks::default())).unwrap();
        assert!(body.contains("malformed_arguments"), "{wire}: {body}");
        let keys = body.replace("\\\"", "\"");
        assert!(keys.contains("{\"z\":1,\"a\":2}"), "{wire}: {body}");
    }
}

#[test]
fn ids_and_names_that_a_provider_refuses_are_sent_in_its_letters_on_both_sides() {
    let id = "functions.read:0";
    let call = Call {
        id: id.to_owned(),
        tool: "mcp.a b".to_owned(),
        arguments: Arguments::new(""),
        incomplete: true,
        opaque: None,
    };
    let result = CallResult {
        id: id.to_owned(),
        tool: "mcp.a b".to_owned(),
        text: "no such tool".to_owned(),
        is_error: true,
        images: Vec::new(),
    };
    let parts = vec![Part::Call(call)];
    let messages = vec![
        Message::text(Role::User, "x"),
        Message {
            role: Role::Assistant,
            parts,
        },
        Message::results(vec![result]),
    ];
    let body = sent(
        Wire::Anthropic,
        &request(messages.clone()),
        &Quirks::default(),
    );
    let call = &body["messages"][1]["content"][0];
    assert_eq!(
        (&call["id"], &call["name"]),
        (
            &json!("functions_read_0"),
            &json!("mcp_a_b_f5136defd9aedecc")
        )
    );
    assert_eq!(body["messages"][2]["content"][0]["tool_use_id"], call["id"]);
    let body = sent(Wire::OpenAiChat, &request(messages), &Quirks::default());
    assert_eq!(body["messages"][2]["tool_calls"][0]["id"], id);
    assert_eq!(body["messages"][3]["tool_call_id"], id);
}

#[test]
fn an_answer_that_goes_on_is_sent_last_without_the_white_space_at_its_end() {
    let paused = Message::text(Role::Assistant, "so far \n");
    let body = sent(
        Wire::Anthropic,
        &request(vec![Message::text(Role::User, "x"), paused]),
        &Quirks::default(),
    );
    assert_eq!(body["messages"][1]["content"][0]["text"], "so far");
}

#[test]
fn what_cannot_be_sent_back_leaves_no_empty_message() {
    let nothing = Message {
        role: Role::Assistant,
        parts: vec![
            Part::Reasoning(Reasoning {
                text: "hm".to_owned(),
                opaque: None,
            }),
            Part::text(""),
        ],
    };
    let unfollowed = Message {
        role: Role::Assistant,
        parts: vec![Part::Reasoning(Reasoning {
            text: String::new(),
            opaque: Some(Opaque::Encrypted {
                id: "rs".to_owned(),
                data: "d".to_owned(),
            }),
        })],
    };
    let user = |text: &str| Message::text(Role::User, text);
    let messages = vec![user("a"), nothing, user("b"), unfollowed, user("c")];
    let mut asked = request(messages);
    asked.system.clear();
    let list = |wire: Wire, field: &str| {
        let body = sent(wire, &asked, &Quirks::default());
        body[field].as_array().unwrap().len()
    };
    assert_eq!(list(Wire::Anthropic, "messages"), 1);
    assert_eq!(list(Wire::Gemini, "contents"), 1);
    assert_eq!(list(Wire::OpenAi, "input"), 3);
    assert_eq!(list(Wire::OpenAiChat, "messages"), 3);
}
