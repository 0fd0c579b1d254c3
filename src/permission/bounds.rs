//! The places that decide what a path means, and the spellings of one path that rules may use.
//!
//! Works on the text of absolute paths alone. Real paths come from those who can resolve links.

use super::Subject;
use super::glob;

/// The folders that verdicts depend on. Absolute real paths without a trailing slash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The workspace's root; empty where there is none.
    pub workspace: String,
    /// The person's home folder; empty when it is unknown.
    pub home: String,
    /// This program's own folders: configuration, state, trust, approvals.
    pub own: Vec<String>,
    /// True when the workspace holds `.agent`, so that its `tools/*.lua` would be loaded.
    pub loads_tools: bool,
    /// What the command line names to load tools from: folders, and where links in them lead.
    pub tools: Vec<String>,
    /// The files whose rules hold here: the instruction files of the workspace, where they really are.
    pub instructions: Vec<String>,
}

/// How one path may be written: as it was asked for, and as what it really is.
pub(super) struct Spellings {
    asked: Vec<String>,
    real: Vec<String>,
}

impl Spellings {
    pub(super) fn of(subject: &Subject, bounds: &Bounds) -> Spellings {
        let mut asked = vec![subject.text.clone()];
        let mut real = Vec::new();
        if let Some(path) = &subject.real {
            asked.extend(both(absolute(&subject.text, bounds), bounds));
            real.extend(both(absolute(path, bounds), bounds));
        }
        Spellings { asked, real }
    }

    /// True when the pattern matches some spelling: enough to forbid or to ask.
    pub(super) fn some(&self, pattern: &str, home: &str) -> bool {
        let mut all = self.asked.iter().chain(&self.real);
        all.any(|path| glob::matches(pattern, path, home))
    }

    /// True when the pattern matches both what was asked for and what it really is.
    pub(super) fn each(&self, pattern: &str, home: &str) -> bool {
        let some = |paths: &[String]| paths.iter().any(|path| glob::matches(pattern, path, home));
        some(&self.asked) && (self.real.is_empty() || some(&self.real))
    }

    /// How paths begin that lie below it: with a slash at the end, empty for the workspace itself.
    pub(super) fn starts(&self) -> impl Iterator<Item = String> {
        let start = |path: &String| match path.as_str() {
            "." | "./" => String::new(),
            path => format!("{}/", path.trim_end_matches('/')),
        };
        self.asked.iter().chain(&self.real).map(start)
    }

    /// True when both what was asked for and what it really is lie in `folder` itself, and not deeper.
    pub(super) fn lie_in(&self, folder: &str) -> bool {
        let lies = |path: &String| {
            let name = below(path, folder);
            name.is_some_and(|name| !name.is_empty() && !name.contains('/'))
        };
        self.asked.iter().any(lies) && self.real.iter().any(lies)
    }
}

/// The path itself, and relative to the workspace where it lies in it.
fn both(path: String, bounds: &Bounds) -> Vec<String> {
    let relative = below(&path, &bounds.workspace).map(|rest| match rest {
        "" => ".".to_owned(),
        rest => rest.to_owned(),
    });
    std::iter::once(path).chain(relative).collect()
}

/// `path` with `~`, `.`, `..` and double slashes settled, from the workspace when it is relative.
pub(super) fn absolute(path: &str, bounds: &Bounds) -> String {
    let from = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            format!("{}{rest}", bounds.home)
        }
        _ if path.starts_with('/') => path.to_owned(),
        _ => format!("{}/{path}", bounds.workspace),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in from.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// What follows `folder` in `path`, component by component; empty when they are the same.
pub(super) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let folder = folder.trim_end_matches('/');
    if folder.is_empty() {
        return None;
    }
    match path.strip_prefix(folder)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Group;

    fn bounds() -> Bounds {
        Bounds {
            workspace: "/home/ann/code".to_owned(),
            home: "/home/ann".to_owned(),
            ..Bounds::default()
        }
    }

    #[test]
    fn settles_dots_and_the_home_folder() {
        let rows = [
            ("src/a.rs", "/home/ann/code/src/a.rs"),
            ("../x", "/home/ann/x"),
            ("../../../../etc//./passwd", "/etc/passwd"),
            ("~/x/", "/home/ann/x"),
            ("~bob", "/home/ann/code/~bob"),
            (".", "/home/ann/code"),
            ("/", "/"),
        ];
        for (path, expected) in rows {
            assert_eq!(absolute(path, &bounds()), expected, "{path}");
        }
    }

    #[test]
    fn lies_below_by_components_not_by_letters() {
        assert_eq!(below("/a/b", "/a"), Some("b"));
        assert_eq!(below("/a", "/a/"), Some(""));
        assert_eq!(below("/ab", "/a"), None);
        assert_eq!(below("/a", ""), None);
    }

    #[test]
    fn every_spelling_of_one_path_hits_the_same_rule() {
        let real = "/home/ann/secret/key";
        for shown in [
            "../secret/key",
            "/home/ann/secret/key",
            "~/secret/key",
            "src/../../secret/key",
            "link",
        ] {
            let subject = Subject::path(Group::Read, shown, real, false);
            let spellings = Spellings::of(&subject, &bounds());
            for pattern in ["~/secret/**", "/home/ann/secret/*", "$HOME/secret/key"] {
                assert!(spellings.some(pattern, "/home/ann"), "{shown} {pattern}");
            }
        }
    }

    #[test]
    fn a_link_must_match_on_both_ends_to_be_allowed() {
        let subject = Subject::path(Group::Edit, "src/link", "/home/ann/code/secret/key", true);
        let spellings = Spellings::of(&subject, &bounds());
        assert!(
            spellings.some("secret/**", ""),
            "the real path is enough to forbid"
        );
        assert!(
            !spellings.each("src/**", ""),
            "the asked path is not enough to allow"
        );
        assert!(spellings.each("*", "") && spellings.each("/home/ann/code/**", ""));
    }
}
