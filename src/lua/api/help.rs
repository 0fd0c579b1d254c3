//! `agent.help`: what there is, one line each, and the whole declaration of one thing. For people and for models.
//!
//! Everything is derived from declarations; nothing is described here a second time.

mod topics;

use std::fmt::Write as _;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use mlua::{Lua, Table};

use super::bind::{Doc, Docs, document, waiting};
use crate::error::ToolError;
use crate::gate::{Defined, Dispatch};
use crate::lua::current::Current;
use crate::lua::host::Host;
use crate::schema::{Parsed, parse_args};
use crate::text::suggestion;
use crate::tool::{Command, Gate as _};

/// What other files of this room put into `agent` before.
const ELSEWHERE: [Doc; 9] = [
    Doc {
        name: "agent.try",
        takes: "(f, …) → results | nil, error",
        about: "calls f; a failure is returned as its table",
    },
    Doc {
        name: "agent.all",
        takes: "(f, g, …) → results",
        about: "runs functions together; the first failure ends the rest",
    },
    Doc {
        name: "agent.map",
        takes: "(list, f, { concurrency = 8 }?) → list",
        about: "f(item, index) for each, side by side; the results in order",
    },
    Doc {
        name: "agent.limit",
        takes: "({ timeout = seconds }, f) → results",
        about: "runs f within a limit; nested, the tighter one holds",
    },
    Doc {
        name: "agent.sleep",
        takes: "(seconds)",
        about: "waits",
    },
    Doc {
        name: "agent.transaction",
        takes: "(f) → { diff, files, additions, deletions, value }",
        about: "runs f; if it fails, every file its calls changed is put back",
    },
    Doc {
        name: "agent.tool",
        takes: "{ id, execute, … } → function",
        about: "adds a tool for this run",
    },
    Doc {
        name: "agent.command",
        takes: "{ id, description, parameters, execute } → function",
        about: "adds a command; the function runs it with a line of words or a table",
    },
    Doc {
        name: "agent.on",
        takes: "(point, f or { command }, { timeout, tools, surface }?) → off",
        about: "calls f, or a command, at a point such as tool.before, until off() is called",
    },
];

/// Sets `agent.help`, and documents what is in `agent` already.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    for doc in ELSEWHERE {
        let key = doc.name.trim_start_matches("agent.");
        if agent.contains_key(key)? {
            document(lua, doc.name, doc.takes, doc.about);
        }
    }
    let doc = Doc {
        name: "agent.help",
        takes: "(name?) → text",
        about: "all tools and functions, or all about one: agent.help(\"grep\"), agent.help(\"re\"), agent.help(\"hooks\")",
    };
    let host = Rc::downgrade(host);
    waiting(lua, agent, doc, move |given| {
        let name = given.optional_text(1, "name")?;
        let name = name.map(|name| name.to_string_lossy());
        let (lua, tools, commands) = (given.lua.clone(), tools(&host)?, commands(&host));
        Ok(async move {
            let tools = match tools {
                Some(tools) => tools.await?,
                None => Vec::new(),
            };
            let docs = lua.app_data_ref::<Docs>();
            let docs = docs
                .as_ref()
                .map(|docs| docs.0.as_slice())
                .unwrap_or_default();
            match name {
                None => Ok(overview(&tools, &commands, docs)),
                Some(name) => match command(&name, &tools, &commands) {
                    Some(help) => Ok(help),
                    None => Ok(one(&name, &tools, docs)?),
                },
            }
        })
    })
}

type Tools = BoxFuture<'static, Result<Vec<Defined>, ToolError>>;

/// The tools as they are declared now; none once the session has ended.
fn tools(host: &Weak<Host>) -> Result<Option<Tools>, ToolError> {
    let door = host.upgrade().and_then(|host| host.door.upgrade());
    let defined = |door: Arc<Dispatch>| Ok(door.defined(Current::get()?.scope(), None));
    door.map(defined).transpose()
}

/// The commands that are there now.
fn commands(host: &Weak<Host>) -> Vec<Arc<dyn Command>> {
    let door = host.upgrade().and_then(|host| host.door.upgrade());
    let generation = door.map(|door| door.generation());
    let there = generation.map(|there| there.commands.iter().cloned().collect());
    there.unwrap_or_default()
}

/// All about a command, unless a tool has its name; `/name` is the command in any case.
fn command(name: &str, tools: &[Defined], commands: &[Arc<dyn Command>]) -> Option<String> {
    let bare = name.strip_prefix('/');
    if bare.is_none() && tools.iter().any(|defined| defined.tool.id() == name) {
        return None;
    }
    let id = bare.unwrap_or(name);
    let spec = commands
        .iter()
        .map(|command| command.spec())
        .find(|spec| spec.id == id)?;
    let about = match spec.description.trim() {
        "" => String::new(),
        about => format!("{about}\n\n"),
    };
    let usage = match parse_args(&spec.id, &spec.parameters, &["--help".into()]) {
        Ok(Parsed::Help(text)) => text,
        _ => format!("{}{}\n", spec.id, spec.parameters.compact()),
    };
    Some(format!("{about}{usage}\na command, from {}\n", spec.origin))
}

/// One line for every tool and every function.
fn overview(tools: &[Defined], commands: &[Arc<dyn Command>], docs: &[Doc]) -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    for defined in tools {
        let description = defined.description();
        let first = description.trim().lines().next();
        let signature = defined.parameters().compact();
        rows.push((
            format!("tools.{}{signature}", defined.tool.id()),
            first.unwrap_or_default().to_owned(),
        ));
    }
    rows.extend(
        docs.iter()
            .map(|doc| (format!("{}{}", doc.name, doc.takes), doc.about.to_owned())),
    );
    rows.extend(commands.iter().map(|command| {
        let spec = command.spec();
        let first = spec.description.trim().lines().next().unwrap_or_default();
        let left = format!("/{}{}", spec.id, spec.parameters.compact());
        (left, first.to_owned())
    }));
    let mut text = String::new();
    for (left, right) in rows {
        let _ = writeln!(text, "{left}\n    {right}");
    }
    text
}

/// All about one tool, one function, or one group of functions.
fn one(name: &str, tools: &[Defined], docs: &[Doc]) -> Result<String, ToolError> {
    let id = name.strip_prefix("tools.").unwrap_or(name);
    let by_id = tools.iter().find(|defined| defined.tool.id() == id);
    let by_alias = || {
        let mut tools = tools.iter();
        tools.find(|defined| defined.tool.aliases().contains(&id))
    };
    if let Some(defined) = by_id.or_else(by_alias) {
        return Ok(declaration(defined));
    }
    let full = match name.strip_prefix("agent") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => name.to_owned(),
        _ => format!("agent.{name}"),
    };
    let group = format!("{full}.");
    let found = docs
        .iter()
        .filter(|doc| doc.name == full || doc.name.starts_with(&group));
    let lines: Vec<String> = found
        .map(|doc| format!("{}{}\n    {}\n", doc.name, doc.takes, doc.about))
        .collect();
    if lines.is_empty() {
        if let Some(topic) = topics::topic(name) {
            return Ok(topic);
        }
        let mut known: Vec<&str> = tools.iter().map(|defined| defined.tool.id()).collect();
        known.extend(
            docs.iter()
                .filter_map(|doc| doc.name.strip_prefix("agent.")),
        );
        known.extend_from_slice(&topics::names());
        let near = suggestion(name.strip_prefix("agent.").unwrap_or(name), known);
        let hint = format!("{near} agent.help() lists what there is");
        return Err(
            ToolError::not_found(format!("there is no tool or function `{name}`"))
                .with_hint(hint.trim_start()),
        );
    }
    Ok(lines.concat())
}

/// A tool's whole declaration.
fn declaration(defined: &Defined) -> String {
    let (spec, parameters) = (defined.tool.spec(), defined.parameters());
    let aliases = defined.tool.aliases();
    let mut text = format!("tools.{}{}\n\n", spec.id, parameters.compact());
    let _ = writeln!(text, "{}\n", defined.description().trim());
    let _ = writeln!(
        text,
        "surface {}, effect {}, {}",
        defined.surface,
        spec.effect.as_str(),
        spec.origin
    );
    if !aliases.is_empty() {
        let _ = writeln!(text, "also called {}", aliases.join(", "));
    }
    for name in parameters.names() {
        if let Some(description) = parameters.description(name) {
            let _ = writeln!(text, "  {name}: {}", description.replace('\n', " "));
        }
    }
    if !spec.examples.is_empty() {
        text.push_str("\nexamples:\n");
    }
    for example in &spec.examples {
        let _ = writeln!(text, "  {}  -- {}", example.args, example.about);
    }
    text
}
