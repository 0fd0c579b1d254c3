//! Locks between processes, one file in the state folder for every path that is being changed.
//!
//! They are taken in one order, so two commits that share paths cannot wait for each other in a
//! circle. A lock file exists only while it is held; its name is a hash of the path, and it tells which
//! temporary files its holder made and what it was about to do. One that nobody holds was left by death.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{journal, temporary};
use crate::error::{Kind, ToolError};
use crate::store::Hash;

/// How long another commit on the same path is waited for. A commit takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Locks that are held until this is dropped.
#[derive(Debug)]
pub(super) struct Locks {
    held: Vec<Held>,
}

#[derive(Debug)]
struct Held {
    /// Closing it lets the lock go, after the name is gone: field order is drop order.
    path: PathBuf,
    file: File,
    /// Whether the name is somebody else's to remove.
    stays: bool,
}

impl Locks {
    /// Takes the locks of all `paths` (real ones) in `folder`. What the dead have left is handed to `mend` first,
    /// with no lock held; `mend` takes it away.
    pub(super) fn take<'a>(
        folder: &Path,
        paths: impl Iterator<Item = &'a Path>,
        mend: &dyn Fn(&Dead) -> Result<(), ToolError>,
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
        loop {
            for dead in dead(folder).map_err(failed)? {
                mend(&dead)?;
            }
            if let Some(held) = hold_all(folder, &names, deadline)? {
                return Ok(Locks { held });
            }
        }
    }

    /// Notes that the temporary file `temp`, or a folder (with a slash at its end), is about to be made. A note
    /// that cannot be written costs no more than a file that stays.
    pub(super) fn note(&self, temp: &Path) {
        if let Some(held) = self.held.first() {
            let record = [temp.as_os_str().as_bytes(), b"\0"].concat();
            let _unnoted = (&held.file).write_all(&record);
        }
    }

    /// Tells in every lock of the intent that the journal is about to hold.
    pub(super) fn tell(&self, mark: &[u8]) {
        let record = [mark, b"\0"].concat();
        for held in &self.held {
            let _untold = (&held.file).write_all(&record);
        }
    }
}

/// A lock that its holder left by dying, held again so that nobody else mends it.
pub(super) struct Dead {
    held: Held,
    /// What it tells of.
    pub(super) told: Vec<u8>,
}

impl Dead {
    /// Sweeps the temporary files it tells of, and takes it away.
    pub(super) fn bury(&self) {
        sweep(&self.told);
        let _gone = std::fs::remove_file(&self.held.path);
    }

    /// The marks of the journal that it holds.
    pub(super) fn marks(&self) -> impl Iterator<Item = (PathBuf, u64)> {
        let records = self.told.split(|byte| *byte == 0);
        records.filter_map(journal::of_mark)
    }
}

/// What the dead have left in `folder`.
pub(super) fn dead(folder: &Path) -> io::Result<Vec<Dead>> {
    let entries = std::fs::read_dir(folder)?.flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort(); // commits (their names are digits) before the transactions they are part of
    Ok(paths.iter().filter_map(|path| found_dead(path)).collect())
}

fn found_dead(path: &Path) -> Option<Dead> {
    let mut file = options().open(path).ok()?;
    file.try_lock().ok()?;
    if !leads_to(path, &file).unwrap_or(false) {
        return None;
    }
    let mut told = Vec::new();
    let _unreadable = file.read_to_end(&mut told);
    let path = path.to_owned();
    Some(Dead {
        held: Held {
            path,
            file,
            stays: true,
        },
        told,
    })
}

/// A file among the locks that is held by its maker, and stays when he dies.
pub(super) fn mark_file(folder: &Path, path: &Path) -> io::Result<File> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let file = options().create_new(true).open(path)?;
    file.try_lock()?;
    Ok(file)
}

/// All of these locks, or none where the dead have left one of them.
fn hold_all(
    folder: &Path,
    names: &[String],
    deadline: Instant,
) -> Result<Option<Vec<Held>>, ToolError> {
    let mut held = Vec::new();
    for name in names {
        match hold(folder.join(name), deadline)? {
            Some(lock) => held.push(lock),
            None => return Ok(None),
        }
    }
    Ok(Some(held))
}

/// Takes one lock, or gives up at `deadline`. `None`: the dead have left it.
fn hold(path: PathBuf, deadline: Instant) -> Result<Option<Held>, ToolError> {
    let mut pause = Duration::from_micros(200);
    loop {
        match attempt(&path) {
            Ok(Attempt::Mine(file)) => {
                let stays = false;
                return Ok(Some(Held { path, file, stays }));
            }
            Ok(Attempt::Dead) => return Ok(None),
            Ok(Attempt::Taken) => {}
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

/// What came of trying to take a lock.
enum Attempt {
    Mine(File),
    Taken,
    /// Its holder has died and left word in it.
    Dead,
}

/// A file whose name was removed by its last holder is no lock any more: the path must still lead to it.
fn attempt(path: &Path) -> io::Result<Attempt> {
    let file = options().create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Attempt::Taken),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    Ok(match leads_to(path, &file)? {
        false => Attempt::Taken,
        true if file.metadata()?.len() > 0 => Attempt::Dead,
        true => Attempt::Mine(file),
    })
}

fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    let ours = file.metadata()?;
    let there = path.symlink_metadata();
    Ok(there.is_ok_and(|there| there.ino() == ours.ino()))
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
    options
        .read(true)
        .write(true)
        .mode(0o600)
        .custom_flags(flags);
    options
}

/// Removes the temporary files that a lock tells of, and the folders it tells of if they are empty.
fn sweep(told: &[u8]) {
    let paths = told.split(|byte| *byte == 0);
    for path in paths.filter(|path| path.starts_with(b"/")).rev() {
        temporary::sweep(Path::new(OsStr::from_bytes(path)));
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.stays {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn bury(dead: &Dead) -> Result<(), ToolError> {
        dead.bury();
        Ok(())
    }

    #[test]
    fn what_the_dead_left_is_swept_by_whoever_comes_next() {
        let tree = tempfile::tempdir().unwrap();
        let top = tree.path().canonicalize().unwrap();
        let folder = top.join("locks");
        let temp = |token: &str| top.join(format!(".agent-{token}.tmp"));
        let (ours, living, dead) = ("0123456789abcdef", "1123456789abcdef", "2123456789abcdef");
        for token in [ours, living, dead] {
            std::fs::write(temp(token), "x").unwrap();
        }
        let held = Locks::take(&folder, [Path::new("/living")].into_iter(), &bury).unwrap();
        held.note(&temp(living));
        let left = [temp(ours), temp(dead)].map(|path| format!("{}\0", path.display()));
        std::fs::write(folder.join("left"), left.concat()).unwrap();
        drop(Locks::take(&folder, [Path::new("/other")].into_iter(), &bury).unwrap());
        assert!(!temp(ours).exists() && !temp(dead).exists() && temp(living).exists());
        drop(held);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }

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
                        let locks = Locks::take(folder, order.into_iter(), &bury).unwrap();
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
