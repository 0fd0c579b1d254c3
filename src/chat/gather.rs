//! Deltas become one message. Each call is in it exactly once, under an id of its own, however it came.
//!
//! A call is handed out the moment its arguments are certain to be whole, while the rest of the answer still
//! comes in; a call that an answer broke off is kept as incomplete and never handed out.

mod open;

use std::collections::{HashMap, HashSet};

use super::{Call, Delta, Message, Opaque, Part, Reasoning, Role, Stop, Usage};
use open::Open;

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// The message; its calls in the order in which they began.
    pub message: Message,
    /// Tokens used, where the provider told.
    pub usage: Option<Usage>,
    /// Why the model stopped; `None` where the stream ended before it did.
    pub stop: Option<Stop>,
}

/// Collects the deltas of one answer.
#[derive(Debug)]
pub struct Gather {
    step: u64,
    taken: HashSet<String>,
    slots: Vec<Slot>,
    calls: Vec<Open>,
    keys: HashMap<u64, usize>,
    usage: Option<Usage>,
    stop: Option<Stop>,
}

/// A part of the message while it grows.
#[derive(Debug)]
enum Slot {
    Text(String),
    Reasoning(Reasoning),
    Call(usize),
}

impl Gather {
    /// A new answer: the `step`-th of its conversation, in which calls already bear the ids `taken`
    /// (see [`super::pairs::ids`]). A call without an id of its own is named after its step and its place,
    /// such as `call_3_1`.
    pub fn new(step: u64, taken: HashSet<String>) -> Gather {
        Gather {
            step,
            taken,
            slots: Vec::new(),
            calls: Vec::new(),
            keys: HashMap::new(),
            usage: None,
            stop: None,
        }
    }

    /// Takes one delta. Gives the calls that are complete since, in the order in which they began: each is
    /// given once, and what is given never changes.
    pub fn take(&mut self, delta: Delta) -> Vec<Call> {
        match delta {
            Delta::Text(text) => self.text(&text),
            Delta::Reasoning(text) => self.reasoning(&text),
            Delta::Opaque(opaque) => self.opaque(opaque),
            Delta::CallBegun {
                key,
                id,
                tool,
                opaque,
            } => return self.begun(key, id, tool, opaque),
            Delta::CallPiece { key, text } => return self.piece(key, text),
            Delta::CallWhole { key, text } => return self.whole(key, text),
            Delta::CallDone { key } => return self.done(key),
            Delta::Usage(usage) => self.usage = Some(usage),
            Delta::Stop(stop) => return self.stopped(stop),
        }
        Vec::new()
    }

    /// Whether nothing has come that could be shown or run.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The id and the tool of the call at a place in the stream, for who shows it before it is complete.
    pub fn call_at(&self, key: u64) -> Option<(&str, &str)> {
        let call = self.calls.get(*self.keys.get(&key)?)?;
        Some((&call.id, &call.tool))
    }

    /// The answer, as far as it came. Calls that were not handed out are incomplete.
    pub fn finish(self) -> Gathered {
        let mut calls: Vec<Option<Call>> = self.calls.into_iter().map(Open::into_call).collect();
        let parts: Vec<Part> = self
            .slots
            .into_iter()
            .filter_map(|slot| match slot {
                Slot::Text(text) => Some(Part::Text { text }),
                Slot::Reasoning(reasoning) => Some(Part::Reasoning(reasoning)),
                Slot::Call(index) => calls.get_mut(index)?.take().map(Part::Call),
            })
            .collect();
        let message = Message {
            role: Role::Assistant,
            parts,
        };
        let wants = message.calls().any(|call| !call.incomplete);
        let stop = self.stop.map(|stop| match stop {
            Stop::Done if wants => Stop::Calls,
            Stop::Calls if !wants => Stop::Done,
            stop => stop,
        });
        Gathered {
            message,
            usage: self.usage,
            stop,
        }
    }

    fn text(&mut self, more: &str) {
        match self.slots.last_mut() {
            _ if more.is_empty() => {}
            Some(Slot::Text(text)) => text.push_str(more),
            _ => self.slots.push(Slot::Text(more.to_owned())),
        }
    }

    fn reasoning(&mut self, more: &str) {
        match self.slots.last_mut() {
            _ if more.is_empty() => {}
            Some(Slot::Reasoning(Reasoning { text, opaque: None })) => text.push_str(more),
            _ => self.slots.push(Slot::Reasoning(Reasoning {
                text: more.to_owned(),
                opaque: None,
            })),
        }
    }

    fn opaque(&mut self, data: Opaque) {
        if let Some(Slot::Reasoning(Reasoning { opaque, .. })) = self.slots.last_mut()
            && opaque.is_none()
        {
            *opaque = Some(data);
            return;
        }
        self.slots.push(Slot::Reasoning(Reasoning {
            text: String::new(),
            opaque: Some(data),
        }));
    }

    fn begun(
        &mut self,
        key: u64,
        id: Option<String>,
        tool: String,
        opaque: Option<Opaque>,
    ) -> Vec<Call> {
        let given = id.filter(|id| !id.trim().is_empty());
        if let Some(&index) = self.keys.get(&key) {
            let Some(call) = self.calls.get_mut(index) else {
                return Vec::new();
            };
            if call.is_told_again(given.as_deref(), &tool) {
                call.told_again(tool, opaque, given.is_none());
                if let Some(id) = given {
                    self.rename(index, id);
                }
                return Vec::new();
            }
        }
        let complete = self.settle(Open::is_whole);
        self.open(key, given, tool, opaque);
        complete
    }

    fn piece(&mut self, key: u64, text: String) -> Vec<Call> {
        if text.is_empty() {
            return Vec::new();
        }
        let (index, complete) = self.at(key, &text);
        if let Some(call) = self.calls.get_mut(index) {
            call.add(text);
        }
        complete
    }

    fn whole(&mut self, key: u64, text: String) -> Vec<Call> {
        let (index, complete) = self.at(key, &text);
        if let Some(call) = self.calls.get_mut(index) {
            call.set(text);
        }
        complete
    }

    fn done(&mut self, key: u64) -> Vec<Call> {
        let index = self.keys.get(&key).copied();
        let Some(call) = index.and_then(|index| self.calls.get_mut(index)) else {
            return Vec::new();
        };
        call.close();
        self.settle(|call| call.is_closed() && call.is_certain())
    }

    /// After a stop that lets the model finish, whatever it wrote is all it wrote. After any other only what
    /// is a whole object is.
    fn stopped(&mut self, stop: Stop) -> Vec<Call> {
        if let None | Some(Stop::Done | Stop::Calls) = &self.stop {
            self.stop = Some(stop);
        }
        let finished = matches!(self.stop, Some(Stop::Done | Stop::Calls | Stop::Paused));
        self.settle(|call| finished || call.is_whole() || (call.is_closed() && call.is_certain()))
    }

    /// The call at `key`; a new one where none began there, or where another begins under the same key.
    fn at(&mut self, key: u64, text: &str) -> (usize, Vec<Call>) {
        let known = self.keys.get(&key).copied();
        if let Some(index) = known {
            let again = self
                .calls
                .get_mut(index)
                .and_then(|call| call.follows(text));
            let Some(tool) = again else {
                return (index, Vec::new());
            };
            let complete = self.settle(Open::is_whole);
            return (self.open(key, None, tool, None), complete);
        }
        (self.open(key, None, String::new(), None), Vec::new())
    }

    fn open(
        &mut self,
        key: u64,
        given: Option<String>,
        tool: String,
        opaque: Option<Opaque>,
    ) -> usize {
        let index = self.calls.len();
        let free = given.clone().filter(|id| !self.taken.contains(id));
        let id = free.unwrap_or_else(|| self.fresh(index + 1));
        self.taken.insert(id.clone());
        self.calls.push(Open::new(id, given, tool, opaque));
        self.slots.push(Slot::Call(index));
        self.keys.insert(key, index);
        index
    }

    /// The id that came after its call had begun takes the place of ours, while nobody has seen the call.
    fn rename(&mut self, index: usize, id: String) {
        if self.taken.contains(&id) {
            return;
        }
        if let Some(call) = self.calls.get_mut(index)
            && call.takes(&id)
        {
            self.taken.insert(id);
        }
    }

    fn fresh(&self, place: usize) -> String {
        let first = format!("call_{}_{place}", self.step);
        let more = (2..).map(|n| format!("{first}_{n}"));
        let mut names = std::iter::once(first.clone()).chain(more);
        names
            .find(|name| !self.taken.contains(name))
            .unwrap_or(first)
    }

    /// Hands out the calls that are ripe. A call that came twice, to the letter and under one id, is one call.
    fn settle(&mut self, is_ripe: impl Fn(&Open) -> bool) -> Vec<Call> {
        let mut complete = Vec::new();
        for index in 0..self.calls.len() {
            let (before, rest) = self.calls.split_at_mut(index);
            let Some(call) = rest.first_mut() else { break };
            if call.is_pending() && is_ripe(call) {
                let repeats = before.iter().any(|other| other.is_same(call));
                complete.extend(call.settle(repeats));
            }
        }
        complete
    }
}

#[cfg(test)]
mod tests;
