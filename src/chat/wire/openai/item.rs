//! The output items of one answer, told apart by their place in the output, or by their id where a server
//! leaves the place out.

use std::collections::HashMap;

use serde_json::Value;

use crate::chat::wire::event::text;
use crate::chat::{Delta, Opaque};

/// Places for items without an index begin here, beyond every index.
const UNNUMBERED: u64 = 1 << 48;

/// The items, as far as they came.
#[derive(Default)]
pub(super) struct Items {
    seen: HashMap<u64, Item>,
    by_id: HashMap<String, u64>,
}

/// What is known of an item.
#[derive(Default)]
struct Item {
    /// A call of it has begun.
    is_call: bool,
    /// Text of it has come.
    has_text: bool,
    /// Which part of its reasoning came last.
    thought: Option<u64>,
    is_done: bool,
}

impl Items {
    pub(super) fn text(&mut self, event: &Value, more: Option<String>, deltas: &mut Vec<Delta>) {
        let item = self.item(event).1;
        if let Some(more) = more.filter(|_| !item.is_done) {
            item.has_text = true;
            deltas.push(Delta::Text(more));
        }
    }

    /// A piece of reasoning; its parts stand apart by a blank line.
    pub(super) fn thought(&mut self, event: &Value, more: Option<String>, deltas: &mut Vec<Delta>) {
        let part = [&event["summary_index"], &event["content_index"]];
        let part = part.into_iter().find_map(Value::as_u64).unwrap_or_default();
        let item = self.item(event).1;
        let Some(more) = more.filter(|_| !item.is_done) else {
            return;
        };
        if item.thought.is_some_and(|last| last != part) {
            deltas.push(Delta::Reasoning("\n\n".to_owned()));
        }
        item.thought = Some(part);
        deltas.push(Delta::Reasoning(more));
    }

    pub(super) fn added(&mut self, event: &Value, deltas: &mut Vec<Delta>) {
        let (key, _) = self.item(event);
        self.begin(key, &event["item"], deltas);
    }

    pub(super) fn piece(&mut self, event: &Value, more: Option<String>, deltas: &mut Vec<Delta>) {
        let (key, item) = self.item(event);
        if !item.is_done {
            deltas.extend(more.map(|text| Delta::CallPiece { key, text }));
        }
    }

    pub(super) fn whole(&mut self, event: &Value, deltas: &mut Vec<Delta>) {
        let (key, item) = self.item(event);
        if !item.is_done {
            let whole = text(&event["arguments"]);
            deltas.extend(whole.map(|text| Delta::CallWhole { key, text }));
        }
    }

    pub(super) fn done(&mut self, event: &Value, deltas: &mut Vec<Delta>) {
        let (key, _) = self.item(event);
        self.finish(key, &event["item"], deltas);
    }

    /// An item of the response at the end.
    pub(super) fn last(&mut self, index: u64, item: &Value, deltas: &mut Vec<Delta>) {
        let known = item["id"]
            .as_str()
            .and_then(|id| self.by_id.get(id).copied());
        let key = known.unwrap_or(index);
        self.finish(key, item, deltas);
    }

    /// The item that an event is about.
    fn item(&mut self, event: &Value) -> (u64, &mut Item) {
        let id = [&event["item_id"], &event["item"]["id"]];
        let id = id.into_iter().find_map(text);
        let index = event["output_index"]
            .as_u64()
            .filter(|index| *index < UNNUMBERED);
        let known = id.as_ref().and_then(|id| self.by_id.get(id).copied());
        let key = index
            .or(known)
            .unwrap_or(UNNUMBERED + self.by_id.len() as u64);
        if let Some(id) = id {
            self.by_id.insert(id, key);
        }
        (key, self.seen.entry(key).or_default())
    }

    fn begin(&mut self, key: u64, item: &Value, deltas: &mut Vec<Delta>) {
        let known = self.seen.entry(key).or_default();
        if item["type"] != "function_call" || known.is_call || known.is_done {
            return;
        }
        known.is_call = true;
        deltas.push(Delta::CallBegun {
            key,
            id: text(&item["call_id"]).or_else(|| text(&item["id"])),
            tool: text(&item["name"]).unwrap_or_default(),
            opaque: None,
        });
        let whole = text(&item["arguments"]);
        deltas.extend(whole.map(|text| Delta::CallWhole { key, text }));
    }

    fn finish(&mut self, key: u64, item: &Value, deltas: &mut Vec<Delta>) {
        let known = self.seen.entry(key).or_default();
        if std::mem::replace(&mut known.is_done, true) {
            return;
        }
        let (has_text, has_thought) = (known.has_text, known.thought.is_some());
        match item["type"].as_str() {
            Some("function_call") => {
                let is_whole = item["status"] != "incomplete" && item["status"] != "in_progress";
                known.is_done = false;
                self.begin(key, item, deltas);
                if let Some(known) = self.seen.get_mut(&key) {
                    known.is_done = true;
                }
                let whole = text(&item["arguments"]);
                deltas.extend(whole.map(|text| Delta::CallWhole { key, text }));
                deltas.extend(is_whole.then_some(Delta::CallDone { key }));
            }
            Some("message") if !has_text => {
                let parts = item["content"].as_array().into_iter().flatten();
                let texts =
                    parts.filter_map(|part| text(&part["text"]).or_else(|| text(&part["refusal"])));
                deltas.extend(texts.map(Delta::Text));
            }
            Some("reasoning") => {
                if !has_thought {
                    let parts = [&item["summary"], &item["content"]].into_iter();
                    let parts = parts.filter_map(Value::as_array).flatten();
                    let texts: Vec<String> = parts.filter_map(|part| text(&part["text"])).collect();
                    let thought = texts.join("\n\n");
                    deltas.extend((!thought.is_empty()).then_some(Delta::Reasoning(thought)));
                }
                if let Some(data) = text(&item["encrypted_content"]) {
                    let id = text(&item["id"]).unwrap_or_default();
                    deltas.push(Delta::Opaque(Opaque::Encrypted { id, data }));
                }
            }
            _ => {}
        }
    }
}
