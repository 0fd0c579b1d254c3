//! `agent.help`: what there is, one line each, and the whole declaration of one thing. For people and for models.
//!
//! Everything is derived from declarations; nothing is described here a second time.

use std::fmt::Write as _;
use std::rc::{Rc, Weak};

use mlua::{Lua, Table};

use super::bind::{Doc, Docs, document, function};
use crate::error::ToolError;
use crate::lua::host::Host;
use crate::schema::{Parsed, parse_args};
use crate::text::suggestion;
use crate::tool::{Commands, Gate as _, Registry, Spec};

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
        takes: "(event, f) → off",
        about: "calls f at tool.before or tool.after, until off() is called",
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
        about: "all tools and functions, or all about one: agent.help(\"grep\"), agent.help(\"re\")",
    };
    let host = Rc::downgrade(host);
    function(lua, agent, doc, move |given| {
        let (tools, commands) = there(&host);
        let docs = given.lua.app_data_ref::<Docs>();
        let docs = docs
            .as_ref()
            .map(|docs| docs.0.as_slice())
            .unwrap_or_default();
        match given.optional_text(1, "name")? {
            None => Ok(overview(&tools, &commands, docs)),
            Some(name) => {
                let name = name.to_string_lossy();
                match command(&name, &tools, &commands) {
                    Some(help) => Ok(help),
                    None => Ok(one(&name, &tools, docs)?),
                }
            }
        }
    })
}

fn there(host: &Weak<Host>) -> (Registry, Commands) {
    let door = host.upgrade().and_then(|host| host.door.upgrade());
    let generation = door.map(|door| door.generation());
    generation
        .map(|there| (there.tools.clone(), there.commands.clone()))
        .unwrap_or_default()
}

/// All about a command, unless a tool has its name; `/name` is the command in any case.
fn command(name: &str, tools: &Registry, commands: &Commands) -> Option<String> {
    let bare = name.strip_prefix('/');
    if bare.is_none() && tools.get(name).is_some() {
        return None;
    }
    let spec = commands.get(bare.unwrap_or(name))?.spec();
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
fn overview(tools: &Registry, commands: &Commands, docs: &[Doc]) -> String {
    let mut rows: Vec<(String, &str)> = Vec::new();
    for tool in tools.iter() {
        let spec = tool.spec();
        let first = spec.description.trim().lines().next().unwrap_or_default();
        rows.push((
            format!("tools.{}{}", spec.id, spec.parameters.compact()),
            first,
        ));
    }
    rows.extend(
        docs.iter()
            .map(|doc| (format!("{}{}", doc.name, doc.takes), doc.about)),
    );
    rows.extend(commands.iter().map(|command| {
        let spec = command.spec();
        let first = spec.description.trim().lines().next().unwrap_or_default();
        (format!("/{}{}", spec.id, spec.parameters.compact()), first)
    }));
    let mut text = String::new();
    for (left, right) in rows {
        let _ = writeln!(text, "{left}\n    {right}");
    }
    text
}

/// All about one tool, one function, or one group of functions.
fn one(name: &str, tools: &Registry, docs: &[Doc]) -> Result<String, ToolError> {
    if let Some(tool) = tools.get(name.strip_prefix("tools.").unwrap_or(name)) {
        return Ok(declaration(tool.spec(), &tool.aliases()));
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
        let known = tools.iter().map(|tool| tool.id());
        let known = known.chain(
            docs.iter()
                .filter_map(|doc| doc.name.strip_prefix("agent.")),
        );
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
fn declaration(spec: &Spec, aliases: &[&str]) -> String {
    let mut text = format!("tools.{}{}\n\n", spec.id, spec.parameters.compact());
    let _ = writeln!(text, "{}\n", spec.description.trim());
    let _ = writeln!(
        text,
        "surface {}, effect {}, {}",
        spec.surface,
        spec.effect.as_str(),
        spec.origin
    );
    if !aliases.is_empty() {
        let _ = writeln!(text, "also called {}", aliases.join(", "));
    }
    for name in spec.parameters.names() {
        if let Some(description) = spec.parameters.description(name) {
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
