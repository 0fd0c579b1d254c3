//! What of the person's and the project's files is code, and whose it is.
//!
//! Files are read here once and handed on as bytes; nothing here runs any of them. What a project brings along is
//! surveyed; whether it may be loaded is settled elsewhere.

mod entry;
mod file;
mod folder;
mod guides;
mod instructions;
mod layer;
mod module;
mod shipped;
mod sources;
mod survey;
#[cfg(test)]
pub(crate) mod tests;
mod tree;

pub use entry::{Entry, Refused, What, is_test};
pub use file::{PolicyName, Role, SourceFile};
pub use folder::{of_folder, of_user, places_of};
pub use guides::{Guide, folders, guide, guides};
pub use instructions::{Instructions, instructions};
pub use layer::Layer;
pub use shipped::{preset, presets, shipped};
pub use sources::Sources;
pub use survey::{Survey, idle_tools, survey};
