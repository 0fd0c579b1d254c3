//! Running a file or a piece of code for a person, and what it ends with.
//!
//! A first line `#!` is passed over. Text only: bytecode is refused.

use std::ffi::OsString;
use std::future::Future;
use std::os::unix::ffi::OsStrExt as _;
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};

use super::current::{Script, Voice};
use super::raise::{self, Caught};
use super::state::State;
use super::vm::Vm;
use super::{convert, lint, results};
use crate::data::Data;
use crate::error::{Error, Kind, ToolError};
use crate::layers::Layer;
use crate::tool::Scope;

/// A piece of Lua to run.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// What messages call it: the file as it was named.
    pub name: String,
    /// The text.
    pub source: Vec<u8>,
    /// What it gets as `arg` and `...`.
    pub args: Vec<OsString>,
}

impl Chunk {
    fn voice(&self) -> Voice {
        Voice::Out(Script {
            name: self.name.clone(),
            args: self.args.clone(),
        })
    }
}

/// How it ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// It returned these values.
    Returned(Vec<Shown>),
    /// It ended the program, by `os.exit` or `--help`: the exit code, and what is left to say (on
    /// stdout when the code is 0, else on stderr; may be empty).
    Exit(i32, String),
}

/// One value that was returned.
#[derive(Clone, Debug)]
pub struct Shown {
    /// As data; an error for functions and other things that are none.
    pub data: Result<Data, ToolError>,
    /// As a person reads it: a tool's result as its text, a table as JSON.
    pub text: String,
}

/// A failure that nothing caught.
#[derive(Clone, Debug)]
pub struct Uncaught {
    /// What failed.
    pub error: ToolError,
    /// Where in the person's own code: `script.lua:12`.
    pub position: Option<String>,
    /// The tool whose call failed, if it was one.
    pub tool: Option<String>,
}

impl From<ToolError> for Uncaught {
    fn from(error: ToolError) -> Uncaught {
        Uncaught {
            error,
            position: None,
            tool: None,
        }
    }
}

impl From<Uncaught> for Error {
    fn from(uncaught: Uncaught) -> Error {
        Error::Tool(uncaught.error)
    }
}

impl Vm {
    /// Runs a script in `scope`. Wanted until the future is dropped or the scope ends.
    ///
    /// # Errors
    /// What nothing in the script caught, a syntax error, `cancelled`.
    pub fn script(
        &self,
        scope: &Scope,
        chunk: Chunk,
    ) -> impl Future<Output = Result<Ended, Uncaught>> + Send + use<> {
        self.job(scope, chunk.voice(), move |state| async move {
            let function = compile(&state.lua, &chunk.name, &without_shebang(&chunk.source));
            run(&state, function, &chunk).await
        })
    }

    /// As [`Vm::script`], for a piece of code: an expression, or statements that may `return`.
    ///
    /// # Errors
    /// As [`Vm::script`].
    pub fn eval(
        &self,
        scope: &Scope,
        chunk: Chunk,
    ) -> impl Future<Output = Result<Ended, Uncaught>> + Send + use<> {
        self.job(scope, chunk.voice(), move |state| async move {
            let function = compile_either(&state.lua, &chunk);
            run(&state, function, &chunk).await
        })
    }

    /// What `code` returns, which is of the program itself and asks the module `name` something: it gets the name, then
    /// `args`, as `...`. It is no script: what it prints is logged, and the `arg` of the script that runs stays.
    ///
    /// # Errors (of the future)
    /// What the module raises, `failed` for a value that is no data, `cancelled`.
    pub fn module(
        &self,
        scope: &Scope,
        name: &str,
        code: &'static str,
        args: Vec<String>,
    ) -> impl Future<Output = Result<Vec<Data>, ToolError>> + Send + use<> {
        let shown = format!("the module {name}");
        let args: Vec<String> = [name.to_owned()].into_iter().chain(args).collect();
        let voice = Voice::Log(shown.clone(), Layer::Script);
        self.job(scope, voice, move |state| async move {
            let lua = &state.lua;
            let prepared = compile(lua, &shown, code.as_bytes()).and_then(|function| {
                let args = args
                    .iter()
                    .map(|arg| lua.create_string(arg).map(Value::String));
                Ok((function, args.collect::<mlua::Result<MultiValue>>()?))
            });
            let (function, args) = prepared.map_err(|error| raise::caught(lua, &error).error)?;
            let values = state.call(&function, args).await;
            let values = values.map_err(|caught| caught.error)?;
            values.iter().map(convert::to_data).collect()
        })
    }
}

async fn run(
    state: &Rc<State>,
    function: mlua::Result<Function>,
    chunk: &Chunk,
) -> Result<Ended, Uncaught> {
    let begun = function.and_then(|function| Ok((function, prepare(state, chunk)?)));
    let (function, args) = match begun {
        Ok(begun) => begun,
        Err(error) => return ended(raise::caught(&state.lua, &error)),
    };
    match state.call(&function, args).await {
        Ok(values) => Ok(Ended::Returned(values.iter().map(shown).collect())),
        Err(caught) => ended(caught),
    }
}

fn ended(caught: Caught) -> Result<Ended, Uncaught> {
    match caught.exit {
        Some(exit) => Ok(Ended::Exit(exit.code, exit.text)),
        None => Err(Uncaught {
            tool: tool(&caught.value),
            error: caught.error,
            position: caught.position,
        }),
    }
}

fn tool(raised: &Value) -> Option<String> {
    let tool: Option<LuaString> = raised.as_table()?.raw_get("tool").ok()?;
    tool.map(|name| name.to_string_lossy())
}

/// Sets `arg`, and gives the values of `...`.
fn prepare(state: &State, chunk: &Chunk) -> mlua::Result<MultiValue> {
    let values = chunk
        .args
        .iter()
        .map(|arg| state.lua.create_string(arg.as_bytes()).map(Value::String));
    let values = values.collect::<mlua::Result<MultiValue>>()?;
    let table = state.lua.create_sequence_from(values.iter())?;
    table.raw_set(0, chunk.name.as_str())?;
    state.lua.globals().set("arg", table)?;
    Ok(values)
}

/// The chunk in `source`, which messages call `name`. Every loader of text comes through here or through `load`,
/// which looks at the text as this does.
///
/// # Errors
/// What is no Lua text, and what [`lint`] refuses.
pub(super) fn compile(lua: &Lua, name: &str, source: &[u8]) -> mlua::Result<Function> {
    if source.starts_with(b"\x1b") {
        let message = format!("{name} is Lua bytecode; only Lua text is run");
        return Err(mlua::Error::external(ToolError::new(Kind::Failed, message)));
    }
    if let Some(message) = refused(name, source) {
        return Err(mlua::Error::SyntaxError {
            message,
            incomplete_input: false,
        });
    }
    let chunk = lua.load(source).set_name(format!("@{name}"));
    chunk.set_mode(ChunkMode::Text).into_function()
}

/// Why a text is not run although it is Lua: `name:line: …`.
pub(super) fn refused(name: &str, source: &[u8]) -> Option<String> {
    let finding = lint::check(source)?;
    Some(format!("{name}:{}: {}", finding.line, finding.message))
}

/// As an expression, or else as statements.
fn compile_either(lua: &Lua, chunk: &Chunk) -> mlua::Result<Function> {
    // No tail call: a failure in it then has the line of the code.
    let before = b"return (function(...) return ... end)(".as_slice();
    let as_expression = |after: &[u8]| {
        let expression = [before, &chunk.source, after].concat();
        compile(lua, &chunk.name, &expression)
    };
    // On the same line where that can be: a failure is told with the line of what stands behind it. A comment at
    // the end would swallow it.
    let expression = as_expression(b")").or_else(|_| as_expression(b"\n)"));
    expression.or_else(|_| {
        let statements = compile(lua, &chunk.name, &chunk.source);
        let bare = [b"return ".as_slice(), &chunk.source].concat();
        match compile(lua, &chunk.name, &bare) {
            // An expression that is not finished says so; that it is no statement helps nobody.
            Err(
                unfinished @ mlua::Error::SyntaxError {
                    incomplete_input: true,
                    ..
                },
            ) => statements.map_err(|_| unfinished),
            _ => statements,
        }
    })
}

/// The text without what stands in a first line `#!`; the lines keep their numbers.
pub(super) fn without_shebang(source: &[u8]) -> Vec<u8> {
    if !source.starts_with(b"#") {
        return source.to_vec();
    }
    let rest = source
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(source.len());
    source[rest..].to_vec()
}

fn shown(value: &Value) -> Shown {
    let data = convert::to_data(value);
    let text = match (value, &data) {
        (Value::Table(table), Ok(data)) if !speaks(table) => serde_json::to_string(data).ok(),
        (Value::Number(_), Ok(data)) => serde_json::to_string(data).ok(),
        (Value::String(text), _) => Some(text.to_string_lossy()),
        _ => None,
    };
    let text = text.or_else(|| value.to_string().ok());
    Shown {
        data,
        text: text.unwrap_or_else(|| value.type_name().to_owned()),
    }
}

/// Whether a table has words of its own: the result of a tool, or one with `__tostring`.
fn speaks(table: &Table) -> bool {
    results::is_result(table)
        || table.metatable().is_some_and(|metatable| {
            metatable
                .raw_get("__tostring")
                .is_ok_and(|text: Value| !text.is_nil())
        })
}
