//! Tables as people write them: options in one table, and parameters in the short form.
//!
//! A field that nobody knows is an error that names the nearest one.

use mlua::{Lua, Table, UserData, Value};

use super::convert;
use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::schema::{Parameters, ShortForm};
use crate::text::offer;

/// Checks that `table` has no field but `names`.
///
/// # Errors
/// `argument` with the nearest name.
pub(super) fn only(table: &Table, what: &str, names: &[&str]) -> Result<(), ToolError> {
    for pair in table.pairs::<Value, Value>() {
        let (key, _) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let key = key
            .to_string()
            .unwrap_or_else(|_| key.type_name().to_owned());
        if names.contains(&key.as_str()) {
            continue;
        }
        let hint = offer(&key, "fields", names.iter().copied());
        let message = format!("{what}: there is no field `{key}`");
        return Err(ToolError::argument(message).with_hint(hint));
    }
    Ok(())
}

/// Refuses `agent:log(…)` where `agent.log(…)` is meant: the `first` argument is then the table itself.
///
/// # Errors
/// `argument` that says so.
pub(super) fn with_a_dot(lua: &Lua, name: &str, first: Option<&Value>) -> Result<(), ToolError> {
    let (Some(Value::Table(first)), Some((holder, _))) = (first, name.rsplit_once('.')) else {
        return Ok(());
    };
    let mut table = lua.globals();
    for part in holder.split('.') {
        match table.raw_get(part) {
            Ok(Value::Table(inner)) => table = inner,
            _ => return Ok(()),
        }
    }
    if table != *first {
        return Ok(());
    }
    Err(
        ToolError::argument(format!("{name} is called with a colon"))
            .with_hint(format!("use a dot: {name}(…)")),
    )
}

/// The failure of `what`, which is not as it was `expected`.
pub(super) fn wrong(what: &str, expected: &str, found: &Value) -> ToolError {
    let found = shape(found);
    ToolError::argument(format!("{what}: expected {expected}, got {found}"))
}

/// What a value is, in a message.
pub(super) fn shape(value: &Value) -> String {
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(_) => "text".to_owned(),
        Value::Error(_) => "an error".to_owned(),
        Value::Thread(_) => "a coroutine".to_owned(),
        other => format!("a {}", other.type_name()),
    }
}

/// The parameters of a shipped tool, for a record that takes the same ones.
pub(super) struct Declared(pub(super) Parameters);

impl UserData for Declared {}

/// Parameters as a tool record gives them: the short form, a JSON Schema, or those of a shipped tool.
///
/// # Errors
/// `argument` that says what is wrong.
pub(super) fn parameters(value: &Value) -> Result<Parameters, ToolError> {
    match value {
        Value::Nil => Ok(Parameters::default()),
        Value::Table(table) => form(table)?.parameters(),
        Value::UserData(given) if given.is::<Declared>() => {
            let given = given.borrow::<Declared>();
            let given = given.map_err(|error| ToolError::internal(error.to_string()))?;
            Ok(given.0.clone())
        }
        other => Err(wrong("parameters", "a table", other)),
    }
}

/// The short form: names in order are positional, the rest is by name.
fn form(table: &Table) -> Result<ShortForm, ToolError> {
    let mut form = ShortForm {
        positional: Vec::new(),
        named: Vec::new(),
    };
    for item in table.sequence_values::<Value>() {
        match item {
            Ok(Value::String(name)) => form.positional.push(name.to_string_lossy()),
            _ => {
                return Err(ToolError::argument(
                    "parameters: a positional is given by its name",
                ));
            }
        }
    }
    for pair in table.pairs::<Value, Value>() {
        if let Ok((Value::String(name), value)) = pair {
            let name = name.to_string_lossy();
            let data = parameter(&value, &name)?;
            form.named.push((name, data));
        }
    }
    form.named.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(form)
}

/// How deep types may stand inside each other.
const DEPTH: usize = 16;

/// `"integer?"`, or `{ "integer", default = 1 }`, whose first value stands under the key `1`; the same in
/// tables of types.
fn parameter(value: &Value, name: &str) -> Result<Data, ToolError> {
    typed(value, &format!("parameters.{name}"), DEPTH)
}

fn typed(value: &Value, path: &str, depth: usize) -> Result<Data, ToolError> {
    let Value::Table(table) = value else {
        return convert::to_data_named(value, path);
    };
    let many = table.pairs::<Value, Value>().count();
    if many == 0 || table.raw_len() == many {
        return match table.raw_get::<Value>(1) {
            Ok(first @ Value::Table(_)) if many == 1 && depth > 0 => {
                let item = typed(&first, &format!("{path}[1]"), depth - 1)?;
                Ok(Data::List(vec![item]))
            }
            _ => convert::to_data_named(value, path),
        };
    }
    if depth == 0 {
        let message = format!("{path}: types stand more than {DEPTH} deep inside each other");
        return Err(ToolError::argument(message));
    }
    let mut map = Map::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let key = match key {
            Value::Integer(1) => "1".to_owned(),
            Value::String(key) => key.to_string_lossy(),
            other => {
                let message = format!("{path}: there is no place for a {}", other.type_name());
                return Err(ToolError::argument(message));
            }
        };
        let path = format!("{path}.{key}");
        let data = match key.as_str() {
            "default" | "enum" => convert::to_data_named(&value, &path)?,
            _ => typed(&value, &path, depth - 1)?,
        };
        map.insert(key, data);
    }
    Ok(Data::Map(map))
}
