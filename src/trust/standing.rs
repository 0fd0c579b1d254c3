//! The person's yes to what a project brings: kept by the real path of its root, and worth exactly the
//! paths and contents it was given to.
//!
//! A record that is damaged is no yes. Nothing in a project can write here, and no other folder's yes
//! counts: the key is the root itself, whatever a `.git` in it points at.

use std::path::Path;
use std::time::SystemTime;

use super::record::{self, Last};
use super::{Dev, Login, State};
use crate::error::ToolError;
use crate::layers::{Survey, What};
use crate::store::{Blobs, Paths, Records, Room, Workspace};
use crate::text::one_line;

/// Whether a project may load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There is nothing in it that could run, and no yes was ever given to it.
    Nothing,
    /// A yes covers exactly what is there.
    Trusted,
    /// No yes covers what is there.
    Untrusted {
        /// There was a yes once, to something else.
        changed: bool,
    },
}

/// What loaded under a yes and is not there any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Every such file, by path.
    pub files: Vec<String>,
    /// The policies among them.
    pub policies: Vec<String>,
}

/// The yeses of one person.
#[derive(Clone, Debug)]
pub struct Trust {
    records: Records,
    blobs: Blobs,
    dev: Dev,
}

impl Trust {
    /// What is recorded below this state folder, seen from this process's login session. Creates nothing.
    pub fn new(paths: &Paths) -> Trust {
        Trust::beside(paths, Dev::new(paths))
    }

    /// The same, seen from `login`.
    pub fn seen_from(paths: &Paths, login: Option<Login>) -> Trust {
        Trust::beside(paths, Dev::seen_from(paths, login))
    }

    fn beside(paths: &Paths, dev: Dev) -> Trust {
        Trust {
            records: Records::new(paths, Room::Trust),
            blobs: Blobs::new(paths),
            dev,
        }
    }

    /// The yes for this login session to changes that no model made.
    pub fn dev(&self) -> &Dev {
        &self.dev
    }

    /// Whether what `survey` found may load.
    pub fn standing(&self, survey: &Survey) -> Standing {
        // What was taken away may have guarded something: the record is asked first.
        let last = self.record(&survey.root).ok().flatten();
        let Some(last) = last else {
            return match survey.entries.is_empty() && survey.refused.is_empty() {
                true => Standing::Nothing,
                false => Standing::Untrusted { changed: false },
            };
        };
        match covers(&last, survey) || self.dev.covers(&last, survey) {
            true => Standing::Trusted,
            false => Standing::Untrusted { changed: true },
        }
    }

    /// Why the record of `root` counts for nothing, if there is one that is damaged.
    pub fn trouble(&self, root: &Path) -> Option<String> {
        let why = self.record(root).err()?;
        Some(format!(
            "the record of what is trusted here counts for nothing: {why}"
        ))
    }

    /// Marks everything that differs from the last yes, after a model's call that nobody watched.
    ///
    /// # Errors
    /// `resource` when that cannot be recorded; the login session's yes has ended then.
    pub fn doubt(&self, workspace: &Workspace) -> Result<(), ToolError> {
        let last = self.record(&workspace.root).ok().flatten();
        self.dev.doubt(workspace, &last.unwrap_or_default())
    }

    /// Records the person's yes to exactly what `survey` found.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn accept(&self, survey: &Survey) -> Result<(), ToolError> {
        for entry in &survey.entries {
            self.blobs.put(&entry.bytes)?;
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let when = now.map_or(0, |now| now.as_secs());
        let bytes = record::write(survey, when);
        self.records.write(&name(&survey.root), &bytes)?;
        self.dev.settle(&survey.root)
    }

    /// What the last yes to `root` was given to, with the contents as far as they are kept.
    pub fn last(&self, root: &Path) -> Option<Last> {
        let mut last = self.record(root).ok().flatten()?;
        for file in last.files.values_mut() {
            file.bytes = self.blobs.get(&file.hash).ok();
        }
        Some(last)
    }

    /// What loaded under the last yes and is not there any more, by path: everything, and the policies of it.
    pub fn lost(&self, survey: &Survey) -> Lost {
        let last = self.record(&survey.root).ok().flatten().unwrap_or_default();
        let here = |path: &str| survey.refused.iter().any(|refused| refused.shown == path);
        let mut lost = Lost::default();
        for change in survey.changes(&last) {
            let what = What::of(change.path, true);
            if change.state != State::Gone || here(change.path) {
                continue;
            }
            if what.is_some_and(|what| what.role().is_some()) {
                lost.files.push(one_line(change.path));
            }
            if matches!(what, Some(What::Policy(_))) {
                lost.policies.push(one_line(change.path));
            }
        }
        lost
    }

    /// Takes the yes to `root` back; whether there was one.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn forget(&self, root: &Path) -> Result<bool, ToolError> {
        let was_dev = self.dev.end(root)?;
        Ok(self.records.remove(&name(root))? || was_dev)
    }

    fn record(&self, root: &Path) -> Result<Option<Last>, String> {
        let bytes = self
            .records
            .read(&name(root))
            .map_err(|error| error.message)?;
        bytes.map(|bytes| record::read(&bytes, root)).transpose()
    }
}

fn name(root: &Path) -> String {
    format!("{}.json", record::key(root))
}

/// Whether the yes is to exactly these paths and contents.
fn covers(last: &Last, survey: &Survey) -> bool {
    let mut changes = survey.changes(last);
    changes.all(|change| change.state == State::Same)
}
