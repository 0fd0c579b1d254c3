//! `agent.reload`: loads the files of all layers anew and puts them in place as one.
//!
//! What does not load any more keeps what it gave before; nothing here decides that.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::bind::{Doc, waiting};
use crate::data::Data;
use crate::lua::convert;
use crate::lua::current::Current;
use crate::lua::host::Host;
use crate::lua::load::Report;

/// Sets `agent.reload`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.reload",
        takes: "() → { tools, problems }",
        about: "loads all files anew; what does not load any more stays as it was",
    };
    let host = Rc::clone(host);
    waiting(lua, agent, doc, move |given| {
        let current = Current::get()?;
        current.refuse_if_pure("agent.reload")?;
        current.refuse_if_loading("agent.reload")?;
        let reload = &host.vm.shared().settings.reload;
        let reload = reload(host.vm.clone(), current.scope().clone());
        let lua = given.lua.clone();
        Ok(async move { Ok(convert::to_lua(&lua, &told(&reload.await?))?) })
    })
}

/// The report as a script reads it.
fn told(report: &Report) -> Data {
    let tools = report.loaded.iter().map(|tool| tool.id.as_str().into());
    let problems = report.problems.iter().map(|problem| {
        Data::map([
            ("file", problem.file.as_str().into()),
            ("position", Data::from(problem.position.clone())),
            ("kind", problem.error.kind.as_str().into()),
            ("message", problem.error.message.as_str().into()),
            ("hint", problem.error.hint().into()),
            ("kept", Data::Bool(problem.is_kept)),
        ])
    });
    Data::map([
        ("tools", Data::List(tools.collect())),
        ("problems", Data::List(problems.collect())),
    ])
}
