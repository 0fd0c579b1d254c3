//! `agent.text`: pure work on text. Bytes that are not UTF-8 pass through, but where characters must be counted.
//!
//! A line ends with `\n` or `\r\n`; what is not asked for is not normalised.

use std::rc::Rc;

use mlua::{Lua, LuaString, Table, Value};
use unicode_width::UnicodeWidthStr;

use super::bind::{Doc, Given, function, strict};
use crate::lua::convert;
use crate::lua::host::Host;
use crate::lua::raise::Failure;
use crate::text::{diff, nearest};

/// Sets `agent.text`.
pub(super) fn install(lua: &Lua, agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    let text = lua.create_table()?;
    for (name, takes, about, body) in FUNCTIONS {
        let doc = Doc { name, takes, about };
        function(lua, &text, doc, body)?;
    }
    strict(lua, &text, "agent.text")?;
    agent.raw_set("text", text)
}

type Body = fn(&Given<'_>) -> Result<Value, Failure>;

const FUNCTIONS: [(&str, &str, &str, Body); 7] = [
    (
        "agent.text.diff",
        "(old, new, name=\"text\") → text",
        "the unified diff of two texts; empty when they are equal",
        unified,
    ),
    (
        "agent.text.trim",
        "(text) → text",
        "without white space at both ends",
        trim,
    ),
    (
        "agent.text.dedent",
        "(text) → text",
        "without the indentation that all its lines share; blank lines become empty",
        dedent,
    ),
    (
        "agent.text.indent",
        "(text, by=2) → text",
        "every line that is not blank begins with so many spaces, or with the text given",
        indent,
    ),
    (
        "agent.text.width",
        "(text) → columns",
        "how many columns of a terminal its widest line takes",
        width,
    ),
    (
        "agent.text.lines",
        "(text) → list",
        "its lines, without their ends",
        lines,
    ),
    (
        "agent.text.nearest",
        "(name, list) → text?",
        "the one of a list that was probably meant; nil when none is near",
        nearest_name,
    ),
];

fn unified(given: &Given<'_>) -> Result<Value, Failure> {
    let (old, new) = (given.utf8(1, "old")?, given.utf8(2, "new")?);
    let name = given.optional_text(3, "name")?;
    let name = name.map_or_else(|| "text".to_owned(), |name| name.to_string_lossy());
    let difference = diff::unified(&old, &new, name.as_str(), diff::CONTEXT);
    string(given, difference.text.as_bytes())
}

fn trim(given: &Given<'_>) -> Result<Value, Failure> {
    string(given, given.text(1, "text")?.as_bytes().trim_ascii())
}

fn dedent(given: &Given<'_>) -> Result<Value, Failure> {
    let text = given.text(1, "text")?;
    let text = text.as_bytes();
    let shared = each_line(&text)
        .filter(|(body, _)| !is_blank(body))
        .map(|(body, _)| &body[..body.len() - body.trim_ascii_start().len()])
        .reduce(|a, b| &a[..a.iter().zip(b).take_while(|(a, b)| a == b).count()])
        .map_or(0, <[u8]>::len);
    let mut out = Vec::with_capacity(text.len());
    for (body, end) in each_line(&text) {
        out.extend_from_slice(if is_blank(body) { b"" } else { &body[shared..] });
        out.extend_from_slice(end);
    }
    string(given, &out)
}

fn indent(given: &Given<'_>) -> Result<Value, Failure> {
    let text = given.text(1, "text")?;
    let prefix = match given.value(2) {
        Value::Nil => b"  ".to_vec(),
        Value::Integer(spaces @ 0..=1000) => {
            vec![b' '; usize::try_from(spaces).unwrap_or_default()]
        }
        Value::String(prefix) => prefix.as_bytes().to_vec(),
        other => return Err(given.wrong(2, "by", "text or a number of spaces up to 1000", &other)),
    };
    let mut out = Vec::new();
    for (body, end) in each_line(&text.as_bytes()) {
        out.extend_from_slice(if is_blank(body) { b"" } else { &prefix });
        out.extend_from_slice(body);
        out.extend_from_slice(end);
    }
    string(given, &out)
}

fn width(given: &Given<'_>) -> Result<Value, Failure> {
    let text = given.text(1, "text")?.to_string_lossy();
    let widest = text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
    Ok(Value::Integer(i64::try_from(widest).unwrap_or(i64::MAX)))
}

fn lines(given: &Given<'_>) -> Result<Value, Failure> {
    let text = given.text(1, "text")?;
    let list = given.lua.create_table()?;
    for (index, (body, _)) in each_line(&text.as_bytes()).enumerate() {
        list.raw_set(index + 1, given.lua.create_string(body)?)?;
    }
    convert::mark_list(given.lua, &list)?;
    Ok(Value::Table(list))
}

fn nearest_name(given: &Given<'_>) -> Result<Value, Failure> {
    let name = given.utf8(1, "name")?;
    let mut candidates = Vec::new();
    for item in given.table(2, "list")?.sequence_values::<LuaString>() {
        candidates.push(item?.to_string_lossy());
    }
    match nearest(&name, candidates.iter().map(String::as_str)) {
        Some(near) => string(given, near.as_bytes()),
        None => Ok(Value::Nil),
    }
}

fn string(given: &Given<'_>, bytes: &[u8]) -> Result<Value, Failure> {
    Ok(Value::String(given.lua.create_string(bytes)?))
}

/// Each line, and what ends it.
fn each_line(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    text.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let body = line.strip_suffix(b"\n").unwrap_or(line);
        let body = match body.len() < line.len() {
            true => body.strip_suffix(b"\r").unwrap_or(body),
            false => body,
        };
        line.split_at(body.len())
    })
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}
