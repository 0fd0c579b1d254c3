//! What is said to a model while it works. It waits until the step that runs is over, and stands in the next request.
//!
//! It belongs to one conversation, and stands in the scope of all that is done there.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What waits to be said, the oldest first.
#[derive(Debug, Default)]
pub struct Steering(Mutex<Vec<String>>);

impl Steering {
    /// Says something. Where no turn runs, the next one begins with it.
    pub fn say(&self, text: impl Into<String>) {
        self.lock().push(text.into());
    }

    /// Takes all that waits.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lock())
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
