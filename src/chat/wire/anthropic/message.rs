//! Messages as Anthropic takes them: user and assistant by turns, each a list of blocks.
//!
//! What tools, the person and this program say between two answers is one message of the user.

use serde_json::{Value, json};

use super::body::mark;
use crate::chat::wire::naming::{name, safe};
use crate::chat::{CallResult, Image, Message, Opaque, Part, Quirks, Reasoning, Request, Role};

/// Messages at whose end the provider is to keep what it has read.
const KEPT: usize = 2;

pub(super) fn messages(request: &Request, quirks: &Quirks) -> Vec<Value> {
    let mut turns: Vec<Turn> = Vec::new();
    for message in &request.messages {
        let is_models = message.role == Role::Assistant;
        if turns.last().is_none_or(|turn| turn.is_models != is_models) {
            turns.push(Turn::new(is_models));
        }
        if let Some(turn) = turns.last_mut() {
            turn.add(message, quirks);
        }
    }
    let mut messages: Vec<Value> = Vec::new();
    for turn in turns {
        let is_last_role = |last: &Value| last["role"] == turn.role();
        match messages.last_mut().filter(|last| is_last_role(last)) {
            // An answer of which nothing can be sent back leaves two messages of the user side by side.
            Some(last) => {
                if let Some(content) = last["content"].as_array_mut() {
                    content.extend(turn.blocks());
                }
            }
            None if turn.is_empty() => {}
            None => messages.push(json!({ "role": turn.role(), "content": turn.blocks() })),
        }
    }
    finish(&mut messages);
    if request.cache {
        keep(&mut messages);
    }
    messages
}

/// An answer that the model is to go on with must not end in white space.
fn finish(messages: &mut [Value]) {
    let last = messages
        .last_mut()
        .filter(|message| message["role"] == "assistant");
    let Some(block) = last
        .and_then(|message| message["content"].as_array_mut())
        .and_then(|blocks| blocks.last_mut())
    else {
        return;
    };
    if let Some(text) = block["text"]
        .as_str()
        .map(|text| text.trim_end().to_owned())
    {
        block["text"] = Value::String(text);
    }
}

fn keep(messages: &mut [Value]) {
    let users = messages
        .iter_mut()
        .rev()
        .filter(|message| message["role"] == "user");
    for message in users.take(KEPT) {
        let blocks = message["content"].as_array_mut();
        if let Some(last) = blocks.and_then(|blocks| blocks.last_mut()) {
            mark(last);
        }
    }
}

/// What one side says before the other does.
struct Turn {
    is_models: bool,
    results: Vec<Value>,
    rest: Vec<Value>,
}

impl Turn {
    fn new(is_models: bool) -> Turn {
        Turn {
            is_models,
            results: Vec::new(),
            rest: Vec::new(),
        }
    }

    fn role(&self) -> &'static str {
        if self.is_models { "assistant" } else { "user" }
    }

    fn is_empty(&self) -> bool {
        self.results.is_empty() && self.rest.is_empty()
    }

    fn blocks(self) -> Vec<Value> {
        let mut blocks = self.results;
        blocks.extend(self.rest);
        blocks
    }

    fn add(&mut self, message: &Message, quirks: &Quirks) {
        for part in &message.parts {
            match part {
                Part::Text { text } if text.trim().is_empty() => {}
                Part::Text { text } => self.rest.push(json!({ "type": "text", "text": text })),
                Part::Reasoning(reasoning) => self.rest.extend(thinking(reasoning)),
                Part::Image(image) => self.rest.push(shown(image, quirks)),
                Part::Call(call) => self.rest.push(json!({
                    "type": "tool_use",
                    "id": safe(&call.id),
                    "name": name(&call.tool),
                    "input": call.arguments.object(),
                })),
                Part::Result(result) => self.results.push(answer(result, quirks)),
            }
        }
    }
}

/// Thinking of which the provider made no record is not sent back.
fn thinking(reasoning: &Reasoning) -> Option<Value> {
    match reasoning.opaque.as_ref()? {
        Opaque::Signature { data } => Some(json!({
            "type": "thinking",
            "thinking": reasoning.text,
            "signature": data,
        })),
        Opaque::Redacted { data } => Some(json!({ "type": "redacted_thinking", "data": data })),
        Opaque::Encrypted { .. } | Opaque::Thought { .. } => None,
    }
}

/// Whether a block is thinking.
pub(super) fn is_thinking(block: &Value) -> bool {
    block["type"] == "thinking" || block["type"] == "redacted_thinking"
}

fn answer(result: &CallResult, quirks: &Quirks) -> Value {
    let content = if result.images.is_empty() {
        Value::String(result.text.clone())
    } else {
        let text = (!result.text.trim().is_empty())
            .then(|| json!({ "type": "text", "text": result.text }));
        let images = result.images.iter().map(|image| shown(image, quirks));
        text.into_iter().chain(images).collect()
    };
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": safe(&result.id),
        "content": content,
    });
    if result.is_error {
        block["is_error"] = Value::Bool(true);
    }
    block
}

fn shown(image: &Image, quirks: &Quirks) -> Value {
    if quirks.no_images {
        return json!({ "type": "text", "text": image.stand_in() });
    }
    json!({
        "type": "image",
        "source": { "type": "base64", "media_type": image.media_type, "data": image.data },
    })
}
