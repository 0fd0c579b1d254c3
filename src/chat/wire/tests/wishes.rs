//! What a wish of the request or a quirk of the server changes in a body, and what it leaves alone.

use serde_json::{Value, json};

use super::bodies::{history, request, sent};
use super::*;
use crate::chat::{Choice, Effort, Image, Message, Role, Structure, Thinking};
use crate::data::Data;

#[test]
fn quirks_of_chat_change_what_they_name() {
    let mut asked = request(history());
    asked.max_output = Some(100);
    asked.effort = Some(Effort::Max);
    let plain = sent(Wire::OpenAiChat, &asked, &Quirks::default());
    assert_eq!(
        (&plain["max_completion_tokens"], &plain["reasoning_effort"]),
        (&json!(100), &json!("xhigh"))
    );
    let quirks = Quirks {
        max_tokens_field: Some("max_tokens".to_owned()),
        no_stream_usage: true,
        no_parallel_calls: true,
        string_content: true,
        no_system_role: true,
        strict_schema: true,
        reasoning_field: Some("reasoning_content".to_owned()),
        thinking: Some(Thinking::Off),
        body: [
            ("top_k".to_owned(), Data::Int(3)),
            ("tools".to_owned(), Data::Null),
            (
                "provider".to_owned(),
                Data::map([("only", Data::from("x"))]),
            ),
        ]
        .into(),
        ..Quirks::default()
    };
    let odd = sent(Wire::OpenAiChat, &asked, &quirks);
    assert_eq!(odd["max_tokens"], 100);
    for gone in [
        "stream_options",
        "reasoning_effort",
        "max_completion_tokens",
    ] {
        assert_eq!(odd.get(gone), None, "{gone}");
    }
    assert_eq!(odd["parallel_tool_calls"], false);
    assert_eq!(
        odd["messages"][0],
        json!({ "role": "user", "content": "head\n\none" })
    );
    assert_eq!(odd["messages"][1]["content"], "");
    assert_eq!(odd["messages"][1]["reasoning_content"], "hm");
    assert!(
        odd["messages"][4]["content"]
            .as_str()
            .unwrap()
            .contains("cannot see")
    );
    assert!(
        !odd.to_string().contains("\"role\":\"system\"") && !odd.to_string().contains("image_url")
    );
    assert_eq!(
        (&odd["top_k"], &odd["tools"], &odd["provider"]["only"]),
        (&json!(3), &Value::Null, &json!("x"))
    );
    let developer = Quirks {
        developer: true,
        strict_schema: true,
        ..Quirks::default()
    };
    let body = sent(Wire::OpenAiChat, &asked, &developer);
    assert_eq!(body["messages"][0]["role"], "developer");
    assert_eq!(body["tools"][0]["function"]["strict"], true);
    assert_eq!(
        sent(Wire::OpenAi, &asked, &developer)["input"][0]["role"],
        "developer"
    );
}

#[test]
fn a_model_without_eyes_gets_a_line_for_each_image() {
    let quirks = Quirks {
        no_images: true,
        ..Quirks::default()
    };
    for wire in Wire::ALL {
        let body = String::from_utf8(wire.body(&request(history()), &quirks)).unwrap();
        assert!(
            body.contains("[an image (image/gif) that this model cannot see]"),
            "{wire}: {body}"
        );
        assert!(!body.contains(&Image::new("", b"g").data), "{wire}");
    }
}

#[test]
fn thinking_is_asked_for_as_the_model_takes_it() {
    let mut asked = request(vec![Message::text(Role::User, "x")]);
    let budget = Quirks {
        thinking: Some(Thinking::Budget),
        ..Quirks::default()
    };
    let of = |asked: &Request, wire: Wire, quirks: &Quirks, path: &str| {
        sent(wire, asked, quirks)
            .pointer(path)
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(
        of(&asked, Wire::Anthropic, &Quirks::default(), "/thinking"),
        Value::Null
    );
    asked.effort = Some(Effort::Medium);
    let plain = Quirks::default();
    assert_eq!(
        of(&asked, Wire::Anthropic, &plain, "/thinking/type"),
        "adaptive"
    );
    assert_eq!(
        of(&asked, Wire::Anthropic, &plain, "/output_config/effort"),
        "medium"
    );
    assert_eq!(
        of(&asked, Wire::Anthropic, &budget, "/thinking/budget_tokens"),
        10_000
    );
    assert_eq!(of(&asked, Wire::Anthropic, &budget, "/max_tokens"), 18_192);
    assert_eq!(
        of(&asked, Wire::OpenAi, &plain, "/reasoning/effort"),
        "medium"
    );
    assert_eq!(
        of(
            &asked,
            Wire::Gemini,
            &plain,
            "/generationConfig/thinkingConfig/thinkingLevel"
        ),
        "medium"
    );
    assert_eq!(
        of(
            &asked,
            Wire::Gemini,
            &budget,
            "/generationConfig/thinkingConfig/thinkingBudget"
        ),
        8_192
    );
    // A step that goes on from calls without thinking cannot begin to think in the midst.
    asked.messages = history()[..3].to_vec();
    asked.messages[1].parts.remove(0);
    assert_eq!(
        of(&asked, Wire::Anthropic, &budget, "/thinking"),
        Value::Null
    );
    asked.choice = Choice::Any;
    assert_eq!(
        of(&asked, Wire::Anthropic, &plain, "/thinking"),
        Value::Null
    );
}

#[test]
fn a_choice_of_tools_is_said_in_each_format() {
    let mut asked = request(vec![Message::text(Role::User, "x")]);
    let fields = |asked: &Request| {
        let of = |wire: Wire, field: &str| sent(wire, asked, &Quirks::default())[field].clone();
        [
            of(Wire::Anthropic, "tool_choice"),
            of(Wire::OpenAi, "tool_choice"),
            of(Wire::OpenAiChat, "tool_choice"),
            of(Wire::Gemini, "toolConfig")["functionCallingConfig"].clone(),
        ]
    };
    assert_eq!(
        fields(&asked),
        [Value::Null, Value::Null, Value::Null, Value::Null]
    );
    asked.choice = Choice::Never;
    assert_eq!(
        fields(&asked),
        [
            json!({ "type": "none" }),
            json!("none"),
            json!("none"),
            json!({ "mode": "NONE" })
        ]
    );
    asked.choice = Choice::Tool("read".to_owned());
    assert_eq!(
        fields(&asked),
        [
            json!({ "type": "tool", "name": "read" }),
            json!({ "type": "function", "name": "read" }),
            json!({ "type": "function", "function": { "name": "read" } }),
            json!({ "mode": "ANY", "allowedFunctionNames": ["read"] }),
        ]
    );
    asked.choice = Choice::Auto;
    let quirks = Quirks {
        no_parallel_calls: true,
        ..Quirks::default()
    };
    let body = sent(Wire::Anthropic, &asked, &quirks);
    assert_eq!(
        body["tool_choice"],
        json!({ "type": "auto", "disable_parallel_tool_use": true })
    );
}

#[test]
fn a_shape_is_asked_for_in_the_formats_own_words() {
    let mut asked = request(vec![Message::text(Role::User, "x")]);
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    asked.structure = Some(Structure {
        name: "rating".to_owned(),
        schema: schema.clone(),
    });
    let chat = sent(Wire::OpenAiChat, &asked, &Quirks::default());
    let format = &chat["response_format"]["json_schema"];
    assert_eq!(
        (&format["name"], &format["strict"]),
        (&json!("rating"), &json!(true))
    );
    assert_eq!(format["schema"]["additionalProperties"], false);
    let responses = sent(Wire::OpenAi, &asked, &Quirks::default());
    assert_eq!(responses["text"]["format"]["type"], "json_schema");
    assert_eq!(responses["text"]["format"]["schema"], format["schema"]);
    let gemini = sent(Wire::Gemini, &asked, &Quirks::default());
    assert_eq!(gemini["toolConfig"]["functionCallingConfig"]["mode"], "ANY");
    asked.tools.clear();
    let gemini = sent(Wire::Gemini, &asked, &Quirks::default());
    assert_eq!(gemini["generationConfig"]["responseSchema"], schema);
    let anthropic = sent(Wire::Anthropic, &asked, &Quirks::default());
    assert_eq!(anthropic["tools"][0]["name"], "answer");
    assert_eq!(
        anthropic["tool_choice"],
        json!({ "type": "tool", "name": "answer" })
    );
}
