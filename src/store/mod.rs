//! What the program keeps on disk and in memory about itself.
//!
//! Only the two words that `files` needs; the room itself is built elsewhere.

mod hash;
mod random;

pub use hash::Hash;
pub use random::token;
