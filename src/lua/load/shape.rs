//! The fields of policy files, read one by one: what each takes, and what is said where it is something else.
//!
//! A field that a policy does not have is an error that names the nearest. Nothing is converted silently.

use mlua::{Function, Table, Value};

use crate::data::Data;
use crate::error::ToolError;
use crate::lua::convert;
use crate::lua::short::{self, wrong};
use crate::permission::{Action, Rule, Source};

/// A table whose place in its file is known, for messages: `surfaces.command`.
pub(super) struct Fields<'a> {
    table: &'a Table,
    path: &'a str,
}

impl<'a> Fields<'a> {
    /// The table at `path`, which has no field but `names`.
    pub(super) fn of(table: &'a Table, path: &'a str, names: &[&str]) -> Result<Self, ToolError> {
        short::only(table, path, names)?;
        Ok(Fields { table, path })
    }

    pub(super) fn value(&self, name: &str) -> Result<Value, ToolError> {
        let value = self.table.raw_get(name);
        value.map_err(|error| ToolError::internal(error.to_string()))
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<String>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            Value::String(text) => Ok(Some(text.to_string_lossy())),
            other => Err(wrong(&self.at(name), "text", &other)),
        }
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            Value::Boolean(flag) => Ok(Some(flag)),
            other => Err(wrong(&self.at(name), "true or false", &other)),
        }
    }

    /// A whole number above zero.
    pub(super) fn count(&self, name: &str) -> Result<Option<usize>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            value => match value.as_usize() {
                Some(count) if count > 0 => Ok(Some(count)),
                _ => Err(wrong(&self.at(name), "a whole number above zero", &value)),
            },
        }
    }

    pub(super) fn table(&self, name: &str) -> Result<Option<Table>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            Value::Table(table) => Ok(Some(table)),
            other => Err(wrong(&self.at(name), "a table", &other)),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&self, name: &str) -> Result<Option<Vec<String>>, ToolError> {
        let Some(list) = self.table(name)? else {
            return Ok(None);
        };
        texts(&list, &self.at(name)).map(Some)
    }

    pub(super) fn at(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }
}

/// The texts of a list.
pub(super) fn texts(list: &Table, path: &str) -> Result<Vec<String>, ToolError> {
    items(list, path)?
        .into_iter()
        .enumerate()
        .map(|(at, item)| match item {
            Value::String(text) => Ok(text.to_string_lossy()),
            other => Err(wrong(&format!("{path}[{}]", at + 1), "text", &other)),
        })
        .collect()
}

/// The items of a list, which has no named fields.
pub(super) fn items(list: &Table, path: &str) -> Result<Vec<Value>, ToolError> {
    let items: Result<Vec<Value>, _> = list.sequence_values::<Value>().collect();
    let items = items.map_err(|error| ToolError::internal(error.to_string()))?;
    if list.pairs::<Value, Value>().count() != items.len() {
        let message = format!("{path}: expected a list, got a table with named fields or holes");
        return Err(ToolError::argument(message));
    }
    Ok(items)
}

/// The named tables of a table, by name.
pub(super) fn named(table: &Table, path: &str) -> Result<Vec<(String, Table)>, ToolError> {
    let mut found = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        match pair.map_err(|error| ToolError::internal(error.to_string()))? {
            (Value::String(name), Value::Table(value)) => {
                found.push((name.to_string_lossy(), value));
            }
            (Value::String(name), other) => {
                let name = name.to_string_lossy();
                return Err(wrong(&format!("{path}.{name}"), "a table", &other));
            }
            (key, _) => return Err(wrong(path, "names as keys", &key)),
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found)
}

/// Plain data.
pub(super) fn data(value: &Value, path: &str) -> Result<Data, ToolError> {
    convert::to_data_named(value, path)
}

/// `{ name = { prompt =, model =, tools =, rules = } }`.
pub(super) fn agents(table: &Table) -> Result<(), ToolError> {
    for (name, agent) in named(table, "agents")? {
        let path = format!("agents.{name}");
        let fields = Fields::of(&agent, &path, &["prompt", "model", "tools", "rules"])?;
        fields.text("prompt")?;
        fields.text("model")?;
        fields.texts("tools")?;
        if let Some(rules) = fields.table("rules")? {
            self::rules(&rules, &fields.at("rules"), Source::Profile)?;
        }
    }
    Ok(())
}

/// Rules as people write them: `{ name, pattern?, action, reason = }`.
pub(super) fn rules(list: &Table, path: &str, source: Source) -> Result<Vec<Rule>, ToolError> {
    rules_with(list, path, source, &mut |_| None)
}

/// The same, where a function may stand in the place of an action: `number` takes it and says its number.
pub(super) fn rules_with(
    list: &Table,
    path: &str,
    source: Source,
    number: &mut dyn FnMut(&Function) -> Option<usize>,
) -> Result<Vec<Rule>, ToolError> {
    items(list, path)?
        .iter()
        .enumerate()
        .map(|(at, item)| rule(item, &format!("{path}[{}]", at + 1), source, number))
        .collect()
}

fn rule(
    item: &Value,
    path: &str,
    source: Source,
    number: &mut dyn FnMut(&Function) -> Option<usize>,
) -> Result<Rule, ToolError> {
    let form = "{ name, pattern, action, reason = }";
    let Value::Table(table) = item else {
        return Err(wrong(path, form, item));
    };
    let place = |at: usize| format!("{path}[{at}]");
    let get = |at: usize| table.raw_get(at).unwrap_or(Value::Nil);
    let (name, pattern, action) = match table.raw_len() {
        2 => (get(1), Value::Nil, get(2)),
        3 => (get(1), get(2), get(3)),
        _ => return Err(wrong(path, form, item)),
    };
    let extra = table.pairs::<Value, Value>().flatten();
    for (key, _) in extra.filter(|(key, _)| key.as_integer().is_none()) {
        if key.as_string().is_none_or(|key| *key != "reason") {
            let key = key.to_string().unwrap_or_default();
            let message = format!("{path}: there is no field `{key}`");
            return Err(ToolError::argument(message).with_hint(format!("a rule is {form}")));
        }
    }
    let at_action = place(table.raw_len());
    let mut function = None;
    let action = match &action {
        Value::String(word) => word.to_string_lossy().parse::<Action>(),
        Value::Function(given) => {
            function = Some(number(given).ok_or_else(|| {
                let message = format!("{at_action}: no function decides here");
                ToolError::argument(message).with_hint("write `allow`, `ask` or `deny`")
            })?);
            Ok(Action::Deny)
        }
        other => {
            return Err(wrong(
                &at_action,
                "`allow`, `ask`, `deny` or a function",
                other,
            ));
        }
    };
    let action =
        action.map_err(|message| ToolError::argument(format!("{at_action}: {message}")))?;
    let text = |value: &Value, at: usize| match value {
        Value::String(text) => Ok(text.to_string_lossy()),
        other => Err(wrong(&place(at), "text", other)),
    };
    let written = match &pattern {
        Value::Nil => text(&name, 1)?,
        pattern => format!("{}:{}", text(&name, 1)?, text(pattern, 2)?),
    };
    let mut rule = Rule::parse(&written, action, source).map_err(|error| {
        ToolError::argument(format!("{path}: {error}")).with_hint(format!("a rule is {form}"))
    })?;
    rule.function = function;
    rule.reason = match table.raw_get("reason") {
        Ok(Value::Nil) | Err(_) => None,
        Ok(Value::String(reason)) => Some(reason.to_string_lossy()),
        Ok(other) => return Err(wrong(&format!("{path}.reason"), "text", &other)),
    };
    Ok(rule)
}
