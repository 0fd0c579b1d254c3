//! What stands in more than one policy file: rules as people write them.
//!
//! A rule that is none is an error that shows how one looks; none is passed over.

use mlua::{Function, Table, Value};

use crate::error::ToolError;
use crate::lua::fields::items;
use crate::lua::short::wrong;
use crate::permission::{Action, Rule, Source};

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
