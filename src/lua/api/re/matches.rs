//! The matches of one pattern in one text, step by step, so that Lua may do what it likes between two steps.
//!
//! An empty match directly behind another, or inside a character, is no match; every step moves on.

use mlua::{Lua, MultiValue, Value};
use regex::bytes::{Captures, Regex};

/// Where a search through one text stands.
pub(super) struct Steps {
    /// What is searched for.
    pub(super) regex: Regex,
    at: usize,
    last_end: Option<usize>,
}

impl Steps {
    /// A search that stands at the start.
    pub(super) fn new(regex: Regex) -> Steps {
        Steps {
            regex,
            at: 0,
            last_end: None,
        }
    }

    /// The next match in `text`, the same text at every step.
    pub(super) fn next<'t>(&mut self, text: &'t [u8]) -> Option<Captures<'t>> {
        while self.at <= text.len() {
            let Some(found) = self.regex.captures_at(text, self.at) else {
                break;
            };
            let (start, end) = span(&found);
            self.at = end + usize::from(start == end);
            let inside = text.get(end).is_some_and(|byte| byte & 0xc0 == 0x80);
            if start == end && (inside || self.last_end == Some(end)) {
                continue;
            }
            self.last_end = Some(end);
            return Some(found);
        }
        self.at = text.len() + 1;
        None
    }
}

/// Where a match begins and where it ends, in bytes from 0.
pub(super) fn span(found: &Captures<'_>) -> (usize, usize) {
    found.get(0).map_or((0, 0), |all| (all.start(), all.end()))
}

/// The captures of one match; where the pattern has no groups and `whole` is set, the match itself; where
/// it has named groups, a table of those last.
pub(super) fn captures(
    lua: &Lua,
    regex: &Regex,
    found: &Captures<'_>,
    whole: bool,
) -> mlua::Result<MultiValue> {
    let first = usize::from(regex.captures_len() > 1 || !whole);
    let mut values = MultiValue::with_capacity(found.len() + 1);
    for group in found.iter().skip(first) {
        values.push_back(match group {
            Some(group) => Value::String(lua.create_string(group.as_bytes())?),
            None => Value::Boolean(false),
        });
    }
    if regex.capture_names().flatten().next().is_some() {
        let named = lua.create_table()?;
        for name in regex.capture_names().flatten() {
            if let Some(group) = found.name(name) {
                named.raw_set(name, lua.create_string(group.as_bytes())?)?;
            }
        }
        values.push_back(Value::Table(named));
    }
    Ok(values)
}
