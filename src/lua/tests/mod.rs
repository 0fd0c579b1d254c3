//! Proofs of the runtime: a real door, small tools, real Lua. What a test needs twice stands in `rig`.

mod blocks;
mod broken_hooks;
mod calls;
mod cancel;
mod hooks;
mod layers;
mod loader;
mod nesting;
mod policies;
mod reload;
mod rig;
mod scripts;
mod small;
mod tools;
mod waiting;
