//! A request as Chat Completions take it: everything but the messages, which stand last.
//!
//! A field that a server may not know is sent only where the request asks for what it says.

use serde_json::{Map, Value, json};

use super::message::messages;
use crate::chat::wire::Wire;
use crate::chat::wire::answer::{Asked, asked, is_by_call};
use crate::chat::wire::strict::strict;
use crate::chat::{Choice, Effort, Offered, Quirks, Request, Structure, Thinking};

/// The body.
pub(in super::super) fn body(request: &Request, quirks: &Quirks) -> Map<String, Value> {
    let Asked { tools, choice } = asked(Wire::OpenAiChat, request, quirks);
    let mut body = Map::new();
    let mut put = |key: &str, value: Value| {
        body.insert(key.to_owned(), value);
    };
    put("model", json!(request.model));
    put("stream", json!(true));
    if !quirks.no_stream_usage {
        put("stream_options", json!({ "include_usage": true }));
    }
    if let Some(most) = request.max_output {
        let field = quirks.max_tokens_field.as_deref();
        put(field.unwrap_or("max_completion_tokens"), json!(most));
    }
    if let Some(word) = request.effort.and_then(|effort| word(effort, quirks)) {
        put("reasoning_effort", json!(word));
    }
    if !tools.is_empty() {
        let tools = tools.iter().map(|tool| offered(tool, quirks));
        put("tools", tools.collect());
        if let Some(choice) = chosen(&choice) {
            put("tool_choice", choice);
        }
        if quirks.no_parallel_calls {
            put("parallel_tool_calls", json!(false));
        }
    }
    if let Some(structure) = &request.structure
        && !is_by_call(Wire::OpenAiChat, request, quirks)
    {
        let schema = shape(structure);
        put(
            "response_format",
            json!({ "type": "json_schema", "json_schema": schema }),
        );
    }
    put("messages", Value::Array(messages(request, quirks)));
    body
}

/// The word for an effort, as both of OpenAI's formats take it.
pub(in super::super) fn word(effort: Effort, quirks: &Quirks) -> Option<&'static str> {
    match (quirks.thinking, effort) {
        (Some(Thinking::Off), _) => None,
        (_, Effort::Max) => Some(Effort::Xhigh.as_str()),
        (_, effort) => Some(effort.as_str()),
    }
}

/// The shape of an answer, as both of OpenAI's formats take it: held to wherever the schema allows it.
pub(in super::super) fn shape(structure: &Structure) -> Value {
    let (schema, is_strict) = held_to(&structure.schema, true);
    json!({ "name": structure.name, "schema": schema, "strict": is_strict })
}

/// The schema, and whether the model is held to it.
pub(in super::super) fn held_to(schema: &Value, wanted: bool) -> (Value, bool) {
    match strict(schema).filter(|_| wanted) {
        Some(strict) => (strict, true),
        None => (schema.clone(), false),
    }
}

fn offered(tool: &Offered, quirks: &Quirks) -> Value {
    let (schema, is_strict) = held_to(&tool.schema, quirks.strict_schema);
    let mut function = json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": schema,
    });
    if is_strict {
        function["strict"] = Value::Bool(true);
    }
    json!({ "type": "function", "function": function })
}

fn chosen(choice: &Choice) -> Option<Value> {
    match choice {
        Choice::Auto => None,
        Choice::Never => Some(json!("none")),
        Choice::Any => Some(json!("required")),
        Choice::Tool(name) => Some(json!({ "type": "function", "function": { "name": name } })),
    }
}
