//! What a call would do, computed before it does anything. Rules and people judge this, not the call.
//!
//! A yes is bound to the plan that was shown: the call is planned again before it runs, and compared.

use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::files::{ChangeSet, Place};
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
    /// Nothing that could be shown before.
    #[default]
    None,
    /// Files and folders to be read or searched: they are resolved once, and what runs keeps to them.
    Paths(Vec<Place>),
    /// Changes to files.
    Files(ChangeSet),
    /// Changes to files that cannot be compared, as the arguments tell them: for the question what a call
    /// would meet, never for a call.
    Lines {
        /// How many lines would come.
        additions: usize,
        /// How many would go.
        deletions: usize,
    },
    /// A command line, to be run in a folder.
    Command {
        /// The command as a shell would read it.
        line: String,
        /// Where it would run.
        cwd: Place,
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

    /// A plan that reads `places`, which rules see as `subjects`.
    pub fn paths(subjects: Vec<Subject>, places: Vec<Place>) -> Plan {
        Plan {
            work: Work::Paths(places),
            ..Plan::read(subjects)
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

    /// The places of a plan that reads; of any other plan, none.
    pub fn into_places(self) -> Vec<Place> {
        match self.work {
            Work::Paths(places) => places,
            _ => Vec::new(),
        }
    }

    /// The one place of a plan that reads one.
    ///
    /// # Errors
    /// `internal` for any other plan.
    pub fn into_place(self) -> Result<Place, ToolError> {
        let first = self.into_places().into_iter().next();
        first.ok_or_else(|| ToolError::internal("a plan came without its place"))
    }

    /// Whether the call gives a command variables or input of its own, which no rule speaks about.
    pub fn is_given(&self, args: &Data) -> bool {
        matches!(self.work, Work::Command { .. }) && !given(args).is_empty()
    }

    /// Exactly what would happen, for a person to read: a diff, a command, the data.
    pub fn shows(&self, args: &Data) -> String {
        match &self.work {
            Work::Files(changes) => changes.shows(),
            Work::Command { line, cwd } => {
                format!("{line}\n  in {}{}{}", cwd.display, leads(cwd), given(args))
            }
            Work::Paths(places) => as_json(args) + &elsewhere(places),
            Work::Data(data) => as_json(data),
            Work::None | Work::Lines { .. } => as_json(args),
        }
    }
}

/// A line for what a command gets besides its line: its environment and what it reads.
fn given(args: &Data) -> String {
    let line = |name: &&str| {
        let value = args.get(name)?;
        let is_empty = matches!(value, Data::Null) || value.as_map().is_some_and(Map::is_empty);
        (!is_empty).then(|| format!("\n  with {name} {}", as_json(value)))
    };
    ["env", "stdin"].iter().filter_map(line).collect()
}

/// A line for every place that a link leads to.
fn elsewhere(places: &[Place]) -> String {
    let line = |place: &Place| format!("\n  {}{}", place.display, leads(place));
    let linked = places.iter().filter(|place| place.path != place.real);
    linked.map(line).collect()
}

/// Where a place really is, if its path does not say so.
fn leads(place: &Place) -> String {
    if place.path == place.real {
        return String::new();
    }
    format!(" → {}", place.real.display())
}

fn as_json(data: &Data) -> String {
    serde_json::to_string_pretty(data).unwrap_or_else(|error| error.to_string())
}
