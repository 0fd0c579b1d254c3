//! Taking back a change that was made: what stood there before stands there again, byte for byte.
//!
//! It is a commit like any other, so what somebody else has changed since is not overwritten: that is a
//! `conflict`. A folder that was deleted comes back with what was in it; nothing else is merged into.

use std::path::Path;

use rustix::fs::AtFlags;

use super::change::{Action, Change, ChangeSet};
use super::journal::Purpose;
use super::{CommittedChange, Files, Root};
use crate::error::ToolError;

impl Files {
    /// Takes back `change`, which was committed, and tells `note` of it as a commit does.
    ///
    /// # Errors
    /// `conflict` where the place is not as the change left it; `resource` where the system refuses, or
    /// the old content was never held.
    pub fn put_back(
        &self,
        change: &Change,
        note: impl FnOnce(&[CommittedChange]),
    ) -> Result<(), ToolError> {
        self.put_back_for(change, &Purpose::default(), note)
    }

    /// As [`Files::put_back`], with what the journal is to say of it.
    ///
    /// # Errors
    /// As [`Files::put_back`].
    pub fn put_back_for(
        &self,
        change: &Change,
        purpose: &Purpose,
        note: impl FnOnce(&[CommittedChange]),
    ) -> Result<(), ToolError> {
        let set = ChangeSet::new(vec![change.inverse()])?;
        self.commit_for(&set, purpose, note).map(|_| ())
    }

    /// Removes the folder at `path`, which a commit made on its way, unless something is in it.
    pub fn take_back_folder(&self, path: &Path) {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            return;
        };
        if let Ok(above) = Root::open(above) {
            let _kept = rustix::fs::unlinkat(&above, name, AtFlags::REMOVEDIR);
        }
    }
}

impl Change {
    /// The change that undoes this one.
    pub fn inverse(&self) -> Change {
        let (place, action) = match &self.action {
            Action::Create => (self.place.clone(), Action::Delete),
            Action::Update => (self.place.clone(), Action::Update),
            Action::Delete => (self.place.clone(), Action::Create),
            Action::Move { to } => {
                let back = self.place.clone();
                (to.clone(), Action::Move { to: back })
            }
        };
        Change {
            place,
            action,
            before: self.after.clone(),
            after: self.before.clone(),
            inner: self.inner.iter().map(Change::inverse).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
