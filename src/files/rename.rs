//! The two renames a commit is made of: exchanging two names, and taking a name that must be free.
//!
//! Both are one step in the kernel. Where a file system lacks them, hard links give the same result.

use std::ffi::OsStr;
use std::io;

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

use super::{Root, temporary};

/// Exchanges what stands at `new` and at `name`, both of which exist.
pub(super) fn swap(folder: &Root, new: &OsStr, name: &OsStr) -> io::Result<()> {
    match rustix::fs::renameat_with(folder, new, folder, name, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
        done => return Ok(done?),
    }
    let spare = temporary::name().map_err(io::Error::other)?;
    if rustix::fs::linkat(folder, name, folder, &spare, AtFlags::empty()).is_err() {
        rustix::fs::renameat(folder, name, folder, &spare)?;
    }
    if let Err(error) = rustix::fs::renameat(folder, new, folder, name) {
        let _ = rustix::fs::renameat(folder, &spare, folder, name);
        let _ = rustix::fs::unlinkat(folder, &spare, AtFlags::empty());
        return Err(error.into());
    }
    Ok(rustix::fs::renameat(folder, &spare, folder, new)?)
}

/// Renames where nothing stands yet; `EEXIST` where something does.
pub(super) fn onto_nothing(from: (&Root, &OsStr), to: (&Root, &OsStr)) -> io::Result<()> {
    match rustix::fs::renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
        done => return Ok(done?),
    }
    match rustix::fs::linkat(from.0, from.1, to.0, to.1, AtFlags::empty()) {
        Ok(()) => return Ok(rustix::fs::unlinkat(from.0, from.1, AtFlags::empty())?),
        Err(Errno::EXIST) => return Err(Errno::EXIST.into()),
        Err(_) => {} // a folder, or a file system without links
    }
    match rustix::fs::statat(to.0, to.1, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => Ok(rustix::fs::renameat(from.0, from.1, to.0, to.1)?),
        Ok(_) => Err(Errno::EXIST.into()),
        Err(error) => Err(error.into()),
    }
}
