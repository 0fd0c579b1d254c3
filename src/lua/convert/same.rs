//! Whether a Lua value still is the plain data that it was made from. Nothing is converted for it.
//!
//! Where in doubt the answer is no: then the value is converted, and that decides.

use mlua::{Table, Value};

use crate::data::Data;

/// Whether `value` is what [`super::to_lua`] made of `data`.
pub(crate) fn is_same(value: &Value, data: &Data) -> bool {
    match (value, data) {
        (Value::Nil, Data::Null) => true,
        (Value::Boolean(value), Data::Bool(data)) => value == data,
        (Value::Integer(value), Data::Int(data)) => value == data,
        (Value::Number(value), Data::Float(data)) => value == data,
        (Value::String(value), Data::Text(data)) => value.as_bytes() == data.as_bytes(),
        (Value::String(value), Data::Bytes(data)) => value.as_bytes() == data.as_slice(),
        (Value::Table(value), Data::List(data)) => is_list(value, data),
        (Value::Table(value), Data::Map(data)) => {
            let named = data.iter().filter(|(_, item)| **item != Data::Null);
            let mut count = 0;
            let same = named.into_iter().all(|(key, item)| {
                count += 1;
                let value = value.raw_get::<Value>(key.as_str());
                value.is_ok_and(|value| is_same(&value, item))
            });
            same && !super::is_marked(value) && has(value, count)
        }
        _ => false,
    }
}

fn is_list(value: &Table, data: &[Data]) -> bool {
    let same = data.iter().enumerate().all(|(at, item)| {
        let value = value.raw_get::<Value>(at + 1).unwrap_or_default();
        match item {
            Data::Null => value.is_null(),
            item => is_same(&value, item),
        }
    });
    same && super::is_marked(value) && has(value, data.len())
}

/// Whether a table has just so many entries.
fn has(table: &Table, count: usize) -> bool {
    let entries = table.pairs::<Value, Value>().take(count + 1);
    entries.count() == count
}
