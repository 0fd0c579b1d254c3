//! What the Lua side of the program reaches: the door, the services, what is kept for others.
//!
//! The door is held weakly: a state that outlives its session can call nothing.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use super::entries::Entries;
use super::load::Given;
use super::pulse::Pulse;
use super::vm::{Reach, Vm, Write};
use crate::agent::Agency;
use crate::error::{Kind, ToolError};
use crate::gate::Dispatch;
use crate::tool::Services;

/// One per Lua state.
pub(super) struct Host {
    /// The door.
    pub(super) door: Weak<Dispatch>,
    /// The way to ask models, where there is one.
    pub(super) agency: Reach,
    /// What all calls share.
    pub(super) services: Arc<Services>,
    /// The way to this very state, for what is registered from Lua and called from elsewhere.
    pub(super) vm: Vm,
    /// Set when all Lua has to end.
    pub(super) stop: Arc<AtomicBool>,
    /// How long Lua has run without a pause.
    pub(super) pulse: Pulse,
    /// Takes what a script prints.
    pub(super) write: Write,
    /// Waits until all that was printed is written.
    pub(super) settle: Arc<dyn Fn() + Send + Sync>,
    /// Whether standard output carries a document.
    pub(super) is_quiet: bool,
    /// The functions that others hold handles of.
    pub(super) entries: Entries,
    /// The number of the loading whose modules and files are in place.
    pub(super) loaded: Cell<u64>,
    /// What the files gave that were loaded last.
    pub(super) given: RefCell<Given>,
}

impl Host {
    /// The door, while the session lasts.
    ///
    /// # Errors
    /// `unavailable` when it is gone.
    pub(super) fn door(&self) -> Result<Arc<Dispatch>, ToolError> {
        self.door.upgrade().ok_or_else(|| {
            ToolError::new(
                Kind::Unavailable,
                "the session has ended; no tool can be called",
            )
        })
    }

    /// The way to ask models.
    ///
    /// # Errors
    /// `unavailable` where no model can be asked.
    pub(super) fn agency(&self) -> Result<Arc<Agency>, ToolError> {
        (self.agency)(&self.vm).ok_or_else(|| {
            ToolError::new(Kind::Unavailable, "no model can be asked here")
                .with_hint("run it with `agent script` or `agent eval`")
        })
    }

    /// Whether all Lua has to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }
}
