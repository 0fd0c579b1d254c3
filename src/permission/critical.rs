//! What is asked about in every mode, whatever is allowed: destroying what cannot be had back, and
//! writing what grants power or runs by itself later.
//!
//! Judges the text of paths, component by component; a name that some file system takes for another is
//! that one. An allow rule never lifts it; a deny stays a deny.

mod mentioned;

use super::bounds::{Bounds, absolute, below};
use super::protected;
use super::{Caller, Group, Subject};

const AGENTS: &[&str] = &[
    ".agent",
    ".mcp.json",
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".opencode",
];
const HOOKS: &[&str] = &[".githooks", ".husky"];
const SHELLS: &[&str] = &[
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".cshrc",
    ".envrc",
    ".inputrc",
    ".kshrc",
    ".login",
    ".mkshrc",
    ".pam_environment",
    ".profile",
    ".tcshrc",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".xsessionrc",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];
const EDITORS: &[&str] = &[
    ".dir-locals.el",
    ".emacs",
    ".emacs.d",
    ".exrc",
    ".gvimrc",
    ".helix",
    ".idea",
    ".nvim.lua",
    ".nvimrc",
    ".vim",
    ".vimrc",
    ".vscode",
    ".zed",
];
const ACCESS: &[&str] = &[".gitconfig", ".ssh"];

/// Folders of `.config` that hold start-up files, and what they start.
const CONFIGURED: &[(&str, &str)] = &[
    ("autostart", STARTS),
    ("code", EDITS),
    ("emacs", EDITS),
    ("environment.d", STARTS),
    ("fish", STARTS),
    ("git", GIVES),
    ("helix", EDITS),
    ("nvim", EDITS),
    ("systemd", STARTS),
    ("zed", EDITS),
];

/// The instruction files of a workspace, at its root.
pub const INSTRUCTIONS: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

const RULES: &str = "holds rules for what an agent may do";
const GRANTS: &str = "decides what an agent may do";
const HOOKED: &str = "is run by git without asking";
const STARTS: &str = "is run when a shell or a session starts";
const EDITS: &str = "is obeyed by an editor when it opens the folder";
const GIVES: &str = "decides who may connect or what git runs";

/// By the name of a file or folder, wherever it stands.
const NAMES: &[(&[&str], &str)] = &[
    (AGENTS, GRANTS),
    (HOOKS, HOOKED),
    (SHELLS, STARTS),
    (EDITORS, EDITS),
    (ACCESS, GIVES),
];

/// The warning for changing or removing this path on behalf of `caller`, if it is critical; for a command,
/// that for what its words name.
pub(super) fn warning(subject: &Subject, caller: Caller, bounds: &Bounds) -> Option<String> {
    let fold = protected::folded;
    let folded = || Bounds {
        workspace: fold(&bounds.workspace),
        home: fold(&bounds.home),
        own: bounds.own.iter().map(|folder| fold(folder)).collect(),
        loads_tools: bounds.loads_tools,
        tools: bounds.tools.iter().map(|place| fold(place)).collect(),
        instructions: bounds.instructions.iter().map(|file| fold(file)).collect(),
    };
    if subject.group == Group::Shell {
        // What a person types at a shell is the person's own act.
        return (caller == Caller::Model)
            .then(|| mentioned::warning(subject.line.as_ref().unwrap_or(&subject.text), &folded()))
            .flatten();
    }
    let real = subject.real.as_deref()?;
    let bounds = folded();
    let paths = [&subject.text, real].map(|path| absolute(&fold(path), &bounds));
    let removal = |path: &String| subject.removed.then(|| removal(path, &bounds)).flatten();
    let why = paths
        .iter()
        .find_map(removal)
        .or_else(|| paths.iter().find_map(|path| change(path, &bounds)))
        .or_else(|| match caller {
            Caller::Model => paths.iter().find_map(|path| instructs(path, &bounds)),
            Caller::User => None,
        })?;
    Some(format!("{} {why}", subject.text))
}

/// Instruction files hold rules: a model that could change them would lift what they forbid.
fn instructs(path: &str, bounds: &Bounds) -> Option<&'static str> {
    let is_one = |rest: &str| {
        INSTRUCTIONS
            .iter()
            .any(|name| name.eq_ignore_ascii_case(rest))
    };
    let is_named = below(path, &bounds.workspace).is_some_and(is_one);
    let holds = |file: &String| below(file, path).is_some();
    (is_named || bounds.instructions.iter().any(holds)).then_some(RULES)
}

fn removal(path: &str, bounds: &Bounds) -> Option<&'static str> {
    let holds = |folder: &str| {
        let folder = folder.trim_end_matches('/');
        !folder.is_empty() && (path == "/" || below(folder, path).is_some())
    };
    if path == "/" {
        Some("is the root of the file system")
    } else if holds(&bounds.home) {
        Some("is the home folder or holds it")
    } else if holds(&bounds.workspace) {
        Some("is the workspace or holds it")
    } else if bounds.own.iter().any(|folder| holds(folder)) {
        Some("holds this program's own settings and state")
    } else if path.split('/').any(|part| part == ".git") && !path.ends_with(".lock") {
        Some("is the history of the repository")
    } else {
        None
    }
}

fn change(path: &str, bounds: &Bounds) -> Option<&'static str> {
    if bounds.own.iter().any(|own| below(path, own).is_some()) {
        return Some("is this program's own settings or state");
    }
    let parts: Vec<&str> = path.split('/').collect();
    let named = |part: &&str| {
        let list = NAMES.iter().find(|(names, _)| names.contains(part));
        list.map(|(_, why)| *why)
    };
    parts
        .iter()
        .find_map(named)
        .or_else(|| git(&parts))
        .or_else(|| configured(&parts))
        .or_else(|| path.ends_with(".code-workspace").then_some(EDITS))
        .or_else(|| loaded(path, bounds))
}

/// Hooks and configuration of a repository, in its submodules and worktrees too.
fn git(parts: &[&str]) -> Option<&'static str> {
    let at = parts.iter().position(|part| *part == ".git")?;
    let within = &parts[at + 1..];
    let runs = |part: &&str| {
        matches!(
            *part,
            "hooks" | "info" | "worktrees" | "commondir" | "gitdir"
        ) || part.starts_with("config")
    };
    (within.is_empty() || within.iter().any(runs)).then_some(HOOKED)
}

fn configured(parts: &[&str]) -> Option<&'static str> {
    let pair = parts.windows(2).find(|pair| pair[0] == ".config")?;
    let (_, why) = CONFIGURED.iter().find(|(name, _)| *name == pair[1])?;
    Some(why)
}

/// Tool files that the next start, or a reload, would load.
fn loaded(path: &str, bounds: &Bounds) -> Option<&'static str> {
    for place in &bounds.tools {
        let why = match below(path, place) {
            Some("") if place.ends_with(".lua") => "is loaded as a tool",
            Some("") if *place != bounds.workspace => "is where tools are loaded from",
            Some(rest) if rest == "lua" || rest.starts_with("lua/") => {
                "is where tools are loaded from"
            }
            Some(rest) if rest.ends_with(".lua") && !rest.contains('/') => "is loaded as a tool",
            _ => continue,
        };
        return Some(why);
    }
    let rest = below(path, &bounds.workspace)?;
    if bounds.loads_tools && matches!(rest, "tool" | "tools") {
        return Some("is where tools are loaded from");
    }
    let (folder, file) = rest.split_once('/')?;
    let loads = bounds.loads_tools && matches!(folder, "tool" | "tools") && file.ends_with(".lua");
    loads.then_some("is loaded as a tool")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Group;

    fn bounds() -> Bounds {
        Bounds {
            workspace: "/home/ann/code".to_owned(),
            home: "/home/ann".to_owned(),
            own: vec![
                "/home/ann/.config/agent".to_owned(),
                "/srv/state".to_owned(),
            ],
            loads_tools: true,
            tools: vec![
                "/home/ann/code/kit".to_owned(),
                "/srv/kit/linked.lua".to_owned(),
            ],
            instructions: vec!["/home/ann/code/docs/agents.md".to_owned()],
        }
    }

    fn edit(shown: &str, real: &str) -> Subject {
        Subject::path(Group::Edit, shown, real, true)
    }

    fn write(path: &str) -> Option<String> {
        warning(
            &edit(path, &absolute(path, &bounds())),
            Caller::User,
            &bounds(),
        )
    }

    fn remove(path: &str) -> Option<String> {
        let subject = edit(path, &absolute(path, &bounds())).removed();
        warning(&subject, Caller::User, &bounds())
    }

    #[test]
    fn writing_what_grants_power_is_critical() {
        for path in [
            ".git/hooks/pre-commit",
            ".git/config",
            ".git",
            ".git/modules/x/hooks/post-checkout",
            ".git/worktrees/x/config.worktree",
            ".GIT/Hooks/x",
            ".Agent/config",
            ".agent/tools/x.lua",
            "sub/.agent/init.lua",
            ".mcp.json",
            ".bashrc",
            "~/.zshenv",
            "../.profile",
            "~/.config/fish/config.fish",
            "~/.config/nvim/init.lua",
            "~/.config/agent/init.lua",
            "/srv/state/trust",
            ".vscode/tasks.json",
            "x.code-workspace",
            ".husky/pre-commit",
            "~/.ssh/authorized_keys",
            "tools/grep.lua",
            "kit",
            "kit/permissions.lua",
            "Kit/lua/a/b.lua",
            "kit/lua",
            "/srv/kit/linked.lua",
            "src/../.git/hooks/x",
        ] {
            assert!(write(path).is_some(), "{path}");
        }
    }

    #[test]
    fn ordinary_files_are_not() {
        for path in [
            "src/main.rs",
            ".gitignore",
            ".github/workflows/ci.yml",
            "agent/x",
            "hooks/use.ts",
            "config/hooks/x",
            "tools/x.py",
            "kit/notes.md",
            "kit2/x.lua",
            "/srv/kit/other.lua",
            "kit/deep/x.lua",
            "src/tools/x.lua",
            ".git/index",
            "~/.config/other/x",
            "bashrc",
        ] {
            assert_eq!(write(path), None, "{path}");
        }
    }

    #[test]
    fn instruction_files_are_critical_for_a_model_alone() {
        let by = |caller, path: &str| {
            let subject = edit(path, &absolute(path, &bounds()));
            let moved = warning(&subject.clone().removed(), caller, &bounds());
            assert_eq!(moved, warning(&subject, caller, &bounds()), "{path}");
            moved
        };
        for path in [
            "AGENTS.md",
            "CLAUDE.md",
            "Agents.MD",
            "src/../CLAUDE.md",
            "docs/agents.md",
            "docs",
        ] {
            let said = format!("{path} holds rules for what an agent may do");
            assert_eq!(by(Caller::Model, path), Some(said));
            assert_eq!(by(Caller::User, path), None, "{path}");
        }
        for path in ["sub/AGENTS.md", "AGENTS.md.txt", "docs/other.md", "doc"] {
            assert_eq!(by(Caller::Model, path), None, "{path}");
        }
    }

    #[test]
    fn the_folder_that_makes_tools_live_is_critical_before_it_exists() {
        let without = Bounds {
            loads_tools: false,
            ..bounds()
        };
        let write = |path: &str| {
            let subject = edit(path, &absolute(path, &without));
            warning(&subject, Caller::Model, &without)
        };
        assert!(write(".agent").is_some() && write(".agent/init.lua").is_some());
        assert!(write("tools/x.lua").is_none() && write("tools").is_none());
        for path in [
            "tools",
            "tool",
            "tools/x.lua",
            "TOOLS/X.LUA",
            ".claude/settings.json",
        ] {
            assert!(self::write(path).is_some(), "{path}");
        }
    }

    #[test]
    fn a_link_is_judged_by_where_it_leads() {
        let subject = edit("notes.txt", "/home/ann/.bashrc");
        assert_eq!(
            warning(&subject, Caller::User, &bounds()).as_deref(),
            Some("notes.txt is run when a shell or a session starts")
        );
    }

    #[test]
    fn removing_what_cannot_be_had_back_is_critical() {
        let rows = [
            ("/", "/ is the root of the file system"),
            ("~", "~ is the home folder or holds it"),
            ("/home", "/home is the home folder or holds it"),
            (".", ". is the workspace or holds it"),
            ("/srv", "/srv holds this program's own settings and state"),
            (".git", ".git is the history of the repository"),
            (
                "a/.git/objects",
                "a/.git/objects is the history of the repository",
            ),
        ];
        for (path, expected) in rows {
            assert_eq!(remove(path).as_deref(), Some(expected));
        }
        for path in ["src", "target", ".git/index.lock", "/tmp/x"] {
            assert_eq!(remove(path), None, "{path}");
        }
    }
}
