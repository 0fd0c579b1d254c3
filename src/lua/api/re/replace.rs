//! Replacing: templates with `$1`, and putting a text together again from its replacements.
//!
//! A `$` that names no group of the pattern is refused: it would vanish, and nobody would see it.

use mlua::{Lua, LuaString, Table, Value};
use regex::bytes::{Captures, Regex};

use super::Patterns;
use super::matches::{Steps, span};
use crate::error::ToolError;
use crate::lua::api::bind::Given;
use crate::lua::raise::Failure;

/// `gsub` with a text for a replacement.
pub(super) fn plain(given: &Given<'_>, patterns: &Patterns) -> Result<(LuaString, i64), Failure> {
    let (text, regex) = (given.text(1, "text")?, patterns.get(given, 2)?);
    let by = match given.value(3) {
        Value::Nil | Value::Boolean(_) => {
            return Err(given.wrong(3, "by", "text, a table or a function", &given.value(3)));
        }
        _ => given.text(3, "by")?,
    };
    let by = by.as_bytes();
    let template = template(&by, &regex)?;
    let limit = limit(given, 4)?;
    let text = text.as_bytes();
    let mut steps = Steps::new(regex);
    let (mut out, mut copied, mut count) = (Vec::with_capacity(text.len()), 0, 0);
    while count < limit
        && let Some(found) = steps.next(&text)
    {
        let (start, end) = span(&found);
        out.extend_from_slice(&text[copied..start]);
        expand(&template, &found, &mut out);
        (copied, count) = (end, count + 1);
    }
    out.extend_from_slice(&text[copied..]);
    Ok((
        given.lua.create_string(out)?,
        i64::try_from(count).unwrap_or(i64::MAX),
    ))
}

/// How many matches are replaced at most: argument `index`, else all.
pub(super) fn limit(given: &Given<'_>, index: usize) -> Result<usize, Failure> {
    let limit = given.optional_integer(index, "limit")?;
    Ok(limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(0)))
}

/// `text` with the bytes `first[i]..=last[i]` (from 1, in order) replaced by `news[i]`.
pub(super) fn assemble(
    lua: &Lua,
    (text, news, first, last): (Value, Table, Table, Table),
) -> mlua::Result<LuaString> {
    let text = lua
        .coerce_string(text)?
        .ok_or_else(|| mlua::Error::runtime("expected text"))?;
    let text = text.as_bytes();
    let (mut out, mut end) = (Vec::with_capacity(text.len()), 0);
    for index in 1..=news.raw_len() {
        let (from, to): (usize, usize) = (first.raw_get(index)?, last.raw_get(index)?);
        let new: LuaString = news.raw_get(index)?;
        out.extend_from_slice(text.get(end..from.saturating_sub(1)).unwrap_or_default());
        out.extend_from_slice(&new.as_bytes());
        end = to;
    }
    out.extend_from_slice(text.get(end..).unwrap_or_default());
    lua.create_string(out)
}

/// A replacement, taken apart.
enum Piece<'t> {
    Literal(&'t [u8]),
    Group(usize),
}

/// Reads `$1`, `${1}`, `$name`, `${name}`, `$0` and `$$`.
fn template<'t>(by: &'t [u8], regex: &Regex) -> Result<Vec<Piece<'t>>, ToolError> {
    let mut pieces = Vec::new();
    let mut rest = by;
    while let Some(at) = rest.iter().position(|byte| *byte == b'$') {
        pieces.push(Piece::Literal(&rest[..at]));
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(b"$") {
            pieces.push(Piece::Literal(b"$"));
            rest = after;
            continue;
        }
        let (name, after) = reference(rest);
        pieces.push(Piece::Group(group(name, regex)?));
        rest = after;
    }
    pieces.push(Piece::Literal(rest));
    Ok(pieces)
}

/// The name behind a `$`, and what follows it. Digits end at the first byte that is none.
fn reference(text: &[u8]) -> (&[u8], &[u8]) {
    if let Some(inner) = text.strip_prefix(b"{")
        && let Some(close) = inner.iter().position(|byte| *byte == b'}')
    {
        return (&inner[..close], &inner[close + 1..]);
    }
    let numbered = text.first().is_some_and(u8::is_ascii_digit);
    let length = text
        .iter()
        .take_while(|byte| match numbered {
            true => byte.is_ascii_digit(),
            false => byte.is_ascii_alphanumeric() || **byte == b'_',
        })
        .count();
    text.split_at(length)
}

fn group(name: &[u8], regex: &Regex) -> Result<usize, ToolError> {
    let name = String::from_utf8_lossy(name);
    let number = name
        .parse()
        .ok()
        .filter(|number| *number < regex.captures_len());
    let named = || {
        regex
            .capture_names()
            .position(|known| known == Some(&*name))
    };
    number.or_else(named).ok_or_else(|| {
        ToolError::argument(format!(
            "agent.re.gsub: `${name}` names no group of the pattern"
        ))
        .with_hint("write $$ for a dollar sign; $1, ${1} or $name for a group")
    })
}

fn expand(template: &[Piece<'_>], found: &Captures<'_>, out: &mut Vec<u8>) {
    for piece in template {
        match piece {
            Piece::Literal(text) => out.extend_from_slice(text),
            Piece::Group(group) => {
                out.extend_from_slice(found.get(*group).map_or(b"", |group| group.as_bytes()));
            }
        }
    }
}
