//! Proofs of the runtime: a real door, small tools, real Lua. What a test needs twice stands in `rig`.

mod asking;
mod blocks;
mod calls;
mod cancel;
mod commands;
mod hooks;
mod live;
mod loader;
mod nesting;
mod records;
mod rig;
mod scripts;
mod shipped;
mod small;
mod tools;
mod transaction;
mod waiting;
