//! The door from the outside: small tools of every sort, and what a caller and the record see of a call.

mod always;
mod asked;
mod calls;
mod classified;
mod definitions;
mod doom_loop;
mod hook;
mod hooks;
mod meddled;
mod points;
mod questions;
mod records;
mod results;
pub(super) mod rig;
mod running;
mod terms;
mod verdicts;
mod yes;
