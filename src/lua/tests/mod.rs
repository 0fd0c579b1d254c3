//! Proofs of the runtime: a real door, small tools, real Lua. What a test needs twice stands in `rig`.

mod answers;
mod asking;
mod blocks;
mod broken_hooks;
mod calls;
mod cancel;
mod classifier;
mod commands;
mod hooks;
mod layers;
mod live;
mod loader;
mod models;
mod nesting;
mod policies;
mod profiles;
mod providers;
mod records;
mod reload;
mod rig;
mod scripts;
mod shipped;
mod small;
mod snippets;
mod testing;
mod tools;
mod transaction;
mod waiting;

pub(super) use rig::Rig;
