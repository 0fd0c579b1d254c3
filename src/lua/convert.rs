//! Plain data from and to Lua values. A value that cannot travel is refused, and the error says where it is.
//!
//! Tables are read raw: no metamethod runs. Integers stay integers, floats stay floats, a string that is not
//! UTF-8 travels as bytes. `nil` and a missing field are the same; in a list `agent.null` holds the place.

mod same;

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::ffi::c_void;

use mlua::{Lua, Table, Value};

use crate::data::{Data, Map};
use crate::error::ToolError;

pub(crate) use same::is_same;

/// How many tables may stand inside each other.
pub(crate) const MAX_DEPTH: usize = 128;

/// How many values one conversion takes, tables and what is in them.
pub(crate) const MAX_NODES: usize = 2_000_000;

/// How many bytes of text and keys one conversion takes.
pub(crate) const MAX_BYTES: usize = 256 << 20;

/// The `__name` of the metatable that marks a list.
const LIST: &str = "list";

/// The registry entry that holds that metatable.
const MARK: &str = "agent.list";

/// The plain data that `value` is; its own name in messages is `value`.
///
/// # Errors
/// `argument` with the path (`value.files[2].path`): a table with both a list and named fields, a list
/// with holes, a key that is neither text nor a whole number, a function, coroutine or handle, NaN and
/// infinity, a table inside itself, nesting over [`MAX_DEPTH`], more than [`MAX_NODES`] or [`MAX_BYTES`].
pub(crate) fn to_data(value: &Value) -> Result<Data, ToolError> {
    to_data_named(value, "value")
}

/// As [`to_data`], with the name that paths in messages begin with.
///
/// # Errors
/// As [`to_data`].
pub(crate) fn to_data_named(value: &Value, name: &str) -> Result<Data, ToolError> {
    let reader = Reader {
        name,
        nodes: Cell::new(0),
        bytes: Cell::new(0),
    };
    reader.read(value, None)
}

/// The Lua value for `data`. Fields that are null are left out; in a list they are `agent.null`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(crate) fn to_lua(lua: &Lua, data: &Data) -> mlua::Result<Value> {
    write(lua, data, &OnceCell::new())
}

/// Marks `table` as a list, so that it stays one when it is empty.
///
/// # Errors
/// What Lua says when memory runs out.
pub(crate) fn mark_list(lua: &Lua, table: &Table) -> mlua::Result<()> {
    table.set_metatable(Some(mark(lua)?))
}

/// Whether `table` is marked as a list.
pub(crate) fn is_marked(table: &Table) -> bool {
    table.metatable().is_some_and(|metatable| {
        matches!(metatable.raw_get::<Value>("__name"), Ok(Value::String(name)) if name.as_bytes() == LIST.as_bytes())
    })
}

fn mark(lua: &Lua) -> mlua::Result<Table> {
    if let Value::Table(metatable) = lua.named_registry_value(MARK)? {
        return Ok(metatable);
    }
    let metatable = lua.create_table()?;
    metatable.raw_set("__name", LIST)?;
    lua.set_named_registry_value(MARK, &metatable)?;
    Ok(metatable)
}

/// `found` keeps what marks a list, once there is one.
fn write(lua: &Lua, data: &Data, found: &OnceCell<Table>) -> mlua::Result<Value> {
    match data {
        Data::List(list) => {
            let table = lua.create_table_with_capacity(list.len(), 0)?;
            for (index, item) in list.iter().enumerate() {
                let item = match item {
                    Data::Null => Value::NULL,
                    item => write(lua, item, found)?,
                };
                table.raw_set(index + 1, item)?;
            }
            if found.get().is_none() {
                let _first = found.set(mark(lua)?);
            }
            table.set_metatable(found.get().cloned())?;
            Ok(Value::Table(table))
        }
        Data::Map(map) => {
            let table = lua.create_table_with_capacity(0, map.len())?;
            for (key, item) in map.iter().filter(|(_, item)| **item != Data::Null) {
                table.raw_set(key.as_str(), write(lua, item, found)?)?;
            }
            Ok(Value::Table(table))
        }
        other => plain(lua, other),
    }
}

fn plain(lua: &Lua, data: &Data) -> mlua::Result<Value> {
    Ok(match data {
        Data::Bool(value) => Value::Boolean(*value),
        Data::Int(number) => Value::Integer(*number),
        Data::Float(number) => Value::Number(*number),
        Data::Text(text) => Value::String(lua.create_string(text)?),
        Data::Bytes(bytes) => Value::String(lua.create_string(bytes)?),
        Data::Null | Data::List(_) | Data::Map(_) => Value::Nil,
    })
}

/// A table on the way from the top to the value at hand.
#[derive(Clone, Copy)]
struct Place<'a> {
    above: Option<&'a Place<'a>>,
    table: *const c_void,
    depth: usize,
    key: &'a Key,
}

enum Key {
    Index(i64),
    Name(String),
}

struct Reader<'n> {
    name: &'n str,
    nodes: Cell<usize>,
    bytes: Cell<usize>,
}

impl Reader<'_> {
    fn read(&self, value: &Value, place: Option<&Place<'_>>) -> Result<Data, ToolError> {
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get() > MAX_NODES {
            return Err(self.too_large(&format!("more than {MAX_NODES} values")));
        }
        match value {
            Value::Nil => Ok(Data::Null),
            Value::Boolean(value) => Ok(Data::Bool(*value)),
            Value::Integer(number) => Ok(Data::Int(*number)),
            Value::Number(number) if number.is_finite() => Ok(Data::Float(*number)),
            Value::Number(number) => Err(self.wrong(place, "a finite number", &number.to_string())),
            Value::String(text) => {
                let bytes = text.as_bytes();
                self.count_bytes(bytes.len())?;
                Ok(Data::from_bytes(bytes.to_vec()))
            }
            Value::Table(table) => self.table(table, place),
            Value::LightUserData(_) if value.is_null() => Ok(Data::Null),
            Value::Error(error) => {
                Err(self.wrong(place, "plain data", &format!("the error {error}")))
            }
            other => {
                let found = format!("a {}", other.type_name());
                Err(self.wrong(place, "plain data", &found))
            }
        }
    }

    fn table(&self, table: &Table, above: Option<&Place<'_>>) -> Result<Data, ToolError> {
        let pointer = table.to_pointer();
        let depth = above.map_or(0, |place| place.depth) + 1;
        if chain(above).any(|place| place.table == pointer) {
            return Err(self.wrong(above, "plain data", "a table that contains itself"));
        }
        if depth > MAX_DEPTH {
            let found = format!("tables nested more than {MAX_DEPTH} deep");
            return Err(self.wrong(above, "less", &found));
        }
        let mut entries = Entries::default();
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
            let key = self.key(&key, above)?;
            let place = Place {
                above,
                table: pointer,
                depth,
                key: &key,
            };
            let data = self.read(&value, Some(&place))?;
            entries.push(key, data);
        }
        self.settle(entries, is_marked(table), above)
    }

    fn key(&self, key: &Value, place: Option<&Place<'_>>) -> Result<Key, ToolError> {
        match key {
            Value::Integer(index) => Ok(Key::Index(*index)),
            Value::String(name) => {
                self.count_bytes(name.as_bytes().len())?;
                match name.to_str() {
                    Ok(name) => Ok(Key::Name(name.to_owned())),
                    Err(_) => Err(self.wrong(place, "keys in UTF-8", "a key of other bytes")),
                }
            }
            other => {
                let found = format!("a {} as a key", other.type_name());
                Err(self.wrong(place, "text or whole numbers as keys", &found))
            }
        }
    }

    /// A list, a map, or the reason why it is neither.
    fn settle(
        &self,
        entries: Entries,
        marked: bool,
        place: Option<&Place<'_>>,
    ) -> Result<Data, ToolError> {
        let Entries {
            list,
            strays,
            mut named,
        } = entries;
        let numbered = !list.is_empty() || !strays.is_empty();
        if let Some(name) = named.keys().next().filter(|_| numbered || marked) {
            let found = format!("a list that also has the field `{name}`");
            return Err(self.wrong(place, "a list or a table of named fields", &found));
        }
        let lowest = strays.first_key_value().map_or(1, |(index, _)| *index);
        if !strays.is_empty() && (marked || lowest > 0) {
            let hole = i64::try_from(list.len()).unwrap_or(i64::MAX - 1) + 1;
            let found = format!("a list with a hole at [{hole}]");
            return Err(self.wrong(place, "a list without holes", &found).with_hint(
                "put agent.null where nothing is, or make the keys text with tostring",
            ));
        }
        if !strays.is_empty() {
            let listed = (1..).zip(list);
            named.extend(
                listed
                    .chain(strays)
                    .map(|(index, item)| (index.to_string(), item)),
            );
            return Ok(Data::Map(named));
        }
        Ok(if numbered || marked {
            Data::List(list)
        } else {
            Data::Map(named)
        })
    }

    fn count_bytes(&self, more: usize) -> Result<(), ToolError> {
        self.bytes.set(self.bytes.get().saturating_add(more));
        if self.bytes.get() > MAX_BYTES {
            return Err(self.too_large(&format!("more than {} MiB of text", MAX_BYTES >> 20)));
        }
        Ok(())
    }

    fn too_large(&self, found: &str) -> ToolError {
        ToolError::argument(format!("{}: {found} in one value", self.name))
            .with_hint("write it to a file and pass the path, or pass it in parts")
    }

    fn wrong(&self, place: Option<&Place<'_>>, expected: &str, found: &str) -> ToolError {
        let path = self.path(place);
        ToolError::argument(format!("{path}: expected {expected}, got {found}"))
    }

    fn path(&self, place: Option<&Place<'_>>) -> String {
        let mut keys: Vec<&Key> = chain(place).map(|place| place.key).collect();
        keys.reverse();
        let mut path = self.name.to_owned();
        for key in keys {
            match key {
                Key::Index(index) => path.push_str(&format!("[{index}]")),
                Key::Name(name) if is_word(name) => path.push_str(&format!(".{name}")),
                Key::Name(name) => path.push_str(&format!("[{name:?}]")),
            }
        }
        path
    }
}

fn chain<'a>(place: Option<&'a Place<'a>>) -> impl Iterator<Item = &'a Place<'a>> {
    std::iter::successors(place, |place| place.above)
}

fn is_word(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The entries of one table, sorted by what they can be part of.
#[derive(Default)]
struct Entries {
    /// The values at 1, 2, 3, …
    list: Vec<Data>,
    /// Values at other whole numbers.
    strays: BTreeMap<i64, Data>,
    named: Map,
}

impl Entries {
    fn push(&mut self, key: Key, data: Data) {
        match key {
            Key::Name(name) => {
                self.named.insert(name, data);
            }
            Key::Index(index) if index == self.next() => {
                self.list.push(data);
                while let Some(data) = self.strays.remove(&self.next()) {
                    self.list.push(data);
                }
            }
            Key::Index(index) => {
                self.strays.insert(index, data);
            }
        }
    }

    fn next(&self) -> i64 {
        i64::try_from(self.list.len()).map_or(i64::MAX, |length| length + 1)
    }
}

#[cfg(test)]
mod tests;
