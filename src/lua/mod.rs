//! The bridge: the only room that knows Lua. Values, failures and the interface `agent` cross here.
//!
//! One thread owns the Lua state ([`Vm`] is the way to it), and no Lua value ever leaves that thread:
//! others hold integer handles and exchange plain data. Nothing on that thread blocks it.

mod api;
mod blocks;
mod calls;
mod clock;
mod commands;
mod convert;
mod current;
mod entries;
mod execute;
mod fields;
mod hooks;
mod host;
mod job;
mod lines;
mod lint;
mod live;
mod load;
mod modules;
mod natives;
mod pulse;
mod raise;
mod results;
mod script;
mod short;
mod state;
mod stubs;
mod testing;
mod tokens;
mod tool;
mod tools_table;
mod transaction;
mod vm;
mod waiting;

#[cfg(test)]
mod tests;

pub use entries::Entry;
pub use load::{Enforce, Loaded, LoadedTool, Policed, PolicyCase, Problem, Report};
pub use script::{Chunk, Ended, Shown, Uncaught};
pub use stubs::{Field, GENERATED, Stubs, fields};
pub use testing::{LIMIT, Mocks, Status, TestFile, TestWorld, Tested, empty, fenced, fill};
pub use vm::{Reach, Reload, Settings, Vm, Write};
