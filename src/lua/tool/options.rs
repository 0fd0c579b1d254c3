//! The fields of a tool's record that only some tools have: examples, other names, a time limit, authority.
//!
//! What is wrong with one of them is said with the place in the record.

use std::sync::Arc;
use std::time::Duration;

use mlua::{Table, Value};

use super::record::{Record, named};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::lua::blocks::seconds;
use crate::lua::convert;
use crate::lua::fields::Fields;
use crate::lua::short::wrong;
use crate::permission::{Action, Rule, Source};
use crate::tool::{Case, Origin};

impl Record<'_> {
    /// How long one call may take.
    pub(super) fn timeout(&self) -> Result<Option<Duration>, ToolError> {
        match self.fields.value("timeout")? {
            Value::Nil => Ok(None),
            limit => seconds(&limit, "timeout").map(Some),
        }
    }

    /// Other names that the tool answers to.
    pub(super) fn aliases(&self) -> Result<Vec<String>, ToolError> {
        let list = match self.fields.value("aliases")? {
            Value::Nil => return Ok(Vec::new()),
            Value::Table(list) => list,
            other => return Err(wrong("aliases", "a list of names", &other)),
        };
        list.sequence_values::<Value>()
            .map(|name| match name {
                Ok(Value::String(name)) => named(name.to_string_lossy()),
                Ok(other) => Err(wrong("aliases", "a list of names", &other)),
                Err(error) => Err(ToolError::internal(error.to_string())),
            })
            .collect()
    }

    /// What `agent test` runs and what help shows.
    pub(super) fn examples(&self) -> Result<Vec<Case>, ToolError> {
        let list = match self.fields.value("examples")? {
            Value::Nil => return Ok(Vec::new()),
            Value::Table(list) => list,
            other => return Err(wrong("examples", "a list of tables", &other)),
        };
        let items = list.sequence_values::<Value>().enumerate();
        items
            .map(|(at, item)| {
                let what = format!("examples[{}]", at + 1);
                match item {
                    Ok(Value::Table(item)) => example(&item, &what),
                    Ok(other) => Err(wrong(&what, "a table", &other)),
                    Err(error) => Err(ToolError::internal(error.to_string())),
                }
            })
            .collect()
    }

    /// The rules for the calls that its body makes for a model.
    pub(super) fn authority(&self, origin: &Origin) -> Result<Option<Arc<[Rule]>>, ToolError> {
        let list = match self.fields.value("authority")? {
            Value::Nil => return Ok(None),
            Value::Table(list) => list,
            other => return Err(wrong("authority", "a list of rules", &other)),
        };
        if origin.layer() == Layer::Project {
            return Err(ToolError::argument(
                "authority: a tool of the project cannot give itself rights",
            )
            .with_hint("leave it out, or keep the tool in your own configuration"));
        }
        let items = list.sequence_values::<Value>().enumerate();
        let rules: Result<Vec<Rule>, ToolError> = items
            .map(|(at, item)| {
                let item = item.map_err(|error| ToolError::internal(error.to_string()))?;
                rule(&item, &format!("authority[{}]", at + 1))
            })
            .collect();
        Ok(Some(rules?.into()))
    }
}

fn example(item: &Table, what: &str) -> Result<Case, ToolError> {
    let fields = Fields::of(item, what, &["about", "files", "args", "shows"])?;
    let args = match fields.value("args")? {
        Value::Nil => "{}".to_owned(),
        args @ Value::Table(_) => {
            let what = fields.at("args");
            match convert::to_data_named(&args, &what)? {
                crate::data::Data::List(list) if list.is_empty() => "{}".to_owned(),
                data @ crate::data::Data::Map(_) => as_json(&data, &what)?,
                other => {
                    let message = format!("{what}: expected named values, got {}", other.got());
                    return Err(ToolError::argument(message));
                }
            }
        }
        other => return Err(wrong(&fields.at("args"), "a table", &other)),
    };
    Ok(Case {
        about: fields.text("about")?.unwrap_or_default(),
        files: files(&fields)?,
        args,
        shows: fields.text("shows")?.unwrap_or_default(),
    })
}

fn as_json(data: &crate::data::Data, what: &str) -> Result<String, ToolError> {
    serde_json::to_string(data).map_err(|error| ToolError::argument(format!("{what}: {error}")))
}

/// The files that are there before, in the order of their names.
fn files(example: &Fields) -> Result<Vec<(String, Vec<u8>)>, ToolError> {
    let what = example.at("files");
    let Some(table) = example.table("files")? else {
        return Ok(Vec::new());
    };
    let mut files = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        match pair.map_err(|error| ToolError::internal(error.to_string()))? {
            (Value::String(path), Value::String(text)) => {
                files.push((path.to_string_lossy(), text.as_bytes().to_vec()));
            }
            (Value::String(path), other) => {
                let what = format!("{what}[{:?}]", path.to_string_lossy());
                return Err(wrong(&what, "text", &other));
            }
            (other, _) => return Err(wrong(&what, "paths as names", &other)),
        }
    }
    files.sort();
    Ok(files)
}

/// `{ name, pattern?, "allow"? }`, the three by place or by name, or the text `name:pattern`.
fn rule(item: &Value, what: &str) -> Result<Rule, ToolError> {
    let text = match item {
        Value::String(text) => text.to_string_lossy(),
        Value::Table(table) => from_table(table, what)?,
        other => return Err(wrong(what, "a rule", other)),
    };
    // As weak as what the effect of a tool says: every rule that somebody wrote outweighs it.
    Rule::parse(&text, Action::Allow, Source::ToolEffect)
        .map_err(|error| ToolError::argument(format!("{what}: {error}")))
}

fn from_table(table: &Table, what: &str) -> Result<String, ToolError> {
    let names = ["name", "pattern", "action", "1", "2", "3"];
    let fields = Fields::of(table, what, &names)?;
    match fields.text_or_place("action", 3)?.as_deref() {
        None | Some("allow") => {}
        Some(other) => {
            let message = format!("{what}: authority allows, and this says `{other}`");
            return Err(ToolError::argument(message)
                .with_hint("forbid with a rule of your permissions, or with a hook"));
        }
    }
    let Some(name) = fields.text_or_place("name", 1)? else {
        let message = format!("{what}: a rule needs a name");
        return Err(ToolError::argument(message).with_hint("{ \"shell\", \"cargo test *\" }"));
    };
    Ok(match fields.text_or_place("pattern", 2)? {
        Some(pattern) => format!("{name}:{pattern}"),
        None => name,
    })
}
