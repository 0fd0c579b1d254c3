//! The three forms of a tool file: a record, a table of records, a function of the definition it shadows.
//!
//! One record that is wrong takes its own tool along and no other.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Table, Value};

use super::Problem;
use super::file::{self, Running};
use crate::error::ToolError;
use crate::layers::{Role, SourceFile};
use crate::lua::short;
use crate::lua::state::State;
use crate::lua::{tool, tools_table};
use crate::permission::Effect;
use crate::schema::Parameters;
use crate::tool::{Level, Origin, Registry, Spec, Tool, Unavailable};

/// The tools of a file, and what in it is none.
#[derive(Default)]
pub(super) struct Tools {
    pub(super) tools: Vec<Arc<dyn Tool>>,
    pub(super) problems: Vec<Problem>,
}

/// The tools that the file which runs gives. `beneath` are those that are there without it.
///
/// # Errors
/// What keeps the file as a whole from loading.
pub(super) async fn read(
    state: &Rc<State>,
    running: &Running<'_>,
    file: &SourceFile,
    beneath: &Registry,
) -> Result<Tools, Box<Problem>> {
    let mut returned = running.returned().await?;
    if let Value::Function(function) = &returned {
        let shadowed = beneath
            .get(&file.name)
            .filter(|tool| tool.id() == file.name);
        let given = match shadowed {
            None => Ok(Value::Nil),
            Some(tool) => tools_table::definition(&state.lua, tool).map(Value::Table),
        };
        let given = given.map_err(|error| running.problem(state.told(&error)))?;
        returned = running.call(function, given).await?;
    }
    let mut found = Tools::default();
    if returned.is_nil() {
        let line = format!("{}: returns nothing, so it gives no tool", file.shown);
        state.host.services.sink.log(Level::Debug, line);
        // A file may be all about the hooks that it registers.
        if !running.has_registered() {
            keep_shut(file, beneath, &mut found);
        }
        return Ok(found);
    }
    for (id, key, record) in records(file, returned, &mut found.problems)? {
        let origin = Origin::File(file.layer, file.shown.clone());
        let read = tool::read(&state.lua, &state.host, &record, Some(&id), origin);
        let read = running.current()?.around(read);
        match read.await {
            Ok(tool) => found.tools.push(Arc::new(tool)),
            Err(error) => {
                let within: Vec<&str> = key.iter().map(String::as_str).collect();
                let problem = file::wrong(file, &within, error);
                let own = record.raw_get::<Option<String>>("id").ok().flatten();
                found
                    .tools
                    .push(disabled(file, own.unwrap_or(id), &problem));
                found.problems.push(*problem);
            }
        }
    }
    keep_shut(file, beneath, &mut found);
    Ok(found)
}

/// A file that bears the name of a tool which is there was meant to take its place: where it does not, that
/// tool is not left as it was either.
fn keep_shut(file: &SourceFile, beneath: &Registry, found: &mut Tools) {
    let name = &file.name;
    let is_there = beneath.get(name).is_some_and(|tool| tool.id() == name);
    if !is_there || found.tools.iter().any(|tool| tool.id() == name) {
        return;
    }
    let message =
        format!("the file has the name of the tool `{name}`, and gives none of that name");
    let hint = format!(
        "return the tool, call the one meant `default`, or rename the file; until then `{name}` is disabled"
    );
    let problem = file::wrong(file, &[], ToolError::argument(message).with_hint(hint));
    found.tools.push(disabled(file, name.clone(), &problem));
    found.problems.push(*problem);
}

/// A tool that only says why it is disabled, in the place of the one that did not load.
pub(super) fn disabled(file: &SourceFile, id: String, problem: &Problem) -> Arc<dyn Tool> {
    let why = format!("{}: {}", problem.place(), problem.error);
    let spec = Spec {
        id,
        surface: "disabled".to_owned(),
        effect: Effect::Write,
        description: format!("Disabled: {why}"),
        parameters: Parameters::default(),
        parameter_aliases: Vec::new(),
        timeout: None,
        polls: false,
        stands_alone: false,
        fields: &[],
        examples: Vec::new(),
        display_name: None,
        hint: None,
        origin: Origin::File(file.layer, file.shown.clone()),
    };
    Arc::new(Unavailable::new(spec, why))
}

/// A record, the id it has where it names none, and its key in the table of tools that it stands in.
type Found = (String, Option<String>, Table);

/// The records in what a file returned.
fn records(
    file: &SourceFile,
    returned: Value,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Found>, Box<Problem>> {
    let wrong = |message: String| {
        let error = ToolError::argument(message).with_hint(file::form(Role::Tool));
        file::wrong(file, &[], error)
    };
    let Value::Table(table) = returned else {
        let shape = short::shape(&returned);
        return Err(wrong(format!("the file returns {shape}, not a tool")));
    };
    if has(&table, "execute") {
        return Ok(vec![(file.name.clone(), None, table)]);
    }
    let mut records = Vec::new();
    let mut missing = table.is_empty();
    for pair in table.pairs::<Value, Value>() {
        match pair {
            Ok((Value::String(key), Value::Table(record))) if has(&record, "execute") => {
                let key = key.to_string_lossy();
                let id = match key.as_str() {
                    "default" => file.name.clone(),
                    key => format!("{}_{key}", file.name),
                };
                records.push((id, Some(key), record));
            }
            Ok((key, _)) => {
                let key = key.to_string().unwrap_or_default();
                match FIELDS.contains(&key.as_str()) {
                    true => missing = true,
                    false => {
                        problems.push(*wrong(format!("`{key}` is no tool: it has no `execute`")))
                    }
                }
            }
            Err(error) => problems.push(*wrong(error.to_string())),
        }
    }
    if missing {
        return Err(wrong(
            "the table that the file returns has no `execute`".to_owned(),
        ));
    }
    records.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    Ok(records)
}

/// Fields that only a tool record has: a table with one of them is meant as one.
const FIELDS: [&str; 5] = ["id", "description", "parameters", "effect", "surface"];

fn has(table: &Table, field: &str) -> bool {
    table
        .raw_get(field)
        .is_ok_and(|value: Value| !value.is_nil())
}
