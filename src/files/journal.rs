//! How commits use the journal: the intent before the first rename, the result after the last.
//!
//! The locks of a commit tell of its intent and a transaction has a mark among them, so whoever comes next finds what
//! the dead left unfinished. It makes no change itself.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::change::{Change, ChangeSet, Form};
use super::lock;
use super::record::{Intent, Raw, Record, Told, ToldStep, strip};
use super::step::Step;
use super::{Files, record};
use crate::error::ToolError;
use crate::store::{Journal, Log, token};

/// The tool that units name where a transaction could not be put back whole, and commits that put one back.
pub const TRANSACTION: &str = "transaction";

/// What a commit is part of.
#[derive(Clone, Debug, Default)]
pub struct Purpose {
    /// The tool that makes it.
    pub tool: String,
    /// The transaction that it stands or falls with.
    pub whole: Option<Arc<Whole>>,
    /// The unit that it takes back.
    pub undoes: Option<String>,
}

/// A transaction as the journal knows it. While it is open, its death puts everything back.
#[derive(Debug)]
pub struct Whole {
    log: Arc<Log>,
    number: u64,
    /// Its mark among the locks, held; removed when it is over.
    mark: Mutex<Option<(PathBuf, File)>>,
}

/// The journal with the unit that commits belong to.
#[derive(Debug)]
pub(super) struct Keeper {
    pub(super) journal: Journal,
    /// The unit of commits that are part of no transaction; none after one has begun.
    unit: Mutex<Option<u64>>,
}

impl Keeper {
    pub(super) fn new(journal: Journal) -> Keeper {
        Keeper {
            journal,
            unit: Mutex::default(),
        }
    }

    fn unit(&self, log: &Log) -> u64 {
        let mut unit = self.unit.lock().unwrap_or_else(PoisonError::into_inner);
        *unit.get_or_insert_with(|| log.number())
    }

    /// What comes from now on is another unit.
    fn split(&self) {
        *self.unit.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// A commit whose intent is in the journal.
pub(super) struct Begun {
    log: Arc<Log>,
    number: u64,
}

impl Begun {
    /// Writes what was there before, and what is about to be done.
    pub(super) fn intend(
        keeper: &Keeper,
        set: &ChangeSet,
        steps: &[(usize, Step<'_>)],
        folders: impl Iterator<Item = PathBuf>,
        (purpose, locks): (&Purpose, &lock::Locks),
    ) -> Result<Begun, ToolError> {
        let log = match &purpose.whole {
            Some(whole) => Arc::clone(&whole.log),
            None => keeper.journal.own()?,
        };
        for change in set.changes() {
            keep(change, &log, purpose.whole.is_some())?;
        }
        let number = log.number();
        let steps = steps.iter().map(|(change, step)| {
            let (kind, at, temp) = step.told();
            ToldStep {
                kind: kind.to_owned(),
                at: Raw::path(&at),
                temp: Raw::of(temp.as_bytes()),
                change: *change,
            }
        });
        let intent = Intent {
            number,
            time: now(),
            unit: match &purpose.whole {
                Some(whole) => whole.number,
                None => keeper.unit(&log),
            },
            tool: purpose.tool.clone(),
            transaction: purpose.whole.as_ref().map(|whole| whole.number),
            undoes: purpose.undoes.clone(),
            changes: set.changes().iter().map(Told::of).collect(),
            steps: steps.collect(),
            folders: folders.map(|folder| Raw::path(&folder)).collect(),
        };
        locks.tell(&mark(log.folder(), number));
        write(&log, &Record::Intent(intent))?;
        Ok(Begun { log, number })
    }

    pub(super) fn done(&self) -> Result<(), ToolError> {
        let number = self.number;
        write(&self.log, &Record::Done { number })
    }

    /// Everything is as it was.
    pub(super) fn back(&self) {
        let number = self.number;
        let _nobody_mends_the_living = write(&self.log, &Record::Back { number });
    }
}

/// What a lock tells of an intent or a transaction.
pub(super) fn mark(folder: &Path, number: u64) -> Vec<u8> {
    let number = number.to_string();
    [b"=", folder.as_os_str().as_bytes(), b"#", number.as_bytes()].concat()
}

/// The folder of the log, and the number, that a mark tells of.
pub(super) fn of_mark(mark: &[u8]) -> Option<(PathBuf, u64)> {
    let mark = mark.strip_prefix(b"=")?;
    let at = mark.iter().rposition(|byte| *byte == b'#')?;
    let number = std::str::from_utf8(&mark[at + 1..]).ok()?.parse().ok()?;
    Some((PathBuf::from(OsStr::from_bytes(&mark[..at])), number))
}

pub(super) fn write(log: &Log, record: &Record) -> Result<(), ToolError> {
    let line = serde_json::to_vec(record);
    log.append(line.map_err(|error| ToolError::internal(error.to_string()))?)
}

/// Keeps the contents that `change` takes away, and within a transaction those that it brings.
fn keep(change: &Change, log: &Log, both: bool) -> Result<(), ToolError> {
    let after = change.after.as_ref().filter(|_| both);
    for image in change.before.iter().chain(after) {
        if let (Form::File, Some(bytes)) = (image.form, &image.bytes) {
            log.keep(bytes)?;
        }
    }
    change
        .inner
        .iter()
        .try_for_each(|inner| keep(inner, log, both))
}

/// What the unit with this number is called, of the session that keeps its log in `folder`.
pub(super) fn unit_id(folder: &Path, number: u64) -> String {
    let session = folder.file_name().unwrap_or_default().to_string_lossy();
    let chance = session.split('-').nth(1).unwrap_or(&session);
    let short: String = chance.chars().take(8).collect();
    format!("{short}-{number}")
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

impl Files {
    /// The same files, with every change written down in `journal` before it is made.
    #[must_use]
    pub fn journalled(self, journal: Journal) -> Files {
        Files {
            keeper: Some(Arc::new(Keeper::new(journal))),
            ..self
        }
    }

    /// Begins a transaction: until it is over, the death of this process puts everything back. `None` where
    /// nothing is journalled.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn begin_whole(&self) -> Result<Option<Arc<Whole>>, ToolError> {
        let Some(keeper) = &self.keeper else {
            return Ok(None);
        };
        keeper.split();
        let log = keeper.journal.own()?;
        let number = log.number();
        let path = self.locks.join(format!("whole-{}", token()?));
        let failed = |error| ToolError::from_io(&error, "lock", "the state folder");
        let mut file = lock::mark_file(&self.locks, &path).map_err(failed)?;
        file.write_all(&mark(log.folder(), number))
            .map_err(failed)?;
        Ok(Some(Arc::new(Whole {
            log,
            number,
            mark: Mutex::new(Some((path, file))),
        })))
    }

    /// The same change without the contents that the journal keeps for it.
    pub fn lighten(&self, mut change: Change) -> Change {
        if self.keeper.is_some() {
            strip(&mut change);
        }
        change
    }
}

/// Writes changes down that were made already, and not by a commit: as `tool`'s, in the unit `unit`. The contents
/// are kept as far as they are held.
pub(super) fn set_down(
    log: &Log,
    (number, unit, transaction): (u64, u64, Option<u64>),
    tool: &str,
    changes: &[Change],
    folders: &[PathBuf],
) -> Result<(), ToolError> {
    for change in changes {
        keep(change, log, true)?;
    }
    let intent = Intent {
        number,
        time: now(),
        unit,
        tool: tool.to_owned(),
        transaction,
        undoes: None,
        changes: changes.iter().map(Told::of).collect(),
        steps: Vec::new(),
        folders: folders.iter().map(|folder| Raw::path(folder)).collect(),
    };
    write(log, &Record::Intent(intent))?;
    write(log, &Record::Done { number })
}

impl Whole {
    /// It is over: everything stands.
    pub fn close(&self) {
        self.closed(false);
    }

    /// It is over: everything is back but `left`, which stays a unit to be undone, with the folders that were made
    /// for it. The id of that unit.
    pub fn put_back(&self, left: &[Change], folders: &[PathBuf]) -> Option<String> {
        if !left.is_empty() {
            let numbers = (self.log.number(), self.number, None);
            if set_down(&self.log, numbers, TRANSACTION, left, folders).is_err() {
                // Its mark stays: whoever comes next tries again.
                drop(
                    self.mark
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .take(),
                );
                return None;
            }
        }
        self.closed(true);
        (!left.is_empty()).then(|| unit_id(self.log.folder(), self.number))
    }

    /// Writes down what a command of `tool` has changed in it.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn record(&self, tool: &str, changes: &[Change]) -> Result<(), ToolError> {
        let numbers = (self.log.number(), self.number, Some(self.number));
        set_down(&self.log, numbers, tool, changes, &[])
    }

    fn closed(&self, back: bool) {
        let transaction = self.number;
        let record = Record::Closed { transaction, back };
        let mut mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((path, _held)) = mark.take() {
            let _open_for_readers = write(&self.log, &record);
            let _left_for_the_next = std::fs::remove_file(path);
        }
    }

    /// Gives a change that was made in it its contents again.
    ///
    /// # Errors
    /// What reading says.
    pub fn fill(&self, change: &mut Change) -> Result<(), ToolError> {
        record::fill(change, self.log.blobs())
    }
}

impl Drop for Whole {
    /// One that nobody has closed is to be put back by whoever comes next: its mark stays, not held.
    fn drop(&mut self) {
        let mut mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        drop(mark.take());
    }
}
