//! How a Rust function becomes one of `agent.*`: its name, its one line of help, its arguments checked by name.
//!
//! Every function raises failures as tables; no handle of the runtime reaches a script.

use std::future::Future;

use mlua::{Function, IntoLuaMulti, Lua, LuaString, MultiValue, Table, Value};

use crate::error::ToolError;
use crate::lua::fields::Fields;
use crate::lua::raise::{self, Failure};
use crate::lua::{short, waiting};
use crate::text::{offer, suggestion};

/// One line of help: how a thing is written, and what it is for.
#[derive(Clone, Copy, Debug)]
pub(in crate::lua) struct Doc {
    /// The full name, such as `agent.text.trim`.
    pub(in crate::lua) name: &'static str,
    /// What follows the name: `(text) → text`; empty for a value.
    pub(in crate::lua) takes: &'static str,
    /// What it is for.
    pub(in crate::lua) about: &'static str,
}

/// What is documented in one Lua state, in the order it was installed.
#[derive(Default)]
pub(in crate::lua) struct Docs(pub(super) Vec<Doc>);

impl Docs {
    /// Every line, in order.
    pub(in crate::lua) fn list(&self) -> &[Doc] {
        &self.0
    }
}

/// Adds a line of help.
pub(super) fn document(lua: &Lua, name: &'static str, takes: &'static str, about: &'static str) {
    if lua.app_data_ref::<Docs>().is_none() {
        lua.set_app_data(Docs::default());
    }
    if let Some(mut docs) = lua.app_data_mut::<Docs>() {
        docs.0.push(Doc { name, takes, about });
    }
}

/// Sets a function of `table` under the last part of `doc`'s name.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn function<R: IntoLuaMulti>(
    lua: &Lua,
    table: &Table,
    doc: Doc,
    body: impl Fn(&Given<'_>) -> Result<R, Failure> + 'static,
) -> mlua::Result<()> {
    let function = raw_function(lua, doc.name, body)?;
    document(lua, doc.name, doc.takes, doc.about);
    table.raw_set(last(doc.name), function)
}

/// A function that calls itself `name` in messages and stands nowhere yet.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn raw_function<R: IntoLuaMulti>(
    lua: &Lua,
    name: &'static str,
    body: impl Fn(&Given<'_>) -> Result<R, Failure> + 'static,
) -> mlua::Result<Function> {
    let raw = lua.create_function(move |lua, values: MultiValue| {
        let given = Given {
            lua,
            function: name,
            values,
        };
        let dotted = short::with_a_dot(lua, name, given.values.front());
        let result = dotted.map_err(Failure::from).and_then(|()| body(&given));
        raise::outcome(lua, result, None)
    })?;
    raise::raising(lua, raw)
}

/// As [`function`], for one that waits. `body` reads its arguments before the future begins.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn waiting<R: IntoLuaMulti, F: Future<Output = Result<R, Failure>> + 'static>(
    lua: &Lua,
    table: &Table,
    doc: Doc,
    body: impl Fn(&Given<'_>) -> Result<F, Failure> + 'static,
) -> mlua::Result<()> {
    let waits = waiting::function(lua, doc.name, move |lua, values: MultiValue| {
        body(&Given {
            lua,
            function: doc.name,
            values,
        })
    })?;
    document(lua, doc.name, doc.takes, doc.about);
    table.raw_set(last(doc.name), waits)
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Makes a misspelt name in `table` an error that names the nearest.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn strict(lua: &Lua, table: &Table, name: &'static str) -> mlua::Result<()> {
    strict_but(lua, table, name, Vec::new())
}

/// As [`strict`], for a table in which the names of `absent` may be missing.
///
/// # Errors
/// What Lua says when memory runs out.
pub(in crate::lua) fn strict_but(
    lua: &Lua,
    table: &Table,
    name: &'static str,
    absent: Vec<String>,
) -> mlua::Result<()> {
    let index = raw_function(lua, name, move |given| {
        let key = given.value(2).to_string()?;
        if absent.contains(&key) {
            return Ok(());
        }
        let mut keys: Vec<String> = given
            .table(1, "table")?
            .pairs::<String, Value>()
            .flatten()
            .map(|(key, _)| key)
            .chain(absent.iter().cloned())
            .collect();
        let near = suggestion(&key, keys.iter().map(String::as_str));
        keys.sort();
        let hint = match near.is_empty() {
            true => format!("the names are: {}", keys.join(", ")),
            false => near,
        };
        let error = ToolError::not_found(format!("there is no `{name}.{key}`")).with_hint(hint);
        Err::<(), Failure>(error.into())
    })?;
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", index)?;
    table.set_metatable(Some(metatable))
}

/// The arguments of one call, read by position and named in messages.
pub(super) struct Given<'l> {
    /// The state the call is made in.
    pub(super) lua: &'l Lua,
    /// What the function calls itself.
    pub(super) function: &'static str,
    values: MultiValue,
}

impl Given<'_> {
    /// Argument `index` (from 1) as it is; nil when it is not given.
    pub(super) fn value(&self, index: usize) -> Value {
        self.values.get(index - 1).cloned().unwrap_or_default()
    }

    /// Argument `index` as bytes; numbers pass, as everywhere in Lua.
    pub(super) fn text(&self, index: usize, name: &str) -> Result<LuaString, Failure> {
        match self.value(index) {
            Value::String(text) => Ok(text),
            number @ (Value::Integer(_) | Value::Number(_)) => self
                .lua
                .coerce_string(number.clone())?
                .ok_or_else(|| self.wrong(index, name, "text", &number)),
            other => Err(self.wrong(index, name, "text", &other)),
        }
    }

    /// As [`Given::text`], where bytes that are not UTF-8 make no sense.
    pub(super) fn utf8(&self, index: usize, name: &str) -> Result<String, Failure> {
        let text = self.text(index, name)?;
        match text.to_str() {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(ToolError::argument(format!(
                "{}: expected text in UTF-8, got other bytes",
                self.place(index, name)
            ))
            .into()),
        }
    }

    /// As [`Given::text`]; none when it is nil.
    pub(super) fn optional_text(
        &self,
        index: usize,
        name: &str,
    ) -> Result<Option<LuaString>, Failure> {
        match self.value(index) {
            Value::Nil => Ok(None),
            _ => self.text(index, name).map(Some),
        }
    }

    /// Argument `index` as a whole number; none when it is nil.
    pub(super) fn optional_integer(
        &self,
        index: usize,
        name: &str,
    ) -> Result<Option<i64>, Failure> {
        match self.value(index) {
            Value::Nil => Ok(None),
            value => match self.lua.coerce_integer(value.clone())? {
                Some(number) => Ok(Some(number)),
                None => Err(self.wrong(index, name, "a whole number", &value)),
            },
        }
    }

    /// Argument `index` as a table.
    pub(super) fn table(&self, index: usize, name: &str) -> Result<Table, Failure> {
        match self.value(index) {
            Value::Table(table) => Ok(table),
            other => Err(self.wrong(index, name, "a table", &other)),
        }
    }

    /// Argument `index` as options, none but `names`; all are absent when it is nil.
    pub(super) fn options(&self, index: usize, names: &[&str]) -> Result<Fields, Failure> {
        let table = match self.value(index) {
            Value::Nil => None,
            _ => Some(self.table(index, "options")?),
        };
        Ok(Fields::argument(
            table.as_ref(),
            self.function,
            index,
            names,
        )?)
    }

    /// Argument `index` as a table of switches, all of them among `known`: the set ones.
    pub(super) fn switches<'k>(
        &self,
        index: usize,
        known: &[&'k str],
    ) -> Result<Vec<&'k str>, Failure> {
        if self.value(index).is_nil() {
            return Ok(Vec::new());
        }
        let mut set = Vec::new();
        for pair in self.table(index, "options")?.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let key = key.to_string()?;
            let Some(name) = known.iter().find(|name| **name == key) else {
                let error =
                    ToolError::argument(format!("{}: there is no option `{key}`", self.function));
                let hint = offer(&key, "options", known.iter().copied());
                return Err(error.with_hint(hint).into());
            };
            match value {
                Value::Boolean(true) => set.push(*name),
                Value::Boolean(false) => {}
                other => return Err(self.wrong(index, name, "true or false", &other)),
            }
        }
        Ok(set)
    }

    /// The failure of an argument that is of the wrong shape.
    pub(super) fn wrong(&self, index: usize, name: &str, expected: &str, found: &Value) -> Failure {
        short::wrong(&self.place(index, name), expected, found).into()
    }

    fn place(&self, index: usize, name: &str) -> String {
        format!("{}: argument {index} ({name})", self.function)
    }
}
