//! `agent.confirm`, `agent.input`, `agent.select`: a question to the person, at the terminal, never from a pipe.
//!
//! Where nobody is there the default is the answer, and without one the question raises `unavailable`. The time a
//! person thinks counts against no limit but `--timeout`.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{IntoLuaMulti as _, Lua, MultiValue, Table, Value};

use super::bind::{Doc, Given, waiting};
use crate::error::{Kind, ToolError};
use crate::lua::current::Current;
use crate::lua::host::Host;
use crate::lua::raise::Failure;
use crate::text::offer;
use crate::tool::{Prompt, Said, Services, Wants};

/// Sets `agent.confirm`, `agent.input` and `agent.select`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.confirm",
        takes: "(text, { default = true | false }?) → true | false",
        about: "asks the person yes or no",
    };
    let services = Arc::clone(&host.services);
    waiting(lua, agent, doc, move |given| {
        let default = given.options(2, &["default"])?.flag("default")?;
        let lua = given.lua.clone();
        let said = said(
            given,
            &services,
            Wants::YesNo(default),
            default.map(Said::YesNo),
        )?;
        Ok(async move { answer(&lua, said.await?, &[]) })
    })?;
    input(lua, agent, host)?;
    select(lua, agent, host)
}

fn input(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.input",
        takes: "(text, { default =, secret = false }?) → text",
        about: "asks the person for a line; what is secret is not shown",
    };
    let services = Arc::clone(&host.services);
    waiting(lua, agent, doc, move |given| {
        let options = given.options(2, &["default", "secret"])?;
        let default = options.text("default")?;
        let is_secret = options.flag("secret")?.unwrap_or(false);
        let otherwise = default.clone().map(Said::Line);
        let lua = given.lua.clone();
        let wants = Wants::Line { default, is_secret };
        let said = said(given, &services, wants, otherwise)?;
        Ok(async move { answer(&lua, said.await?, &[]) })
    })
}

fn select(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.select",
        takes: "(text, choices, { default = choice }?) → choice, its place",
        about: "asks the person for one of several texts",
    };
    let services = Arc::clone(&host.services);
    waiting(lua, agent, doc, move |given| {
        let list = given.table(2, "choices")?;
        let choices = list.sequence_values::<Value>().map(|choice| match choice? {
            Value::String(choice) => Ok(choice.to_string_lossy()),
            other => Err(given.wrong(2, "choices", "a list of texts", &other)),
        });
        let choices = choices.collect::<Result<Vec<String>, Failure>>()?;
        if choices.is_empty() {
            return Err(
                ToolError::argument("agent.select: there is nothing to choose from").into(),
            );
        }
        let default = match given.options(3, &["default"])?.value("default")? {
            Value::Nil => None,
            Value::String(default) => Some(place(&default.to_string_lossy(), &choices)?),
            other => return Err(given.wrong(3, "default", "one of the choices", &other)),
        };
        let wants = Wants::Choice {
            choices: choices.clone(),
            default,
        };
        let lua = given.lua.clone();
        let said = said(given, &services, wants, default.map(Said::Choice))?;
        Ok(async move { answer(&lua, said.await?, &choices) })
    })
}

fn place(default: &str, choices: &[String]) -> Result<usize, ToolError> {
    let found = choices.iter().position(|choice| choice == default);
    found.ok_or_else(|| {
        let choices = offer(default, "choices", choices.iter().map(String::as_str));
        ToolError::argument(format!(
            "agent.select: the default `{default}` is no choice"
        ))
        .with_hint(choices)
    })
}

/// What the person says to the first argument; `otherwise` where nobody is there, or no answer is given.
fn said(
    given: &Given<'_>,
    services: &Arc<Services>,
    wants: Wants,
    otherwise: Option<Said>,
) -> Result<impl Future<Output = Result<Said, Failure>> + use<>, Failure> {
    let text = given.text(1, "text")?.to_string_lossy();
    Current::get()?.refuse_if_pure(given.function)?;
    let services = Arc::clone(services);
    Ok(async move {
        let asked = services.human.prompt(Prompt {
            text: text.clone(),
            wants,
        });
        match services.thinking.during(asked).await {
            Said::Nobody => otherwise.ok_or_else(|| nobody(&text).into()),
            Said::End => otherwise.ok_or_else(|| no_answer(&text).into()),
            said => Ok(said),
        }
    })
}

fn nobody(text: &str) -> ToolError {
    let message = format!("nobody is there to answer: {text}");
    ToolError::new(Kind::Unavailable, message)
        .with_hint("run it at a terminal, or give the question a `default`")
        .with_detail("unattended", true)
}

fn no_answer(text: &str) -> ToolError {
    ToolError::new(Kind::Rejected, format!("the person gave no answer: {text}"))
}

fn answer(lua: &Lua, said: Said, choices: &[String]) -> Result<MultiValue, Failure> {
    Ok(match said {
        Said::YesNo(yes) => yes.into_lua_multi(lua)?,
        Said::Line(line) => line.into_lua_multi(lua)?,
        Said::Choice(at) => {
            let choice = choices.get(at).map(String::as_str);
            (choice, at + 1).into_lua_multi(lua)?
        }
        Said::Choices(_) | Said::End | Said::Nobody => MultiValue::new(),
    })
}
