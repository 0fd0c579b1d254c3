//! What rules are matched against: one path, command, host or name that a call is about.
//!
//! A subject is a fact that others established: nothing here resolves a path or reads a file.

use std::borrow::Cow;
use std::fmt;

use super::{Doubt, Touch};

/// The group that a subject belongs to, as rules name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// A source of file bytes.
    Read,
    /// A change to a file, by whatever means.
    Edit,
    /// A command line.
    Shell,
    /// A host or an address.
    Network,
    /// A profile that work is handed to.
    Task,
    /// A skill.
    Skill,
    /// A path outside the workspace. Judged for every such path without being asked for.
    ExternalDirectory,
    /// The same call again and again.
    DoomLoop,
    /// Running with less confinement.
    Sandbox,
    /// Any other: `mcp.<server>.<tool>`, or the id of a tool that belongs to no group.
    Other(Cow<'static, str>),
}

impl Group {
    /// The words of all groups that have one of their own.
    pub const WORDS: [&'static str; 9] = [
        "read",
        "edit",
        "shell",
        "network",
        "task",
        "skill",
        "external_directory",
        "doom_loop",
        "sandbox",
    ];

    /// The word that rules use.
    pub fn as_str(&self) -> &str {
        match self {
            Group::Read => "read",
            Group::Edit => "edit",
            Group::Shell => "shell",
            Group::Network => "network",
            Group::Task => "task",
            Group::Skill => "skill",
            Group::ExternalDirectory => "external_directory",
            Group::DoomLoop => "doom_loop",
            Group::Sandbox => "sandbox",
            Group::Other(name) => name,
        }
    }
}

impl From<&str> for Group {
    fn from(word: &str) -> Group {
        match word {
            "read" => Group::Read,
            "edit" => Group::Edit,
            "shell" => Group::Shell,
            "network" => Group::Network,
            "task" => Group::Task,
            "skill" => Group::Skill,
            "external_directory" => Group::ExternalDirectory,
            "doom_loop" => Group::DoomLoop,
            "sandbox" => Group::Sandbox,
            other => Group::Other(Cow::Owned(other.to_owned())),
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing a call is about. Built with [`Subject::path`], [`Subject::command`] or
/// [`Subject::name`], so that more facts can be added later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The group it belongs to.
    pub group: Group,
    /// As rules match it and people read it: a path relative to the workspace (absolute outside
    /// it), a command line, a URL, a name.
    pub text: String,
    /// The real path, links resolved; only for paths.
    pub real: Option<String>,
    /// True when the real path lies in the workspace; true for what is no path.
    pub inside: bool,
    /// True when the person named exactly this path on the command line.
    pub named: bool,
    /// True when the path is to be gone afterwards: deleted, or moved away.
    pub removed: bool,
    /// True when a folder stands there.
    pub folder: bool,
    /// True for a command that is known to do nothing but read, with everything that it reads among the subjects.
    pub read_only: bool,
    /// True when a call asks for it in its middle, and it is none of the tool's own kind: what allows the tool
    /// does not allow this.
    pub beside: bool,
    /// The whole line that a command stands in, where that is more than the command: what denies look at.
    pub line: Option<String>,
    /// What is not known of it.
    pub doubt: Option<Doubt>,
    /// True where what lies below it is read or listed, too.
    pub deep: bool,
    /// What a command may change or read, for all that its words tell.
    pub touches: Vec<Touch>,
}

impl Subject {
    /// A path: as it is shown, where it really is, and whether that is inside the workspace.
    pub fn path(
        group: Group,
        shown: impl Into<String>,
        real: impl Into<String>,
        inside: bool,
    ) -> Subject {
        Subject {
            real: Some(real.into()),
            inside,
            ..Subject::name(group, shown)
        }
    }

    /// A command line.
    pub fn command(line: impl Into<String>) -> Subject {
        Subject::name(Group::Shell, line)
    }

    /// A host, an address, a profile, a name: what is no path.
    pub fn name(group: Group, text: impl Into<String>) -> Subject {
        Subject {
            group,
            text: text.into(),
            real: None,
            inside: true,
            named: false,
            removed: false,
            folder: false,
            read_only: false,
            beside: false,
            line: None,
            doubt: None,
            deep: false,
            touches: Vec::new(),
        }
    }

    /// The same subject, named by the person on the command line.
    pub fn named(mut self) -> Subject {
        self.named = true;
        self
    }

    /// The same path, where a folder stands if `is_one`.
    pub fn as_folder(mut self, is_one: bool) -> Subject {
        self.folder = is_one;
        self
    }

    /// The same command, known to do nothing but read.
    pub fn read_only(mut self) -> Subject {
        self.read_only = true;
        self
    }

    /// The same subject, asked for in the middle of a call.
    pub fn beside(mut self) -> Subject {
        self.beside = true;
        self
    }

    /// The same command, as a part of `line`.
    pub fn within(mut self, line: impl Into<String>) -> Subject {
        self.line = Some(line.into());
        self
    }

    /// The same subject, of which that is not known.
    pub fn in_doubt(mut self, doubt: Doubt) -> Subject {
        self.doubt = Some(doubt);
        self
    }

    /// The same folder, with all that lies below it if `is_so`.
    pub fn deep(mut self, is_so: bool) -> Subject {
        self.deep = is_so;
        self
    }

    /// The same subject, about to be deleted or moved away.
    pub fn removed(mut self) -> Subject {
        self.removed = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_read_back_from_its_word() {
        for word in Group::WORDS {
            assert_eq!(Group::from(word).to_string(), word);
            assert!(!matches!(Group::from(word), Group::Other(_)), "{word}");
        }
        assert_eq!(Group::from("mcp.files.read").to_string(), "mcp.files.read");
        assert_eq!(Group::from("edit"), Group::Edit);
    }
}
