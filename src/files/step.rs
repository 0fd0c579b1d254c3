//! One step of a commit: a file put in place, a thing set aside, a thing moved. Staged, done, undone,
//! finished.
//!
//! Every step works on handles of folders and on names in them, so no link can lead it elsewhere.
//! What it displaces keeps standing beside it under a temporary name until the whole commit is done:
//! undoing is renaming. Permission bits and owner are kept; extended attributes and access lists are
//! not carried over.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use rustix::fs::{Access, AtFlags, FileType, Stat};
use rustix::io::Errno;

use super::change::{Change, Form, Image};
use super::refusal::{failed, gone, moved_meanwhile, occupied};
use super::{Place, Root};
use super::{removal, rename, staged, temporary};
use crate::error::{Kind, ToolError};
use crate::store::Hash;

/// One step, and how far it has come.
pub(super) struct Step<'a> {
    place: &'a Place,
    folder: Root,
    name: &'a OsStr,
    before: Option<&'a Image>,
    work: Work<'a>,
    /// The name in `folder` of what is new before it is put in place, of what was old afterwards.
    temp: OsString,
    /// What stood there when its content was compared.
    seen: Option<Stat>,
    /// The inode of the new content, to tell it from what others put in its place.
    ours: Option<u64>,
    stage: Stage,
}

enum Work<'a> {
    /// The content is put there; of a folder, with all that shall be in it.
    Put(&'a Image, &'a [Change]),
    /// What is there goes away, with what a folder holds.
    Remove(&'a [Change]),
    /// What is there goes to another place.
    Shift {
        to: &'a Place,
        folder: Root,
        name: &'a OsStr,
    },
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Nothing is on disk.
    Planned,
    /// The new content stands under the temporary name.
    Staged,
    /// The new stands there and the old under the temporary name.
    Swapped,
    /// The new stands where nothing was.
    Placed,
    /// The old stands under the temporary name.
    Aside,
    /// The old stands at the target.
    Shifted,
}

impl<'a> Step<'a> {
    fn new(
        place: &'a Place,
        folder: Root,
        before: Option<&'a Image>,
        work: Work<'a>,
    ) -> Result<Step<'a>, ToolError> {
        Ok(Step {
            name: name_of(place)?,
            place,
            folder,
            before,
            work,
            temp: temporary::name()?,
            seen: None,
            ours: None,
            stage: Stage::Planned,
        })
    }

    /// Puts `after` at `place`, where `before` stands, or nothing.
    pub(super) fn put(
        place: &'a Place,
        folder: Root,
        before: Option<&'a Image>,
        after: &'a Image,
        inner: &'a [Change],
    ) -> Result<Step<'a>, ToolError> {
        Step::new(place, folder, before, Work::Put(after, inner))
    }

    /// Takes away what `change` deletes or moves from its place.
    pub(super) fn remove(change: &'a Change, folder: Root) -> Result<Step<'a>, ToolError> {
        Step::new(
            &change.place,
            folder,
            change.before.as_ref(),
            Work::Remove(&change.inner),
        )
    }

    /// Moves what `change` moves, within one file system.
    pub(super) fn shift(change: &'a Change, folder: Root, to: Root) -> Result<Step<'a>, ToolError> {
        let target = change.target();
        let work = Work::Shift {
            to: target,
            folder: to,
            name: name_of(target)?,
        };
        Step::new(&change.place, folder, change.before.as_ref(), work)
    }

    /// Where the temporary name stands.
    pub(super) fn temp_path(&self) -> PathBuf {
        self.place.real.with_file_name(&self.temp)
    }

    /// Compares what is there with what was planned, and writes the new content beside it.
    pub(super) fn stage(&mut self) -> Result<(), ToolError> {
        match self.before {
            Some(before) => self.compare(before)?,
            None => must_be_free(&self.folder, self.name, self.place)?,
        }
        match &self.work {
            Work::Put(after, inner) => {
                let (after, inner) = (*after, *inner);
                if self.is_same(after) {
                    return Ok(());
                }
                self.must_be_writable()?;
                let written = match after.form {
                    Form::File => {
                        staged::write(&self.folder, &self.temp, after, self.seen.as_ref())
                    }
                    _ => staged::raise(&self.folder, &self.temp, after, self.place, inner),
                };
                self.stage = Stage::Staged;
                written.map_err(|error| failed(&error, self.place))
            }
            Work::Shift { to, folder, name } => must_be_free(folder, name, to),
            Work::Remove(_) => Ok(()),
        }
    }

    /// Whether there is nothing to write.
    fn is_same(&self, after: &Image) -> bool {
        let is_same = |before: &Image| {
            let has_other_bits = matches!((before.mode, after.mode), (Some(a), Some(b)) if a != b);
            before.hash == after.hash && before.form == after.form && !has_other_bits
        };
        self.before.is_some_and(is_same)
    }

    /// What is there must be what was planned on.
    fn compare(&mut self, before: &Image) -> Result<(), ToolError> {
        let stat = rustix::fs::statat(&self.folder, self.name, AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|error| self.gone(error))?;
        let same = match (before.form, FileType::from_raw_mode(stat.st_mode)) {
            (Form::File, FileType::RegularFile) => self.hash()? == before.hash,
            (Form::Link, FileType::Symlink) => self.link_hash()? == before.hash,
            (Form::Folder, FileType::Directory) => true,
            (_, FileType::Symlink) => return Err(moved_meanwhile(self.place)),
            _ => false,
        };
        self.seen = Some(stat);
        if same { Ok(()) } else { Err(self.lost()) }
    }

    fn hash(&self) -> Result<Hash, ToolError> {
        let read = self
            .folder
            .read(self.name.as_ref())
            .and_then(Hash::of_reader);
        read.map_err(|error| match Errno::from_io_error(&error) {
            Some(errno @ (Errno::LOOP | Errno::NOENT)) => self.gone(errno),
            _ => ToolError::from_io(&error, "read", &self.place.display),
        })
    }

    fn link_hash(&self) -> Result<Hash, ToolError> {
        let target = rustix::fs::readlinkat(&self.folder, self.name, Vec::new())
            .map_err(|error| self.gone(error))?;
        Ok(Hash::of(target.as_bytes()))
    }

    fn gone(&self, error: Errno) -> ToolError {
        match error {
            Errno::LOOP => moved_meanwhile(self.place),
            Errno::NOENT | Errno::NOTDIR => gone(self.place),
            _ => failed(&error.into(), self.place),
        }
    }

    /// A read-only file is not replaced, even where the folder would let us.
    fn must_be_writable(&self) -> Result<(), ToolError> {
        let Some(seen) = &self.seen else {
            return Ok(());
        };
        let writable = seen.st_mode & 0o222 != 0
            && rustix::fs::accessat(&self.folder, self.name, Access::WRITE_OK, AtFlags::EACCESS)
                .is_ok();
        if writable {
            return Ok(());
        }
        let message = format!("{} is read-only", self.place.display);
        Err(ToolError::new(Kind::Resource, message)
            .with_hint("make it writable first (`chmod u+w`), if it is meant to change"))
    }

    /// Does it. Where it finds something else than was compared, it takes itself back.
    pub(super) fn apply(&mut self) -> Result<(), ToolError> {
        if self.stage == Stage::Staged {
            self.ours = inode(&self.folder, &self.temp);
        }
        let done = match (&self.work, self.stage) {
            (Work::Put(..), Stage::Planned) => return Ok(()),
            (Work::Put(..), _) if self.before.is_some() => {
                rename::swap(&self.folder, &self.temp, self.name).map(|()| Stage::Swapped)
            }
            (Work::Put(..), _) => {
                rename::onto_nothing((&self.folder, &self.temp), (&self.folder, self.name))
                    .map(|()| Stage::Placed)
            }
            (Work::Remove(_), _) => {
                rename::onto_nothing((&self.folder, self.name), (&self.folder, &self.temp))
                    .map(|()| Stage::Aside)
            }
            (Work::Shift { folder, name, .. }, _) => {
                rename::onto_nothing((&self.folder, self.name), (folder, name))
                    .map(|()| Stage::Shifted)
            }
        };
        self.stage = done.map_err(|error| self.refused(&error))?;
        self.verify()
    }

    fn refused(&self, error: &io::Error) -> ToolError {
        match (Errno::from_io_error(error), &self.work) {
            (Some(Errno::EXIST), Work::Shift { to, .. }) => occupied(to),
            (Some(Errno::EXIST), _) => occupied(self.place),
            (Some(Errno::NOENT), _) => self.gone(Errno::NOENT),
            _ => failed(error, self.place),
        }
    }

    /// What was displaced must be the very thing that was compared, unchanged since.
    fn verify(&self) -> Result<(), ToolError> {
        let (folder, name) = match (&self.work, self.stage) {
            (_, Stage::Swapped | Stage::Aside) => (&self.folder, self.temp.as_os_str()),
            (Work::Shift { folder, name, .. }, Stage::Shifted) => (folder, *name),
            _ => return Ok(()),
        };
        let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
        let same = |stat: &Stat| self.seen.as_ref().is_some_and(|seen| is_same(seen, stat));
        if !stat.is_ok_and(|stat| same(&stat)) {
            return Err(self.lost());
        }
        match self.work {
            Work::Remove(inner) => removal::verify(folder, name, self.place, inner),
            _ => Ok(()),
        }
    }

    fn lost(&self) -> ToolError {
        ToolError::conflict(format!(
            "{} was changed meanwhile by somebody else",
            self.place.display
        ))
    }

    /// Takes back what was done. Gives the name of what it could not put back.
    pub(super) fn undo(&mut self) -> Option<String> {
        let undone = match (&self.work, self.stage) {
            (_, Stage::Planned) => Ok(()),
            (Work::Put(_, inner), Stage::Staged) => match self.lower(&self.temp, inner) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                done => done,
            },
            (_, Stage::Swapped) => self.swap_back(),
            // What somebody has put in its place meanwhile is theirs, and stays.
            (_, Stage::Placed) if inode(&self.folder, self.name) != self.ours => Ok(()),
            (Work::Put(_, inner), Stage::Placed) => self.lower(self.name, inner),
            (_, Stage::Staged | Stage::Placed) => Ok(()),
            (_, Stage::Aside) => {
                rename::onto_nothing((&self.folder, &self.temp), (&self.folder, self.name))
            }
            (Work::Shift { folder, name, .. }, Stage::Shifted) => {
                rename::onto_nothing((folder, name), (&self.folder, self.name))
            }
            (_, Stage::Shifted) => Ok(()),
        };
        self.stage = Stage::Planned;
        let temp = self.temp.to_string_lossy();
        undone
            .is_err()
            .then(|| format!("{} (its old content may be in {temp})", self.place.display))
    }

    /// Removes what was put under `name`: only what this step has made.
    fn lower(&self, name: &OsStr, inner: &[Change]) -> io::Result<()> {
        removal::remove(&self.folder, name, self.place, inner)
    }

    /// The step as the journal tells of it: its kind, its real path, its temporary name.
    pub(super) fn told(&self) -> (&'static str, PathBuf, OsString) {
        let kind = match (&self.work, self.before) {
            (Work::Put(..), Some(_)) => "swap",
            (Work::Put(..), None) => "put",
            (Work::Remove(_), _) => "remove",
            (Work::Shift { .. }, _) => "shift",
        };
        (kind, self.place.real.clone(), self.temp.clone())
    }

    /// Puts what was displaced back, unless somebody has put something newer there since: that stays.
    fn swap_back(&self) -> io::Result<()> {
        let displaced = inode(&self.folder, &self.temp);
        rename::swap(&self.folder, &self.temp, self.name)?;
        if inode(&self.folder, &self.temp) != self.ours {
            rename::swap(&self.folder, &self.temp, self.name)?;
            if inode(&self.folder, &self.temp) != displaced {
                return Err(io::Error::other("somebody keeps changing it"));
            }
        }
        unlink(&self.folder, &self.temp)
    }

    /// Lets go of what was displaced and waits until the names are on the disk.
    pub(super) fn finish(self) -> io::Result<()> {
        let done = match (&self.work, self.stage) {
            (_, Stage::Swapped) => unlink(&self.folder, &self.temp),
            (Work::Remove(inner), Stage::Aside) => {
                removal::remove(&self.folder, &self.temp, self.place, inner)
            }
            _ => Ok(()),
        };
        if self.stage == Stage::Planned {
            return done;
        }
        if let Work::Shift { folder, .. } = &self.work {
            folder.sync()?;
        }
        self.folder.sync().and(done)
    }
}

/// The name of a place in its folder.
fn name_of(place: &Place) -> Result<&OsStr, ToolError> {
    let message = || format!("{} has no name that could be changed", place.display);
    place
        .real
        .file_name()
        .ok_or_else(|| ToolError::argument(message()))
}

fn must_be_free(folder: &Root, name: &OsStr, place: &Place) -> Result<(), ToolError> {
    match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => Ok(()),
        Ok(_) => Err(occupied(place)),
        Err(error) => Err(failed(&error.into(), place)),
    }
}

/// The same thing with the same content, as far as the system knows.
fn is_same(a: &Stat, b: &Stat) -> bool {
    let is_folder = FileType::from_raw_mode(a.st_mode) == FileType::Directory;
    (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)
        && (is_folder
            || (a.st_size, a.st_mtime, a.st_mtime_nsec) == (b.st_size, b.st_mtime, b.st_mtime_nsec))
}

fn unlink(folder: &Root, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(folder, name, AtFlags::empty())?)
}

/// What stands under a name, by its inode; `None` for nothing.
fn inode(folder: &Root, name: &OsStr) -> Option<u64> {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    stat.ok().map(|stat| stat.st_ino)
}
