//! The commit of a change-set: one uninterruptible step in which all changes are made or none.
//!
//! Lock every path; open every folder again by handle; compare what is there with what was planned;
//! write everything new beside the old; only then rename, one after the other. Whatever fails, what
//! was renamed is renamed back, temporary files and folders made on the way are removed, and the error
//! says why. A lost race is a `conflict`; a full disk or a refusal of the system is `resource`.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use super::change::{Action, Change, ChangeSet, Form};
use super::journal::{Begun, Purpose};
use super::lock::Locks;
use super::refusal::{failed, gone, moved_meanwhile};
use super::step::Step;
use super::{Files, Place, Root};
use crate::error::{Kind, ToolError};
use crate::store::Hash;

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// One entry a change, in the order of the change-set.
    pub changes: Vec<CommittedChange>,
    /// The folders that were made on the way, outer ones first.
    pub folders: Vec<PathBuf>,
    /// What did not go well afterwards: the changes are made all the same.
    pub warning: Option<String>,
}

/// One change that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedChange {
    /// Where it was, and where a move went.
    pub place: Place,
    /// What was done.
    pub action: Action,
    /// The hash of what is there now.
    pub after: Option<Hash>,
}

impl Files {
    /// Makes the changes of `set`, all or none, and tells `note` of them before anybody else may change
    /// the same files. It is not to be interrupted: call it where nobody drops it half-way.
    ///
    /// # Errors
    /// `conflict` where the world is not as planned any more, `resource` where the system refuses;
    /// in both cases every file is as it was.
    pub fn commit(
        &self,
        set: &ChangeSet,
        note: impl FnOnce(&[CommittedChange]),
    ) -> Result<Committed, ToolError> {
        self.commit_for(set, &Purpose::default(), note)
    }

    /// As [`Files::commit`], with what the journal is to say of it.
    ///
    /// # Errors
    /// As [`Files::commit`]; `resource` where the journal cannot be written.
    pub fn commit_for(
        &self,
        set: &ChangeSet,
        purpose: &Purpose,
        note: impl FnOnce(&[CommittedChange]),
    ) -> Result<Committed, ToolError> {
        let locks = self.lock(set.places().map(|place| place.real.as_path()))?;
        self.commit_under(&locks, set, purpose, note)
    }

    pub(super) fn commit_under(
        &self,
        locks: &Locks,
        set: &ChangeSet,
        purpose: &Purpose,
        note: impl FnOnce(&[CommittedChange]),
    ) -> Result<Committed, ToolError> {
        let mut work = Unfinished {
            locks: Some(locks),
            ..Unfinished::default()
        };
        let mut changes = set.changes().iter().enumerate();
        let staged = changes.try_for_each(|(number, change)| {
            work.change = number;
            work.stage(change)
        });
        if let Err(error) = staged {
            return Err(work.take_back(error));
        }
        let begun = match self.intend(set, &work, (purpose, locks)) {
            Ok(begun) => begun,
            Err(error) => return Err(work.take_back(error)),
        };
        let done = work
            .apply()
            .and_then(|()| begun.as_ref().map_or(Ok(()), Begun::done));
        if let Err(error) = done {
            let error = work.take_back(error);
            begun.inspect(Begun::back);
            return Err(error);
        }
        let folders = work.made.iter().map(|made| made.path.clone()).collect();
        let warning = work.finish();
        let changes: Vec<_> = set.changes().iter().map(committed).collect();
        note(&changes);
        Ok(Committed {
            changes,
            folders,
            warning,
        })
    }

    /// Writes down what is about to be done, where that is wanted.
    fn intend(
        &self,
        set: &ChangeSet,
        work: &Unfinished<'_>,
        told: (&Purpose, &Locks),
    ) -> Result<Option<Begun>, ToolError> {
        let Some(keeper) = self.keeper.as_deref().filter(|_| !told.0.tool.is_empty()) else {
            return Ok(None);
        };
        let folders = work.made.iter().map(|made| made.path.clone());
        Begun::intend(keeper, set, &work.steps, folders, told).map(Some)
    }

    /// Does `work` while no commit is under way at `place`.
    ///
    /// # Errors
    /// What `work` says; `conflict` where others keep changing the file.
    pub fn between_commits<T>(
        &self,
        place: &Place,
        work: impl FnOnce() -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let _locks = self.lock([place.real.as_path()].into_iter())?;
        work()
    }
}

fn committed(change: &Change) -> CommittedChange {
    CommittedChange {
        place: change.place.clone(),
        action: change.action.clone(),
        after: change.after.as_ref().map(|image| image.hash),
    }
}

/// Steps that may still have to be taken back, and the folders that were made for them.
#[derive(Default)]
struct Unfinished<'a> {
    locks: Option<&'a Locks>,
    /// Each with the place of its change in the set.
    steps: Vec<(usize, Step<'a>)>,
    made: Vec<Made>,
    change: usize,
}

/// A folder that was made on the way.
struct Made {
    above: Root,
    name: OsString,
    path: PathBuf,
}

impl<'a> Unfinished<'a> {
    fn stage(&mut self, change: &'a Change) -> Result<(), ToolError> {
        let before = change.before.as_ref();
        match (&change.action, &change.after) {
            (Action::Create, Some(after)) => {
                let folder = self.folder_for(&change.place)?;
                self.add(Step::put(
                    &change.place,
                    folder,
                    None,
                    after,
                    &change.inner,
                )?)
            }
            (Action::Update, Some(after)) => {
                let folder = folder_of(&change.place)?;
                self.add(Step::put(&change.place, folder, before, after, &[])?)
            }
            (Action::Move { to }, Some(after)) => {
                let (from, target) = (folder_of(&change.place)?, self.folder_for(to)?);
                let is_same = before.is_some_and(|before| before.hash == after.hash);
                if is_same && device(&from, to)? == device(&target, to)? {
                    return self.add(Step::shift(change, from, target)?);
                }
                if after.form != Form::File || after.bytes.is_none() {
                    return Err(across(change));
                }
                self.add(Step::put(to, target, None, after, &[])?)?;
                self.add(Step::remove(change, from)?)
            }
            (Action::Delete, _) => {
                let folder = folder_of(&change.place)?;
                self.add(Step::remove(change, folder)?)
            }
            _ => Err(ToolError::internal("a change has nothing to put in place")),
        }
    }

    /// The step is held before it is staged, so that a half-written file is taken back with the rest.
    fn add(&mut self, step: Step<'a>) -> Result<(), ToolError> {
        if let Some(locks) = self.locks {
            locks.note(&step.temp_path());
        }
        self.steps.push((self.change, step));
        let last = self.steps.last_mut();
        last.map_or(Ok(()), |(_, step)| step.stage())
    }

    /// The folder of a place where something new shall stand; what is missing of it is made.
    fn folder_for(&mut self, place: &Place) -> Result<Root, ToolError> {
        match Root::open(above(place)) {
            Err(error) if is(&error, Errno::NOENT) => self.make_folder(above(place), place),
            opened => opened.map_err(|error| cannot_open(&error, place)),
        }
    }

    fn make_folder(&mut self, folder: &Path, place: &Place) -> Result<Root, ToolError> {
        let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else {
            return Err(failed(&Errno::NOENT.into(), place));
        };
        let above = match Root::open(above) {
            Ok(root) => root,
            Err(error) if is(&error, Errno::NOENT) => self.make_folder(above, place)?,
            Err(error) => return Err(cannot_open(&error, place)),
        };
        if let Some(locks) = self.locks {
            locks.note(&folder.join(""));
        }
        let made = rustix::fs::mkdirat(&above, name, Mode::from_bits_truncate(0o777));
        let root = above.folder(name.as_ref()).map_err(|error| match made {
            Err(error) if error != Errno::EXIST => failed(&error.into(), place),
            _ => cannot_open(&error, place),
        })?;
        if made.is_ok() {
            self.made.push(Made {
                above,
                name: name.to_owned(),
                path: folder.to_owned(),
            });
        }
        Ok(root)
    }

    fn apply(&mut self) -> Result<(), ToolError> {
        let mut steps = self.steps.iter_mut();
        steps.try_for_each(|(_, step)| step.apply())
    }

    /// Undoes everything, last step first.
    fn take_back(mut self, mut error: ToolError) -> ToolError {
        let undone = self.steps.iter_mut().rev();
        let lost: Vec<String> = undone.filter_map(|(_, step)| step.undo()).collect();
        for made in self.made.iter().rev() {
            let _ = rustix::fs::unlinkat(&made.above, &made.name, AtFlags::REMOVEDIR);
        }
        if !lost.is_empty() {
            error.message = format!(
                "{}; could not be put back: {}",
                error.message,
                lost.join(", ")
            );
        }
        error
    }

    /// From here on nothing is taken back: what was displaced is let go. Says what could not be.
    fn finish(self) -> Option<String> {
        for made in &self.made {
            let _ = made.above.sync();
        }
        let mut first = Ok(());
        for (_, step) in self.steps {
            let done = step.finish();
            first = first.and(done);
        }
        let told = ToolError::from_io(&first.err()?, "finish", "the change").message;
        Some(format!(
            "{told}; the change itself was made: look for `.agent-*.tmp` beside the files"
        ))
    }
}

/// The folder of a place where something stands.
fn folder_of(place: &Place) -> Result<Root, ToolError> {
    Root::open(above(place)).map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::NOENT | Errno::NOTDIR) => gone(place),
        _ => cannot_open(&error, place),
    })
}

fn above(place: &Place) -> &Path {
    place.real.parent().unwrap_or(Path::new("/"))
}

fn device(folder: &Root, place: &Place) -> Result<u64, ToolError> {
    let stat = rustix::fs::fstat(folder).map_err(|error| failed(&error.into(), place))?;
    Ok(stat.st_dev)
}

fn is(error: &io::Error, errno: Errno) -> bool {
    Errno::from_io_error(error) == Some(errno)
}

fn cannot_open(error: &io::Error, place: &Place) -> ToolError {
    if is(error, Errno::LOOP) {
        return moved_meanwhile(place);
    }
    failed(error, place)
}

fn across(change: &Change) -> ToolError {
    let message = format!(
        "{} and {} are on different file systems",
        change.place.display,
        change.target().display
    );
    ToolError::new(Kind::Resource, message).with_hint("move it with a command (`mv`)")
}

#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod tests;
