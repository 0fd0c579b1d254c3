//! Locks between processes, one file in the state folder for every path that is being changed.
//!
//! They are taken in one order, so two commits that share paths cannot wait for each other in a
//! circle. A lock file exists only while it is held; it tells nothing but a hash of the path.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::{Kind, ToolError};
use crate::store::Hash;

/// How long another commit on the same path is waited for. A commit takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Locks that are held until this is dropped.
#[derive(Debug)]
pub(super) struct Locks {
    _held: Vec<Held>,
}

#[derive(Debug)]
struct Held {
    /// Closing it lets the lock go, after the name is gone: field order is drop order.
    path: PathBuf,
    _file: File,
}

impl Locks {
    /// Takes the locks of all `paths` (real ones) in `folder`.
    pub(super) fn take<'a>(
        folder: &Path,
        paths: impl Iterator<Item = &'a Path>,
    ) -> Result<Locks, ToolError> {
        let mut names: Vec<String> = paths
            .map(|path| Hash::of(path.as_os_str().as_bytes()).to_string()[..32].to_owned())
            .collect();
        names.sort();
        names.dedup();
        let failed = |error: io::Error| ToolError::from_io(&error, "lock", "the state folder");
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(failed)?;
        let deadline = Instant::now() + PATIENCE;
        let held = names.iter().map(|name| hold(folder.join(name), deadline));
        Ok(Locks {
            _held: held.collect::<Result<_, _>>()?,
        })
    }
}

/// Takes one lock, or gives up at `deadline`.
fn hold(path: PathBuf, deadline: Instant) -> Result<Held, ToolError> {
    let mut pause = Duration::from_micros(200);
    loop {
        match attempt(&path) {
            Ok(Some(file)) => return Ok(Held { path, _file: file }),
            Ok(None) => {}
            Err(error) => return Err(ToolError::from_io(&error, "lock", "the state folder")),
        }
        if Instant::now() >= deadline {
            return Err(ToolError::new(
                Kind::Conflict,
                "another process has been changing the same file for 10 seconds",
            )
            .with_hint("end the other process, or try again when it is done"));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The locked file, or `None` while somebody else has it. A file whose name was removed by its last
/// holder is no lock any more: the path must still lead to it.
fn attempt(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32)
        .open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let ours = file.metadata()?;
    let is_there = path
        .symlink_metadata()
        .is_ok_and(|there| there.ino() == ours.ino());
    Ok(is_there.then_some(file))
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn excludes_others_and_leaves_nothing() {
        let tree = tempfile::tempdir().unwrap();
        let folder = tree.path().join("state/locks");
        let counter = std::sync::Mutex::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (folder, counter) = (&folder, &counter);
                scope.spawn(move || {
                    let (a, b) = (Path::new("/a"), Path::new("/b"));
                    let order = if thread % 2 == 0 { [a, b] } else { [b, a] };
                    for _ in 0..50 {
                        let locks = Locks::take(folder, order.into_iter()).unwrap();
                        let free = counter.try_lock();
                        *free.expect("another thread is inside") += 1;
                        drop(locks);
                    }
                });
            }
        });
        assert_eq!(*counter.lock().unwrap(), 200);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        let mode = folder.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
