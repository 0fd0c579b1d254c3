//! Pure work on text: cutting without breaking a character, showing control characters, near names.
//!
//! Nothing here reads a file, a clock or the environment.

mod cut;
mod escape;
mod nearest;
mod truncate;

pub use cut::{floor_boundary, head_bytes, tail_bytes};
pub use escape::visible;
pub use nearest::{nearest, suggestion};
pub use truncate::{Keep, Truncated, truncate};
