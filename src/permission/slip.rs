//! Rules that hardly say what their author meant: a pattern that no path has, or a line where a command is meant.
//!
//! A word to a person and nothing else: such a rule holds as it is written. What stands on the disk is told by others.
//! Nothing is said where it is not certain.

use super::{Action, Group, Rule, glob};

/// Where paths of rules lead, and what stands there.
pub struct Ground<'a> {
    /// The workspace's root, an absolute path.
    pub workspace: &'a str,
    /// The person's home folder; empty when it is unknown.
    pub home: &'a str,
    /// Whether something stands at an absolute path: `Some(true)` for a folder.
    pub stands: &'a dyn Fn(&str) -> Option<bool>,
}

/// What joins commands or redirects them: it is no part of any single one.
const SHELL: [&str; 9] = [" && ", " || ", " | ", "; ", " > ", " >> ", " < ", "$(", "`"];

/// What to tell the author of `rule`.
pub fn slip(rule: &Rule, ground: &Ground<'_>) -> Option<String> {
    let pattern = rule.pattern.as_deref()?;
    match Group::from(rule.name.as_str()) {
        Group::Read | Group::Edit => path(rule, pattern, ground),
        Group::Shell => command(rule, pattern),
        _ => None,
    }
}

fn path(rule: &Rule, pattern: &str, ground: &Ground<'_>) -> Option<String> {
    let name = &rule.name;
    let is_literal = !pattern.contains(['*', '?']);
    let bare = pattern.trim_end_matches('/');
    if is_literal && bare.len() < pattern.len() && !bare.is_empty() {
        return Some(format!(
            "no path ends in `/`, so it matches nothing; `{name}:{bare}/**` is the folder and what lies in it"
        ));
    }
    if let Some(meant) = in_the_workspace(pattern, ground) {
        return Some(format!(
            "nothing stands at the path it begins with; a path in the workspace is written as seen from its top: \
             `{name}:{meant}`"
        ));
    }
    let bare = pattern.strip_prefix("./").unwrap_or(pattern);
    let is_folder = is_literal
        && bare != "."
        && (ground.stands)(&glob::placed(bare, ground.workspace, ground.home)) == Some(true);
    is_folder.then(|| {
        format!(
            "it holds for the folder itself and not for what lies in it; `{name}:{bare}/**` is both"
        )
    })
}

/// The pattern without its first `/`, where only that leads to something.
fn in_the_workspace<'p>(pattern: &'p str, ground: &Ground<'_>) -> Option<&'p str> {
    let meant = pattern.strip_prefix('/')?;
    let first = meant.split('/').next().filter(|first| !first.is_empty())?;
    let stands = |folder: &str| (ground.stands)(&format!("{folder}/{first}")).is_some();
    let is_meant = !first.contains(['*', '?']) && !stands("") && stands(ground.workspace);
    is_meant.then_some(meant)
}

fn command(rule: &Rule, pattern: &str) -> Option<String> {
    let is_allow = rule.action == Action::Allow && rule.function.is_none();
    let sign = SHELL.iter().find(|sign| pattern.contains(**sign));
    let sign = sign.filter(|_| is_allow)?.trim();
    Some(format!(
        "it is held against one command at a time, so it allows no line with `{sign}` in it; allow each of its commands by \
         itself"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::*;

    fn told(text: &str, action: Action) -> Option<String> {
        let stands = |path: &str| match path {
            "/w/src" | "/w/docs" | "/docs" | "/home/ann/x" => Some(true),
            "/w/a.txt" => Some(false),
            _ => None,
        };
        let ground = Ground {
            workspace: "/w",
            home: "/home/ann",
            stands: &stands,
        };
        slip(&Rule::parse(text, action, Source::User).unwrap(), &ground)
    }

    #[test]
    fn a_slip_is_told_with_what_was_meant() {
        for (text, said) in [
            ("edit:/src/**", "`edit:src/**`"),
            ("read:/a.txt", "`read:a.txt`"),
            ("edit:src", "`edit:src/**` is both"),
            ("read:./src", "`read:src/**` is both"),
            ("edit:/w/src", "`edit:/w/src/**` is both"),
            ("edit:~/x", "`edit:~/x/**` is both"),
            ("read:secret/", "`read:secret/**` is the folder"),
            ("read:~/", "`read:~/**` is the folder"),
        ] {
            for action in [Action::Allow, Action::Deny] {
                let told = told(text, action).unwrap_or_else(|| panic!("{text}"));
                assert!(told.contains(said), "{text}: {told}");
            }
        }
        for sign in ["&&", "||", "|", ">", ";"] {
            let text = format!(
                "shell:git status{}{sign} ls",
                if sign == ";" { "" } else { " " }
            );
            let told = told(&text, Action::Allow).unwrap();
            assert!(told.contains(&format!("no line with `{sign}`")), "{told}");
        }
    }

    #[test]
    fn nothing_is_said_of_what_can_hold() {
        for text in [
            "edit",
            "edit:*",
            "edit:src/**",
            "edit:/tmp/out/*",
            "edit:/docs/**",
            "edit:/other/**",
            "edit:/**",
            "edit:/*/x",
            "edit:/",
            "edit:.",
            "read:a.txt",
            "read:new",
            "read:*/",
            "read:$HOME/y",
            "shell:git *",
            "shell:rg 'a|b'",
            "shell:echo a;b",
            "task:src",
            "write:src/",
            "network:/src/**",
            "*:src/",
        ] {
            for action in [Action::Allow, Action::Ask, Action::Deny] {
                assert_eq!(told(text, action), None, "{text}");
            }
        }
        assert_eq!(told("shell:git status && ls", Action::Deny), None);
        assert_eq!(told("shell:git status && ls", Action::Ask), None);
    }
}
