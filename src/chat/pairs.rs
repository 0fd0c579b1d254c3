//! Calls and their results in a history: which call lacks its result, and where a history may be cut.
//!
//! A pair is a call and its result in the messages after it. Providers refuse a history in which one stands
//! without the other, so that nothing here ever parts them.

use std::collections::HashSet;
use std::ops::Range;

use super::{Call, Message, Role};

/// The calls that have no result, in order.
pub fn open_calls(messages: &[Message]) -> Vec<&Call> {
    let mut open: Vec<&Call> = Vec::new();
    for message in messages {
        for result in message.answers() {
            open.retain(|call| call.id != result.id);
        }
        open.extend(message.calls());
    }
    open
}

/// Whether every call has one result, after it and before anybody else speaks, and every result its call.
pub fn is_paired(messages: &[Message]) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut waiting: HashSet<&str> = HashSet::new();
    for message in messages {
        let speaks = matches!(message.role, Role::User | Role::Assistant);
        if speaks && message.answers().next().is_none() && !waiting.is_empty() {
            return false;
        }
        if !message
            .answers()
            .all(|result| waiting.remove(result.id.as_str()))
        {
            return false;
        }
        for call in message.calls() {
            if !seen.insert(&call.id) || !waiting.insert(&call.id) {
                return false;
            }
        }
    }
    waiting.is_empty()
}

/// The places at which a history may be cut: before message `i`, for each `i` given. No call before a cut has
/// its result after it. The ends are among them.
pub fn cut_points(messages: &[Message]) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut waiting: HashSet<&str> = HashSet::new();
    for (index, message) in messages.iter().enumerate() {
        if waiting.is_empty() && message.answers().next().is_none() {
            cuts.push(index);
        }
        for result in message.answers() {
            waiting.remove(result.id.as_str());
        }
        waiting.extend(message.calls().map(|call| call.id.as_str()));
    }
    if waiting.is_empty() {
        cuts.push(messages.len());
    }
    cuts
}

/// The turns: each from a message of the person up to the next one that may be cut off before it. What stands
/// before the first message of the person belongs to the first turn.
pub fn turns(messages: &[Message]) -> Vec<Range<usize>> {
    let begins = |at: &usize| messages.get(*at).is_some_and(|one| one.role == Role::User);
    let mut starts: Vec<usize> = cut_points(messages).into_iter().filter(begins).collect();
    match starts.first_mut() {
        Some(first) => *first = 0,
        None if messages.is_empty() => {}
        None => starts.push(0),
    }
    let ends = starts.iter().skip(1).copied().chain([messages.len()]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(from, to)| from..to)
        .collect()
}

/// Every id that a call of the history bears.
pub fn ids(messages: &[Message]) -> HashSet<String> {
    let calls = messages.iter().flat_map(Message::calls);
    calls.map(|call| call.id.clone()).collect()
}

#[cfg(test)]
mod tests;
