//! A request as Gemini takes it: contents of the user and of the model by turns, which stand last.
//!
//! Neighbours of one side are one content; within it results come first, in the order of their calls.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::chat::wire::Wire;
use crate::chat::wire::answer::{Asked, asked, is_by_call};
use crate::chat::wire::gemini_schema::{parameters, schema};
use crate::chat::wire::naming::name;
use crate::chat::{
    Call, CallResult, Choice, Effort, Image, Message, Opaque, Part, Quirks, Reasoning, Request,
    Role, Thinking,
};

/// The signature for a call that this provider did not make, as its documentation names it.
const NOT_SIGNED: &str = "skip_thought_signature_validator";

/// The body.
pub(in super::super) fn body(request: &Request, quirks: &Quirks) -> Map<String, Value> {
    let Asked { tools, choice } = asked(Wire::Gemini, request, quirks);
    let mut body = Map::new();
    let system = request.system.iter().filter(|text| !text.trim().is_empty());
    let system: Vec<Value> = system.map(|text| json!({ "text": text })).collect();
    if !system.is_empty() {
        body.insert("systemInstruction".to_owned(), json!({ "parts": system }));
    }
    if !tools.is_empty() {
        let declared = tools.iter().map(|tool| {
            let mut declared = json!({ "name": tool.name, "description": tool.description });
            if let Some(parameters) = parameters(&tool.schema) {
                declared["parameters"] = parameters;
            }
            declared
        });
        let declared: Vec<Value> = declared.collect();
        body.insert(
            "tools".to_owned(),
            json!([{ "functionDeclarations": declared }]),
        );
        if let Some(choice) = chosen(&choice) {
            let config = json!({ "functionCallingConfig": choice });
            body.insert("toolConfig".to_owned(), config);
        }
    }
    let config = config(request, quirks);
    if !config.is_empty() {
        body.insert("generationConfig".to_owned(), Value::Object(config));
    }
    body.insert(
        "contents".to_owned(),
        Value::Array(contents(request, quirks)),
    );
    body
}

fn chosen(choice: &Choice) -> Option<Value> {
    match choice {
        Choice::Auto => None,
        Choice::Never => Some(json!({ "mode": "NONE" })),
        Choice::Any => Some(json!({ "mode": "ANY" })),
        Choice::Tool(name) => Some(json!({ "mode": "ANY", "allowedFunctionNames": [name] })),
    }
}

fn config(request: &Request, quirks: &Quirks) -> Map<String, Value> {
    let mut config = Map::new();
    if let Some(most) = request.max_output {
        config.insert("maxOutputTokens".to_owned(), json!(most));
    }
    if let Some(structure) = &request.structure
        && !is_by_call(Wire::Gemini, request, quirks)
    {
        config.insert("responseMimeType".to_owned(), json!("application/json"));
        config.insert("responseSchema".to_owned(), schema(&structure.schema));
    }
    if let Some(thinking) = request.effort.and_then(|effort| thinking(effort, quirks)) {
        config.insert("thinkingConfig".to_owned(), thinking);
    }
    config
}

fn thinking(effort: Effort, quirks: &Quirks) -> Option<Value> {
    match quirks.thinking.unwrap_or(Thinking::Effort) {
        Thinking::Off => None,
        Thinking::Effort => {
            let level = match effort {
                Effort::None | Effort::Minimal => "minimal",
                Effort::Low => "low",
                Effort::Medium => "medium",
                Effort::High | Effort::Xhigh | Effort::Max => "high",
            };
            Some(json!({ "thinkingLevel": level, "includeThoughts": true }))
        }
        Thinking::Budget => {
            let tokens = match effort {
                Effort::None => 0,
                Effort::Minimal => 512,
                Effort::Low => 2_048,
                Effort::Medium => 8_192,
                Effort::High => 16_384,
                Effort::Xhigh | Effort::Max => 24_576,
            };
            Some(json!({ "thinkingBudget": tokens, "includeThoughts": tokens > 0 }))
        }
    }
}

fn contents(request: &Request, quirks: &Quirks) -> Vec<Value> {
    let mut contents: Vec<Content> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for message in &request.messages {
        let is_models = message.role == Role::Assistant;
        for (place, call) in message.calls().enumerate() {
            places.insert(&call.id, place);
        }
        let parts = match is_models {
            true => answered(message),
            false => said(message, &places, quirks),
        };
        match contents.last_mut() {
            _ if parts.is_empty() => {}
            Some(last) if last.is_models == is_models => last.parts.extend(parts),
            _ => contents.push(Content { is_models, parts }),
        }
    }
    contents.into_iter().map(Content::into_value).collect()
}

/// What one side says before the other does.
struct Content {
    is_models: bool,
    parts: Vec<Value>,
}

impl Content {
    fn into_value(self) -> Value {
        let role = if self.is_models { "model" } else { "user" };
        json!({ "role": role, "parts": self.parts })
    }
}

fn answered(message: &Message) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut has_called = false;
    for part in &message.parts {
        match part {
            Part::Text { text } if text.is_empty() => {}
            Part::Text { text } => parts.push(json!({ "text": text })),
            Part::Reasoning(reasoning) => parts.extend(thought(reasoning)),
            Part::Call(call) => {
                parts.push(called(call, !std::mem::replace(&mut has_called, true)));
            }
            Part::Image(_) | Part::Result(_) => {}
        }
    }
    parts
}

/// A thought goes back where it is signed; a signature without one belongs to what was said before it.
fn thought(reasoning: &Reasoning) -> Option<Value> {
    let Some(Opaque::Thought { data }) = &reasoning.opaque else {
        return None;
    };
    Some(match reasoning.text.as_str() {
        "" => json!({ "text": "", "thoughtSignature": data }),
        text => json!({ "text": text, "thought": true, "thoughtSignature": data }),
    })
}

fn called(call: &Call, is_first: bool) -> Value {
    let function = json!({ "name": name(&call.tool), "args": call.arguments.object() });
    let signature = match &call.opaque {
        Some(Opaque::Thought { data }) => Some(data.as_str()),
        _ => is_first.then_some(NOT_SIGNED),
    };
    match signature {
        Some(data) => json!({ "functionCall": function, "thoughtSignature": data }),
        None => json!({ "functionCall": function }),
    }
}

/// What is not the model's: results first, in the order of their calls, and what is to be seen in them after.
fn said(message: &Message, places: &HashMap<&str, usize>, quirks: &Quirks) -> Vec<Value> {
    let mut results: Vec<&CallResult> = message.answers().collect();
    results.sort_by_key(|result| places.get(result.id.as_str()).copied());
    let images = results.iter().flat_map(|result| &result.images);
    let images: Vec<Value> = images.map(|image| shown(image, quirks)).collect();
    let mut parts: Vec<Value> = results.into_iter().map(responded).collect();
    parts.extend(images);
    for part in &message.parts {
        match part {
            Part::Text { text } if !text.is_empty() => parts.push(json!({ "text": text })),
            Part::Image(image) => parts.push(shown(image, quirks)),
            _ => {}
        }
    }
    parts
}

fn responded(result: &CallResult) -> Value {
    let field = if result.is_error { "error" } else { "output" };
    let response = json!({ field: result.text });
    json!({ "functionResponse": { "name": name(&result.tool), "response": response } })
}

fn shown(image: &Image, quirks: &Quirks) -> Value {
    if quirks.no_images {
        return json!({ "text": image.stand_in() });
    }
    json!({ "inlineData": { "mimeType": image.media_type, "data": image.data } })
}
