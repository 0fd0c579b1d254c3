//! The cases of `permissions.lua`: a call, the files that are there before it, and what should come of it for a model in
//! the mode `default`.
//!
//! They are read here and run elsewhere; no call is made for one.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use mlua::{Table, Value};

use crate::data::Data;
use crate::error::ToolError;
use crate::gate::Given;
use crate::lua::convert;
use crate::lua::fields::items;
use crate::lua::short::wrong;
use crate::permission::Action;

/// How one looks, and with all that it may have.
const SHORT: &str = "{ tool, subject, verdict }";
const FORM: &str =
    "{ tool, subject, verdict, files = { [\"a.txt\"] = \"text\" }, profile = \"name\" }";

/// What a policy says should come of a call, for a model in the mode `default`.
#[derive(Clone, Debug)]
pub struct PolicyCase {
    /// The tool.
    pub tool: String,
    /// What it is called with.
    pub given: Given,
    /// What should come of it.
    pub verdict: Action,
    /// The files that are there before, paths in the workspace and contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The profile that the call is made under.
    pub profile: Option<String>,
    /// The file that says so.
    pub file: String,
}

/// `{ { tool, subject, verdict, files = { … }, profile = }, … }`; the subject is a text, or a table of arguments.
///
/// # Errors
/// `argument` that names the case and its part.
pub(super) fn read(list: &Table, path: &str, file: &str) -> Result<Vec<PolicyCase>, ToolError> {
    let items = items(list, path)?;
    let cases = items.iter().enumerate();
    cases
        .map(|(at, item)| case(item, &format!("{path}[{}]", at + 1), file))
        .collect()
}

fn case(item: &Value, path: &str, file: &str) -> Result<PolicyCase, ToolError> {
    let Value::Table(case) = item else {
        return Err(wrong(path, SHORT, item));
    };
    let parts: Vec<Value> = case.sequence_values::<Value>().flatten().collect();
    let [Value::String(tool), subject, Value::String(verdict)] = parts.as_slice() else {
        return Err(wrong(path, SHORT, item));
    };
    let named = case.pairs::<Value, Value>().flatten();
    for (key, _) in named.filter(|(key, _)| key.as_integer().is_none()) {
        let is_known = |key: &mlua::LuaString| *key == "files" || *key == "profile";
        if !key.as_string().is_some_and(is_known) {
            let key = key.to_string().unwrap_or_default();
            let message = format!("{path}: there is no field `{key}`");
            return Err(ToolError::argument(message).with_hint(format!("a case is {FORM}")));
        }
    }
    let verdict = verdict.to_string_lossy().parse();
    Ok(PolicyCase {
        tool: tool.to_string_lossy(),
        given: given(subject, &format!("{path}[2]"))?,
        verdict: verdict
            .map_err(|message: String| ToolError::argument(format!("{path}[3]: {message}")))?,
        files: files(case, &format!("{path}.files"))?,
        profile: match case.raw_get("profile") {
            Ok(Value::Nil) | Err(_) => None,
            Ok(Value::String(name)) => Some(name.to_string_lossy()),
            Ok(other) => return Err(wrong(&format!("{path}.profile"), "text", &other)),
        },
        file: file.to_owned(),
    })
}

fn given(subject: &Value, path: &str) -> Result<Given, ToolError> {
    let form = "a text or arguments by name";
    match subject {
        Value::String(text) => Ok(Given::Subject(text.to_string_lossy())),
        Value::Table(_) => match convert::to_data_named(subject, path)? {
            Data::Map(args) => Ok(Given::Arguments(args)),
            _ => Err(wrong(path, form, subject)),
        },
        other => Err(wrong(path, form, other)),
    }
}

fn files(case: &Table, path: &str) -> Result<Vec<(PathBuf, Vec<u8>)>, ToolError> {
    let given: Value = case.raw_get("files").unwrap_or(Value::Nil);
    let table = match &given {
        Value::Nil => return Ok(Vec::new()),
        Value::Table(table) => table,
        other => return Err(wrong(path, "a table of paths and contents", other)),
    };
    let mut files = Vec::new();
    for pair in table.pairs::<Value, Value>().flatten() {
        let (Value::String(name), Value::String(content)) = &pair else {
            return Err(wrong(path, "paths with their contents as text", &pair.1));
        };
        let name = PathBuf::from(OsStr::from_bytes(&name.as_bytes()));
        files.push((name, content.as_bytes().to_vec()));
    }
    files.sort();
    Ok(files)
}
