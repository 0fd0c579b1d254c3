//! Whether what a project brings along may be loaded: a yes of the person, and what it covers.
//!
//! A yes is to bytes: it holds for what was surveyed, file by file, and for nothing that was changed since. Nothing here
//! loads or runs any of it, and every doubt ends in a no.

mod change;
mod dev;
mod login;
mod power;
mod record;
mod standing;
#[cfg(test)]
mod tests;
mod view;

pub use change::{Change, State};
pub use dev::{Dev, Stamp};
pub use login::Login;
pub use power::Flag;
pub use record::{Last, LastFile};
pub use standing::{Lost, Standing, Trust};
pub use view::{FileView, View, view};
