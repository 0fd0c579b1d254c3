//! Lines of a project's files that use power, pointed out to whoever decides about a yes.
//!
//! It is a reader's aid and no guard: Lua can hide any name. Names are looked for in texts too, and in comments that
//! could be anything else; not in stubs for editors. A table that is passed on whole is pointed out like each of its
//! functions.

use std::collections::HashSet;

use crate::layers::{Entry, PolicyName, What};
use crate::text::{head_bytes, lines::lines};

/// A line that uses power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What it uses: `os.execute`, `tools.shell`, `allow`.
    pub what: String,
    /// The line's text, cut where it is very long.
    pub text: String,
}

/// How much of a line is shown, in bytes.
const SHOWN: usize = 200;
/// How many lines of one file are pointed out one by one.
const MOST_LINES: usize = 200;

/// What of `os` and `io` only tells the time, or writes to our own streams.
const HARMLESS: [(&str, &[&str]); 2] = [
    ("os", &["clock", "date", "difftime", "time"]),
    (
        "io",
        &["read", "stderr", "stdin", "stdout", "type", "write"],
    ),
];
/// Shipped tools that only read the workspace.
const READING: [&str; 4] = ["read", "glob", "grep", "list"];
/// Functions of `agent` that register or start something, or ask a model.
const AGENT: [&str; 8] = [
    "ask",
    "command",
    "complete",
    "on",
    "reload",
    "tool",
    "transaction",
    "undo",
];
/// Functions that run text or files.
const LOADING: [&str; 5] = ["load", "loadstring", "dofile", "loadfile", "require"];
/// Tables through which everything can be reached.
const WHOLE: [&str; 4] = ["_G", "_ENV", "debug", "package"];
/// Fields by which a tool says what it may do, and a policy what it is.
const FIELDS: [&str; 4] = ["effect", "authority", "mode", "preset"];
/// Keys of settings that start programs or reach out.
const KEYS: [&str; 7] = ["args", "command", "cwd", "env", "headers", "hooks", "url"];

/// The lines of `entry` that use power.
pub(super) fn flags(entry: &Entry) -> Vec<Flag> {
    if is_stub(entry) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&entry.bytes);
    let flag = |(line, what, text): (usize, String, &str)| Flag {
        path: entry.path.clone(),
        line,
        what,
        text: head_bytes(text.trim(), SHOWN).to_owned(),
    };
    let passes = entry.path.ends_with(".lua") && has_plain_comments(&text);
    let is_code = |line: &str| !(passes && line.trim_start().starts_with("--"));
    let numbered = lines(&text).enumerate().filter(|(_, line)| is_code(line));
    let found = numbered.flat_map(|(index, line)| {
        let words = words(entry, index, line).into_iter();
        words.map(move |what| (index + 1, what, line))
    });
    let mut flags: Vec<Flag> = found.map(flag).take(MOST_LINES + 1).collect();
    if flags.len() > MOST_LINES {
        flags.truncate(MOST_LINES);
        if let Some(last) = flags.last_mut() {
            last.what = "and more below".to_owned();
        }
    }
    flags
}

/// Whether an editor reads the file and nothing loads it: a stub of types in a folder of its own.
fn is_stub(entry: &Entry) -> bool {
    entry.what == What::Lua
        && entry.path.starts_with(".agent/types/")
        && entry.bytes.starts_with(b"---@meta")
}

/// Whether a line of this Lua that begins with `--` is sure to be a comment to its end: nothing that is longer than a
/// line, a text or a comment, may hold it and end in it, and what ends a line for Lua ends one here.
fn has_plain_comments(text: &str) -> bool {
    let longer = ["[[", "[=", "\\\n", "\\\r", "\\z"];
    let ends = text.matches('\r').count() == text.matches("\r\n").count();
    ends && !longer.iter().any(|part| text.contains(part))
}

/// What one line uses.
fn words(entry: &Entry, index: usize, line: &str) -> Vec<String> {
    let is_lua = entry.path.ends_with(".lua");
    let mut found = match entry.what {
        _ if is_lua => lua(line),
        What::Hook if index == 0 && !entry.path.ends_with(".json") => {
            vec!["runs as a program".to_owned()]
        }
        What::Hook | What::Servers | What::Settings | What::Skill => settings(line),
        What::Command => command(line),
        _ => Vec::new(),
    };
    if entry.policy() == Some(PolicyName::Permissions) && line.contains("allow") {
        found.push("allow".to_owned());
    }
    found
}

fn settings(line: &str) -> Vec<String> {
    let named = |key: &&&str| line.contains(&format!("\"{key}\"")) || starts(line, key);
    KEYS.iter()
        .filter(named)
        .map(|key| (*key).to_owned())
        .collect()
}

/// `key:` or `key =` at the start of a line, as in YAML and TOML.
fn starts(line: &str, key: &str) -> bool {
    let rest = line.trim_start().strip_prefix(key).map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with([':', '=']))
}

/// A prompt that runs commands when it is used, or allows itself tools.
fn command(line: &str) -> Vec<String> {
    let runs = line.contains("!`").then(|| "!`…`".to_owned());
    let allows = starts(line, "allowed-tools").then(|| "allowed-tools".to_owned());
    runs.into_iter().chain(allows).collect()
}

/// What a line of Lua uses, each once, and no more of it than is ever shown.
fn lua(line: &str) -> Vec<String> {
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    let mut rest = line;
    let mut before = "";
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let from = before.len() + at;
        let end = rest[at..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let end = end.map_or(rest.len(), |end| at + end);
        let (name, after) = (&rest[at..end], &rest[end..]);
        if let Some(what) = used(&line[..from], name, after)
            && known.insert(what.clone())
        {
            found.push(what);
        }
        if found.len() > MOST_LINES {
            break;
        }
        before = &line[..from + name.len()];
        rest = after;
    }
    found
}

/// What is used where `name` stands between `before` and `after`.
fn used(before: &str, name: &str, after: &str) -> Option<String> {
    let (before, after) = (before.trim_end(), after.trim_start());
    let is_field = before.ends_with('.') && !before.ends_with("..") || before.ends_with(':');
    if is_field {
        return None;
    }
    let member = after
        .strip_prefix('.')
        .filter(|rest| !rest.starts_with('.'));
    let member = member.map(|rest| {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        &rest[..end.unwrap_or(rest.len())]
    });
    let is_passed_on = after.starts_with('[') || before.ends_with(['=', '(', ',', '{']);
    let of = |member: &str| Some(format!("{name}.{member}"));
    if let Some((_, harmless)) = HARMLESS.iter().find(|(table, _)| *table == name) {
        return match member {
            Some(member) if harmless.contains(&member) => None,
            Some(member) => of(member),
            None => (is_passed_on || after.is_empty()).then(|| name.to_owned()),
        };
    }
    match (name, member) {
        ("tools", Some(member)) if READING.contains(&member) => None,
        ("tools", Some(member)) => of(member),
        ("agent", Some(member)) => AGENT.contains(&member).then(|| of(member)).flatten(),
        ("tools" | "agent", None) => is_passed_on.then(|| name.to_owned()),
        (name, Some(member)) if WHOLE.contains(&name) => of(member),
        (name, None) if WHOLE.contains(&name) => is_passed_on.then(|| name.to_owned()),
        (name, None) if LOADING.contains(&name) => loading(name, after, is_passed_on),
        (name, None) if FIELDS.contains(&name) => {
            let sets = after.starts_with('=') && !after.starts_with("==");
            sets.then(|| format!("{name} ="))
        }
        _ => None,
    }
}

/// `load` and its like, called or passed on; `require` with what it asks for.
fn loading(name: &str, after: &str, is_passed_on: bool) -> Option<String> {
    let is_called = after.starts_with(['(', '"', '\'', '[', '{']);
    if name == "require" && is_called {
        let asked = after.trim_start_matches(['(', ' ', '"', '\'', '[']);
        let end = asked.find(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c)));
        let asked = &asked[..end.unwrap_or(asked.len())];
        return Some(format!("require {asked}").trim_end().to_owned());
    }
    (is_called || is_passed_on).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Hash;

    fn flagged(path: &str, text: &str) -> Vec<String> {
        let bytes: std::sync::Arc<[u8]> = text.as_bytes().into();
        let entry = Entry {
            path: path.to_owned(),
            hash: Hash::of(&bytes),
            bytes,
            what: What::of(path, true).unwrap(),
        };
        let flags = flags(&entry).into_iter();
        flags
            .map(|flag| format!("{}:{}", flag.line, flag.what))
            .collect()
    }

    #[test]
    fn lines_of_lua_that_use_power_are_pointed_out() {
        for (line, what) in [
            ("os.execute('x')", "os.execute"),
            ("local x = os . execute", "os.execute"),
            ("io.popen'ls'", "io.popen"),
            ("for l in io.lines(p) do", "io.lines"),
            ("os.remove(a) ", "os.remove"),
            ("local o = os", "os"),
            ("f(io)", "io"),
            ("os['execute']()", "os"),
            ("return os", "os"),
            ("tools.shell{ command = 'x' }", "tools.shell"),
            ("tools.my_own()", "tools.my_own"),
            ("local t = tools", "tools"),
            ("tools[name](args)", "tools"),
            ("agent.ask('x')", "agent.ask"),
            ("agent.on('tool.before', f)", "agent.on"),
            ("load(text)()", "load"),
            ("local l = loadstring", "loadstring"),
            ("dofile 'x.lua'", "dofile"),
            ("local m = require('a.b')", "require a.b"),
            ("local m = require \"a.b\"", "require a.b"),
            ("_G['os']", "_G"),
            ("debug.sethook()", "debug.sethook"),
            ("  effect = 'read',", "effect ="),
            ("authority = { 'edit' }", "authority ="),
            ("x = y..os.getenv('HOME')", "os.getenv"),
        ] {
            assert_eq!(
                flagged("tools/x.lua", line),
                [format!("1:{what}")],
                "{line}"
            );
        }
    }

    #[test]
    fn ordinary_lines_are_not() {
        for line in [
            "local t = os.time()",
            "io.write('x')",
            "tools.read('a.txt').text",
            "agent.log('the agent has tools to load it')",
            "-- this tool requires care: debug it; a package of tools",
            "if effect == 'read' then",
            "self.load(x)",
            "x.os.execute = nil",
            "local pos = 1",
        ] {
            assert!(flagged("tools/x.lua", line).is_empty(), "{line}");
        }
    }

    #[test]
    fn so_are_allows_servers_hooks_and_commands() {
        let rules = "return { rules = {\n  { 'edit', '*', 'allow' } } }";
        assert_eq!(flagged("tools/permissions.lua", rules), ["2:allow"]);
        let servers = "{\n \"x\": { \"command\": \"sh\", \"args\": [] }\n}";
        assert_eq!(flagged(".mcp.json", servers), ["2:args", "2:command"]);
        assert_eq!(
            flagged(".agent/hooks/a.sh", "echo\necho"),
            ["1:runs as a program"]
        );
        let command = "---\nallowed-tools: Bash\n---\nlook at !`git log`\n";
        assert_eq!(
            flagged(".claude/commands/a.md", command),
            ["2:allowed-tools", "4:!`…`"]
        );
        assert_eq!(
            flagged(".agent/skills/a/SKILL.md", "command: sh\n"),
            ["1:command"]
        );
    }

    #[test]
    fn one_long_line_full_of_power_takes_no_longer_than_many() {
        let line = |at: usize| format!("tools.x{at}() ");
        let text: String = (0..60_000).map(line).collect();
        assert_eq!(lua(&text).len(), MOST_LINES + 1);
        let flags = flagged("tools/x.lua", &text);
        assert_eq!(flags.len(), MOST_LINES);
        assert_eq!(flags.last().unwrap(), "1:and more below");
    }

    #[test]
    fn a_line_that_is_a_comment_uses_nothing_unless_it_could_be_code() {
        let plain = "-- agent.on('x')\n\t--- os.exit()\r\nos.rename()\n";
        assert_eq!(flagged("tools/x.lua", plain), ["3:os.rename"]);
        for hidden in [
            "--[[ x ]] os.exit()",
            "x = [[\n--]] os.exit()",
            "x = [=[\n--]=] os.exit()",
            "x = 'a\\\n--' os.exit()",
            "x = 'a\\z\n\n--' os.exit()",
            "-- a\ros.exit()",
        ] {
            let found = flagged("tools/x.lua", hidden);
            assert!(
                found.iter().any(|what| what.ends_with("os.exit")),
                "{hidden}"
            );
        }
    }

    #[test]
    fn a_file_full_of_power_says_that_there_is_more() {
        let text = "os.exit()\n".repeat(1000);
        let flags = flagged("tools/x.lua", &text);
        assert_eq!(flags.len(), MOST_LINES);
        assert_eq!(flags.last().unwrap(), "200:and more below");
    }
}
