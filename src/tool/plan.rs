//! What a call would do, computed before it does anything. Rules and people judge this, not the call.
//!
//! Two plans are compared to see whether the world changed while somebody was asked.

use crate::data::Data;
use crate::files::ChangeSet;
use crate::permission::{Effect, Subject};

/// A planned call: its effect, what rules are matched against, and the work itself as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What this call would do.
    pub effect: Effect,
    /// What rules are matched against. None: the tool's id and effect decide.
    pub subjects: Vec<Subject>,
    /// The work.
    pub work: Work,
    /// What planning found out besides, for `execute`; nobody judges it.
    pub note: Data,
}

/// The work of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Work {
    /// Nothing that could be shown before: reads and searches.
    #[default]
    None,
    /// Changes to files.
    Files(ChangeSet),
    /// A command line, to be run in a folder.
    Command {
        /// The command as a shell would read it.
        line: String,
        /// Where it would run, as a person reads it.
        cwd: String,
    },
    /// Anything else, as data.
    Data(Data),
}

impl Plan {
    /// A plan that reads `subjects`.
    pub fn read(subjects: Vec<Subject>) -> Plan {
        Plan {
            effect: Effect::Read,
            subjects,
            work: Work::None,
            note: Data::Null,
        }
    }

    /// A plan that changes files.
    pub fn files(subjects: Vec<Subject>, changes: ChangeSet) -> Plan {
        Plan {
            effect: Effect::Write,
            subjects,
            work: Work::Files(changes),
            note: Data::Null,
        }
    }

    /// Exactly what would happen, for a person to read: a diff, a command, the data.
    pub fn shows(&self, args: &Data) -> String {
        match &self.work {
            Work::Files(changes) => changes.shows(),
            Work::Command { line, cwd } => format!("{line}\n  in {cwd}"),
            Work::Data(data) => as_json(data),
            Work::None => as_json(args),
        }
    }
}

fn as_json(data: &Data) -> String {
    serde_json::to_string_pretty(data).unwrap_or_else(|error| error.to_string())
}
