//! Changes to files that stand or fall together: what was there before is kept until it is known which.
//!
//! Commits hand over what they changed while they still hold their locks, so the order is the order of the
//! disk; what commands in it did to the same files is found out and counts as its own. What somebody else has
//! changed since is not overwritten when it is put back; it is told of, and stays a unit of the journal.

mod command;
mod held;
mod kept;

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::{Kind, ToolError};
use crate::files::{Change, ChangeSet, Files, Form, Lost, Restoring, Whole};
use crate::store::{Ledger, Seen};
pub use command::{Ending, in_transaction};
use held::Held;
use kept::Kept;

/// One piece of work whose changes to files can all be put back.
pub struct Transaction {
    state: Mutex<State>,
    idle: Condvar,
    /// What stands on disk by the doing of this and of all transactions around it.
    held: Arc<Held>,
    /// The one around this, which waits for it.
    outer: Option<Arc<Transaction>>,
}

#[derive(Default)]
struct State {
    phase: Phase,
    /// Commits that are being made, and transactions inside that have not ended.
    under_way: usize,
    commits: Vec<Kept>,
    /// How the journal knows it; only the outermost is known there.
    whole: Option<Arc<Whole>>,
    lost: Vec<Lost>,
    /// The unit of the journal in which what was lost stays.
    unit: Option<String>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Phase {
    /// Changes are made.
    #[default]
    Open,
    /// Nothing more is changed in it.
    Ended,
}

impl Transaction {
    /// A transaction, inside `outer` if there is one.
    ///
    /// # Errors
    /// `cancelled` when the one around it is ending.
    pub fn begin(outer: Option<&Arc<Transaction>>) -> Result<Arc<Transaction>, ToolError> {
        if let Some(outer) = outer {
            outer.open()?.under_way += 1;
        }
        Ok(Arc::new(Transaction {
            state: Mutex::default(),
            idle: Condvar::new(),
            held: outer.map_or_else(Arc::default, |outer| Arc::clone(&outer.held)),
            outer: outer.cloned(),
        }))
    }

    /// Announces a commit of `set`. It is part of this transaction until what is returned is dropped.
    ///
    /// # Errors
    /// `cancelled` when the transaction is ending; `resource` where the old content cannot be kept.
    pub fn enter(
        self: &Arc<Transaction>,
        set: &ChangeSet,
        files: &Files,
    ) -> Result<Entered, ToolError> {
        keepable(set)?;
        self.open()?.under_way += 1;
        let mut entered = Entered {
            transaction: Arc::clone(self),
            whole: None,
        };
        entered.whole = self.outermost().whole(files)?;
        self.met(set, files)?;
        Ok(entered)
    }

    fn outermost(&self) -> &Transaction {
        std::iter::successors(Some(self), |inner| inner.outer.as_deref())
            .last()
            .unwrap_or(self)
    }

    /// How the journal knows it; it begins there with its first change.
    fn whole(&self, files: &Files) -> Result<Option<Arc<Whole>>, ToolError> {
        let mut state = self.lock();
        if state.whole.is_none() {
            state.whole = files.begin_whole()?;
        }
        Ok(state.whole.clone())
    }

    /// Everything is to stand: from now on nothing more is changed in it, and nothing is put back.
    ///
    /// # Errors
    /// `cancelled` when it is being put back already.
    pub fn end(&self) -> Result<(), ToolError> {
        self.open()?.phase = Phase::Ended;
        Ok(())
    }

    /// After [`Transaction::end`]: the changes in order, which belong to the transaction around this one
    /// from now on. Waits for commits that are under way; not for the thread of Lua.
    pub fn changes(self: &Arc<Transaction>, files: &Files) -> Vec<Change> {
        drop(self.alone(self.lock()));
        self.settle(files, false);
        let mut state = self.lock();
        let mut commits = std::mem::take(&mut state.commits);
        let whole = state.whole.take();
        drop(state);
        if let Some(whole) = whole {
            whole.close();
        }
        commits.sort_by_key(|kept| kept.order);
        let changes = commits.iter().flat_map(Kept::filled).collect();
        self.leave_outer(commits);
        changes
    }

    /// Puts everything back, the newest first, unless it has ended already. What cannot be belongs to the transaction
    /// around this one, or stays a unit of the journal. Waits for what is under way; not for the thread of Lua.
    pub fn put_back(self: &Arc<Transaction>, files: &Files, ledger: &Ledger) {
        let mut state = self.lock();
        if state.phase != Phase::Open {
            return;
        }
        state.phase = Phase::Ended;
        drop(self.alone(state));
        self.settle(files, true);
        let mut commits = std::mem::take(&mut self.lock().commits);
        commits.sort_by_key(|kept| std::cmp::Reverse(kept.order));
        let mut restoring = Restoring::default();
        for kept in &commits {
            kept.put_back((files, ledger), &self.held, &mut restoring);
        }
        let left = kept::left(&restoring, &commits);
        for change in left.iter().flat_map(|kept| &kept.changes) {
            self.held.disown(&change.target().real);
        }
        let whole = self.lock().whole.take();
        let unit = whole.and_then(|whole| {
            let changes: Vec<Change> = left.iter().flat_map(|kept| kept.changes.clone()).collect();
            let folders: Vec<PathBuf> = left.iter().flat_map(|kept| kept.folders.clone()).collect();
            whole.put_back(&changes, &folders)
        });
        let mut state = self.lock();
        state.lost = restoring.lost().to_vec();
        state.unit = unit;
        drop(state);
        self.leave_outer(left);
    }

    /// Whether it has neither ended nor begun to.
    pub fn is_open(&self) -> bool {
        self.lock().phase == Phase::Open
    }

    /// What could not be put back, and where it is kept, in one sentence; `None` when all was.
    pub fn not_put_back(&self) -> Option<String> {
        let state = self.lock();
        let reasons: Vec<String> = state.lost.iter().map(Lost::said).collect();
        let mut said = format!("not put back: {}", reasons.join("; "));
        if let Some(unit) = &state.unit {
            said.push_str(&format!("; what was there is kept as unit {unit}"));
        }
        (!reasons.is_empty()).then_some(said)
    }

    /// `error`, for which it was put back, with what could not be.
    pub fn told(&self, error: ToolError) -> ToolError {
        let Some(said) = self.not_put_back() else {
            return error;
        };
        let state = self.lock();
        let paths: Vec<&str> = state.lost.iter().map(|lost| lost.path.as_str()).collect();
        let message = format!("{}; {said}", error.message);
        let mut error = ToolError { message, ..error }.with_detail("conflict", paths);
        if let Some(unit) = &state.unit {
            error.hint.get_or_insert_with(|| {
                format!("`agent undo {unit} --diff` shows what was there; `agent undo {unit}` asks before it overwrites")
            });
            error = error.with_detail("unit", unit.as_str());
        }
        error
    }

    fn leave_outer(&self, commits: Vec<Kept>) {
        if let Some(outer) = &self.outer {
            let mut state = outer.lock();
            state.commits.extend(commits);
            state.under_way -= 1;
            outer.idle.notify_all();
        }
    }

    fn open(&self) -> Result<MutexGuard<'_, State>, ToolError> {
        let state = self.lock();
        match state.phase {
            Phase::Open => Ok(state),
            Phase::Ended => Err(ToolError::cancelled()),
        }
    }

    fn alone<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.idle.wait_while(state, |state| state.under_way > 0);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether all that the changes of `set` take away can be kept, to put it back.
fn keepable(set: &ChangeSet) -> Result<(), ToolError> {
    for change in set.changes().iter().flat_map(|change| {
        let inner = change.inner.iter();
        std::iter::once(change).chain(inner)
    }) {
        let Some(before) = &change.before else {
            continue;
        };
        if change.after.as_ref().map(|after| after.hash) == Some(before.hash) {
            continue;
        }
        if before.form == Form::File && before.bytes.is_none() {
            let message = format!(
                "{} has {} bytes, too many to be kept so that it can be put back",
                change.place.display, before.size
            );
            return Err(ToolError::new(Kind::Resource, message)
                .with_hint("change it outside of agent.transaction"));
        }
    }
    Ok(())
}

/// A commit that is part of a transaction.
pub struct Entered {
    transaction: Arc<Transaction>,
    whole: Option<Arc<Whole>>,
}

impl Entered {
    /// Its place in the order of all commits, which has made `set`; to be taken while its locks are held.
    pub fn number(&self, set: &ChangeSet, files: &Files) -> u64 {
        self.transaction.held.made(set, files)
    }

    /// How the journal knows the transaction.
    pub fn known(&self) -> Option<Arc<Whole>> {
        self.whole.clone()
    }

    /// Keeps what was changed: `folders` were made on the way, `seen` is what the session knew before.
    pub fn keep(
        &self,
        number: u64,
        set: &ChangeSet,
        folders: Vec<PathBuf>,
        seen: Vec<(PathBuf, Option<Seen>)>,
        files: &Files,
    ) {
        let changes = set.changes().iter().cloned();
        self.transaction.lock().commits.push(Kept {
            order: number,
            changes: changes.map(|change| files.lighten(change)).collect(),
            folders,
            seen,
            whole: self.whole.clone(),
        });
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.transaction.lock().under_way -= 1;
        self.transaction.idle.notify_all();
    }
}

/// What the session knows of everything that `set` changes, to be known again when it is put back.
pub fn known(set: &ChangeSet, ledger: &Ledger) -> Vec<(PathBuf, Option<Seen>)> {
    let changes = set.changes().iter();
    let all = changes.flat_map(|change| std::iter::once(change).chain(&change.inner));
    all.map(|change| {
        let path = change.place.real.clone();
        let seen = ledger.get(&path);
        (path, seen)
    })
    .collect()
}
