//! Whether a session is planning: then a model only reads, whatever else would let it do more.
//!
//! It tightens and never loosens. Who keeps the session saves it and puts it back.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether it is.
#[derive(Debug, Default)]
pub struct Planning(AtomicBool);

impl Planning {
    /// Whether the session is planning.
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// From here on it is; whether it was before.
    pub fn begin(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// From here on it is not; whether it was before.
    pub fn end(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }
}
