//! What the Lua side of tests asks of Rust: where it stands, files, mocks, acting as a model.
//!
//! What waits reads its arguments at once and does its work on the blocking pool or in a scope of its own.

use std::ffi::OsStr;
use std::future::Future;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};

use super::{LIMIT, TestWorld, mock, workspace};
use crate::error::ToolError;
use crate::lua::blocks::seconds;
use crate::lua::current::Current;
use crate::lua::fields::Fields;
use crate::lua::host::Host;
use crate::lua::raise::{self, Failure};
use crate::lua::short::wrong;
use crate::lua::waiting;
use crate::permission::Caller;
use crate::tool::{Guard, Guarded};

/// Puts these functions into `shared`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(
    lua: &Lua,
    shared: &Table,
    host: &Rc<Host>,
    world: &TestWorld,
) -> mlua::Result<()> {
    let (folder, mocks) = (world.workspace.clone(), world.mocks.clone());
    let here = lua.create_function(|lua, ()| Ok(raise::user_line(lua)))?;
    shared.set("here", here)?;
    let limit = lua.create_function(|lua, options: Value| {
        limit(&options).map_err(|error| raise::raise(lua, error, None))
    })?;
    shared.set("limit", limit)?;
    let files = waiting::function(lua, "files", move |_, list: Value| {
        write_files(folder.clone(), &list)
    })?;
    shared.set("write_files", files)?;
    shared.set("as_model", waiting::function(lua, "as_model", as_model)?)?;
    let host = Rc::clone(host);
    let replace = lua.create_function(move |lua, (tool, answer): (Value, Function)| {
        mock::put(lua, &host, &mocks, &tool, answer).map_err(|error| raise::raise(lua, error, None))
    })?;
    shared.set("replace", replace)
}

/// The seconds that the options of `it` give it.
fn limit(options: &Value) -> Result<f64, ToolError> {
    match options {
        Value::Nil => Ok(LIMIT.as_secs_f64()),
        Value::Table(options) => {
            let options = Fields::beside(options, "it", &["timeout"])?;
            match options.value("timeout")? {
                Value::Nil => Ok(LIMIT.as_secs_f64()),
                given => Ok(seconds(&given, &options.at("timeout"))?.as_secs_f64()),
            }
        }
        other => Err(wrong(
            "it: argument 3",
            "a table such as { timeout = 30 }",
            other,
        )),
    }
}

fn write_files(
    folder: PathBuf,
    list: &Value,
) -> Result<impl Future<Output = Result<(), Failure>> + use<>, Failure> {
    let hint = "files { [\"a/b.txt\"] = \"text\" }";
    let Value::Table(list) = list else {
        return Err(wrong("files", "a table of paths and contents", list)
            .with_hint(hint)
            .into());
    };
    let mut files = Vec::new();
    for pair in list.pairs::<Value, Value>() {
        match pair? {
            (Value::String(path), Value::String(content)) => {
                let path = PathBuf::from(OsStr::from_bytes(&path.as_bytes()));
                files.push((path, content.as_bytes().to_vec()));
            }
            (path, content) => {
                let what = format!("files: {}", path.to_string().unwrap_or_default());
                return Err(wrong(&what, "a path with its content as text", &content)
                    .with_hint(hint)
                    .into());
            }
        }
    }
    Current::get()?;
    Ok(async move {
        let write = move || workspace::fill(&folder, &files);
        let written = tokio::task::spawn_blocking(write).await;
        Ok(written.map_err(|error| ToolError::internal(error.to_string()))??)
    })
}

/// Runs `body(…)` as a model.
fn as_model(
    lua: &Lua,
    mut args: MultiValue,
) -> Result<impl Future<Output = Result<MultiValue, Failure>> + use<>, Failure> {
    let body = match args.pop_front().unwrap_or_default() {
        Value::Function(body) => body,
        other => return Err(wrong("as_model", "a function", &other).into()),
    };
    let block = Current::get()?.lowered(Caller::Model)?;
    let guard = Guard::new(Arc::clone(block.scope().node()));
    let lua = lua.clone();
    Ok(Guarded::new(
        guard,
        block.around(async move { Ok(raise::run(&lua, &body, args).await?) }),
    ))
}

/// The text in a value, if it is one.
pub(super) fn text(value: &Value) -> Option<String> {
    value.as_string().map(LuaString::to_string_lossy)
}
