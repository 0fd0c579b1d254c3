//! `agent.re`: regular expressions (the syntax of the `regex` crate) with the manners of Lua's `string` library.
//!
//! Positions are bytes, from 1, inclusive, as `string.sub` takes them. A search takes time in proportion to the text,
//! whatever the pattern. A group that took no part is `false`, so that no list of captures has a hole.

mod matches;
mod replace;

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};
use regex::bytes::{Regex, RegexBuilder};

use super::bind::{Doc, Given, document, function, raw_function, strict};
use crate::error::ToolError;
use crate::lua::convert;
use crate::lua::host::Host;
use crate::lua::raise::{self, Failure};
use matches::{Steps, captures, span};

/// How many compiled patterns are kept, the most recently used first.
const KEPT: usize = 64;

/// How many bytes one compiled pattern may take.
const SIZE: usize = 10 << 20;

/// `gsub` with a function or a table: in Lua, so that the function may wait.
const GSUB: &str = include_str!("../prelude/regsub.lua");

/// Sets `agent.re`.
pub(super) fn install(lua: &Lua, agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    let re = lua.create_table()?;
    let patterns = Rc::new(Patterns::default());
    for (name, takes, about, body) in FUNCTIONS {
        let patterns = Rc::clone(&patterns);
        let doc = Doc { name, takes, about };
        function(lua, &re, doc, move |given| body(given, &patterns))?;
    }
    install_gsub(lua, &re, &patterns)?;
    strict(lua, &re, "agent.re")?;
    agent.raw_set("re", re)
}

/// The steps in Rust are functions of their own; the loop around them is [`GSUB`].
fn install_gsub(lua: &Lua, re: &Table, patterns: &Rc<Patterns>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.re.gsub",
        takes: "(text, pattern, by, limit?) → text, count",
        about: "every match replaced: by text ($1, $name, $0, $$), by what a table has under the first capture, or by what a function of the captures returns",
    };
    let own = Rc::clone(patterns);
    let plain = raw_function(lua, doc.name, move |given| replace::plain(given, &own))?;
    let own = Rc::clone(patterns);
    let matches = raw_function(lua, doc.name, move |given| {
        let limit = replace::limit(given, 3)?;
        iterator(given, &own, Some(limit))
    })?;
    let refuse = raw_function(lua, doc.name, |given| -> Result<(), Failure> {
        Err(given.wrong(
            3,
            "by",
            "text from the function or the table",
            &given.value(1),
        ))
    })?;
    let (kind, text) = (
        lua.globals().raw_get::<Function>("type")?,
        lua.globals().raw_get::<Function>("tostring")?,
    );
    let assemble = lua.create_function(replace::assemble)?;
    let chunk = lua.load(GSUB).set_name(raise::OURS);
    let gsub: Function = chunk.call((plain, matches, assemble, refuse, kind, text))?;
    document(lua, doc.name, doc.takes, doc.about);
    re.raw_set("gsub", gsub)
}

type Body = fn(&Given<'_>, &Patterns) -> Result<MultiValue, Failure>;

const FUNCTIONS: [(&str, &str, &str, Body); 6] = [
    (
        "agent.re.find",
        "(text, pattern, from=1) → first, last, captures…",
        "where the first match lies, in bytes, and its captures; nil when there is none",
        find,
    ),
    (
        "agent.re.match",
        "(text, pattern, from=1) → captures…",
        "the captures of the first match, or all of it where the pattern has no groups; a table of the named ones comes last",
        first_match,
    ),
    (
        "agent.re.gmatch",
        "(text, pattern) → iterator",
        "every match in turn, as match gives it",
        |given, patterns| {
            Ok(MultiValue::from_iter([Value::Function(iterator(
                given, patterns, None,
            )?)]))
        },
    ),
    (
        "agent.re.test",
        "(text, pattern) → boolean",
        "whether the pattern is found",
        |given, patterns| {
            let regex = patterns.get(given, 2)?;
            let found = regex.is_match(&given.text(1, "text")?.as_bytes());
            Ok(MultiValue::from_iter([Value::Boolean(found)]))
        },
    ),
    (
        "agent.re.split",
        "(text, pattern, limit?) → list",
        "what stands between the matches, in at most so many pieces",
        split,
    ),
    (
        "agent.re.escape",
        "(text) → pattern",
        "the pattern that matches this text and nothing else",
        |given, _| {
            let escaped = regex::escape(&given.utf8(1, "text")?);
            let escaped = given.lua.create_string(escaped)?;
            Ok(MultiValue::from_iter([Value::String(escaped)]))
        },
    ),
];

fn find(given: &Given<'_>, patterns: &Patterns) -> Result<MultiValue, Failure> {
    let (text, regex) = (given.text(1, "text")?, patterns.get(given, 2)?);
    let text = text.as_bytes();
    let found = start(given, text.len())?.and_then(|from| regex.captures_at(&text, from));
    let Some(found) = found else {
        return Ok(MultiValue::from_iter([Value::Nil]));
    };
    let mut values = captures(given.lua, &regex, &found, false)?;
    let (first, last) = span(&found);
    values.push_front(position(last));
    values.push_front(position(first + 1));
    Ok(values)
}

fn first_match(given: &Given<'_>, patterns: &Patterns) -> Result<MultiValue, Failure> {
    let (text, regex) = (given.text(1, "text")?, patterns.get(given, 2)?);
    let text = text.as_bytes();
    let found = start(given, text.len())?.and_then(|from| regex.captures_at(&text, from));
    match found {
        Some(found) => Ok(captures(given.lua, &regex, &found, true)?),
        None => Ok(MultiValue::from_iter([Value::Nil])),
    }
}

/// A function that gives the next match at every call: its captures. With `spans`, before them its first and
/// last byte and the whole of it, and no more matches than that.
fn iterator(
    given: &Given<'_>,
    patterns: &Patterns,
    spans: Option<usize>,
) -> Result<Function, Failure> {
    let (text, mut steps) = (given.text(1, "text")?, Steps::new(patterns.get(given, 2)?));
    let mut left = spans.unwrap_or(usize::MAX);
    let next = move |lua: &Lua, _: MultiValue| {
        let text = text.as_bytes();
        let found = if left == 0 { None } else { steps.next(&text) };
        let (Some(found), regex) = (found, &steps.regex) else {
            return Ok(MultiValue::from_iter([Value::Nil]));
        };
        left -= 1;
        let mut values = captures(lua, regex, &found, true)?;
        if let (Some(_), Some(all)) = (spans, found.get(0)) {
            values.push_front(Value::String(lua.create_string(all.as_bytes())?));
            values.push_front(position(all.end()));
            values.push_front(position(all.start() + 1));
        }
        Ok(values)
    };
    Ok(given.lua.create_function_mut(next)?)
}

fn split(given: &Given<'_>, patterns: &Patterns) -> Result<MultiValue, Failure> {
    let (text, mut steps) = (given.text(1, "text")?, Steps::new(patterns.get(given, 2)?));
    let limit = match given.optional_integer(3, "limit")? {
        None => usize::MAX,
        Some(limit @ 1..) => usize::try_from(limit).unwrap_or(usize::MAX),
        Some(other) => return Err(given.wrong(3, "limit", "one or more", &Value::Integer(other))),
    };
    let text = text.as_bytes();
    let list = given.lua.create_table()?;
    let mut from = 0;
    while list.raw_len() + 1 < limit
        && let Some(found) = steps.next(&text)
    {
        let (start, end) = span(&found);
        list.raw_push(given.lua.create_string(&text[from..start])?)?;
        from = end;
    }
    list.raw_push(given.lua.create_string(&text[from..])?)?;
    convert::mark_list(given.lua, &list)?;
    Ok(MultiValue::from_iter([Value::Table(list)]))
}

/// The byte to begin at, from `from` as `string.find` takes it; none when it lies past the end.
fn start(given: &Given<'_>, length: usize) -> Result<Option<usize>, Failure> {
    let from = given.optional_integer(3, "from")?.unwrap_or(1);
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let at = match from {
        1.. => from - 1,
        0 => 0,
        _ => length.saturating_add(from).max(0),
    };
    Ok(usize::try_from(at).ok().filter(|_| at <= length))
}

fn position(at: usize) -> Value {
    Value::Integer(i64::try_from(at).unwrap_or(i64::MAX))
}

/// Compiled patterns by their text.
#[derive(Default)]
struct Patterns(RefCell<Vec<(LuaText, Regex)>>);

type LuaText = Box<[u8]>;

impl Patterns {
    /// The compiled form of argument `index`.
    fn get(&self, given: &Given<'_>, index: usize) -> Result<Regex, Failure> {
        let pattern: LuaString = given.text(index, "pattern")?;
        let mut kept = self.0.borrow_mut();
        let known = kept
            .iter()
            .position(|(text, _)| **text == *pattern.as_bytes());
        let entry = match known {
            Some(at) => kept.remove(at),
            None => {
                let text = given.utf8(index, "pattern")?;
                (text.as_bytes().into(), compile(&text)?)
            }
        };
        let regex = entry.1.clone();
        kept.insert(0, entry);
        kept.truncate(KEPT);
        Ok(regex)
    }
}

fn compile(pattern: &str) -> Result<Regex, ToolError> {
    let regex = RegexBuilder::new(pattern).size_limit(SIZE).build();
    regex.map_err(|error| {
        let hint = "the syntax is that of Rust's regex crate: no backreferences, no look-around; \
                    agent.re.escape makes text literal";
        ToolError::argument(format!("agent.re: {error}")).with_hint(hint)
    })
}
