//! What the dead left unfinished is put back: a commit that was begun, a transaction that was not over.
//!
//! Rolled back, never forward: what was asked for was not reported as done. Only what is found as the dead have left
//! it is touched; what somebody has changed since stays, and is told of.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, FileType};

use super::change::{Change, ChangeSet, Form, Image};
use super::journal::{Purpose, TRANSACTION, set_down, unit_id, write};
use super::lock::{self, Dead, Locks};
use super::record::{Intent, Record, ToldStep, beside, fill};
use super::restoring::Restoring;
use super::{Files, Root, removal, rename};
use crate::error::ToolError;
use crate::store::{Hash, Log, log_lines};

/// How long another process that mends the same is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

impl Files {
    /// The locks of `paths`, once nothing that the dead left stands in the way.
    pub(super) fn lock<'a>(
        &self,
        paths: impl Iterator<Item = &'a Path>,
    ) -> Result<Locks, ToolError> {
        Locks::take(&self.locks, paths, &|dead| {
            self.mend(dead, None).map(|_told| ())
        })
    }

    /// Puts back what processes that died have left unfinished, in any workspace. Says what was put back and what
    /// could not be. Costs a look into one folder when there is nothing.
    pub fn recover(&self) -> Vec<String> {
        let mut told = Vec::new();
        for dead in lock::dead(&self.locks).unwrap_or_default() {
            match self.mend(&dead, None) {
                Ok(lines) => told.extend(lines),
                Err(error) => told.push(error.to_string()),
            }
        }
        told
    }

    /// Mends what one lock tells of; `ours` is a log that is held for mending already.
    fn mend(&self, dead: &Dead, ours: Option<&Log>) -> Result<Vec<String>, ToolError> {
        let mut told = Vec::new();
        for (folder, number) in dead.marks() {
            if let Some(log) = ours.filter(|log| log.folder() == folder) {
                self.mend_one(log, number, &mut told)?;
                continue;
            }
            let Some(log) = held(&folder)? else {
                continue; // nothing is left of that session
            };
            self.mend_one(&log, number, &mut told)?;
        }
        dead.bury();
        Ok(told)
    }

    /// Puts back the commit, or the transaction, with this number.
    fn mend_one(&self, log: &Log, number: u64, told: &mut Vec<String>) -> Result<(), ToolError> {
        let records = records(log.folder())?.0;
        let has = |wanted: &dyn Fn(&Record) -> bool| records.iter().any(wanted);
        let is_done = |n| has(&|record| matches!(record, Record::Done { number } if *number == n));
        let is_back = |n| has(&|record| matches!(record, Record::Back { number } if *number == n));
        let is_closed = has(
            &|record| matches!(record, Record::Closed { transaction, .. } if *transaction == number),
        );
        let mut restoring = Restoring::default();
        for record in records.iter().rev() {
            let Record::Intent(intent) = record else {
                continue;
            };
            let (is_it, n) = (intent.number == number, intent.number);
            let is_part = intent.transaction == Some(number) && !is_closed;
            match (is_done(n), is_back(n)) {
                (_, true) => {}
                (true, _) if is_it => self.clear(intent)?,
                (true, _) if is_part => self.restore(log, intent, &mut restoring, told)?,
                (false, _) if is_it || is_part => {
                    self.roll_back(intent, told)?;
                    write(log, &Record::Back { number: n })?;
                }
                _ => {}
            }
        }
        keep_left(log, &records, number, (&restoring, told))?;
        let is_commit = |record: &Record| match record {
            Record::Intent(intent) => intent.number == number,
            _ => false,
        };
        if !is_closed && !has(&is_commit) {
            let (transaction, back) = (number, true);
            write(log, &Record::Closed { transaction, back })?;
        }
        Ok(())
    }

    /// Undoes what was done of a commit, the last step first.
    fn roll_back(&self, intent: &Intent, told: &mut Vec<String>) -> Result<(), ToolError> {
        for step in intent.steps.iter().rev() {
            let Some(change) = intent.changes.get(step.change) else {
                continue;
            };
            let change = change.change(self)?;
            let at = step.at.to_path();
            let shown = self.show(&at);
            match undone(step, &change, &at) {
                Ok(false) => {}
                Ok(true) => told.push(format!("{shown} is as before: its change was cut short")),
                Err(error) => told.push(format!(
                    "{shown} was not put back: {error}; its change was cut short"
                )),
            }
        }
        self.take_back_folders(intent);
        Ok(())
    }

    fn take_back_folders(&self, intent: &Intent) {
        let folders = intent.folders.iter().rev();
        for folder in folders.map(super::record::Raw::to_path) {
            self.take_back_folder(&folder);
        }
    }

    /// Removes the folders that a commit has set aside, and died before it could.
    fn clear(&self, intent: &Intent) -> Result<(), ToolError> {
        for step in intent.steps.iter().filter(|step| step.kind == "remove") {
            let Some(change) = intent.changes.get(step.change) else {
                continue;
            };
            let (change, at) = (change.change(self)?, step.at.to_path());
            let aside = beside(&at, &step.temp.bytes());
            if let (Ok(folder), Some(name)) = (Root::open(above(&at)), aside.file_name()) {
                let _gone = removal::remove(&folder, name, &change.place, &change.inner);
            }
        }
        Ok(())
    }

    /// Takes back a commit of a transaction that was not over, unless that was done already.
    fn restore(
        &self,
        log: &Log,
        intent: &Intent,
        restoring: &mut Restoring,
        told: &mut Vec<String>,
    ) -> Result<(), ToolError> {
        for change in intent.changes.iter().rev() {
            let mut change = change.change(self)?;
            fill(&mut change, log.blobs())?;
            let stood = restoring.left().count();
            restoring.take_back(intent.number, &change, &mut |back| match back {
                Some(back) => self.restore_one(log, back),
                None => Ok(()),
            });
            if restoring.left().count() == stood {
                let shown = &change.target().display;
                told.push(format!(
                    "{shown} is as before: its transaction was cut short"
                ));
            }
        }
        self.take_back_folders(intent);
        Ok(())
    }

    fn restore_one(&self, log: &Log, back: Change) -> Result<(), ToolError> {
        let set = ChangeSet::new(vec![back])?;
        let paths = set.places().map(|place| place.real.as_path());
        let locks = Locks::take(&self.locks, paths, &|dead| {
            self.mend(dead, Some(log)).map(|_told| ())
        })?;
        let purpose = Purpose::default();
        self.commit_under(&locks, &set, &purpose, |_| {})
            .map(|_| ())
    }
}

/// What of the transaction `number` could not be put back stays a unit that can be undone.
fn keep_left(
    log: &Log,
    records: &[Record],
    number: u64,
    (restoring, told): (&Restoring, &mut Vec<String>),
) -> Result<(), ToolError> {
    let id = unit_id(log.folder(), number);
    for lost in restoring.lost() {
        told.push(format!(
            "not put back: {}; its transaction was cut short: `agent undo {id} --diff` shows what was there",
            lost.said()
        ));
    }
    let intents = || records.iter().filter_map(Record::intent);
    let is_kept = |intent: &Intent| intent.unit == number && intent.transaction.is_none();
    let left: Vec<Change> = restoring.left().map(|(_, change)| change.clone()).collect();
    if left.is_empty() || intents().any(is_kept) {
        return Ok(());
    }
    let last = intents().map(|intent| intent.number.max(intent.unit)).max();
    let numbers = (last.unwrap_or(number) + 1, number, None);
    set_down(log, numbers, TRANSACTION, &left, &[])
}

/// The log of a dead session, held by nobody else; `None` where there is none any more.
fn held(folder: &Path) -> Result<Option<Log>, ToolError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match Log::of_the_dead(folder) {
            Ok(log) => return Ok(Some(log)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error)
                if error.kind() != io::ErrorKind::WouldBlock || Instant::now() > deadline =>
            {
                return Err(ToolError::from_io(&error, "lock", "the journal"));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// The records of a session in order, and how many of its lines are none.
pub(super) fn records(folder: &Path) -> Result<(Vec<Record>, usize), ToolError> {
    let lines = log_lines(folder)?;
    let records: Vec<Record> = lines
        .iter()
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    let damaged = lines.len() - records.len();
    Ok((records, damaged))
}

/// Undoes one step as far as it was done; whether there was anything to undo.
fn undone(step: &ToldStep, change: &Change, at: &Path) -> Result<bool, ToolError> {
    let failed = |error: io::Error| ToolError::from_io(&error, "put back", &change.place.display);
    let temp = beside(at, &step.temp.bytes());
    let folder = Root::open(above(at)).map_err(failed)?;
    let (Some(name), Some(aside)) = (at.file_name(), temp.file_name()) else {
        return Err(super::record::damaged());
    };
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    let done = match step.kind.as_str() {
        "swap" => unswapped(&folder, (name, at), (aside, &temp), (before, after)),
        "put" => unput(&folder, (name, at), (aside, &temp), change),
        "remove" if temp.symlink_metadata().is_ok() => {
            rename::onto_nothing((&folder, aside), (&folder, name)).map(|()| true)
        }
        "shift" => unshifted(&folder, (name, at), change),
        _ => Ok(false),
    };
    done.map_err(failed)
}

fn unswapped(
    folder: &Root,
    (name, at): (&OsStr, &Path),
    (aside, temp): (&OsStr, &Path),
    (before, after): (Option<&Image>, Option<&Image>),
) -> io::Result<bool> {
    let is = |path: &Path, image: Option<&Image>| image.is_some_and(|image| stands(path, image));
    if is(temp, before) && is(at, after) {
        rename::swap(folder, aside, name)?;
        rustix::fs::unlinkat(folder, aside, AtFlags::empty())?;
        return Ok(true);
    }
    if is(temp, before) && !is(at, before) {
        return Err(io::Error::other("somebody has changed it since"));
    }
    Ok(false) // the new content was never put in place; it is swept
}

fn unput(
    folder: &Root,
    (name, at): (&OsStr, &Path),
    (aside, temp): (&OsStr, &Path),
    change: &Change,
) -> io::Result<bool> {
    let place = change.target();
    let remove = |name: &OsStr| removal::remove(folder, name, place, &change.inner);
    if temp.symlink_metadata().is_ok() {
        return remove(aside).map(|()| false);
    }
    let is_ours = change.after.as_ref().is_some_and(|image| stands(at, image));
    if !is_ours {
        return match at.symlink_metadata() {
            Ok(_) => Err(io::Error::other("somebody has changed it since")),
            Err(_) => Ok(false),
        };
    }
    remove(name).map(|()| true)
}

fn unshifted(folder: &Root, (name, at): (&OsStr, &Path), change: &Change) -> io::Result<bool> {
    let to = &change.target().real;
    let is_there = change
        .before
        .as_ref()
        .is_some_and(|image| stands(to, image));
    if at.symlink_metadata().is_ok() || !is_there {
        return Ok(false);
    }
    let (target, end) = (Root::open(above(to))?, to.file_name().unwrap_or_default());
    rename::onto_nothing((&target, end), (folder, name)).map(|()| true)
}

fn above(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

/// Whether what stands at the real path `at` is `image`, by form and content.
pub(super) fn stands(at: &Path, image: &Image) -> bool {
    let (Ok(folder), Some(name)) = (Root::open(above(at)), at.file_name()) else {
        return false;
    };
    let Ok(stat) = rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
        return false;
    };
    match (image.form, FileType::from_raw_mode(stat.st_mode)) {
        (Form::Folder, FileType::Directory) => true,
        (Form::File, FileType::RegularFile) => {
            let read = folder.read(name.as_ref()).and_then(Hash::of_reader);
            stat.st_size as u64 == image.size && read.is_ok_and(|hash| hash == image.hash)
        }
        (Form::Link, FileType::Symlink) => {
            let target = rustix::fs::readlinkat(&folder, name, Vec::new());
            target.is_ok_and(|target| Hash::of(target.as_bytes()) == image.hash)
        }
        _ => false,
    }
}
