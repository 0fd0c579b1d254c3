//! What is asked about in every mode, whatever is allowed: destroying what cannot be had back, and
//! writing what grants power or runs by itself later.
//!
//! Judges the text of paths, component by component; a name that some file system takes for another is
//! that one. An allow rule never lifts it; a deny stays a deny.

mod later;
mod mentioned;

pub(super) use mentioned::READING;

use super::bounds::{Bounds, absolute, below};
use super::protected;
use super::{Caller, Doubt, Group, Subject};

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
const FETCHED: &[&str] = &[".gitmodules"];
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
const FETCHES: &str = "decides what git fetches into the repository and from where";
const LOADED: &str = "is where tools are loaded from";
const GIVES: &str = "decides who may connect or what git runs";

/// By the name of a file or folder, wherever it stands.
const NAMES: &[(&[&str], &str)] = &[
    (AGENTS, GRANTS),
    (HOOKS, HOOKED),
    (SHELLS, STARTS),
    (EDITORS, EDITS),
    (FETCHED, FETCHES),
    (ACCESS, GIVES),
];

/// The warning for changing or removing this path on behalf of `caller`, if it is critical; for a command,
/// that for what its words name.
pub(super) fn warning(subject: &Subject, caller: Caller, bounds: &Bounds) -> Option<String> {
    let fold = protected::folded;
    if let Some(why) = subject.doubt.and_then(Doubt::warning)
        && caller == Caller::Model
    {
        return Some(format!("{} {why}", subject.text));
    }
    if subject.group == Group::Shell {
        // What a person types at a shell is the person's own act.
        return (caller == Caller::Model)
            .then(|| {
                mentioned::warning(
                    subject.line.as_ref().unwrap_or(&subject.text),
                    &folded(bounds),
                )
            })
            .flatten();
    }
    let real = subject.real.as_deref()?;
    let bounds = folded(bounds);
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

/// The warning for a path that a model's command may change, if it is critical; `bounds` are folded.
pub(super) fn touching(subject: &Subject, bounds: &Bounds) -> Option<String> {
    let real = subject.real.as_deref()?;
    let paths = [&subject.text, real].map(|path| absolute(&protected::folded(path), bounds));
    let mut whys = paths.iter().filter_map(|path| {
        // A folder is named for many reasons other than what it holds.
        let is_one = |file: &String| file == path;
        let instructs = || bounds.instructions.iter().any(is_one).then_some(RULES);
        change(path, bounds)
            .filter(|why| *why != LOADED)
            .or_else(instructs)
    });
    whys.next().map(|why| format!("{} {why}", subject.text))
}

/// The bounds with every path as its names are compared.
pub(super) fn folded(bounds: &Bounds) -> Bounds {
    let fold = protected::folded;
    Bounds {
        workspace: fold(&bounds.workspace),
        home: fold(&bounds.home),
        own: bounds.own.iter().map(|folder| fold(folder)).collect(),
        loads_tools: bounds.loads_tools,
        tools: bounds.tools.iter().map(|place| fold(place)).collect(),
        instructions: bounds.instructions.iter().map(|file| fold(file)).collect(),
    }
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

/// Every name that is critical wherever it stands.
fn all_names() -> impl Iterator<Item = &'static str> {
    let listed = NAMES.iter().flat_map(|(names, _)| names.iter().copied());
    listed.chain([".git", ".config"])
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
            Some("") if *place != bounds.workspace => LOADED,
            Some(rest) if rest == "lua" || rest.starts_with("lua/") => LOADED,
            Some(rest) if rest.ends_with(".lua") && !rest.contains('/') => "is loaded as a tool",
            _ => continue,
        };
        return Some(why);
    }
    let rest = below(path, &bounds.workspace)?;
    if bounds.loads_tools && matches!(rest, "tool" | "tools") {
        return Some(LOADED);
    }
    let (folder, file) = rest.split_once('/')?;
    let loads = bounds.loads_tools && matches!(folder, "tool" | "tools") && file.ends_with(".lua");
    loads.then_some("is loaded as a tool")
}

#[cfg(test)]
mod tests;
