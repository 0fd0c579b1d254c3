//! A session written for others: for a terminal, as Markdown, as a page, as calls in Lua.
//!
//! Pure: what was said becomes text. Whatever anybody said stays what it is there: it closes no fence, is no tag, no
//! code and no command to a terminal.

mod html;
mod lua;
mod markdown;
mod page;

pub use html::html;
pub use lua::lua;
pub use markdown::markdown;
pub use page::page;

use serde_json::Value;

use super::record::Past;
use crate::chat::{Arguments, Call, CallResult, Image, Message, Part, Role};

impl Past {
    /// Keeps what was said in the last `turns` turns; what was used stays the whole.
    pub fn keep_last(&mut self, turns: usize) {
        let asked = self.messages.iter().enumerate().rev();
        let asked = asked.filter(|(_, message)| message.role == Role::User);
        if let Some((start, _)) = asked.take(turns).last() {
            self.messages.drain(..start);
        }
    }
}

/// One thing that stands in a conversation.
enum Piece<'a> {
    /// Somebody said it.
    Said(Role, &'a str),
    /// The model thought it; empty where only its provider can read it.
    Thought(&'a str),
    /// Somebody showed it.
    Image(Role, &'a Image),
    /// The model called a tool.
    Call(&'a Call, Option<&'a CallResult>),
    /// The result of a call that does not stand right before it.
    Result(&'a CallResult),
}

/// What is to be done at the end, a line each; nothing where there is nothing.
fn to_do(past: &Past) -> String {
    let todos = past.todos.iter().map(|todo| format!("{todo}\n"));
    let planning = past
        .is_planning
        .then(|| "a plan is being made\n".to_owned());
    todos.chain(planning).collect()
}

/// What was said, in order, each result with its call.
fn pieces(messages: &[Message]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut calling: &[Part] = &[];
    for (at, message) in messages.iter().enumerate() {
        let next = messages.get(at + 1);
        for part in &message.parts {
            pieces.push(match part {
                Part::Text { text } if text.trim().is_empty() => continue,
                Part::Text { text } => Piece::Said(message.role, text),
                Part::Reasoning(reasoning) => Piece::Thought(&reasoning.text),
                Part::Image(image) => Piece::Image(message.role, image),
                Part::Call(call) => {
                    let mut answers = next.into_iter().flat_map(Message::answers);
                    Piece::Call(call, answers.find(|answer| answer.id == call.id))
                }
                Part::Result(result) if is_of(calling, &result.id) => continue,
                Part::Result(result) => Piece::Result(result),
            });
        }
        calling = &message.parts;
    }
    pieces
}

fn is_of(parts: &[Part], id: &str) -> bool {
    parts
        .iter()
        .any(|part| matches!(part, Part::Call(call) if call.id == id))
}

/// Who says something, in a word.
fn who(role: Role) -> &'static str {
    match role {
        Role::User => "you",
        Role::Assistant => "model",
        Role::System => "note",
        Role::Tool => "tool",
    }
}

/// Arguments for a reader: JSON over several lines, or what stands in its place.
fn spread(arguments: &Arguments) -> String {
    let value = serde_json::from_str::<Value>(arguments.as_str()).ok();
    let pretty = value.and_then(|value| serde_json::to_string_pretty(&value).ok());
    pretty.unwrap_or_else(|| arguments.as_str().to_owned())
}

/// What was used and what it cost, in words.
fn spent(past: &Past) -> String {
    let usage = &past.usage;
    let cached = usage.cache_read.saturating_add(usage.cache_write);
    let mut words = format!("{} tokens in", usage.context());
    if cached > 0 {
        words += &format!(
            " ({} from the cache, {} into it)",
            usage.cache_read, usage.cache_write
        );
    }
    words += &format!(", {} out", usage.output);
    match past.cost {
        Some(cost) => words + &format!("; cost ${cost:.4}"),
        None => words + "; cost unknown",
    }
}

#[cfg(test)]
mod tests;
