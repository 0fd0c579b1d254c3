//! How much of one result still fits a conversation that is nearly full.
//!
//! It belongs to one conversation, and stands in the scope of the calls that are made there.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of one result, at the most.
#[derive(Debug)]
pub struct Space(AtomicUsize);

impl Default for Space {
    fn default() -> Space {
        Space(AtomicUsize::new(usize::MAX))
    }
}

impl Space {
    /// However little is left, a result has this much.
    const LEAST: usize = 4 << 10;

    /// Notes that `tokens` are left: one result may take half of them, by four bytes to each. `None`: nobody knows.
    pub fn is_left(&self, tokens: Option<u64>) {
        let bytes = tokens.map(|tokens| usize::try_from(tokens.saturating_mul(2)));
        let bytes = bytes.map(|bytes| bytes.unwrap_or(usize::MAX).max(Self::LEAST));
        self.0.store(bytes.unwrap_or(usize::MAX), Ordering::Relaxed);
    }

    /// How many bytes one result may have.
    pub fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}
