//! The loop: a model is asked, its calls go through the door, and their results go back to it, until it has said what it
//! has to say.
//!
//! It knows no provider and no terminal. Every call is judged like any other; nothing here runs a tool by itself.

mod agency;
mod calling;
mod calls;
mod compact;
mod complete;
mod conversation;
mod defer;
pub mod export;
mod fork;
mod guiding;
mod hear;
mod offer;
mod offering;
mod proving;
mod record;
mod reminder;
mod repeat;
mod shape;
mod status;
mod step;
mod summary;
mod system;
mod talk;
mod turn;

pub use agency::{Agency, Ask, Prompts, Reply, Speakers};
pub use calling::Refused;
pub use compact::Compaction;
pub use complete::{Complete, Completed, Dispatched};
pub use conversation::Conversation;
pub use fork::{Fork, Own, fork};
pub use hear::{Deaf, Happened, Hear};
pub use proving::Proof;
pub use record::{Head, Past};
pub use status::Status;
pub use summary::{Summary, title};
pub use turn::{Made, Turned};
