//! Locks between processes, one file in the state folder for every path that is being changed.
//!
//! They are taken in one order, so two commits that share paths cannot wait for each other in a
//! circle. A lock file exists only while it is held; its name is a hash of the path, and it tells which
//! temporary files its holder made. One that nobody holds was left by death: they are swept with it.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::temporary;
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
}

impl Locks {
    /// Takes, in passing, what the dead have left, and then the locks of all `paths` (real ones) in `folder`.
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
        for entry in std::fs::read_dir(folder).map_err(failed)?.flatten() {
            bury(&entry.path());
        }
        let deadline = Instant::now() + PATIENCE;
        let held = names.iter().map(|name| hold(folder.join(name), deadline));
        Ok(Locks {
            held: held.collect::<Result<_, _>>()?,
        })
    }

    /// Notes that the temporary file `temp` is about to be made. A note that cannot be written costs no
    /// more than a file that stays.
    pub(super) fn note(&self, temp: &Path) {
        if let Some(held) = self.held.first() {
            let record = [temp.as_os_str().as_bytes(), b"\0"].concat();
            let _unnoted = (&held.file).write_all(&record);
        }
    }
}

/// Takes one lock, or gives up at `deadline`.
fn hold(path: PathBuf, deadline: Instant) -> Result<Held, ToolError> {
    let mut pause = Duration::from_micros(200);
    loop {
        match attempt(&path) {
            Ok(Some(file)) => return Ok(Held { path, file }),
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
    let file = options().create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let is_there = leads_to(path, &file)?;
    if is_there {
        sweep(&file);
        file.set_len(0)?;
        (&file).rewind()?;
    }
    Ok(is_there.then_some(file))
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

/// Sweeps what the holder of a lock file left, if it has died, and removes the lock file.
fn bury(path: &Path) {
    let Ok(file) = options().open(path) else {
        return;
    };
    if file.try_lock().is_ok() && leads_to(path, &file).unwrap_or(false) {
        sweep(&file);
        drop(Held {
            path: path.to_owned(),
            file,
        });
    }
}

/// Removes the temporary files that a lock file tells of.
fn sweep(mut file: &File) {
    let mut noted = Vec::new();
    let _unreadable = file.read_to_end(&mut noted);
    for path in noted
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
    {
        temporary::sweep(Path::new(OsStr::from_bytes(path)));
    }
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
    fn what_the_dead_left_is_swept_by_whoever_comes_next() {
        let tree = tempfile::tempdir().unwrap();
        let top = tree.path().canonicalize().unwrap();
        let folder = top.join("locks");
        let temp = |token: &str| top.join(format!(".agent-{token}.tmp"));
        let (ours, living, dead) = ("0123456789abcdef", "1123456789abcdef", "2123456789abcdef");
        for token in [ours, living, dead] {
            std::fs::write(temp(token), "x").unwrap();
        }
        let held = Locks::take(&folder, [Path::new("/living")].into_iter()).unwrap();
        held.note(&temp(living));
        let left = [temp(ours), temp(dead)].map(|path| format!("{}\0", path.display()));
        std::fs::write(folder.join("left"), left.concat()).unwrap();
        drop(Locks::take(&folder, [Path::new("/other")].into_iter()).unwrap());
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
