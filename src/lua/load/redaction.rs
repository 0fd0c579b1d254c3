//! `redaction.lua`: what a model never sees. A list of rules, which every layer adds to.
//!
//! What the program brings is checked by a test and not at every start; what others write is checked when it
//! loads, since a rule that finds nothing would guard nothing.

use mlua::{Table, Value};

use crate::error::ToolError;
use crate::layers::Layer;
use crate::lua::fields::{Fields, texts};
use crate::lua::short::wrong;
use crate::redact::{Reach, Rule, as_name};

/// What one file says.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) rules: Vec<Rule>,
    /// Whether files that are read are held to the rules of what is piped in.
    pub(super) is_strict: bool,
}

/// The rules of `table`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(table: &Table, layer: Layer) -> Result<Said, ToolError> {
    let mut said = Said::default();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        match (&key, value) {
            (Value::Integer(_), _) => {}
            (Value::String(name), Value::Boolean(flag)) if *name == "files" => {
                said.is_strict = flag;
            }
            (Value::String(name), value) if *name == "files" => {
                return Err(wrong("redaction.files", "true or false", &value));
            }
            (Value::String(name), _) => {
                let message = format!("redaction: there is no field `{}`", name.to_string_lossy());
                return Err(ToolError::argument(message)
                    .with_hint("it is a list of { name =, regex = }, and `files = true` besides"));
            }
            (key, _) => return Err(wrong("redaction", "a list", key)),
        }
    }
    for at in 1..=table.raw_len() {
        let path = format!("redaction[{at}]");
        let item: Value = table.raw_get(at).unwrap_or(Value::Nil);
        let Value::Table(item) = item else {
            return Err(wrong(&path, "{ name =, regex = }", &item));
        };
        said.rules.push(rule(&item, &path, layer)?);
    }
    Ok(said)
}

const FIELDS: [&str; 6] = ["name", "regex", "keywords", "where", "literal", "follow"];

fn rule(item: &Table, path: &str, layer: Layer) -> Result<Rule, ToolError> {
    let fields = Fields::of(item, path, &FIELDS)?;
    let given = |name: &str| {
        let missing = || wrong(&fields.at(name), "text", &Value::Nil);
        fields.text(name)?.ok_or_else(missing)
    };
    let reach = match fields.text("where")? {
        None => Reach::default(),
        Some(word) => Reach::named(&word).ok_or_else(|| {
            let at = fields.at("where");
            let message = format!("{at}: expected `model`, `input` or `log`, got `{word}`");
            ToolError::argument(message)
        })?,
    };
    let keywords = fields.table("keywords")?;
    let keywords = keywords.map(|list| texts(&list, &fields.at("keywords")));
    let rule = Rule {
        name: as_name(&given("name")?),
        regex: given("regex")?,
        keywords: keywords.transpose()?.unwrap_or_default(),
        reach,
        follow: fields.text("follow")?,
        is_literal: fields.flag("literal")?.unwrap_or(false),
    };
    if layer != Layer::Shipped {
        let checked = rule.check();
        checked.map_err(|message| ToolError::argument(format!("{path}.{message}")))?;
    }
    Ok(rule)
}

#[cfg(test)]
mod tests;
