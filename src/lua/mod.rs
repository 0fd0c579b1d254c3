//! The bridge: the only room that knows Lua. Values, failures and the interface `agent` cross here.
//!
//! No Lua value leaves the thread of its state, and nothing here blocks it.
#![allow(dead_code, unused_imports)]

mod api;
mod convert;
mod host;
mod raise;
mod short;
