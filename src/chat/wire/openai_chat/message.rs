//! Messages as Chat Completions take them: system, user, assistant, and one message for each result.
//!
//! Content is a text wherever a text says it all: that is what every server takes.

use serde_json::{Map, Value, json};

use crate::chat::wire::naming::name;
use crate::chat::{Image, Message, Part, Quirks, Request, Role};

pub(super) fn messages(request: &Request, quirks: &Quirks) -> Vec<Value> {
    let mut out = Vec::new();
    let blocks = request.system.iter().map(String::as_str);
    let mut head: Option<String> = Some(lines(blocks)).filter(|head| !head.is_empty());
    if !quirks.no_system_role
        && let Some(head) = head.take()
    {
        out.push(json!({ "role": system(quirks), "content": head }));
    }
    for message in &request.messages {
        match message.role {
            Role::System if !quirks.no_system_role => {
                let said = texts(message);
                out.push(json!({ "role": system(quirks), "content": said }));
            }
            Role::System | Role::User => out.extend(user(message, quirks, &mut head)),
            Role::Assistant => out.extend(assistant(message, quirks)),
            Role::Tool => results(message, quirks, &mut out),
        }
    }
    if let Some(head) = head {
        out.insert(0, json!({ "role": "user", "content": head }));
    }
    out
}

fn system(quirks: &Quirks) -> &'static str {
    if quirks.developer {
        "developer"
    } else {
        "system"
    }
}

/// Blocks of text as one, apart by a blank line.
fn lines<'a>(blocks: impl Iterator<Item = &'a str>) -> String {
    let blocks: Vec<&str> = blocks.filter(|block| !block.trim().is_empty()).collect();
    blocks.join("\n\n")
}

fn texts(message: &Message) -> String {
    lines(message.parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        _ => None,
    }))
}

/// A message of the user; `head` stands before what the user says first.
fn user(message: &Message, quirks: &Quirks, head: &mut Option<String>) -> Option<Value> {
    let images: Vec<&Image> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Image(image) => Some(image),
            _ => None,
        })
        .collect();
    let said = match head.take() {
        Some(head) => lines([head.as_str(), texts(message).as_str()].into_iter()),
        None => texts(message),
    };
    let content = content(said, &images, quirks);
    (content != "").then(|| json!({ "role": "user", "content": content }))
}

/// A text, or a list where there are images to be seen.
fn content(said: String, images: &[&Image], quirks: &Quirks) -> Value {
    if images.is_empty() {
        return Value::String(said);
    }
    if quirks.no_images || quirks.string_content {
        let stand_ins: Vec<String> = images.iter().map(|image| image.stand_in()).collect();
        let all = std::iter::once(said.as_str()).chain(stand_ins.iter().map(String::as_str));
        return Value::String(lines(all));
    }
    let text = (!said.is_empty()).then(|| json!({ "type": "text", "text": said }));
    let shown = images
        .iter()
        .map(|image| json!({ "type": "image_url", "image_url": { "url": image.url() } }));
    text.into_iter().chain(shown).collect()
}

/// An answer; none where nothing of it can be sent back.
fn assistant(message: &Message, quirks: &Quirks) -> Option<Value> {
    let calls: Vec<Value> = message
        .calls()
        .map(|call| {
            let function = json!({
                "name": name(&call.tool),
                "arguments": call.arguments.object_text(),
            });
            json!({ "id": call.id, "type": "function", "function": function })
        })
        .collect();
    let said = message.said();
    if said.is_empty() && calls.is_empty() {
        return None;
    }
    let mut out = Map::new();
    out.insert("role".to_owned(), json!("assistant"));
    let content = match said.is_empty() && !quirks.string_content {
        true => Value::Null,
        false => Value::String(said),
    };
    out.insert("content".to_owned(), content);
    if let Some(field) = &quirks.reasoning_field {
        let thought: String = message
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Reasoning(reasoning) => Some(reasoning.text.as_str()),
                _ => None,
            })
            .collect();
        if !thought.is_empty() {
            out.insert(field.clone(), Value::String(thought));
        }
    }
    if !calls.is_empty() {
        out.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    Some(Value::Object(out))
}

/// One message a result, and one more for what there is to see in them.
fn results(message: &Message, quirks: &Quirks, out: &mut Vec<Value>) {
    let mut seen = Vec::new();
    for result in message.answers() {
        out.push(json!({ "role": "tool", "tool_call_id": result.id, "content": result.text }));
        if !result.images.is_empty() {
            let images: Vec<&Image> = result.images.iter().collect();
            let said = format!("From the call {} of {}:", result.id, result.tool);
            seen.push(json!({ "role": "user", "content": content(said, &images, quirks) }));
        }
    }
    out.extend(seen);
    let mut none = None;
    out.extend(user(message, quirks, &mut none));
}
