//! What the tools of one surface keep to: so many commands, folders, domains and no others.
//!
//! A limit never allows anything: what it leaves out is denied, and what it leaves in is judged as always.

use std::fmt;

use super::facts::Facts;
use super::{Group, Source, Subject};

/// What a limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limited {
    /// Command lines.
    Commands,
    /// Folders, and all that lies in them.
    Folders,
    /// Hosts, and those below them.
    Domains,
}

impl Limited {
    /// Every kind.
    pub const ALL: [Limited; 3] = [Limited::Commands, Limited::Folders, Limited::Domains];

    /// The name of the parameter that sets it.
    pub fn as_str(self) -> &'static str {
        match self {
            Limited::Commands => "commands",
            Limited::Folders => "folders",
            Limited::Domains => "domains",
        }
    }
}

/// One limit of one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What it is about.
    pub kind: Limited,
    /// Globs over command lines; folders as seen from the workspace; names of hosts.
    pub patterns: Vec<String>,
    /// Whose it is.
    pub source: Source,
    /// The file it stands in, as messages call it.
    pub place: Option<String>,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let patterns = match self.patterns.is_empty() {
            true => "none".to_owned(),
            false => self.patterns.join(", "),
        };
        write!(f, "{}: {patterns}", self.kind.as_str())
    }
}

impl Limit {
    /// Whether the subject of `facts` is left out.
    pub(super) fn leaves_out(&self, facts: &Facts<'_>) -> bool {
        let subject = facts.subject();
        let is_searched = subject.group == Group::Read && !subject.deep;
        let leads_in = |folder: &String| is_searched && facts.is_above(folder);
        let holds = |pattern: &String| match self.kind {
            Limited::Commands => facts.is_covered_by(pattern),
            // A folder above may be searched: what is found there is judged one by one, but for what a command finds.
            Limited::Folders => holds(pattern, facts) || leads_in(pattern),
            Limited::Domains => is_host(pattern, &subject.text),
        };
        self.concerns(subject) && !self.patterns.iter().any(holds)
    }

    fn concerns(&self, subject: &Subject) -> bool {
        match self.kind {
            Limited::Commands => subject.group == Group::Shell,
            Limited::Folders => subject.real.is_some(),
            Limited::Domains => subject.group == Group::Network,
        }
    }
}

/// Whether a path lies in `folder`, as it was asked for and as what it really is.
fn holds(folder: &str, facts: &Facts<'_>) -> bool {
    let folder = folder.trim_end_matches('/');
    if folder == "." {
        return facts.subject().inside;
    }
    let below = format!("{folder}/*");
    (!folder.is_empty() && facts.is_covered_by(folder)) || facts.is_covered_by(&below)
}

/// Whether a URL or host is `domain` or lies below it.
fn is_host(domain: &str, text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    };
    let (host, domain) = (
        host.trim_end_matches('.').to_ascii_lowercase(),
        domain.trim_start_matches("*.").to_ascii_lowercase(),
    );
    host == domain
        || host
            .strip_suffix(&domain)
            .is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Bounds;

    fn leaves_out(limit: &Limit, subject: &Subject, bounds: &Bounds) -> bool {
        limit.leaves_out(&Facts::of(subject, bounds))
    }

    fn limit(kind: Limited, patterns: &[&str]) -> Limit {
        Limit {
            kind,
            patterns: patterns.iter().map(|one| (*one).to_owned()).collect(),
            source: Source::User,
            place: None,
        }
    }

    #[test]
    fn a_host_is_a_domain_or_lies_below_it_and_nothing_else() {
        let only = limit(Limited::Domains, &["example.org"]);
        let out = |text: &str| {
            leaves_out(
                &only,
                &Subject::name(Group::Network, text),
                &Bounds::default(),
            )
        };
        for inside in [
            "example.org",
            "https://docs.Example.org:8080/x?y",
            "https://u@example.org./",
        ] {
            assert!(!out(inside), "{inside}");
        }
        for outside in [
            "https://example.org.evil.com/",
            "notexample.org",
            "https://example.org@evil.com/",
            "https://evil.com/#@example.org",
            "https://evil.com\\@example.org",
        ] {
            assert!(out(outside), "{outside}");
        }
    }

    #[test]
    fn a_folder_holds_what_lies_in_it_by_its_real_path_too() {
        let bounds = Bounds {
            workspace: "/w".to_owned(),
            home: "/home/ann".to_owned(),
            ..Bounds::default()
        };
        let only = limit(Limited::Folders, &["src/", "~/notes"]);
        let out = |shown: &str, real: &str| {
            leaves_out(
                &only,
                &Subject::path(Group::Edit, shown, real, true),
                &bounds,
            )
        };
        assert!(!out("src/a.rs", "/w/src/a.rs") && !out("src", "/w/src"));
        assert!(!out("/home/ann/notes/x", "/home/ann/notes/x"));
        assert!(out("srcs/a.rs", "/w/srcs/a.rs") && out("a.rs", "/w/a.rs"));
        assert!(out("src/link", "/etc/passwd"), "a link that leads out");
        let read = |shown: &str, real: &str| {
            let subject = Subject::path(Group::Read, shown, real, true);
            leaves_out(&only, &subject, &bounds)
        };
        assert!(!read(".", "/w") && read("srcs", "/w/srcs") && read("s", "/w/s"));
        assert!(out(".", "/w"), "a folder above may be read, not changed");
        let whole = Subject::path(Group::Read, ".", "/w", true).deep(true);
        assert!(leaves_out(&only, &whole, &bounds), "nor read as a whole");
    }

    #[test]
    fn commands_are_globs_and_an_empty_list_leaves_all_out() {
        let command = |text: &str| Subject::name(Group::Shell, text);
        let only = limit(Limited::Commands, &["cargo *"]);
        let out = |subject: &Subject| leaves_out(&only, subject, &Bounds::default());
        assert!(!out(&command("cargo test")));
        for other in ["rm -rf x", "cargo test; rm x", "cargo test > /etc/x", "$x"] {
            assert!(out(&command(other)), "{other}");
        }
        let none = limit(Limited::Commands, &[]);
        assert!(leaves_out(&none, &command("ls"), &Bounds::default()));
        assert!(!out(&Subject::name(Group::Read, "x")));
    }
}
