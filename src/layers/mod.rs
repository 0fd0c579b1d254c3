//! What of the person's and the project's files is code, whose it is, and whether it may be loaded.
//!
//! Files are read here once and handed on as bytes; nothing here runs any of them.

mod file;
mod layer;
mod shipped;
mod sources;

pub use file::{PolicyName, Role, SourceFile};
pub use layer::Layer;
pub use shipped::shipped;
pub use sources::{of_folder, of_user};
