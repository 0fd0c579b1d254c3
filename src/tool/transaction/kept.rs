//! One commit of a transaction, as it is needed to take it back.
//!
//! What the session knew of the files is known again when they are back. Whether it is taken back at all is decided
//! elsewhere.

use std::path::PathBuf;
use std::sync::Arc;

use super::held::Held;
use crate::files::{
    Change, ChangeSet, CommittedChange, Files, Purpose, Restoring, TRANSACTION, Whole,
};
use crate::store::{Ledger, Seen};

/// One commit, or what a command did.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) order: u64,
    pub(super) changes: Vec<Change>,
    /// Folders that were made on the way, outer ones first.
    pub(super) folders: Vec<PathBuf>,
    /// What the session knew before.
    pub(super) seen: Vec<(PathBuf, Option<Seen>)>,
    /// Who keeps the contents.
    pub(super) whole: Option<Arc<Whole>>,
}

impl Kept {
    /// The changes with their contents. One whose contents are lost stays without, and cannot be put back.
    pub(super) fn filled(&self) -> Vec<Change> {
        let mut changes = self.changes.clone();
        for change in &mut changes {
            let _lost = self.whole.as_ref().map(|whole| whole.fill(change));
        }
        changes
    }

    /// Takes its changes back, the newest first.
    pub(super) fn put_back(
        &self,
        (files, ledger): (&Files, &Ledger),
        held: &Held,
        restoring: &mut Restoring,
    ) {
        let purpose = Purpose {
            tool: TRANSACTION.to_owned(),
            whole: self.whole.clone(),
            undoes: None,
        };
        for change in self.filled().iter().rev() {
            let mut commit = |back: Option<Change>| {
                let Some(back) = back else {
                    self.known_again(change, ledger);
                    return Ok(());
                };
                let set = ChangeSet::new(vec![back])?;
                let note = |_: &[CommittedChange]| {
                    self.known_again(change, ledger);
                    held.made(&set, files);
                };
                files.commit_for(&set, &purpose, note).map(|_| ())
            };
            restoring.take_back(self.order, change, &mut commit);
        }
        for folder in self.folders.iter().rev() {
            files.take_back_folder(folder);
        }
    }

    /// The session knows what `change` changed as it did before.
    fn known_again(&self, change: &Change, ledger: &Ledger) {
        ledger.forget(&change.target().real);
        let below = |path: &PathBuf| path.starts_with(&change.place.real);
        for (path, seen) in self.seen.iter().filter(|(path, _)| below(path)) {
            match seen {
                Some(seen) => ledger.note(path.clone(), seen.clone()),
                None => ledger.forget(path),
            }
        }
    }
}

/// Of these commits what was not taken back, in order.
pub(super) fn left(restoring: &Restoring, commits: &[Kept]) -> Vec<Kept> {
    let mut left: Vec<Kept> = Vec::new();
    for (number, change) in restoring.left() {
        if left.last().is_none_or(|kept| kept.order != *number) {
            let of = commits.iter().find(|kept| kept.order == *number);
            left.push(Kept {
                order: *number,
                changes: Vec::new(),
                folders: of.map_or_else(Vec::new, |kept| kept.folders.clone()),
                seen: Vec::new(),
                whole: of.and_then(|kept| kept.whole.clone()),
            });
        }
        if let Some(kept) = left.last_mut() {
            kept.changes.push(change.clone());
        }
    }
    left
}
