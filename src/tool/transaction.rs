//! Changes to files that stand or fall together: what was there before is kept until it is known which.
//!
//! Commits hand over what they changed while they still hold their locks, so the order is the order of the
//! disk. What somebody else has changed since is not overwritten when it is put back; it is told of.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::{Kind, ToolError};
use crate::files::{Change, ChangeSet, CommittedChange, Files, Form, Purpose, Whole};
use crate::store::{Ledger, Seen};

/// One piece of work whose changes to files can all be put back.
pub struct Transaction {
    state: Mutex<State>,
    idle: Condvar,
    /// Numbers the commits of this and of all transactions around it.
    order: Arc<AtomicU64>,
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
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Phase {
    /// Changes are made.
    #[default]
    Open,
    /// Nothing more is changed in it.
    Ended,
}

/// One commit, as it is needed to take it back.
struct Kept {
    order: u64,
    changes: Vec<Change>,
    folders: Vec<PathBuf>,
    seen: Vec<(PathBuf, Option<Seen>)>,
    /// Who keeps the contents.
    whole: Option<Arc<Whole>>,
}

/// Something that could not be put back.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The path, as it is shown.
    pub path: String,
    /// Why.
    pub why: ToolError,
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
            order: outer.map_or_else(Arc::default, |outer| Arc::clone(&outer.order)),
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
    pub fn changes(&self) -> Vec<Change> {
        let mut state = self.alone(self.lock());
        let mut commits = std::mem::take(&mut state.commits);
        let whole = state.whole.take();
        drop(state);
        if let Some(whole) = whole {
            whole.close(false);
        }
        commits.sort_by_key(|kept| kept.order);
        let changes = commits.iter().flat_map(Kept::filled).collect();
        self.leave_outer(commits);
        changes
    }

    /// Puts everything back, the newest first, unless it has ended already. Waits for what is under way;
    /// not for the thread of Lua.
    pub fn put_back(&self, files: &Files, ledger: &Ledger) {
        let mut state = self.lock();
        if state.phase != Phase::Open {
            return;
        }
        state.phase = Phase::Ended;
        let mut state = self.alone(state);
        let mut commits = std::mem::take(&mut state.commits);
        drop(state);
        commits.sort_by_key(|kept| std::cmp::Reverse(kept.order));
        let mut lost = Vec::new();
        for kept in &commits {
            kept.put_back(files, ledger, &mut lost);
        }
        let whole = self.lock().whole.take();
        if let Some(whole) = whole {
            whole.close(true);
        }
        self.lock().lost = lost;
        self.leave_outer(Vec::new());
    }

    /// Whether it has neither ended nor begun to.
    pub fn is_open(&self) -> bool {
        self.lock().phase == Phase::Open
    }

    /// What could not be put back.
    pub fn lost(&self) -> Vec<Lost> {
        self.lock().lost.clone()
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
    /// Its place in the order of all commits; to be taken while its locks are held.
    pub fn number(&self) -> u64 {
        self.transaction.order.fetch_add(1, Ordering::Relaxed)
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

impl Kept {
    /// The changes with their contents. One whose contents are lost stays without, and cannot be put back.
    fn filled(&self) -> Vec<Change> {
        let mut changes = self.changes.clone();
        for change in &mut changes {
            let _lost = self.whole.as_ref().map(|whole| whole.fill(change));
        }
        changes
    }

    fn put_back(&self, files: &Files, ledger: &Ledger, lost: &mut Vec<Lost>) {
        let purpose = Purpose {
            tool: "transaction".to_owned(),
            whole: self.whole.clone(),
            undoes: None,
        };
        for change in self.filled().iter().rev() {
            let note = |_: &[CommittedChange]| {
                ledger.forget(&change.target().real);
                let below = |path: &PathBuf| path.starts_with(&change.place.real);
                for (path, seen) in self.seen.iter().filter(|(path, _)| below(path)) {
                    match seen {
                        Some(seen) => ledger.note(path.clone(), seen.clone()),
                        None => ledger.forget(path),
                    }
                }
            };
            if let Err(why) = files.put_back_for(change, &purpose, note) {
                let path = change.place.display.clone();
                lost.push(Lost { path, why });
            }
        }
        for folder in self.folders.iter().rev() {
            files.take_back_folder(folder);
        }
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
