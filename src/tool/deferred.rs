//! The tools that a conversation does not begin with: a model finds them with `tool_search`, which opens them, and calls
//! them from then on.
//!
//! It belongs to one conversation, and stands in the scope of the calls that are made there.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Kind, ToolError};

/// What is deferred in one conversation, and what was opened since.
#[derive(Debug, Default)]
pub struct Deferred(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    ids: BTreeSet<String>,
    opened: Vec<String>,
}

impl Deferred {
    /// These tools, by id; none of them is open.
    pub fn new(ids: impl IntoIterator<Item = String>) -> Deferred {
        let deferred = Deferred::default();
        deferred.replace(ids);
        deferred
    }

    /// Puts these tools in the place of those that are deferred. What was opened stays open.
    pub fn replace(&self, ids: impl IntoIterator<Item = String>) {
        self.lock().ids = ids.into_iter().collect();
    }

    /// Whether nothing is deferred here, open or not.
    pub fn is_empty(&self) -> bool {
        self.lock().ids.is_empty()
    }

    /// Whether the tool `id` is deferred, open or not.
    pub fn has(&self, id: &str) -> bool {
        self.lock().ids.contains(id)
    }

    /// Whether the tool `id` has to be opened before it can be called.
    pub fn is_closed(&self, id: &str) -> bool {
        let held = self.lock();
        held.ids.contains(id) && !held.opened.iter().any(|opened| opened == id)
    }

    /// What was opened, in that order: to be saved, and opened again.
    pub fn opened(&self) -> Vec<String> {
        self.lock().opened.clone()
    }

    /// Opens these tools; those of them that were not open before.
    pub fn open(&self, ids: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut held = self.lock();
        let mut new = Vec::new();
        for id in ids {
            if !held.opened.contains(&id) {
                held.opened.push(id.clone());
                new.push(id);
            }
        }
        new
    }

    /// Refuses a tool that has to be opened first.
    ///
    /// # Errors
    /// `unavailable`, with how to open it.
    pub fn usable(&self, id: &str) -> Result<(), ToolError> {
        if !self.is_closed(id) {
            return Ok(());
        }
        let message = format!("the tool `{id}` is not open yet");
        let hint = format!(
            "call `tool_search` with the query `select:{id}`: it says what the tool takes, and opens it"
        );
        Err(ToolError::new(Kind::Unavailable, message).with_hint(hint))
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_deferred_is_closed_until_it_is_opened() {
        let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        let deferred = Deferred::new(ids(&["a", "b"]));
        assert!(deferred.is_closed("a") && !deferred.is_closed("c"));
        assert!(deferred.usable("a").is_err() && deferred.usable("c").is_ok());
        assert_eq!(deferred.open(ids(&["b", "a", "b"])), ["b", "a"]);
        assert!(deferred.open(ids(&["a"])).is_empty());
        assert_eq!(deferred.opened(), ["b", "a"]);
        deferred.replace(ids(&["b", "c"]));
        assert!(!deferred.is_closed("b") && deferred.is_closed("c") && !deferred.has("a"));
        assert!(!deferred.is_empty() && Deferred::default().is_empty());
    }
}
