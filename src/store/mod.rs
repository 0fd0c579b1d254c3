//! What the program keeps on disk and in memory about itself: folders, blobs, spills, sessions, what was read.
//!
//! Synchronous; it knows no tool and asks nobody. Nothing is created before its first use: folders
//! are 0700, files 0600. Clocks and the environment come in as arguments.

mod approvals;
mod audit;
mod blobs;
mod hash;
mod journal;
mod ledger;
mod paths;
mod private;
mod random;
mod real_path;
mod records;
mod root;
mod session;
mod sessions;
mod spill;
mod workspace;

pub use approvals::{Approvals, Found, SANDBOX, Saved};
pub use audit::Audit;
pub use blobs::Blobs;
pub use hash::Hash;
pub use journal::{Journal, Log, log_blobs, log_lines};
pub use ledger::{Ledger, Seen};
pub use paths::{Paths, Room};
pub use random::token;
pub use real_path::{Entry, real_path};
pub use records::Records;
pub use root::Root;
pub use session::{SessionId, moment, stamp};
pub use sessions::{SessionLog, Sessions};
pub use spill::{Reader, SpillId, Spilling, Spills};
pub use workspace::Workspace;
