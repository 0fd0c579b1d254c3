//! The door from the outside: small tools of every sort, and what a caller and the record see of a call.

mod calls;
mod hooks;
mod results;
mod rig;
mod verdicts;
