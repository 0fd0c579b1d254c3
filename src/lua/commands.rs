//! Commands in Lua: `agent.command{ id, description, parameters, execute }` registers one and returns what runs it.
//!
//! A line of words is read as the options of a script are, a table as the arguments of a tool; either way the body
//! gets exactly what was declared.

use std::ffi::OsString;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use mlua::{Lua, Table, Value};

use super::current::{Current, Voice};
use super::entries::Entry;
use super::fields::Fields;
use super::host::Host;
use super::raise::{self, Failure};
use super::vm::Vm;
use super::{convert, short, waiting};
use crate::data::Data;
use crate::error::{Error, ToolError};
use crate::schema::{Checker, Parsed, parse_args, prepare};
use crate::text::shell_words;
use crate::tool::{Command, CommandSpec, Gate as _, Scope, Words};

/// Puts `declare_command` and `run_command` into `private`, for the prelude.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let shared = Rc::clone(host);
    let declare = lua.create_function(move |lua, record: Value| {
        declare(lua, &shared, &record).map_err(|error| raise::raise(lua, error, None))
    })?;
    private.set("declare_command", declare)?;
    let host = Rc::clone(host);
    let run = lua.create_async_function(move |lua, (id, given): (String, Value)| {
        let begun = run(&lua, &host, &id, &given);
        async move { raise::outcome(&lua, waiting::finish(begun).await, None) }
    })?;
    private.set("run_command", run)
}

/// A command whose body is a Lua function.
struct LuaCommand {
    spec: CommandSpec,
    vm: Vm,
    body: Entry,
    checker: Checker,
}

impl Command for LuaCommand {
    fn spec(&self) -> &CommandSpec {
        &self.spec
    }

    fn run(&self, scope: &Scope, words: Words) -> BoxFuture<'static, Result<Data, ToolError>> {
        let values = match self.values(words) {
            Ok(Parsed::Values(values)) => values,
            Ok(Parsed::Help(text)) => return Box::pin(std::future::ready(Ok(text.into()))),
            Err(error) => return Box::pin(std::future::ready(Err(error))),
        };
        let (body, voice) = (
            self.body.clone(),
            Voice::Log(self.spec.id.clone(), self.spec.origin.layer()),
        );
        let job =
            move |state: Rc<super::state::State>| async move { state.run(&body, &[values]).await };
        Box::pin(self.vm.job(scope, voice, job))
    }
}

impl LuaCommand {
    /// What the body gets, or the help that was asked for.
    fn values(&self, words: Words) -> Result<Parsed, ToolError> {
        let CommandSpec { id, parameters, .. } = &self.spec;
        match words {
            Words::Values(values) => {
                let aliases: &[(String, String)] = &[];
                let values = prepare(values, parameters, aliases)?;
                self.checker.check(&values)?;
                Ok(Parsed::Values(values))
            }
            Words::Line(line) => {
                let words = shell_words(&line).map_err(ToolError::argument)?;
                let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
                parse_args(id, parameters, &words).map_err(|error| match error {
                    Error::Usage { message, hint } => ToolError::argument(message).with_hint(hint),
                    other => ToolError::argument(other.to_string()),
                })
            }
        }
    }
}

/// Registers the command that `record` declares; its id.
fn declare(lua: &Lua, host: &Host, record: &Value) -> Result<String, ToolError> {
    short::with_a_dot(lua, "agent.command", Some(record))?;
    let current = Current::get()?;
    current.refuse_if_pure("agent.command")?;
    let Value::Table(record) = record else {
        return Err(short::wrong("agent.command", "a table", record));
    };
    let names = ["id", "description", "parameters", "execute"];
    let fields = Fields::alone(record, "a command", &names)?;
    let id = fields
        .text("id")?
        .ok_or_else(|| ToolError::argument("`id` is missing"))?;
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    if id.is_empty() || id.len() > 64 || !id.chars().all(fits) {
        let message = format!("`{id}` cannot be the id of a command");
        return Err(ToolError::argument(message).with_hint("letters, digits, `_` and `-`"));
    }
    let Value::Function(body) = fields.value("execute")? else {
        return Err(ToolError::argument("`execute` is missing")
            .with_hint("execute = function(options) … end"));
    };
    let parameters = short::parameters(&fields.value("parameters")?)?;
    let origin = current.voice().origin();
    let command = Arc::new(LuaCommand {
        checker: Checker::new(&parameters),
        vm: host.vm.clone(),
        body: host.entries.keep(body, &host.vm),
        spec: CommandSpec {
            id: id.clone(),
            description: fields.text("description")?.unwrap_or_default(),
            parameters,
            origin,
        },
    });
    match current.draft() {
        Some(draft) => draft.command(command),
        None => {
            let door = host.door()?;
            door.update(|generation| generation.commands.insert(command));
        }
    }
    Ok(id)
}

/// Runs the command `id` with a line of text, a table of values, or nothing.
fn run(
    lua: &Lua,
    host: &Host,
    id: &str,
    given: &Value,
) -> Result<impl Future<Output = Result<Value, Failure>> + use<>, Failure> {
    let current = Current::get()?;
    current.refuse_if_pure(id)?;
    let generation = host.door()?.generation();
    let command = generation.commands.find(id)?;
    let words = match given {
        Value::Nil => Words::Line(String::new()),
        Value::String(line) => Words::Line(line.to_string_lossy()),
        table @ Value::Table(_) => Words::Values(convert::to_data_named(table, "options")?),
        other => return Err(short::wrong(id, "a line of text or a table", other).into()),
    };
    let running = command.run(current.scope(), words);
    let lua = lua.clone();
    Ok(async move { Ok(convert::to_lua(&lua, &running.await?)?) })
}
