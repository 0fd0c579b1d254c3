//! Gemini's answer: each event is a whole response that holds the next parts.
//!
//! Usage is for the whole answer so far in each event. The stream is whole when a reason to finish has come.

use serde_json::Value;

use crate::chat::wire::Decode;
use crate::chat::wire::event::{count, json, text};
use crate::chat::wire::failure::said;
use crate::chat::{Delta, Event, Opaque, Stop, StreamError, Usage};

/// Reads one answer.
#[derive(Default)]
pub(in super::super) struct Decoder {
    calls: u64,
    has_stopped: bool,
}

impl Decode for Decoder {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, StreamError> {
        if event.data.trim() == "[DONE]" {
            return Ok(Vec::new());
        }
        let value = json(event)?;
        if !value["error"].is_null() {
            return Err(StreamError::Failed(said(&value)));
        }
        let mut deltas = Vec::new();
        let candidates = value["candidates"].as_array();
        if let Some(candidate) = candidates.and_then(|candidates| candidates.first()) {
            let parts = candidate["content"]["parts"]
                .as_array()
                .into_iter()
                .flatten();
            for part in parts {
                self.part(part, &mut deltas);
            }
        }
        if value["usageMetadata"].is_object() {
            deltas.push(Delta::Usage(used(&value["usageMetadata"])));
        }
        let blocked = text(&value["promptFeedback"]["blockReason"]).map(|_| Stop::Filtered);
        let reason = text(&value["candidates"][0]["finishReason"]).and_then(stop);
        if let Some(stop) = blocked.or(reason) {
            self.has_stopped = true;
            deltas.push(Delta::Stop(stop));
        }
        Ok(deltas)
    }

    fn end(&mut self) -> Result<Vec<Delta>, StreamError> {
        if self.has_stopped {
            Ok(Vec::new())
        } else {
            Err(StreamError::Cut)
        }
    }
}

impl Decoder {
    fn part(&mut self, part: &Value, deltas: &mut Vec<Delta>) {
        let signature = [&part["thoughtSignature"], &part["thought_signature"]];
        let signature = signature.into_iter().find_map(text);
        let opaque = signature.map(|data| Opaque::Thought { data });
        let call = &part["functionCall"];
        if call.is_object() {
            let key = self.calls;
            self.calls += 1;
            let text = match &call["args"] {
                Value::Null => "{}".to_owned(),
                args => args.to_string(),
            };
            deltas.push(Delta::CallBegun {
                key,
                id: self::text(&call["id"]),
                tool: self::text(&call["name"]).unwrap_or_default(),
                opaque,
            });
            deltas.push(Delta::CallWhole { key, text });
            deltas.push(Delta::CallDone { key });
            return;
        }
        let is_thought = part["thought"] == true;
        let kind = if is_thought {
            Delta::Reasoning
        } else {
            Delta::Text
        };
        deltas.extend(text(&part["text"]).map(kind));
        deltas.extend(opaque.map(Delta::Opaque));
    }
}

fn stop(reason: String) -> Option<Stop> {
    Some(match reason.as_str() {
        "FINISH_REASON_UNSPECIFIED" => return None,
        "STOP" => Stop::Done,
        "FUNCTION_CALL" | "TOOL_CALLS" => Stop::Calls,
        "MAX_TOKENS" => Stop::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE"
        | "IMAGE_SAFETY" => Stop::Filtered,
        _ => Stop::Other(reason),
    })
}

/// What was read counts what came from the cache; what was thought is not counted as written.
fn used(usage: &Value) -> Usage {
    let of = |field: &str| count([&usage[field]]).unwrap_or_default();
    let cache_read = of("cachedContentTokenCount");
    let reasoning = of("thoughtsTokenCount");
    let read = of("promptTokenCount").saturating_sub(cache_read);
    Usage {
        input: read.saturating_add(of("toolUsePromptTokenCount")),
        output: of("candidatesTokenCount").saturating_add(reasoning),
        cache_read,
        cache_write: 0,
        reasoning,
    }
}
