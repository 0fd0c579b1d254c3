//! Failures on both sides of the bridge: a [`ToolError`] raised in Lua as a table, and what Lua raised read back.
//!
//! A script sees `{ kind, tool, message, hint, detail }`, never a handle of the runtime and never a stack trace. The
//! value that was raised is kept as it is; the line of the person's own code is remembered beside it.

mod place;
mod read;

use std::fmt;

use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Table, Value};

use super::{convert, pulse};
use crate::data::Data;
use crate::error::{Kind, ToolError};

pub(super) use place::{not_here, user_line};
pub(super) use read::caught;

/// The chunk name of Lua code that is part of the program. Positions never point into it.
pub(super) const OURS: &str = "=[agent]";

/// What error tables know besides their fields, and the functions that go with them.
const PRELUDE: &str = include_str!("prelude/failure.lua");

/// Ends the program: raised by `os.exit`, by `--help` and by wrong usage. Nothing in Lua catches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exit {
    /// The exit code.
    pub(super) code: i32,
    /// What is left to say: on stdout when the code is 0, else on stderr. May be empty.
    pub(super) text: String,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit {}", self.code)
    }
}

impl std::error::Error for Exit {}

/// What a script raised and nothing in it caught.
#[derive(Debug)]
pub(super) struct Caught {
    /// The failure, as every other caller gets it.
    pub(super) error: ToolError,
    /// Where: `script.lua:12`, a line of the person's own code.
    pub(super) position: Option<String>,
    /// The very value that was raised, to be raised again. Boxed: it travels in many results.
    pub(super) value: Box<Value>,
    /// Set when this is no failure but the wish to end the program.
    pub(super) exit: Option<Box<Exit>>,
}

impl fmt::Display for Caught {
    /// What a person reads: position, message, and what to try.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.position {
            write!(f, "{position}: ")?;
        }
        write!(f, "{}", self.error)?;
        match advice(&self.error) {
            Some(hint) => write!(f, "\n  try: {hint}"),
            None => Ok(()),
        }
    }
}

/// Why a function of the interface stops. Rust's `?` makes one of either.
#[derive(Debug)]
pub(super) enum Failure {
    /// A failure that a script can catch and act on.
    Tool(ToolError),
    /// The end of the program.
    Exit(Exit),
    /// What the runtime itself said, such as want of memory.
    Lua(mlua::Error),
    /// What Lua code that was run raised: raised again as it is.
    Raised(Box<Value>),
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Failure {
        Failure::Tool(error)
    }
}

impl From<Exit> for Failure {
    fn from(exit: Exit) -> Failure {
        Failure::Exit(exit)
    }
}

impl From<mlua::Error> for Failure {
    fn from(error: mlua::Error) -> Failure {
        Failure::Lua(error)
    }
}

impl From<Caught> for Failure {
    fn from(caught: Caught) -> Failure {
        Failure::Raised(caught.value)
    }
}

/// A [`ToolError`] on its way through the runtime, with the line that the call stands on.
#[derive(Debug)]
struct Raised {
    error: ToolError,
    tool: Option<String>,
    position: Option<String>,
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.error.kind, self.error)
    }
}

impl std::error::Error for Raised {}

/// What this file keeps in one Lua state.
struct Kept {
    failure: Table,
    places: Table,
    raising: Function,
    guard: Function,
    watch: Function,
    dressed: Function,
}

/// Prepares a Lua state. Must run before anything replaces `error` or `xpcall`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua) -> mlua::Result<()> {
    let handler = lua.create_function(handle)?;
    let (failure, places, raising, guard, watch, dressed) =
        lua.load(PRELUDE).set_name(OURS).call(handler)?;
    lua.set_app_data(Kept {
        failure,
        places,
        raising,
        guard,
        watch,
        dressed,
    });
    Ok(())
}

fn kept<T>(lua: &Lua, take: impl FnOnce(&Kept) -> T) -> mlua::Result<T> {
    match lua.app_data_ref::<Kept>() {
        Some(kept) => Ok(take(&kept)),
        None => Err(mlua::Error::runtime(
            "raise::install has not run in this state",
        )),
    }
}

/// `error` as what a Rust function returns to make Lua raise it. It reaches [`caught`] whole; where a
/// script may catch it first, [`value`] turns it into its table.
pub(super) fn raise(lua: &Lua, error: ToolError, tool: Option<&str>) -> mlua::Error {
    mlua::Error::external(Raised {
        error,
        tool: tool.map(str::to_owned),
        position: user_line(lua),
    })
}

/// The table of design: `{ kind, tool, message, hint, detail }`; `tostring` gives a sentence.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn table(lua: &Lua, error: &ToolError, tool: Option<&str>) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 5)?;
    table.raw_set("kind", error.kind.as_str())?;
    table.raw_set("tool", tool)?;
    table.raw_set("message", error.message.as_str())?;
    table.raw_set("hint", advice(error))?;
    if let Some(detail) = &error.detail {
        let detail = Data::from(serde_json::Value::Object((**detail).clone()));
        table.raw_set("detail", convert::to_lua(lua, &detail)?)?;
    }
    table.set_metatable(Some(kept(lua, |kept| kept.failure.clone())?))?;
    Ok(table)
}

/// What to try. None where a script, a check or a command failed and nobody has said more: its message is
/// all there is to know.
fn advice(error: &ToolError) -> Option<&str> {
    match error.kind {
        Kind::Failed => error.hint.as_deref(),
        _ => Some(error.hint()),
    }
}

/// What a script sees of a raised value: the runtime's own errors as tables, all else as it is.
pub(super) fn value(lua: &Lua, raised: Value) -> Value {
    match &raised {
        Value::Error(error) if !is_final(&raised) => *caught(lua, error).value,
        _ => raised,
    }
}

/// Whether nothing may catch this value: it ends the program.
pub(super) fn is_final(raised: &Value) -> bool {
    matches!(raised, Value::Error(error) if error.downcast_ref::<Exit>().is_some())
}

/// `error` in the place of what was `caught`: raised at the same line, with what its author put in it besides.
pub(super) fn instead(lua: &Lua, caught: &Caught, error: &ToolError) -> Failure {
    let made = table(lua, error, None).and_then(|made| {
        if let Value::Table(old) = &*caught.value {
            old.for_each(
                |key: Value, value: Value| match made.raw_get::<Value>(&key)? {
                    Value::Nil => made.raw_set(key, value),
                    _ => Ok(()),
                },
            )?;
        }
        Ok(Value::Table(made))
    });
    match made {
        Ok(value) => {
            remember(lua, &value, caught.position.clone());
            Failure::Raised(Box::new(value))
        }
        Err(error) => Failure::Lua(error),
    }
}

/// What a function made by [`raising`] returns: `true` and the results, or `false` and what to raise.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn outcome(
    lua: &Lua,
    result: Result<impl IntoLuaMulti, Failure>,
    tool: Option<&str>,
) -> mlua::Result<MultiValue> {
    let failure = match result {
        Ok(results) => {
            let mut results = results.into_lua_multi(lua)?;
            results.push_front(Value::Boolean(true));
            return Ok(results);
        }
        Err(failure) => failure,
    };
    let raised = match failure {
        Failure::Tool(error) => {
            let raised = Value::Table(table(lua, &error, tool)?);
            remember(lua, &raised, user_line(lua));
            raised
        }
        Failure::Exit(exit) => Value::Error(Box::new(mlua::Error::external(exit))),
        Failure::Lua(error) => value(lua, Value::Error(Box::new(error))),
        Failure::Raised(value) => *value,
    };
    (false, raised).into_lua_multi(lua)
}

/// Makes of a function that ends with [`outcome`] one that returns its results or raises its failure.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn raising(lua: &Lua, raw: Function) -> mlua::Result<Function> {
    kept(lua, |kept| kept.raising.clone())?.call(raw)
}

/// The Lua function `dressed(raised)`: what was raised, as who catches it gets it.
///
/// # Errors
/// When [`install`] has not run.
pub(super) fn dressed(lua: &Lua) -> mlua::Result<Function> {
    kept(lua, |kept| kept.dressed.clone())
}

/// Whether a table that was raised is of its author's own making.
pub(super) fn is_own(table: &Table) -> bool {
    let metatable = table.metatable();
    metatable.is_none_or(|metatable| metatable.raw_get("__own").unwrap_or(false))
}

/// The Lua function `guard(f, …)`: `true` and the results of `f(…)`, or `false` and what it raised.
/// Every entry into Lua goes through it; [`settle`] reads what it returns.
///
/// # Errors
/// When [`install`] has not run.
pub(super) fn guard(lua: &Lua) -> mlua::Result<Function> {
    kept(lua, |kept| kept.guard.clone())
}

/// Runs `function` to its end, in a coroutine of its own.
///
/// # Errors
/// What it raised.
pub(super) async fn run(
    lua: &Lua,
    function: &Function,
    args: impl IntoLuaMulti,
) -> Result<MultiValue, Caught> {
    let call = async {
        let mut args = args.into_lua_multi(lua)?;
        args.push_front(Value::Function(function.clone()));
        pulse::awake(lua, guard(lua)?.call_async::<MultiValue>(args)).await
    };
    match call.await {
        Ok(returned) => settle(lua, returned),
        Err(error) => Err(caught(lua, &error)),
    }
}

/// Runs `function` with `value`, plain data, to its end, in a coroutine of its own: whether the value is as it
/// was before, and what the function returned.
///
/// # Errors
/// What it raised.
pub(super) async fn watch(
    lua: &Lua,
    function: &Function,
    value: &Value,
) -> Result<(bool, MultiValue), Caught> {
    let call = async {
        let watch = kept(lua, |kept| kept.watch.clone())?;
        pulse::awake(lua, watch.call_async::<MultiValue>((function, value))).await
    };
    match call.await {
        Ok(returned) => {
            let mut results = settle(lua, returned)?;
            let is_same = matches!(results.pop_front(), Some(Value::Boolean(true)));
            Ok((is_same, results))
        }
        Err(error) => Err(caught(lua, &error)),
    }
}

/// The results of a function that ran under [`guard`].
///
/// # Errors
/// What it raised.
pub(super) fn settle(lua: &Lua, mut returned: MultiValue) -> Result<MultiValue, Caught> {
    if matches!(returned.pop_front(), Some(Value::Boolean(true))) {
        return Ok(returned);
    }
    Err(caught_value(lua, returned.pop_front().unwrap_or_default()))
}

/// What a value that was raised says.
pub(super) fn caught_value(lua: &Lua, value: Value) -> Caught {
    if let Value::Error(error) = &value {
        return caught(lua, error);
    }
    let remembered = kept(lua, |kept| kept.places.raw_get::<Option<String>>(&value));
    let (error, position) = read::read(&value);
    Caught {
        error,
        position: remembered.ok().and_then(Result::ok).flatten().or(position),
        value: Box::new(value),
        exit: None,
    }
}

/// Notes where `raised` was raised, unless that is known already: raising it again moves nothing.
fn remember(lua: &Lua, raised: &Value, position: Option<String>) {
    let (Value::Table(_) | Value::UserData(_), Some(position)) = (raised, position) else {
        return;
    };
    let note = kept(lua, |kept| match kept.places.raw_get(raised) {
        Ok(Value::Nil) => kept.places.raw_set(raised, position),
        _ => Ok(()),
    });
    drop(note); // without memory for a note the error is still the error
}

/// The message handler of [`guard`]: runs where the error was raised, while the stack still stands.
fn handle(lua: &Lua, raised: Value) -> mlua::Result<Value> {
    let raised = match read::yielded_in_c(&raised) {
        true => Value::Table(table(lua, &place::cannot_wait(lua), None)?),
        false => value(lua, raised),
    };
    remember(lua, &raised, user_line(lua));
    Ok(raised)
}

/// A failure of the script itself, as a plain string raises it.
fn failed(message: impl Into<String>) -> ToolError {
    ToolError::new(Kind::Failed, message)
}

#[cfg(test)]
mod tests;
