//! The answer of Chat Completions: chunks with the next piece of text, of reasoning, of calls.
//!
//! The stream is whole when a reason to finish has come, or the closing `[DONE]`; usage often comes after it.

use serde_json::Value;

use super::calls::Places;
use crate::chat::wire::Decode;
use crate::chat::wire::event::{count, json, text};
use crate::chat::wire::failure::said;
use crate::chat::{Delta, Event, Stop, StreamError, Usage};

/// Reads one answer.
#[derive(Default)]
pub(in super::super) struct Decoder {
    places: Places,
    is_refused: bool,
    has_stopped: bool,
    is_done: bool,
}

impl Decode for Decoder {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, StreamError> {
        if event.data.trim() == "[DONE]" {
            self.is_done = true;
            return Ok(Vec::new());
        }
        let value = json(event)?;
        let is_error = value["object"] == "error" || event.name == "error";
        if is_error || !value["error"].is_null() {
            return Err(StreamError::Failed(said(&value)));
        }
        let mut deltas = Vec::new();
        let choices = value["choices"].as_array();
        if let Some(choice) = choices.and_then(|choices| choices.first()) {
            self.chosen(choice, &mut deltas);
        }
        let usage = [&value["usage"], &value["x_groq"]["usage"]];
        let usage = usage.into_iter().find(|usage| usage.is_object());
        deltas.extend(usage.map(|usage| Delta::Usage(used(usage))));
        Ok(deltas)
    }

    fn end(&mut self) -> Result<Vec<Delta>, StreamError> {
        match (self.has_stopped, self.is_done) {
            (true, _) => Ok(Vec::new()),
            (false, true) => Ok(vec![Delta::Stop(Stop::Done)]),
            (false, false) => Err(StreamError::Cut),
        }
    }
}

impl Decoder {
    fn chosen(&mut self, choice: &Value, deltas: &mut Vec<Delta>) {
        let delta = [&choice["delta"], &choice["message"]];
        let delta = delta
            .into_iter()
            .find(|delta| delta.is_object())
            .unwrap_or(&Value::Null);
        let fields = ["reasoning_content", "reasoning", "reasoning_text"];
        let thought = fields.iter().find_map(|field| text(&delta[*field]));
        deltas.extend(thought.map(Delta::Reasoning));
        content(&delta["content"], deltas);
        if let Some(refusal) = text(&delta["refusal"]) {
            self.is_refused = true;
            deltas.push(Delta::Text(refusal));
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.places.call(call, deltas);
        }
        if delta["function_call"].is_object() {
            self.places.only(&delta["function_call"], deltas);
        }
        if let Some(reason) = text(&choice["finish_reason"]) {
            self.has_stopped = true;
            deltas.push(Delta::Stop(match reason.as_str() {
                "stop" | "eos" | "end_turn" if self.is_refused => Stop::Refused,
                "stop" | "eos" | "end_turn" => Stop::Done,
                "tool_calls" | "function_call" | "tool_use" => Stop::Calls,
                "length" | "max_tokens" => Stop::Length,
                "content_filter" => Stop::Filtered,
                _ => Stop::Other(reason),
            }));
        }
    }
}

/// Content is a text, or a list of parts in which some servers think aloud.
fn content(content: &Value, deltas: &mut Vec<Delta>) {
    deltas.extend(text(content).map(Delta::Text));
    for part in content.as_array().into_iter().flatten() {
        match part["type"].as_str() {
            Some("thinking") => {
                let pieces = part["thinking"].as_array().into_iter().flatten();
                let inner = pieces.filter_map(|piece| text(&piece["text"]));
                deltas.extend(inner.map(Delta::Reasoning));
            }
            _ => deltas.extend(text(&part["text"]).map(Delta::Text)),
        }
    }
}

/// What was read counts what came from the cache, so that it is taken out again.
fn used(usage: &Value) -> Usage {
    let read = &usage["prompt_tokens_details"];
    let written = &usage["completion_tokens_details"];
    let cached = [&read["cached_tokens"], &usage["prompt_cache_hit_tokens"]];
    let cache_read = count(cached).unwrap_or_default();
    let cache_write = count([&read["cache_write_tokens"]]).unwrap_or_default();
    let input = count([&usage["prompt_tokens"]]).unwrap_or_default();
    Usage {
        input: input.saturating_sub(cache_read.saturating_add(cache_write)),
        output: count([&usage["completion_tokens"]]).unwrap_or_default(),
        cache_read,
        cache_write,
        reasoning: count([&written["reasoning_tokens"]]).unwrap_or_default(),
    }
}
