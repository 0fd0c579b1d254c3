//! What the Lua side of the program reaches: the door, the services, and what the script was given.
//!
//! The door is held weakly: a state that outlives its session can call nothing.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use crate::tool::{Gate, Services};

/// One per Lua state.
pub(super) struct Host {
    /// The door.
    pub(super) gate: Weak<dyn Gate>,
    /// What all calls share.
    pub(super) services: Arc<Services>,
    /// The real path of the workspace.
    pub(super) workspace: PathBuf,
    /// What messages call the script: the file as it was named.
    pub(super) script_name: RefCell<String>,
    /// What stands after FILE on the command line.
    pub(super) script_args: RefCell<Vec<String>>,
}
