//! `agent.notify`: one line for the person, wherever they look.
//!
//! It goes through the door, which tells who listens; nothing is printed here.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::bind::{Doc, waiting};
use crate::lua::current::Current;
use crate::lua::host::Host;
use crate::tool::Gate as _;

/// Sets `agent.notify`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.notify",
        takes: "(text, { title = text }?)",
        about: "a line for the person, on stderr and to hooks at `notification`",
    };
    let host = Rc::downgrade(host);
    waiting(lua, agent, doc, move |given| {
        let text = given.text(1, "text")?.to_string_lossy();
        let title = given.options(2, &["title"])?.text("title")?;
        let current = Current::get()?;
        current.refuse_if_pure(given.function)?;
        let door = host.upgrade().map(|host| host.door()).transpose()?;
        let told = door.map(|door| door.notify(current.scope(), title, text));
        Ok(async move {
            if let Some(told) = told {
                told.await;
            }
            Ok(())
        })
    })
}
