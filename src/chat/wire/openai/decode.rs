//! The answer of Responses: events named for what they do to a list of output items.
//!
//! A stream is whole when the response is completed or incomplete. Most servers send each item three times:
//! in pieces, when it is done, and in the response at the end; each counts once.

use serde_json::Value;

use super::item::Items;
use crate::chat::wire::Decode;
use crate::chat::wire::event::{count, json, text};
use crate::chat::wire::failure::said;
use crate::chat::{Delta, Event, Stop, StreamError, Usage};

/// Reads one answer.
#[derive(Default)]
pub(in super::super) struct Decoder {
    items: Items,
    is_refused: bool,
    is_finished: bool,
}

impl Decode for Decoder {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, StreamError> {
        if self.is_finished || event.data.trim() == "[DONE]" {
            return Ok(Vec::new());
        }
        let value = json(event)?;
        let kind = value["type"].as_str().unwrap_or(&event.name);
        let delta = || text(&value["delta"]);
        let mut deltas = Vec::new();
        match kind {
            "response.output_text.delta" => self.items.text(&value, delta(), &mut deltas),
            "response.refusal.delta" => {
                self.is_refused = true;
                self.items.text(&value, delta(), &mut deltas);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.items.thought(&value, delta(), &mut deltas);
            }
            "response.output_item.added" => self.items.added(&value, &mut deltas),
            "response.function_call_arguments.delta" => {
                self.items.piece(&value, delta(), &mut deltas);
            }
            "response.function_call_arguments.done" => self.items.whole(&value, &mut deltas),
            "response.output_item.done" => self.items.done(&value, &mut deltas),
            "response.completed" | "response.incomplete" | "response.done" => {
                self.finished(&value["response"], &mut deltas)?;
            }
            "response.failed" | "error" => {
                let response = &value["response"];
                let error = if response["error"].is_null() {
                    &value
                } else {
                    response
                };
                return Err(StreamError::Failed(said(error)));
            }
            _ if value["object"] == "response" => self.finished(&value, &mut deltas)?,
            _ if !value["error"].is_null() => return Err(StreamError::Failed(said(&value))),
            _ => {}
        }
        Ok(deltas)
    }

    fn end(&mut self) -> Result<Vec<Delta>, StreamError> {
        if self.is_finished {
            Ok(Vec::new())
        } else {
            Err(StreamError::Cut)
        }
    }
}

impl Decoder {
    fn finished(&mut self, response: &Value, deltas: &mut Vec<Delta>) -> Result<(), StreamError> {
        if response["status"] == "failed" {
            return Err(StreamError::Failed(said(response)));
        }
        self.is_finished = true;
        let output = response["output"].as_array().into_iter().flatten();
        for (index, item) in (0..).zip(output) {
            self.items.last(index, item, deltas);
        }
        if response["usage"].is_object() {
            deltas.push(Delta::Usage(used(&response["usage"])));
        }
        let reason = text(&response["incomplete_details"]["reason"]);
        deltas.push(Delta::Stop(match reason.as_deref() {
            Some("max_output_tokens" | "max_tokens") => Stop::Length,
            Some("content_filter") => Stop::Filtered,
            Some(reason) => Stop::Other(reason.to_owned()),
            None if response["status"] == "incomplete" => Stop::Length,
            None if self.is_refused => Stop::Refused,
            None => Stop::Done,
        }));
        Ok(())
    }
}

/// What was read counts what came from the cache, so that it is taken out again.
fn used(usage: &Value) -> Usage {
    let read = &usage["input_tokens_details"];
    let cache_read = count([&read["cached_tokens"]]).unwrap_or_default();
    let cache_write = count([&read["cache_write_tokens"]]).unwrap_or_default();
    let input = count([&usage["input_tokens"]]).unwrap_or_default();
    Usage {
        input: input.saturating_sub(cache_read.saturating_add(cache_write)),
        output: count([&usage["output_tokens"]]).unwrap_or_default(),
        cache_read,
        cache_write,
        reasoning: count([&usage["output_tokens_details"]["reasoning_tokens"]]).unwrap_or_default(),
    }
}
