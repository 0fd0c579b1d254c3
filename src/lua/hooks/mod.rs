//! `agent.on(point, …)`: registers a Lua function or a command as a hook, and returns what takes it off again.
//!
//! Everything is checked here, once. A hook belongs to the layer of the code that registers it.

mod event;
mod function;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use mlua::{Function, Lua, Table, Value};

use super::blocks::seconds;
use super::current::Current;
use super::fields::Fields;
use super::host::Host;
use super::raise;
use super::short::{self, wrong};
use crate::error::ToolError;
use crate::gate::{CommandHook, Program};
use crate::text::offer;
use crate::tool::{Gate as _, Head, Hook, Level, Point, Selection};

/// How long a hook may take, unless it says otherwise.
const LIMIT: Duration = Duration::from_secs(30);

/// The options of every hook.
const OPTIONS: [&str; 3] = ["timeout", "tools", "surface"];

/// Puts `agent.on` into `agent`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let host = Rc::clone(host);
    let on = lua.create_function(move |lua, (point, what, options): (Value, Value, Value)| {
        let id = short::with_a_dot(lua, "agent.on", Some(&point))
            .and_then(|()| register(lua, &host, &point, what, &options))
            .map_err(|error| raise::raise(lua, error, None))?;
        off(lua, &host, id)
    })?;
    agent.set("on", on)
}

fn register(
    lua: &Lua,
    host: &Rc<Host>,
    point: &Value,
    what: Value,
    options: &Value,
) -> Result<u64, ToolError> {
    let (point, door) = (at(point)?, host.door()?);
    let current = Current::get()?;
    current.refuse_if_pure("agent.on")?;
    let (id, layer) = (door.hook_id(), current.voice().layer());
    let head = |selection, name| Head {
        id,
        point,
        layer,
        name,
        selection,
    };
    let hook: Arc<dyn Hook> = match (what, options) {
        (Value::Function(function), options) => {
            let options = match options {
                Value::Nil => None,
                Value::Table(options) => Some(options),
                other => return Err(wrong("agent.on: argument 3", "a table", other)),
            };
            let (limit, selection) = common(point, options, &OPTIONS)?;
            let name = place(lua, &function);
            Arc::new(function::LuaHook {
                head: head(selection, name),
                vm: host.vm.clone(),
                entry: host.entries.keep(function, &host.vm),
                limit,
            })
        }
        (Value::Table(table), Value::Nil) => {
            let names = [OPTIONS.as_slice(), &["command"]].concat();
            let (limit, selection) = common(point, Some(&table), &names)?;
            let name = raise::user_line(lua).unwrap_or_else(|| "Lua".to_owned());
            Arc::new(CommandHook {
                head: head(selection, name),
                program: program(&table.raw_get("command").unwrap_or_default())?,
                limit,
                is_denied: host.vm.shared().settings.testing.is_some(),
                services: Arc::clone(&host.services),
            })
        }
        (Value::Table(_), other) => {
            return Err(wrong("agent.on: argument 3", "nothing", other)
                .with_hint("what a command takes stands beside it: { command = …, timeout = … }"));
        }
        (other, _) => {
            let expected = "a function or { command = … }";
            return Err(wrong("agent.on: argument 2", expected, &other));
        }
    };
    match current.draft() {
        Some(draft) => draft.hook(hook),
        None => {
            let sink = &host.services.sink;
            let idle = hook.head().idle(&door.generation().tools);
            idle.into_iter()
                .for_each(|line| sink.log(Level::Warn, line));
            door.update(|generation| generation.add_hook(hook));
        }
    }
    Ok(id)
}

/// The function that takes the hook `id` off. Calling it again does nothing.
fn off(lua: &Lua, host: &Rc<Host>, id: u64) -> mlua::Result<Function> {
    let host = Rc::clone(host);
    let draft = Current::get()
        .ok()
        .and_then(|current| current.draft().cloned());
    lua.create_function(move |_, ()| {
        if let Some(draft) = &draft {
            draft.without_hook(id);
        }
        if let Ok(door) = host.door()
            && door.has_hook(id)
        {
            door.update(|generation| generation.remove_hook(id));
        }
        Ok(())
    })
}

fn at(point: &Value) -> Result<Point, ToolError> {
    let names = Point::ALL.map(|(name, _)| name);
    let word = point.to_string().unwrap_or_default();
    let found = Point::ALL.into_iter().find(|(name, _)| *name == word);
    found.map(|(_, point)| point).ok_or_else(|| {
        ToolError::argument(format!("agent.on: there is no point `{word}`"))
            .with_hint(offer(&word, "points", names))
    })
}

/// How long the hook may take, and which tools it looks at.
fn common(
    point: Point,
    options: Option<&Table>,
    names: &[&str],
) -> Result<(Duration, Selection), ToolError> {
    let Some(options) = options else {
        return Ok((LIMIT, Selection::default()));
    };
    let options = Fields::beside(options, "agent.on", names)?;
    let limit = match options.value("timeout")? {
        Value::Nil => LIMIT,
        given => seconds(&given, &options.at("timeout"))?,
    };
    let tools = globs(point, &options, "tools")?;
    let surfaces = globs(point, &options, "surface")?;
    let selection = Selection::new(
        tools.iter().map(String::as_str),
        surfaces.iter().map(String::as_str),
    );
    Ok((limit, selection))
}

/// One glob or a list of them; none where the option is not given.
fn globs(point: Point, options: &Fields, name: &str) -> Result<Vec<String>, ToolError> {
    let what = options.at(name);
    let given = match options.value(name)? {
        Value::Nil => return Ok(Vec::new()),
        given => given,
    };
    if !point.powers().is_about_a_tool {
        let message = format!(
            "{what}: what happens at {} is not about a tool",
            point.as_str()
        );
        return Err(ToolError::argument(message).with_hint("leave it out"));
    }
    let globs = texts(&given).filter(|globs| !globs.is_empty());
    let globs = globs.ok_or_else(|| wrong(&what, "a name or a list of names", &given))?;
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-.*?".contains(c);
    match globs
        .iter()
        .find(|glob| glob.is_empty() || !glob.chars().all(fits))
    {
        None => Ok(globs),
        Some(glob) => Err(
            ToolError::argument(format!("{what}: `{glob}` names nothing")).with_hint(
                "letters, digits, `_ - .`; `*` stands for anything, `?` for one character",
            ),
        ),
    }
}

fn program(command: &Value) -> Result<Program, ToolError> {
    let what = "agent.on: command";
    let expected = "a command line, or a list of a program and its arguments";
    match command {
        Value::String(line) if !line.to_string_lossy().trim().is_empty() => {
            Ok(Program::Line(line.to_string_lossy()))
        }
        Value::Table(words) => {
            let words: mlua::Result<Vec<mlua::LuaString>> = words.sequence_values().collect();
            let words = words.ok().filter(|words| !words.is_empty());
            let words = words.ok_or_else(|| wrong(what, expected, command))?;
            let word = |word: &mlua::LuaString| OsString::from_vec(word.as_bytes().to_vec());
            Ok(Program::Words(words.iter().map(word).collect()))
        }
        other => Err(wrong(what, expected, other)),
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.to_string_lossy()]),
        Value::Table(list) => list.sequence_values().collect::<mlua::Result<_>>().ok(),
        _ => None,
    }
}

/// `file:line` of a function; of one that is not the person's own, the line that registers it.
pub(super) fn place(lua: &Lua, function: &Function) -> String {
    let info = function.info();
    match (info.short_src, info.line_defined) {
        (Some(file), Some(line)) if info.what == "Lua" => format!("{file}:{line}"),
        _ => raise::user_line(lua).unwrap_or_else(|| "Lua".to_owned()),
    }
}
