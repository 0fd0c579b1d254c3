//! Writing new content under a temporary name, whole and on the disk before it is put in place.
//!
//! What replaces a file gets its permission bits and, where the system allows it, its owner; what is
//! new gets its bits from the umask. Extended attributes and access lists are not carried over.

use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, Gid, Mode, Stat, Uid};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

use super::change::{Change, Form};
use super::{Image, Place, Root};

/// Writes the bytes of `after` to the new file `temp` in `folder`; `seen` is what they will replace.
pub(super) fn write(
    folder: &Root,
    temp: &OsStr,
    after: &Image,
    seen: Option<&Stat>,
) -> io::Result<()> {
    let bytes = after.bytes.as_deref().ok_or(Errno::FBIG)?;
    let limit = getrlimit(Resource::Fsize).current;
    if limit.is_some_and(|limit| bytes.len() as u64 > limit) {
        return Err(Errno::FBIG.into()); // the kernel would end the process with a signal
    }
    let first = after.mode.map_or(0o666, |_| 0o600);
    let mut file = folder.create(temp, Mode::from_bits_truncate(first))?;
    file.write_all(bytes)?;
    if let Some(mode) = after.mode {
        let kept = seen.is_none_or(|seen| keep_owner(&file, seen));
        let bits = if kept { 0o7777 } else { 0o1777 };
        file.set_permissions(Permissions::from_mode(mode & bits))?;
    }
    file.sync_all()
}

/// Makes what is no file as `temp` in `folder`: a link, or a folder with all that `inner` says is below `place`.
pub(super) fn raise(
    folder: &Root,
    temp: &OsStr,
    after: &Image,
    place: &Place,
    inner: &[Change],
) -> io::Result<()> {
    make(folder, temp, after)?;
    if after.form != Form::Folder {
        return Ok(());
    }
    let top = folder.folder(temp.as_ref())?;
    let all = || inner.iter().filter_map(|change| below(change, place));
    for (path, image) in all() {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            continue;
        };
        make(&top.folder(above)?, name, image)?;
    }
    // A folder that may not be written gets its bits when all is in it.
    for (path, image) in all().collect::<Vec<_>>().into_iter().rev() {
        settle(&top, path, image)?;
    }
    settle(folder, Path::new(temp), after)
}

fn below<'a>(change: &'a Change, place: &Place) -> Option<(&'a Path, &'a Image)> {
    let path = change.place.real.strip_prefix(&place.real).ok()?;
    Some((path, change.after.as_ref()?))
}

fn make(folder: &Root, name: &OsStr, image: &Image) -> io::Result<()> {
    match image.form {
        Form::File => write(folder, name, image, None),
        Form::Folder => Ok(rustix::fs::mkdirat(folder, name, Mode::RWXU)?),
        Form::Link => {
            let target = image.bytes.as_deref().ok_or(Errno::FBIG)?;
            Ok(rustix::fs::symlinkat(
                OsStr::from_bytes(target),
                folder,
                name,
            )?)
        }
    }
}

/// Gives a folder the permission bits that it had.
fn settle(root: &Root, path: &Path, image: &Image) -> io::Result<()> {
    let (Form::Folder, Some(mode)) = (image.form, image.mode) else {
        return Ok(());
    };
    let above = root.folder(path.parent().unwrap_or(Path::new("")))?;
    let name = path.file_name().unwrap_or_default();
    let mode = Mode::from_bits_truncate(mode);
    Ok(rustix::fs::chmodat(&above, name, mode, AtFlags::empty())?)
}

/// Whether the owner could be kept; a stranger's file must not keep its set-id bits.
fn keep_owner(file: &File, seen: &Stat) -> bool {
    let ours = file
        .metadata()
        .map(|metadata| (metadata.uid(), metadata.gid()));
    if ours.is_ok_and(|ours| ours == (seen.st_uid, seen.st_gid)) {
        return true;
    }
    let (owner, group) = (Uid::from_raw(seen.st_uid), Gid::from_raw(seen.st_gid));
    if rustix::fs::fchown(file, Some(owner), Some(group)).is_ok() {
        return true;
    }
    let _ = rustix::fs::fchown(file, None, Some(group));
    false
}
