//! What stands on disk by the doing of a transaction, and of all in it: so it is known what a command has changed of it.
//!
//! While a command of it runs, or when one has, what stands otherwise was changed by that command and is written down
//! as the transaction's own. What stands otherwise while none ran is somebody else's, and is let go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Transaction;
use super::command::Ending;
use super::kept::Kept;
use crate::error::ToolError;
use crate::files::{Action, Change, ChangeSet, Files, Image, leading};

/// What is held, by real path.
#[derive(Default)]
pub(super) struct Held(Mutex<State>);

#[derive(Default)]
struct State {
    /// Numbers commits and commands.
    last: u64,
    /// What was left at each place; nothing where something went.
    places: BTreeMap<PathBuf, Option<Image>>,
    running: Vec<Running>,
}

/// A command that runs in a transaction.
struct Running {
    id: u64,
    tool: String,
    ending: Ending,
    of: Weak<Transaction>,
}

impl State {
    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn leave(&mut self, change: &Change) {
        let place = &change.place.real;
        if let Action::Move { to } = &change.action {
            let is_below = |path: &&PathBuf| path.starts_with(place) && *path != place;
            let below = self.places.keys().filter(is_below);
            for path in below.cloned().collect::<Vec<_>>() {
                let image = self.places.remove(&path);
                if let (Some(image), Ok(rest)) = (image, path.strip_prefix(place)) {
                    self.places.insert(to.real.join(rest), image);
                }
            }
            self.places.insert(place.clone(), None);
        }
        let target = change.target().real.clone();
        self.places.insert(target, change.after.clone());
        for inner in &change.inner {
            let path = inner.place.real.clone();
            self.places.insert(path, inner.after.clone());
        }
    }
}

impl Held {
    /// Notes what a commit has left, while its locks are held; its place in the order of all.
    pub(super) fn made(&self, set: &ChangeSet, files: &Files) -> u64 {
        let mut state = self.lock();
        for change in set.changes() {
            state.leave(&files.lighten(change.clone()));
        }
        state.number()
    }

    /// What stands there is nobody's of this transaction any more.
    pub(super) fn disown(&self, path: &Path) {
        self.lock().places.remove(path);
    }

    fn is_running(&self) -> bool {
        !self.lock().running.is_empty()
    }

    fn left(&self, path: &Path) -> Option<Option<Image>> {
        self.lock().places.get(path).cloned()
    }

    /// The places that stand otherwise than they were left, in the order in which it is to be written down: what went,
    /// the innermost first, then what came.
    fn otherwise(&self, files: &Files, strictly: bool) -> Vec<PathBuf> {
        let places = self.lock().places.clone();
        let differs = |(path, left): &(PathBuf, Option<Image>)| {
            !files.is_as_left(path, left.as_ref(), strictly)
        };
        let paths = places.into_iter().filter(differs).map(|(path, _)| path);
        let (there, mut gone): (Vec<_>, Vec<_>) =
            paths.partition(|path| path.symlink_metadata().is_ok());
        gone.reverse();
        gone.extend(there);
        gone
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transaction {
    /// A command of `tool` is about to begin. What stands otherwise by then was somebody else, or another command.
    ///
    /// # Errors
    /// `cancelled` when the transaction has ended.
    pub(super) fn begin_command(
        self: &Arc<Transaction>,
        tool: &str,
        ending: &Ending,
        files: &Files,
    ) -> Result<u64, ToolError> {
        drop(self.open()?);
        self.look(files);
        let mut held = self.held.lock();
        let id = held.number();
        held.running.push(Running {
            id,
            tool: tool.to_owned(),
            ending: ending.clone(),
            of: Arc::downgrade(self),
        });
        drop(held);
        self.open().map(|_| id).inspect_err(|_| self.forget(id))
    }

    /// The command has ended: what stands otherwise is its doing, and so the transaction's.
    pub(super) fn end_command(self: &Arc<Transaction>, id: u64, files: &Files) {
        let is_it = |running: &Running| running.id == id;
        let is_known = self.held.lock().running.iter().any(is_it);
        if is_known {
            self.look(files);
            self.forget(id);
        }
    }

    fn forget(&self, id: u64) {
        self.held.lock().running.retain(|running| running.id != id);
    }

    /// As [`Transaction::end_command`] for all that ran in it, and ended with it. With `others`, also what commands
    /// have done that run around it is found out.
    pub(super) fn settle(self: &Arc<Transaction>, files: &Files, others: bool) {
        let is_mine = |running: &Running| std::ptr::eq(running.of.as_ptr(), Arc::as_ptr(self));
        let is_wanted = |running: &Running| others || is_mine(running);
        let is_any = self.held.lock().running.iter().any(is_wanted);
        if is_any {
            let held = self.held.lock();
            let mine = held.running.iter().filter(|running| is_mine(running));
            let mine: Vec<Ending> = mine.map(|running| running.ending.clone()).collect();
            drop(held);
            mine.iter().for_each(Ending::now);
            self.look(files);
            self.held.lock().running.retain(|running| !is_mine(running));
        }
    }

    /// A commit is about to be made on what stands there by the doing of a command that still runs: that comes first.
    pub(super) fn met(
        self: &Arc<Transaction>,
        set: &ChangeSet,
        files: &Files,
    ) -> Result<(), ToolError> {
        if !self.held.is_running() {
            return Ok(());
        }
        let changes = set.changes().iter();
        let all = changes.flat_map(|change| std::iter::once(change).chain(&change.inner));
        for change in all {
            let to = match &change.action {
                Action::Move { to } => Some((to, None)),
                _ => None,
            };
            for (place, now) in to
                .into_iter()
                .chain([(&change.place, change.before.as_ref())])
            {
                if let Some(left) = self.held.left(&place.real) {
                    self.own(leading(place, left.as_ref(), now, Vec::new()), files)?;
                }
            }
        }
        Ok(())
    }

    /// Looks at all that is held: what a command has changed is the transaction's own; else it is let go.
    fn look(self: &Arc<Transaction>, files: &Files) {
        for path in self.held.otherwise(files, self.held.is_running()) {
            let looked = files.undisturbed(&path, || self.look_at(&path, files));
            if looked.is_err() {
                self.held.disown(&path);
            }
        }
    }

    fn look_at(self: &Arc<Transaction>, path: &Path, files: &Files) -> Result<(), ToolError> {
        let Some(left) = self.held.left(path) else {
            return Ok(());
        };
        if self.held.is_running() {
            let changes = files.changes_since(path, left.as_ref())?;
            return self.own(changes, files);
        }
        if !files.is_as_left(path, left.as_ref(), false) {
            self.held.disown(path);
        }
        Ok(())
    }

    /// Writes down what a running command did, as the doing of its transaction.
    fn own(self: &Arc<Transaction>, changes: Vec<Change>, files: &Files) -> Result<(), ToolError> {
        if changes.is_empty() {
            return Ok(());
        }
        let first = |state: &State| {
            let running = state.running.first();
            running.map(|running| (running.tool.clone(), running.of.upgrade()))
        };
        let running = first(&self.held.lock());
        let whole = self.outermost().whole(files)?;
        if let (Some(whole), Some((tool, _))) = (&whole, running) {
            whole.record(&tool, &changes)?;
        }
        let changes: Vec<Change> = changes.into_iter().map(|c| files.lighten(c)).collect();
        let mut held = self.held.lock();
        let owner = first(&held).and_then(|(_, of)| of);
        for change in &changes {
            held.leave(change);
        }
        let order = held.number();
        owner.as_ref().unwrap_or(self).lock().commits.push(Kept {
            order,
            changes,
            folders: Vec::new(),
            seen: Vec::new(),
            whole,
        });
        Ok(())
    }
}
