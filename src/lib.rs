//! The house, floor by floor. A module uses only the floors below its own; `tests/it/floors.rs` holds it to that.
//!
//! A call enters through the door (`gate`), whoever makes it: a person, a script, a model. The
//! rooms below know nothing of the rooms above, and only one of them knows that Lua exists.

// 0  words: what everything else is said in. Pure.
pub mod data;
pub mod error;
pub mod text;

// 1  rules: decided from facts alone. Pure.
pub mod chat;
pub mod edit;
pub mod patch;
pub mod permission;
pub mod redact;
pub mod schema;

// 2  store: what the program keeps about itself.
pub mod store;

// 3  ground: children of this process; HTTP; the files that are code.
pub mod layers;
pub mod net;
pub mod process;

// 4  hands: the workspace on disk; which language models there are; whether a project's code is trusted.
pub mod files;
pub mod model;
pub mod trust;

// 5  contract: what a tool declares, gets and returns.
pub mod tool;

// 6  door: dispatch, and one file per tool. Neither imports the other.
pub mod gate;
pub mod tools;

// 7  loop: a model is asked, its calls are made, its turns are kept.
pub mod agent;

// 8  bridge: the only room that knows Lua.
pub mod lua;

// 10 roof: arguments, wiring, exit codes.
pub mod cli;
