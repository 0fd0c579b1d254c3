//! Children of this process: start one, take what it prints, end all that it started.
//!
//! It knows no shell, no permission and no tool. Whatever a child does, a run ends: it waits for the
//! child itself and never for a pipe that something else keeps. Nothing a child started outlives it.

mod attended;
mod below;
mod capture;
mod command;
mod descendants;
mod environment;
mod exit;
mod finished;
mod group;
mod launch;
mod leader;
mod run;
mod spawn;
mod streams;

pub use attended::{End, attended, ending};
pub use below::{HANDED, is_below_model, is_limited_otherwise, is_sealed};
pub use capture::Captured;
pub use command::{Command, Filter, Instead, Limits};
pub use environment::{CALLER, HOOKS_DEEP, child_environment};
pub use finished::{Finished, Left};
pub use group::Group;
pub use run::run;
pub use spawn::find_program;
pub use streams::Stream;
