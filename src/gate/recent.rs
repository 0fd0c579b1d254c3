//! The plain recorder: the newest records of this process, in memory.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::tool::{Record, Recorder};

/// How many records are kept.
const KEPT: usize = 10_000;

/// The newest records, oldest first.
#[derive(Default)]
pub struct Recent(Mutex<VecDeque<Record>>);

impl Recent {
    /// A copy of what is kept.
    pub fn list(&self) -> Vec<Record> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .cloned()
            .collect()
    }
}

impl Recorder for Recent {
    fn record(&self, record: Record) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(record);
    }
}
