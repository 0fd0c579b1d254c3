//! A request as Responses take it. What the conversation holds is a flat list of items, which stands last.
//!
//! No item is referred to by an id of the provider alone, since the provider keeps none.

use serde_json::{Map, Value, json};

use crate::chat::wire::Wire;
use crate::chat::wire::answer::{Asked, asked, is_by_call};
use crate::chat::wire::naming::{name, safe};
use crate::chat::wire::openai_chat::{held_to, shape, word};
use crate::chat::{
    CallResult, Choice, Image, Message, Opaque, Part, Quirks, Reasoning, Request, Role, Thinking,
};

/// The body.
pub(in super::super) fn body(request: &Request, quirks: &Quirks) -> Map<String, Value> {
    let Asked { tools, choice } = asked(Wire::OpenAi, request, quirks);
    let mut body = Map::new();
    let mut put = |key: &str, value: Value| {
        body.insert(key.to_owned(), value);
    };
    put("model", json!(request.model));
    put("stream", json!(true));
    put("store", json!(false));
    let thinks = quirks.thinking != Some(Thinking::Off);
    if thinks {
        put("include", json!(["reasoning.encrypted_content"]));
    }
    if let Some(word) = request.effort.and_then(|effort| word(effort, quirks)) {
        put("reasoning", json!({ "effort": word, "summary": "auto" }));
    }
    if let Some(most) = request.max_output {
        put("max_output_tokens", json!(most));
    }
    if let Some(structure) = &request.structure
        && !is_by_call(Wire::OpenAi, request, quirks)
    {
        let mut format = Map::new();
        format.insert("type".to_owned(), json!("json_schema"));
        if let Value::Object(shape) = shape(structure) {
            format.extend(shape);
        }
        put("text", json!({ "format": format }));
    }
    if !tools.is_empty() {
        let tools = tools.iter().map(|tool| {
            let (schema, is_strict) = held_to(&tool.schema, quirks.strict_schema);
            json!({
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": schema,
                "strict": is_strict,
            })
        });
        put("tools", tools.collect());
        if let Some(choice) = chosen(&choice) {
            put("tool_choice", choice);
        }
        if quirks.no_parallel_calls {
            put("parallel_tool_calls", json!(false));
        }
    }
    let system: Vec<&str> = request.system.iter().map(String::as_str).collect();
    let system = system.join("\n\n");
    let mut input = Vec::new();
    match system.trim() {
        "" => {}
        _ if quirks.developer => input.push(said("developer", "input_text", &system)),
        _ => put("instructions", json!(system)),
    }
    for message in &request.messages {
        items(message, quirks, &mut input);
    }
    put("input", Value::Array(input));
    body
}

fn chosen(choice: &Choice) -> Option<Value> {
    match choice {
        Choice::Auto => None,
        Choice::Never => Some(json!("none")),
        Choice::Any => Some(json!("required")),
        Choice::Tool(name) => Some(json!({ "type": "function", "name": name })),
    }
}

/// A message of one text.
fn said(role: &str, kind: &str, text: &str) -> Value {
    json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] })
}

fn items(message: &Message, quirks: &Quirks, input: &mut Vec<Value>) {
    match message.role {
        Role::Assistant => answered(message, input),
        Role::System => {
            let text = message.said();
            if !text.trim().is_empty() {
                input.push(said("developer", "input_text", &text));
            }
        }
        Role::User | Role::Tool => {
            let results = message.answers().map(|result| output(result, quirks));
            input.extend(results);
            let content: Vec<Value> = message
                .parts
                .iter()
                .filter_map(|part| match part {
                    Part::Text { text } if text.is_empty() => None,
                    Part::Text { text } => Some(json!({ "type": "input_text", "text": text })),
                    Part::Image(image) => Some(shown(image, quirks)),
                    _ => None,
                })
                .collect();
            if !content.is_empty() {
                input.push(json!({ "type": "message", "role": "user", "content": content }));
            }
        }
    }
}

/// An answer. Reasoning that nothing follows is refused, so that it is left out.
fn answered(message: &Message, input: &mut Vec<Value>) {
    let start = input.len();
    for part in &message.parts {
        match part {
            Part::Text { text } if text.is_empty() => {}
            Part::Text { text } => input.push(said("assistant", "output_text", text)),
            Part::Reasoning(reasoning) => input.extend(thought(reasoning)),
            Part::Call(call) => input.push(json!({
                "type": "function_call",
                "call_id": safe(&call.id),
                "name": name(&call.tool),
                "arguments": call.arguments.object_text(),
            })),
            Part::Image(_) | Part::Result(_) => {}
        }
    }
    while input.len() > start && input.last().is_some_and(|item| item["type"] == "reasoning") {
        input.pop();
    }
}

fn thought(reasoning: &Reasoning) -> Option<Value> {
    let Some(Opaque::Encrypted { id, data }) = &reasoning.opaque else {
        return None;
    };
    let summary: Vec<Value> = match reasoning.text.as_str() {
        "" => Vec::new(),
        text => vec![json!({ "type": "summary_text", "text": text })],
    };
    Some(json!({ "type": "reasoning", "id": id, "summary": summary, "encrypted_content": data }))
}

fn output(result: &CallResult, quirks: &Quirks) -> Value {
    let output = if result.images.is_empty() {
        Value::String(result.text.clone())
    } else {
        let text =
            (!result.text.is_empty()).then(|| json!({ "type": "input_text", "text": result.text }));
        let images = result.images.iter().map(|image| shown(image, quirks));
        text.into_iter().chain(images).collect()
    };
    json!({ "type": "function_call_output", "call_id": safe(&result.id), "output": output })
}

fn shown(image: &Image, quirks: &Quirks) -> Value {
    if quirks.no_images {
        return json!({ "type": "input_text", "text": image.stand_in() });
    }
    json!({ "type": "input_image", "image_url": image.url() })
}
