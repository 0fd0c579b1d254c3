//! Removing a folder that was set aside: first it must hold exactly what was planned, then it goes.
//!
//! Only names that the plan knows are ever removed, so nothing that came in between is lost.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, FileType};
use rustix::io::Errno;

use super::change::{Change, Form, Image};
use super::refusal::failed;
use super::{Place, Root};
use crate::error::ToolError;
use crate::store::Hash;

/// What stands in `folder` at `aside` must be what `inner` says was below `place`, in folders that can
/// be emptied. A thing that is no folder has nothing below it.
pub(super) fn verify(
    folder: &Root,
    aside: &OsStr,
    place: &Place,
    inner: &[Change],
) -> Result<(), ToolError> {
    let is_folder = rustix::fs::statat(folder, aside, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory);
    if !is_folder {
        return Ok(());
    }
    let planned: BTreeMap<PathBuf, (Form, Hash)> = inner
        .iter()
        .filter_map(|change| planned(change, place))
        .map(|(below, image)| (below.to_owned(), (image.form, image.hash)))
        .collect();
    let mut found = BTreeMap::new();
    let top = folder.folder(aside.as_ref());
    top.and_then(|top| look(&top, Path::new(""), &mut found))
        .map_err(|error| failed(&error, place))?;
    if found == planned {
        return Ok(());
    }
    let changed = found
        .iter()
        .find(|(path, is)| planned.get(*path) != Some(is));
    let missing = planned.keys().find(|path| !found.contains_key(*path));
    let which = changed.map(|(path, _)| path).or(missing);
    let which = which.map_or(String::new(), |path| format!("/{}", path.display()));
    Err(ToolError::conflict(format!(
        "{}{which} was changed meanwhile",
        place.display
    )))
}

/// Every entry below `folder` with its form and hash; an error where a folder cannot be emptied.
fn look(
    folder: &Root,
    below: &Path,
    found: &mut BTreeMap<PathBuf, (Form, Hash)>,
) -> io::Result<()> {
    let names = folder.names()?;
    let may = Access::WRITE_OK | Access::EXEC_OK;
    let is_empty = names.is_empty();
    for name in names {
        let stat = rustix::fs::statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW)?;
        let path = below.join(&name);
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                found.insert(path.clone(), (Form::Folder, Hash::of(b"")));
                look(&folder.folder(name.as_ref())?, &path, found)?;
            }
            FileType::Symlink => {
                let target = rustix::fs::readlinkat(folder, &name, Vec::new())?;
                found.insert(path, (Form::Link, Hash::of(target.as_bytes())));
            }
            _ => {
                let hash = Hash::of_reader(folder.read(name.as_ref())?)?;
                found.insert(path, (Form::File, hash));
            }
        }
    }
    if !is_empty {
        rustix::fs::accessat(folder, ".", may, AtFlags::EACCESS)?;
    }
    Ok(())
}

/// Removes what stands in `folder` at `aside`: what `inner` planned below `place`, then itself.
pub(super) fn remove(
    folder: &Root,
    aside: &OsStr,
    place: &Place,
    inner: &[Change],
) -> io::Result<()> {
    let stat = rustix::fs::statat(folder, aside, AtFlags::SYMLINK_NOFOLLOW)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
        return Ok(rustix::fs::unlinkat(folder, aside, AtFlags::empty())?);
    }
    let top = folder.folder(aside.as_ref())?;
    for change in inner.iter().rev() {
        let Some((below, image)) = planned(change, place) else {
            continue;
        };
        let (Some(above), Some(name)) = (below.parent(), below.file_name()) else {
            continue;
        };
        let flags = match image.form {
            Form::Folder => AtFlags::REMOVEDIR,
            Form::File | Form::Link => AtFlags::empty(),
        };
        // What is gone already was removed by an earlier attempt.
        match top.folder(above) {
            Ok(above) => absent_is_well(rustix::fs::unlinkat(above, name, flags))?,
            Err(error) => absent_is_well(Errno::from_io_error(&error).map_or(Err(Errno::IO), Err))?,
        }
    }
    Ok(rustix::fs::unlinkat(folder, aside, AtFlags::REMOVEDIR)?)
}

fn absent_is_well(done: Result<(), Errno>) -> io::Result<()> {
    match done {
        Err(Errno::NOENT) => Ok(()),
        done => Ok(done?),
    }
}

/// What an inner change deletes, or made: its path below `place`, and what stands there.
fn planned<'a>(change: &'a Change, place: &Place) -> Option<(&'a Path, &'a Image)> {
    let below = change.place.real.strip_prefix(&place.real).ok()?;
    Some((below, change.before.as_ref().or(change.after.as_ref())?))
}
