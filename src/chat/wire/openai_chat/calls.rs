//! Which call a piece belongs to. The format says it by an index; servers that leave the index out say it by
//! an id, by the order of the pieces, or send each call whole.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::chat::Delta;
use crate::chat::wire::event::text;

/// Places for calls without an index begin here, beyond every index.
const UNNUMBERED: u64 = 1 << 48;

/// The places of an answer's calls.
#[derive(Default)]
pub(super) struct Places {
    begun: HashSet<u64>,
    by_id: HashMap<String, u64>,
    last: Option<u64>,
    unnumbered: u64,
}

impl Places {
    /// One entry of `tool_calls`.
    pub(super) fn call(&mut self, call: &Value, deltas: &mut Vec<Delta>) {
        let id = text(&call["id"]);
        let function = &call["function"];
        let tool = text(&function["name"]);
        let key = match call["index"].as_u64().filter(|index| *index < UNNUMBERED) {
            Some(index) => index,
            None => self.place(id.as_deref(), tool.is_some()),
        };
        self.piece(key, id, tool, &function["arguments"], deltas);
    }

    /// The one call that the format had before it had several.
    pub(super) fn only(&mut self, function: &Value, deltas: &mut Vec<Delta>) {
        self.piece(
            0,
            None,
            text(&function["name"]),
            &function["arguments"],
            deltas,
        );
    }

    fn piece(
        &mut self,
        key: u64,
        id: Option<String>,
        tool: Option<String>,
        arguments: &Value,
        deltas: &mut Vec<Delta>,
    ) {
        self.last = Some(key);
        let is_new = self.begun.insert(key);
        if is_new || id.is_some() || tool.is_some() {
            if let Some(id) = &id {
                self.by_id.insert(id.clone(), key);
            }
            deltas.push(Delta::CallBegun {
                key,
                id,
                tool: tool.unwrap_or_default(),
                opaque: None,
            });
        }
        match arguments {
            Value::String(piece) if !piece.is_empty() => {
                let text = piece.clone();
                deltas.push(Delta::CallPiece { key, text });
            }
            Value::Object(_) => {
                let text = arguments.to_string();
                deltas.push(Delta::CallWhole { key, text });
            }
            _ => {}
        }
    }

    /// The place of a piece without an index: that of its id, a new one for a new id or another name, else the
    /// one that was spoken of last.
    fn place(&mut self, id: Option<&str>, is_named: bool) -> u64 {
        let known = match id {
            Some(id) => self.by_id.get(id).copied(),
            None => self.last.filter(|_| !is_named),
        };
        known.unwrap_or_else(|| {
            self.unnumbered += 1;
            UNNUMBERED + self.unnumbered
        })
    }
}
