//! What is critical and what is not, by the text of paths: for both callers, and for a model alone.

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
        ".gitmodules",
        "sub/.GitModules",
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
