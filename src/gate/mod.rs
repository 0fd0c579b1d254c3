//! The door. Every call of every caller passes the same six stages here, in the same order.
//!
//! Decode, before-hooks, plan and verdict, execute, after-hooks and delivery, record. No tool checks a
//! permission or cuts a text itself, and there is no second way to run one.

mod always;
mod ask;
mod audited;
mod command_hook;
mod decode;
mod definition;
mod deliver;
mod dispatch;
mod doom_loop;
mod fire;
mod foresee;
mod functions;
mod hooks;
mod names;
mod policy;
mod recent;
mod refused;
mod run;
mod seen;
mod unplanned;
mod verdict;
mod yes;

pub use audited::Audited;
pub use command_hook::{CommandHook, Program};
pub use definition::Defined;
pub use dispatch::Dispatch;
pub use fire::Fired;
pub use foresee::{Foreseen, Given};
pub use names::{aliases, known_rules, resolve_aliases, unknown_rules};
pub use policy::Rules;
pub use recent::Recent;

#[cfg(test)]
mod tests;
