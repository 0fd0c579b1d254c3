//! Anthropic's answer: blocks, one after the other, each begun, filled and stopped.
//!
//! Usage comes at the beginning and again at the end, each time for the whole answer so far.

use std::collections::HashMap;

use serde_json::Value;

use crate::chat::wire::Decode;
use crate::chat::wire::event::{count, json, text};
use crate::chat::wire::failure::said;
use crate::chat::{Delta, Event, Opaque, Stop, StreamError, Usage};

/// Reads one answer.
#[derive(Default)]
pub(in super::super) struct Decoder {
    blocks: HashMap<u64, Block>,
    usage: Usage,
    is_finished: bool,
}

/// A block while it comes in.
enum Block {
    Thinking { signature: String },
    Call,
}

impl Decode for Decoder {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, StreamError> {
        let value = json(event)?;
        let kind = value["type"].as_str().unwrap_or(&event.name);
        let index = value["index"].as_u64().unwrap_or_default();
        let mut deltas = Vec::new();
        match kind {
            "message_start" => self.used(&value["message"]["usage"], &mut deltas),
            "content_block_start" => self.begun(index, &value["content_block"], &mut deltas),
            "content_block_delta" => self.more(index, &value["delta"], &mut deltas),
            "content_block_stop" => self.ended(index, &mut deltas),
            "message_delta" => {
                self.used(&value["usage"], &mut deltas);
                self.stopped(&value["delta"]["stop_reason"], &mut deltas);
            }
            "message_stop" => self.is_finished = true,
            "message" => self.whole(&value, &mut deltas),
            "error" => return Err(StreamError::Failed(said(&value))),
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
    fn begun(&mut self, index: u64, block: &Value, deltas: &mut Vec<Delta>) {
        match block["type"].as_str() {
            Some("text") => deltas.extend(text(&block["text"]).map(Delta::Text)),
            Some("thinking") => {
                deltas.extend(text(&block["thinking"]).map(Delta::Reasoning));
                let signature = text(&block["signature"]).unwrap_or_default();
                self.blocks.insert(index, Block::Thinking { signature });
            }
            Some("redacted_thinking") => {
                let data = text(&block["data"]);
                deltas.extend(data.map(|data| Delta::Opaque(Opaque::Redacted { data })));
            }
            Some("tool_use") => {
                self.blocks.insert(index, Block::Call);
                deltas.push(Delta::CallBegun {
                    key: index,
                    id: text(&block["id"]),
                    tool: text(&block["name"]).unwrap_or_default(),
                    opaque: None,
                });
                if block["input"]
                    .as_object()
                    .is_some_and(|input| !input.is_empty())
                {
                    let text = block["input"].to_string();
                    deltas.push(Delta::CallWhole { key: index, text });
                }
            }
            _ => {}
        }
    }

    fn more(&mut self, index: u64, delta: &Value, deltas: &mut Vec<Delta>) {
        match delta["type"].as_str() {
            Some("text_delta") => deltas.extend(text(&delta["text"]).map(Delta::Text)),
            Some("thinking_delta") => deltas.extend(text(&delta["thinking"]).map(Delta::Reasoning)),
            Some("signature_delta") => {
                if let Some(Block::Thinking { signature }) = self.blocks.get_mut(&index) {
                    signature.push_str(delta["signature"].as_str().unwrap_or_default());
                }
            }
            Some("input_json_delta") if matches!(self.blocks.get(&index), Some(Block::Call)) => {
                let piece = text(&delta["partial_json"]);
                deltas.extend(piece.map(|text| Delta::CallPiece { key: index, text }));
            }
            _ => {}
        }
    }

    fn ended(&mut self, index: u64, deltas: &mut Vec<Delta>) {
        match self.blocks.remove(&index) {
            Some(Block::Thinking { signature }) if !signature.is_empty() => {
                deltas.push(Delta::Opaque(Opaque::Signature { data: signature }));
            }
            Some(Block::Call) => deltas.push(Delta::CallDone { key: index }),
            Some(Block::Thinking { .. }) | None => {}
        }
    }

    /// An answer that did not come as a stream.
    fn whole(&mut self, message: &Value, deltas: &mut Vec<Delta>) {
        let blocks = message["content"].as_array().into_iter().flatten();
        for (index, block) in (0..).zip(blocks) {
            self.begun(index, block, deltas);
            self.ended(index, deltas);
        }
        self.used(&message["usage"], deltas);
        self.stopped(&message["stop_reason"], deltas);
    }

    fn used(&mut self, usage: &Value, deltas: &mut Vec<Delta>) {
        if !usage.is_object() {
            return;
        }
        let set = |to: &mut u64, field: &str| {
            if let Some(tokens) = count([&usage[field]]) {
                *to = tokens;
            }
        };
        set(&mut self.usage.input, "input_tokens");
        set(&mut self.usage.output, "output_tokens");
        set(&mut self.usage.cache_read, "cache_read_input_tokens");
        set(&mut self.usage.cache_write, "cache_creation_input_tokens");
        if let Some(thought) = count([&usage["output_tokens_details"]["thinking_tokens"]]) {
            self.usage.reasoning = thought;
        }
        deltas.push(Delta::Usage(self.usage));
    }

    fn stopped(&mut self, reason: &Value, deltas: &mut Vec<Delta>) {
        let Some(reason) = text(reason) else { return };
        self.is_finished = true;
        deltas.push(Delta::Stop(match reason.as_str() {
            "end_turn" | "stop_sequence" => Stop::Done,
            "tool_use" => Stop::Calls,
            "max_tokens" | "model_context_window_exceeded" => Stop::Length,
            "refusal" => Stop::Refused,
            "pause_turn" => Stop::Paused,
            _ => Stop::Other(reason),
        }));
    }
}
