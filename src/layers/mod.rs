//! What of the person's and the project's files is code, whose it is, and whether it may be loaded.
//!
//! Files are read here once and handed on as bytes; nothing here runs any of them. What a project
//! brings along is surveyed, and counts only while a yes of the person covers every byte of it.

mod change;
mod dev;
mod entry;
mod file;
mod folder;
mod instructions;
mod layer;
mod login;
mod module;
mod power;
mod record;
mod shipped;
mod sources;
mod survey;
#[cfg(test)]
mod tests;
mod tree;
mod trust;
mod view;

pub use change::{Change, State};
pub use dev::{Dev, Stamp};
pub use entry::{Entry, Refused, What, is_test};
pub use file::{PolicyName, Role, SourceFile};
pub use folder::{of_folder, of_user, places_of};
pub use instructions::{Instructions, instructions};
pub use layer::Layer;
pub use login::Login;
pub use power::Flag;
pub use record::{Last, LastFile};
pub use shipped::shipped;
pub use sources::Sources;
pub use survey::{Survey, idle_tools, survey};
pub use trust::{Lost, Standing, Trust};
pub use view::{FileView, View, view};
