//! Approvals that outlive a session: one record each below `approvals/`, for one project or for the person.
//!
//! A record is for its owner alone and says all that it approves. One that anybody else could have written,
//! that is damaged, or that speaks of another place than its name does, approves nothing and is told of.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::paths::{Paths, Room};
use super::random::token;
use super::session::moment;
use super::{Hash, Records};
use crate::error::ToolError;
use crate::permission::{Action, Approval, Caller, Reach, Rule, Source};

/// How confined commands were when an approval was given. One that was given under another level says
/// nothing here.
pub const SANDBOX: &str = "none";

/// An approval with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// What it is revoked by.
    pub id: String,
    /// What it approves, and for whom.
    pub approval: Approval,
    /// When it was given, in UTC: `2026-11-30T19:15:00.123Z`.
    pub given: String,
    /// How confined commands were then.
    pub sandbox: String,
}

/// What was found: approvals, the oldest first, and the names of the records that cannot be one.
#[derive(Debug, Default)]
pub struct Found {
    /// Those that hold in this workspace.
    pub saved: Vec<Saved>,
    /// The records that approve nothing.
    pub damaged: Vec<String>,
}

/// The saved approvals, as a session in one workspace sees them.
#[derive(Clone, Debug)]
pub struct Approvals {
    records: Records,
    workspace: PathBuf,
}

/// A record as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    version: u32,
    id: String,
    rule: String,
    scope: String,
    /// The workspace's folder; absent for what holds everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace: Option<String>,
    caller: String,
    given: String,
    sandbox: String,
}

impl Approvals {
    /// Those of the person and of this workspace. Creates nothing.
    pub fn new(paths: &Paths, workspace: &Path) -> Approvals {
        Approvals {
            records: Records::new(paths, Room::Approvals),
            workspace: workspace.to_owned(),
        }
    }

    /// Saves `approval`; the id it is revoked by. What holds for the session alone is not saved.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn save(&self, approval: &Approval, now: SystemTime) -> Result<Option<String>, ToolError> {
        if approval.reach == Reach::Session {
            return Ok(None);
        }
        let id = token()?;
        let of_project = approval.reach == Reach::Project;
        let line = Line {
            version: 1,
            id: id.clone(),
            rule: approval.rule.to_string(),
            scope: approval.reach.as_str().to_owned(),
            workspace: of_project.then(|| self.place()),
            caller: approval.caller.as_str().to_owned(),
            given: moment(now),
            sandbox: SANDBOX.to_owned(),
        };
        let bytes = serde_json::to_vec(&line).map_err(|error| {
            ToolError::internal(format!("an approval cannot be written: {error}"))
        })?;
        let prefix = self.prefix(approval.reach);
        self.records.write(&format!("{prefix}{id}.json"), &bytes)?;
        Ok(Some(id))
    }

    /// What holds here.
    ///
    /// # Errors
    /// `resource` when the folder cannot be read.
    pub fn list(&self) -> Result<Found, ToolError> {
        let mut found = Found::default();
        for reach in [Reach::User, Reach::Project] {
            let prefix = self.prefix(reach);
            for name in self.records.names(&prefix)? {
                match self.read(&name, &prefix, reach) {
                    Read::Saved(saved) => found.saved.push(saved),
                    Read::Gone => {}
                    Read::Damaged => found.damaged.push(name),
                }
            }
        }
        found
            .saved
            .sort_by(|a, b| (&a.given, &a.id).cmp(&(&b.given, &b.id)));
        Ok(found)
    }

    /// Takes the approval `id` back; what it was, or `None` when there is none.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be read or written.
    pub fn revoke(&self, id: &str) -> Result<Option<Saved>, ToolError> {
        let mut saved = self.list()?.saved.into_iter();
        let Some(saved) = saved.find(|saved| saved.id == id) else {
            return Ok(None);
        };
        let prefix = self.prefix(saved.approval.reach);
        let was_there = self.records.remove(&format!("{prefix}{id}.json"))?;
        Ok(was_there.then_some(saved))
    }

    fn read(&self, name: &str, prefix: &str, reach: Reach) -> Read {
        let bytes = match self.records.read_private(name) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Read::Gone,
            Err(_) => return Read::Damaged,
        };
        let line: Option<Line> = serde_json::from_slice(&bytes).ok();
        let id = name
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix(".json"));
        let of_here = match reach {
            Reach::Project => Some(self.place()),
            Reach::Session | Reach::User => None,
        };
        let is_it = |line: &Line| {
            (line.version, Some(&*line.id), &*line.scope) == (1, id, reach.as_str())
                && line.workspace == of_here
        };
        let approved = line.filter(is_it).and_then(|line| {
            let rule = Rule::parse(&line.rule, Action::Allow, Source::Session).ok()?;
            let rule = rule.written_in(format!("approval {}, {reach}", line.id));
            let caller: Caller = line.caller.parse().ok()?;
            let approval = Approval {
                rule,
                reach,
                caller,
            };
            Some(Saved {
                id: line.id,
                approval,
                given: line.given,
                sandbox: line.sandbox,
            })
        });
        approved.map_or(Read::Damaged, Read::Saved)
    }

    /// How the names of the records of `reach` begin.
    fn prefix(&self, reach: Reach) -> String {
        match reach {
            Reach::User => "user-".to_owned(),
            Reach::Project | Reach::Session => {
                let hash = Hash::of(self.workspace.as_os_str().as_encoded_bytes()).to_string();
                format!("project-{}-", &hash[..16])
            }
        }
    }

    fn place(&self) -> String {
        self.workspace.to_string_lossy().into_owned()
    }
}

impl Saved {
    /// Whether it was given where commands were confined as they are now.
    pub fn holds_here(&self) -> bool {
        self.sandbox == SANDBOX
    }
}

/// What became of one record.
enum Read {
    Saved(Saved),
    /// Somebody took it back just now.
    Gone,
    Damaged,
}

#[cfg(test)]
mod tests;
