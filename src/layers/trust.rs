//! The person's yes to what a project brings: kept by the real path of its root, and worth exactly the
//! paths and contents it was given to.
//!
//! A record that is damaged is no yes. Nothing in a project can write here, and no other folder's yes
//! counts: the key is the root itself, whatever a `.git` in it points at.

use std::path::Path;
use std::time::SystemTime;

use super::record::{self, Last};
use super::{Dev, Login, Survey};
use crate::error::ToolError;
use crate::store::{Blobs, Paths, Records, Room};

/// Whether a project may load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There is nothing in it that could run.
    Nothing,
    /// A yes covers exactly what is there.
    Trusted,
    /// No yes covers what is there.
    Untrusted {
        /// There was a yes once, to something else.
        changed: bool,
    },
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
        Trust::seen_from(paths, Login::of_process())
    }

    /// The same, seen from `login`.
    pub fn seen_from(paths: &Paths, login: Option<Login>) -> Trust {
        Trust {
            records: Records::new(paths, Room::Trust),
            blobs: Blobs::new(paths),
            dev: Dev::seen_from(paths, login),
        }
    }

    /// The yes for this login session to changes that no model made.
    pub fn dev(&self) -> &Dev {
        &self.dev
    }

    /// Whether what `survey` found may load.
    pub fn standing(&self, survey: &Survey) -> Standing {
        if survey.entries.is_empty() && survey.refused.is_empty() {
            return Standing::Nothing;
        }
        let last = self.record(&survey.root).ok().flatten();
        let Some(last) = last else {
            return Standing::Untrusted { changed: false };
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
    let same = |entry: &super::Entry| {
        let known = last.files.get(&entry.path);
        known.is_some_and(|known| known.hash == entry.hash)
    };
    last.files.len() == survey.entries.len() && survey.entries.iter().all(same)
}
