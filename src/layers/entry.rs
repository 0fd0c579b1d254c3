//! What a file of a project is, told by its path alone, and the file as it was read.
//!
//! The list covers all that could run, also what nothing runs yet: a yes is a yes to all of it.

use std::sync::Arc;

use super::sources::role_in_tools;
use super::{PolicyName, Role};
use crate::store::Hash;

/// What a file of a project is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// `.agent/init.lua`.
    Init,
    /// A policy file in one of the `tools/` folders.
    Policy(PolicyName),
    /// A tool file in one of the `tools/` folders.
    Tool,
    /// A module in `.agent/lua/`.
    Module,
    /// A test: `*_test.lua`, `*_spec.lua`.
    Test,
    /// A command: a file in `commands/`.
    Command,
    /// A hook, or settings that name some.
    Hook,
    /// What says which servers are started: `.mcp.json`.
    Servers,
    /// A skill, which may bring servers of its own.
    Skill,
    /// Settings: which language server is started, and the like.
    Settings,
    /// Lua that nothing loads by itself.
    Lua,
}

impl What {
    /// What the file at `path` is, relative to the project's root and with `/` between names; `None` for what
    /// cannot run. `has_agent`: the project has a folder `.agent`, which makes its `tools/` live.
    pub fn of(path: &str, has_agent: bool) -> Option<What> {
        let parts: Vec<&str> = path.split('/').collect();
        match parts.as_slice() {
            [".mcp.json"] => Some(What::Servers),
            [".claude", "settings.json" | "settings.local.json"] => Some(What::Hook),
            [".claude", "commands", .., name] if name.ends_with(".md") => Some(What::Command),
            [".claude", "skills", .., name] => skill(name),
            [".agent", rest @ ..] if !rest.is_empty() => agents(rest),
            ["tools" | "tool", name] if has_agent => tool(name),
            _ => None,
        }
    }

    /// The word that lists and documents use.
    pub fn as_str(self) -> &'static str {
        match self {
            What::Init => "init",
            What::Policy(_) => "policy",
            What::Tool => "tool",
            What::Module => "module",
            What::Test => "test",
            What::Command => "command",
            What::Hook => "hook",
            What::Servers => "servers",
            What::Skill => "skill",
            What::Settings => "settings",
            What::Lua => "lua",
        }
    }

    /// What it is loaded as when a session starts, if it is.
    pub fn role(self) -> Option<Role> {
        match self {
            What::Init => Some(Role::Init),
            What::Policy(policy) => Some(Role::Policy(policy)),
            What::Tool => Some(Role::Tool),
            What::Module => Some(Role::Module),
            _ => None,
        }
    }
}

/// A file below `.agent`.
fn agents(rest: &[&str]) -> Option<What> {
    if rest.iter().any(|part| part.starts_with('.')) {
        return None;
    }
    match rest {
        ["init.lua"] => Some(What::Init),
        ["tools", name] => tool(name).or_else(|| other(name)),
        ["lua", .., name] if is_lua(name) => Some(What::Module),
        ["commands", ..] => Some(What::Command),
        ["hooks", ..] | ["hooks.json"] => Some(What::Hook),
        ["skills", .., name] => skill(name).or_else(|| other(name)),
        ["mcp.json"] => Some(What::Servers),
        [.., name] => other(name),
        [] => None,
    }
}

fn tool(name: &str) -> Option<What> {
    let stem = name.strip_suffix(".lua")?;
    if name.starts_with('.') {
        return None;
    }
    if is_test(name) {
        return Some(What::Test);
    }
    match role_in_tools(stem) {
        Role::Policy(policy) => Some(What::Policy(policy)),
        _ => Some(What::Tool),
    }
}

fn skill(name: &str) -> Option<What> {
    matches!(name, "SKILL.md" | "mcp.json" | ".mcp.json").then_some(What::Skill)
}

fn is_lua(name: &str) -> bool {
    name.ends_with(".lua") && !is_test(name)
}

/// Whether a file of this name is a file of tests: it is run by `agent test` and never loaded.
pub fn is_test(name: &str) -> bool {
    name.ends_with("_test.lua") || name.ends_with("_spec.lua")
}

/// Lua and settings wherever they stand below `.agent`.
fn other(name: &str) -> Option<What> {
    if is_test(name) {
        return Some(What::Test);
    }
    if name.ends_with(".lua") {
        return Some(What::Lua);
    }
    let is_settings = name.ends_with(".json") || name.ends_with(".toml");
    is_settings.then_some(What::Settings)
}

/// One file of a project as it was read: what is hashed here is what loads.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Relative to the project's root, with `/` between names. Nothing in it needs escaping.
    pub path: String,
    /// The hash of its bytes.
    pub hash: Hash,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// What it is.
    pub what: What,
}

/// Something of a project that can never load as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its path, with whatever a terminal would obey written as escapes.
    pub shown: String,
    /// Why, as the end of a sentence that begins with the path.
    pub why: String,
    /// What it would be; `None` for a folder of several things.
    pub what: Option<What>,
}

impl Refused {
    /// Whether it, or something in it, would load when a session starts.
    pub fn would_load(&self) -> bool {
        match self.what {
            Some(what) => what.role().is_some(),
            // Of a folder that is refused nobody knows what it holds.
            None => {
                let folders = [".", ".agent", ".agent/tools", ".agent/lua", "tools", "tool"];
                folders.contains(&self.shown.as_str()) || self.shown.starts_with(".agent/lua/")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_a_file_is() {
        let rows = [
            (".agent/init.lua", "init"),
            (".agent/tools/x.lua", "tool"),
            (".agent/tools/permissions.lua", "policy"),
            (".agent/tools/x_test.lua", "test"),
            (".agent/tools/x.json", "settings"),
            (".agent/lua/a/b.lua", "module"),
            (".agent/lua/a/b_test.lua", "test"),
            (".agent/tests/a_test.lua", "test"),
            (".agent/other.lua", "lua"),
            (".agent/tools/deep/x.lua", "lua"),
            (".agent/commands/a.md", "command"),
            (".agent/hooks/run.sh", "hook"),
            (".agent/hooks.json", "hook"),
            (".agent/skills/a/SKILL.md", "skill"),
            (".agent/mcp.json", "servers"),
            (".agent/lsp.json", "settings"),
            (".agent/config.toml", "settings"),
            (".claude/commands/a/b.md", "command"),
            (".claude/settings.json", "hook"),
            (".claude/settings.local.json", "hook"),
            (".claude/skills/a/SKILL.md", "skill"),
            (".claude/skills/a/.mcp.json", "skill"),
            (".mcp.json", "servers"),
            ("tools/x.lua", "tool"),
            ("tool/truncation.lua", "policy"),
            ("tools/x_test.lua", "test"),
        ];
        for (path, word) in rows {
            let what = What::of(path, true).map(What::as_str);
            assert_eq!(what, Some(word), "{path}");
        }
    }

    #[test]
    fn what_cannot_run_is_nothing() {
        for path in [
            "AGENTS.md",
            "src/main.rs",
            ".agent/notes.md",
            ".agent/lua/data.txt",
            ".agent/tools/.x.lua",
            ".agent/.cache/x.lua",
            "tools/deep/x.lua",
            "tools/x.py",
            "sub/tools/x.lua",
            "sub/.agent/init.lua",
            ".env",
            ".claude/notes.md",
        ] {
            assert_eq!(What::of(path, true), None, "{path}");
        }
        assert_eq!(What::of("tools/x.lua", false), None, "without `.agent`");
        assert!(What::of(".mcp.json", false).is_some());
    }
}
