//! `agent.args`: the options of a script, from the words behind its name on the command line.
//!
//! `--help` ends the program with 0 and the help on stdout, wrong usage with 2; a script that is past this call has
//! exactly what it declared.

mod options;

use std::rc::Rc;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, Given, function, strict_but};
use super::declared::{Declared, declared};
use crate::data::Data;
use crate::error::ToolError;
use crate::lua::host::Host;
use crate::lua::raise::{Exit, Failure};
use crate::lua::{convert, short};
use crate::schema::{self, Parameters};
use options::Words;

/// Sets `agent.args`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.args",
        takes: "{ \"positional\", option = \"type\", … } → options",
        about: "the options of a script, with --help, and exit 2 for wrong ones",
    };
    let host = Rc::downgrade(host);
    function(lua, agent, doc, move |given| {
        let host = host
            .upgrade()
            .ok_or_else(|| ToolError::internal("the session has ended"))?;
        let parameters = short::parameters(&Value::Table(given.table(1, "options")?))?;
        let (script, words) = (host.script_name.borrow(), host.script_args.borrow());
        let values = read(&parameters, &words, &script)?;
        options_table(given, &values, &parameters)
    })
}

/// The values that `words` give, complete; else the end of the program.
fn read(parameters: &Parameters, words: &[String], script: &str) -> Result<Data, Failure> {
    let checked = match options::parse(&declared(parameters), words) {
        Ok(Words::Help) => {
            let text = help(parameters, script);
            return Err(Exit { code: 0, text }.into());
        }
        Ok(Words::Values(values)) => schema::prepare(values, parameters, &[]),
        Err(error) => Err(error),
    };
    checked.map_err(|error| {
        let hint = error.hint.as_deref().unwrap_or_default();
        let name = script.rsplit('/').next().unwrap_or(script);
        let hint = format!("{hint}{}agent script {script} --help", separator(hint));
        let text = format!("{name}: {error}\n  try: {hint}\n");
        Exit { code: 2, text }.into()
    })
}

fn separator(hint: &str) -> &str {
    if hint.is_empty() { "" } else { ", or " }
}

/// A table in which a name that was not declared is an error, and one that was not given is nil.
fn options_table(
    given: &Given<'_>,
    values: &Data,
    parameters: &Parameters,
) -> Result<Value, Failure> {
    let value = convert::to_lua(given.lua, values)?;
    if let Value::Table(table) = &value {
        let names = declared(parameters)
            .iter()
            .map(|one| one.name.to_owned())
            .collect();
        strict_but(given.lua, table, "args", names)?;
    }
    Ok(value)
}

/// What `--help` says.
fn help(parameters: &Parameters, script: &str) -> String {
    let all = declared(parameters);
    let mut text = format!("Usage: agent script {script} [options]");
    for one in all.iter().filter(|one| one.positional) {
        let name = one.name.to_uppercase();
        let many = if one.kind == "array" { "…" } else { "" };
        text.push_str(&match one.required {
            true => format!(" {name}{many}"),
            false => format!(" [{name}{many}]"),
        });
    }
    text.push_str("\n\n");
    let mut rows: Vec<(String, String)> = all.iter().map(row).collect();
    rows.push((
        "-h, --help".to_owned(),
        "show this and do nothing".to_owned(),
    ));
    let width = rows
        .iter()
        .map(|(left, _)| left.chars().count())
        .max()
        .unwrap_or(0);
    for (left, right) in rows {
        let gap = " ".repeat(width - left.chars().count());
        let line = format!("  {left}{gap}  {right}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn row(one: &Declared<'_>) -> (String, String) {
    let left = match (one.positional, one.kind) {
        (true, _) => one.name.to_uppercase(),
        (false, "boolean") => options::flag(one.name),
        (false, _) => format!("{} {}", options::flag(one.name), one.kind()),
    };
    let notes: Vec<String> = [one.description.to_owned(), one.presence()]
        .into_iter()
        .filter(|note| !note.is_empty() && (one.kind != "boolean" || note != "default false"))
        .collect();
    (left, notes.join("; "))
}

#[cfg(test)]
mod tests;
