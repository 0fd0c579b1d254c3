//! Where in a Lua text a field stands of the table that the text returns, for messages about its shape.
//!
//! It reads tokens and runs nothing, so it knows tables that are written out: `return { … }`, and those that a local
//! of the file or a function is seen to return. Of anything else it tells the line of the `return`.

use super::tokens::{Kind, Token, tokens};

/// One step into a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// A named field.
    Name(String),
    /// A place in a list, from 1.
    Place(usize),
}

/// The line, from 1, of the field that `path` leads to in what `source` returns: of the last step that is found,
/// else of the `return`; `None` where nothing is returned.
pub(super) fn of(source: &[u8], path: &[Key]) -> Option<usize> {
    let tokens = tokens(source);
    let found = returned(&tokens)?;
    let mut line = tokens[found.at].line;
    let mut open = found.table;
    for key in path {
        let Some(entry) = open.and_then(|open| entry(source, &tokens, open, key)) else {
            break;
        };
        line = tokens[entry.at].line;
        open = is_open(&tokens, entry.value).then_some(entry.value);
    }
    Some(line)
}

/// The way to the field that a message about a shape begins with: `models.providers.a: …`, `rules[2].action: …`,
/// `a tool: there is no field `x``. Empty where it begins with none.
pub(super) fn path(message: &str) -> Vec<Key> {
    const NO_FIELD: &str = ": there is no field `";
    let unknown = message.split_once(NO_FIELD).and_then(|(head, rest)| {
        let name = rest.split_once('`')?.0;
        Some((head, Some(name)))
    });
    let head = || message.split_once(": ").map(|(head, _)| (head, None));
    let missing = || {
        let rest = message.strip_prefix('`')?;
        Some((rest.split_once('`')?.0, None))
    };
    let Some((head, last)) = unknown.or_else(missing).or_else(head) else {
        return Vec::new();
    };
    let mut keys = if head.contains(' ') {
        Vec::new()
    } else {
        keys(head)
    };
    keys.extend(last.map(|name| Key::Name(name.to_owned())));
    keys
}

/// `a.b[2].c`.
fn keys(path: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    for part in path.split('.') {
        let (name, places) = part
            .split_once('[')
            .map_or((part, ""), |(name, rest)| (name, rest));
        keys.push(Key::Name(name.to_owned()));
        let places = places
            .split(['[', ']'])
            .filter_map(|place| place.parse().ok());
        keys.extend(places.map(Key::Place));
    }
    keys
}

/// A `return`, and where the table opens that it returns.
struct Returned {
    at: usize,
    table: Option<usize>,
}

/// What the text returns in the end; of a function that it returns, what that one does.
fn returned(tokens: &[Token]) -> Option<Returned> {
    let at = last_return(tokens)?;
    let table = match tokens.get(at + 1).map(|token| token.kind) {
        Some(Kind::Symbol(b"{")) => Some(at + 1),
        Some(Kind::Name(b"function")) => {
            let inner = (at + 1..tokens.len()).rev();
            let mut inner = inner.filter(|&at| tokens[at].kind == Kind::Name(b"return"));
            inner.find(|&at| is_open(tokens, at + 1)).map(|at| at + 1)
        }
        Some(Kind::Name(name)) => assigned(&tokens[..at], name),
        _ => None,
    };
    Some(Returned { at, table })
}

/// The `return` outside of every function and block.
fn last_return(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0_i64;
    let mut last = None;
    for (at, token) in tokens.iter().enumerate() {
        if token.kind == Kind::Name(b"return") && depth == 0 {
            last = Some(at);
        }
        depth += change(token.kind);
    }
    last
}

/// Where the table opens that `name` was last set to, outside of every function.
fn assigned(tokens: &[Token], name: &[u8]) -> Option<usize> {
    let mut depth = 0_i64;
    let mut last = None;
    for (at, token) in tokens.iter().enumerate() {
        let sets = token.kind == Kind::Name(name)
            && tokens.get(at + 1).map(|token| token.kind) == Some(Kind::Symbol(b"="))
            && is_open(tokens, at + 2);
        if depth == 0 && sets {
            last = Some(at + 2);
        }
        depth += change(token.kind);
    }
    last
}

/// How a token changes the depth of brackets and blocks.
fn change(kind: Kind) -> i64 {
    match kind {
        Kind::Symbol(b"{" | b"(" | b"[") | Kind::Name(b"function" | b"if" | b"do" | b"repeat") => 1,
        Kind::Symbol(b"}" | b")" | b"]") | Kind::Name(b"end" | b"until") => -1,
        _ => 0,
    }
}

fn is_open(tokens: &[Token], at: usize) -> bool {
    matches!(tokens.get(at), Some(token) if token.kind == Kind::Symbol(b"{"))
}

/// A field: where it begins, and where its value does.
struct Entry {
    at: usize,
    value: usize,
}

/// The last field `key` of the table that opens at `open`, as Lua takes it.
fn entry(source: &[u8], tokens: &[Token], open: usize, key: &Key) -> Option<Entry> {
    let (mut at, mut place, mut found) = (open + 1, 0, None);
    while at < tokens.len() && tokens[at].kind != Kind::Symbol(b"}") {
        let (own, value) = named(source, tokens, at).unwrap_or_else(|| {
            place += 1;
            (Key::Place(place), at)
        });
        if own == *key {
            found = Some(Entry { at, value });
        }
        at = after(tokens, value);
    }
    found
}

/// The name of the field that begins at `at`, and where its value begins; `None` for one without a name.
fn named(source: &[u8], tokens: &[Token], at: usize) -> Option<(Key, usize)> {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let is = |at: usize, symbol: &'static [u8]| kind(at) == Some(Kind::Symbol(symbol));
    if let (Some(Kind::Name(name)), true, false) = (kind(at), is(at + 1, b"="), is(at + 2, b"=")) {
        let name = String::from_utf8_lossy(name).into_owned();
        return Some((Key::Name(name), at + 2));
    }
    if !is(at, b"[") || !is(at + 2, b"]") || !is(at + 3, b"=") {
        return None;
    }
    let word = &source[tokens[at + 1].from..tokens[at + 1].to];
    let word = String::from_utf8_lossy(word);
    let key = match kind(at + 1) {
        Some(Kind::Text) => Key::Name(word.trim_matches(['"', '\'']).to_owned()),
        _ => Key::Place(word.parse().ok()?),
    };
    Some((key, at + 4))
}

/// Where the next field begins behind the value at `at`, or the table ends.
fn after(tokens: &[Token], mut at: usize) -> usize {
    let mut depth = 0_i64;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Symbol(b"," | b";") if depth == 0 => return at + 1,
            Kind::Symbol(b"}") if depth == 0 => return at,
            kind => depth += change(kind),
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(source: &str, message: &str) -> Option<usize> {
        of(source.as_bytes(), &path(message))
    }

    #[test]
    fn a_message_leads_to_its_field() {
        let source = "-- a\nlocal x = 1\nreturn {\n  id = 'x',\n  parameters = {\n    'a',\n    b = { 'integer',\n      minimum = 'c' },\n  \
                      },\n  execute = function(a) if a then return { id = 2 } end return {} end,\n  [\"effect\"] = 3,\n}\n";
        for (message, expected) in [
            ("id: expected text", 4),
            ("parameters: expected a table", 5),
            ("parameters.b: there is no type `x`", 7),
            ("parameters.b.minimum: expected a number", 8),
            ("a tool: there is no field `effect`", 11),
            ("a tool: there is no field `descripton`", 3),
            ("parameters.c: is not written out", 5),
            ("`execute` is missing", 10),
            ("there is nothing to go by", 3),
        ] {
            assert_eq!(line(source, message), Some(expected), "{message}");
        }
    }

    #[test]
    fn places_in_lists_are_counted() {
        let source = "return {\n  rules = {\n    { 'a', f(1, 2) };\n    { 'b',\n      'c' },\n    [9] = 1,\n    { 'd' },\n  },\n}";
        assert_eq!(line(source, "rules[2]: expected"), Some(4));
        assert_eq!(line(source, "rules[2][2]: expected"), Some(5));
        assert_eq!(line(source, "rules[3]: expected"), Some(7));
        assert_eq!(line(source, "rules[9]: expected"), Some(6));
    }

    #[test]
    fn a_local_and_a_function_are_seen_through() {
        let local =
            "local M = {}\nM = {\n  a = 1,\n}\nlocal function f() return { a = 2 } end\nreturn M";
        assert_eq!(line(local, "a: wrong"), Some(3));
        let function =
            "return function(below)\n  below.x = 1\n  return {\n    a = below,\n  }\nend";
        assert_eq!(line(function, "a: wrong"), Some(4));
        assert_eq!(line("return f()", "a: wrong"), Some(1));
        assert_eq!(line("\nlocal t = 1", "a: wrong"), None);
    }

    #[test]
    fn stands_what_is_no_lua() {
        for source in [
            "return {",
            "return { [",
            "return { a = ",
            "return {}}}",
            "end end return {{{",
            "",
        ] {
            let _any = line(source, "a.b[1]: wrong");
        }
    }
}
