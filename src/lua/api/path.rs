//! `agent.path`: paths as text, separated by `/`. Only `real` looks at a disk; the rest is pure.
//!
//! A relative path is meant from the session's folder, as the tools mean it.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, Given, function, strict, waiting};
use crate::error::ToolError;
use crate::lua::host::Host;
use crate::lua::raise::Failure;

/// Sets `agent.path`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let path = lua.create_table()?;
    for (name, takes, about, body) in PARTS {
        let doc = Doc { name, takes, about };
        function(lua, &path, doc, body)?;
    }
    let doc = Doc {
        name: "agent.path.relative",
        takes: "(path, base?) → path",
        about: "the way from base (the session's folder) to the path, by names alone",
    };
    let files = Arc::clone(&host.services.files);
    function(lua, &path, doc, move |given| {
        let base = given.optional_text(2, "base")?;
        let base = base.map_or_else(PathBuf::new, |base| as_path(&base.as_bytes()).to_owned());
        let base = files.cwd().join(base);
        let to = files
            .cwd()
            .join(as_path(&given.text(1, "path")?.as_bytes()));
        text(given, &relative(&normal(&to), &normal(&base)))
    })?;
    let doc = Doc {
        name: "agent.path.real",
        takes: "(path) → path",
        about: "the absolute path with every link resolved; it must exist",
    };
    let files = Arc::clone(&host.services.files);
    waiting(lua, &path, doc, move |given| {
        let path = as_path(&given.text(1, "path")?.as_bytes()).to_owned();
        let (lua, full) = (given.lua.clone(), files.cwd().join(&path));
        Ok(async move {
            let real = tokio::task::spawn_blocking(move || full.canonicalize()).await;
            let real = real.map_err(|error| ToolError::internal(error.to_string()))?;
            let name = format!("`{}`", path.display());
            let real = real.map_err(|error| ToolError::from_io(&error, "resolve", &name))?;
            Ok(lua.create_string(real.into_os_string().into_vec())?)
        })
    })?;
    strict(lua, &path, "agent.path")?;
    agent.raw_set("path", path)
}

type Body = fn(&Given<'_>) -> Result<Value, Failure>;

const PARTS: [(&str, &str, &str, Body); 7] = [
    (
        "agent.path.join",
        "(path, …) → path",
        "the parts joined; an absolute part begins anew",
        join,
    ),
    (
        "agent.path.dirname",
        "(path) → path",
        "the folder it lies in; \".\" for a bare name",
        |given| {
            let path = given.text(1, "path")?;
            let path = path.as_bytes();
            let path = as_path(&path);
            match path.parent() {
                Some(parent) if parent.as_os_str().is_empty() => text(given, Path::new(".")),
                Some(parent) => text(given, parent),
                None if path.as_os_str().is_empty() => text(given, Path::new(".")),
                None => text(given, path),
            }
        },
    ),
    (
        "agent.path.basename",
        "(path) → text",
        "its last name",
        |given| part(given, Path::file_name),
    ),
    (
        "agent.path.stem",
        "(path) → text",
        "its last name without the extension",
        |given| part(given, Path::file_stem),
    ),
    (
        "agent.path.extension",
        "(path) → text",
        "its extension without the dot; empty when it has none",
        |given| part(given, Path::extension),
    ),
    (
        "agent.path.normalize",
        "(path) → path",
        "without \".\", \"..\" and doubled \"/\", by names alone: links are not looked at",
        |given| {
            let path = given.text(1, "path")?;
            text(given, &normal(as_path(&path.as_bytes())))
        },
    ),
    (
        "agent.path.is_absolute",
        "(path) → boolean",
        "whether it begins with \"/\"",
        |given| {
            Ok(Value::Boolean(
                given.text(1, "path")?.as_bytes().starts_with(b"/"),
            ))
        },
    ),
];

fn join(given: &Given<'_>) -> Result<Value, Failure> {
    let mut joined = PathBuf::from(as_path(&given.text(1, "path")?.as_bytes()));
    for index in 2.. {
        match given.optional_text(index, "path")? {
            Some(part) => joined.push(as_path(&part.as_bytes())),
            None => break,
        }
    }
    text(given, &joined)
}

fn part(given: &Given<'_>, take: fn(&Path) -> Option<&OsStr>) -> Result<Value, Failure> {
    let path = given.text(1, "path")?;
    let path = path.as_bytes();
    text(given, take(as_path(&path)).unwrap_or_default().as_ref())
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn text(given: &Given<'_>, path: &Path) -> Result<Value, Failure> {
    let bytes = path.as_os_str().as_bytes();
    Ok(Value::String(given.lua.create_string(bytes)?))
}

/// The path by names alone. `..` at the start of a relative path stays; the empty path is `.`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match normal.components().next_back() {
                Some(Component::Normal(_)) => {
                    normal.pop();
                }
                Some(Component::RootDir) => {}
                _ => normal.push(".."),
            },
            other => normal.push(other),
        }
    }
    if normal.as_os_str().is_empty() {
        normal.push(".");
    }
    normal
}

/// From `base` to `to`, both absolute and normal.
fn relative(to: &Path, base: &Path) -> PathBuf {
    let shared = to
        .components()
        .zip(base.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = base.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(shared)).collect();
    if way.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        way
    }
}
