//! The interface `agent`, one file for each of its parts, in the order its documentation lists them.
//!
//! What waits for tools, blocks and models stands elsewhere; nothing here runs a tool.

mod args;
mod array;
mod ask;
pub(super) mod bind;
mod complete;
mod dispatch;
mod help;
mod json;
pub(super) mod log;
mod messages;
mod notify;
mod null;
mod path;
mod person;
mod re;
mod reload;
mod replay;
mod session;
mod steer;
mod text;
mod undo;
mod version;
mod workspace;

pub(super) use bind::{Doc, Docs};

use std::rc::Rc;

use mlua::{Lua, Table};

use super::host::Host;

type Install = fn(&Lua, &Table, &Rc<Host>) -> mlua::Result<()>;

/// Every part, in order.
const PARTS: [Install; 21] = [
    help::install,
    args::install,
    log::install,
    notify::install,
    person::install,
    ask::install,
    complete::install,
    dispatch::install,
    steer::install,
    replay::install,
    reload::install,
    undo::install,
    workspace::install,
    session::install,
    version::install,
    json::install,
    path::install,
    text::install,
    re::install,
    null::install,
    array::install,
];

/// Fills the table `agent`. [`super::raise::install`] has run before.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    for part in PARTS {
        part(lua, agent, host)?;
    }
    bind::strict(lua, agent, "agent")
}

#[cfg(test)]
mod tests;
