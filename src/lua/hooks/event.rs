//! What a function made of its event: which fields it changed, and whether it could.
//!
//! Only what was changed is converted. A change that would come to nothing is an error, so that no hook
//! believes to have done what it has not.

use mlua::{Table, Value};

use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::lua::convert;
use crate::text::suggestion;
use crate::tool::Point;

/// The fields of `table` that are not as `event` has them; one that is gone is null.
///
/// # Errors
/// `failed`: a field that cannot be changed at `point`, or is no plain data.
pub(super) fn changed(point: Point, table: &Value, event: &Data) -> Result<Map, ToolError> {
    let (Value::Table(table), Data::Map(event)) = (table, event) else {
        return Err(ToolError::internal("the event of a hook is no table"));
    };
    let (mut changed, mut kept) = (Map::new(), 0);
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let key = match &key {
            Value::String(name) => name.to_str().ok(),
            _ => None,
        };
        let Some(name) = key.as_deref() else {
            return Err(odd_key(point));
        };
        let given = event.get(name);
        kept += usize::from(given.is_some());
        if given.is_some_and(|given| convert::is_same(&value, given)) {
            continue;
        }
        if point.powers().form(name).is_none() {
            return Err(match given {
                Some(_) => fixed(point, name),
                None => unknown(point, name, event),
            });
        }
        let value = convert::to_data_named(&value, &format!("call.{name}"));
        let value = value.map_err(|error| ToolError {
            kind: Kind::Failed,
            ..error
        })?;
        changed.insert(name.to_owned(), value);
    }
    if kept < event.len() {
        gone(point, table, event, &mut changed)?;
    }
    Ok(changed)
}

/// Notes the fields that were taken away.
fn gone(point: Point, table: &Table, event: &Map, changed: &mut Map) -> Result<(), ToolError> {
    let given = event.iter().filter(|(_, given)| **given != Data::Null);
    for (name, _) in given {
        let is_there = table.contains_key(name.as_str());
        if is_there.map_err(|error| ToolError::internal(error.to_string()))? {
            continue;
        }
        if point.powers().form(name).is_none() {
            return Err(fixed(point, name));
        }
        changed.insert(name.clone(), Data::Null);
    }
    Ok(())
}

fn fixed(point: Point, name: &str) -> ToolError {
    let message = format!(
        "it changed call.{name}, which stands fast at {}",
        point.as_str()
    );
    ToolError::new(Kind::Failed, message).with_hint(point.powers().changes(point))
}

fn unknown(point: Point, name: &str, event: &Map) -> ToolError {
    let names = point.powers().rewrites.iter().map(|(name, _)| *name);
    let near = suggestion(name, names.chain(event.keys().map(String::as_str)));
    let hint = format!("{near} {}", point.powers().changes(point));
    let message = format!("it set call.{name}, and there is no such field");
    ToolError::new(Kind::Failed, message).with_hint(hint.trim_start())
}

fn odd_key(point: Point) -> ToolError {
    let message = "it put something into the event that has no name".to_owned();
    ToolError::new(Kind::Failed, message).with_hint(point.powers().changes(point))
}
