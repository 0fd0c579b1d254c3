//! The journal's files: one folder a session, `store/journal/WORKSPACE/SESSION`, with a log and what was there before.
//!
//! A log is JSON lines, only ever added to. Its session holds it locked for as long as it lives, so a log
//! that can be locked is a dead one's: such folders go, whole, when they are too old or too large together.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::blobs::Blobs;
use super::hash::Hash;
use super::paths::{Paths, Room};
use super::private;
use super::session::SessionId;
use crate::error::{Kind, ToolError};

/// How many bytes the sessions of one workspace keep, besides the running ones: a month of work, and no
/// more than a disk has to spare. The same for every project, since one disk holds them all.
const KEPT: u64 = 512 << 20;
/// How long a session is kept after its last change.
const AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often a workspace is looked through for what may go.
const SWEPT: Duration = Duration::from_secs(3600);

/// The journal of one workspace, as one session writes it.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    session: SessionId,
    is_strict: bool,
    own: Mutex<Option<Arc<Log>>>,
}

impl Journal {
    /// The journal of the real path `workspace`. Creates nothing. Strict: every record is on the disk
    /// before the work goes on.
    pub fn new(paths: &Paths, workspace: &Path, session: SessionId, is_strict: bool) -> Journal {
        let name = Hash::of(workspace.as_os_str().as_encoded_bytes()).to_string();
        Journal {
            folder: paths.room(Room::Store).join("journal").join(&name[..32]),
            session,
            is_strict,
            own: Mutex::default(),
        }
    }

    /// The log of this session; it begins with the first change, and then old sessions are let go.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn own(&self) -> Result<Arc<Log>, ToolError> {
        let mut own = self.lock();
        if let Some(log) = &*own {
            return Ok(Arc::clone(log));
        }
        self.sweep(SystemTime::now(), KEPT);
        let folder = self.folder.join(self.session.as_str());
        let log = Log::begin(&folder, self.is_strict).map_err(|error| ToolError {
            kind: Kind::Resource,
            ..private::failed(&error)
        })?;
        let log = Arc::new(log);
        *own = Some(Arc::clone(&log));
        Ok(log)
    }

    /// The folders of all sessions that have changed something, the oldest first.
    pub fn sessions(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut found: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.join(LOG).is_file())
            .collect();
        found.sort();
        found
    }

    /// Lets go of sessions that are over: those too old, and those for which no room is left in `most` bytes,
    /// the newest having the first claim. What a running one holds beyond that stays, and counts for nothing.
    fn sweep(&self, now: SystemTime, most: u64) {
        let mark = self.folder.join("swept");
        let age = |path: &Path| {
            let modified = path.symlink_metadata().and_then(|found| found.modified());
            modified.ok().and_then(|then| now.duration_since(then).ok())
        };
        if age(&mark).is_some_and(|age| age < SWEPT) {
            return;
        }
        let mut held = 0;
        for session in self.sessions().iter().rev() {
            let bytes = size(session);
            let is_old = age(&session.join(LOG)).is_some_and(|age| age > AGE);
            if is_old || held + bytes > most {
                evict(session);
            } else {
                held += bytes;
            }
        }
        let _again_next_time = private::write_file(&self.folder, "swept", b"", Some(now));
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Log>>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const LOG: &str = "log";

/// How many bytes lie in a folder.
fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let one = |path: PathBuf| match path.symlink_metadata() {
        Ok(found) if found.is_dir() => size(&path),
        Ok(found) => found.size(),
        Err(_) => 0,
    };
    entries.flatten().map(|entry| one(entry.path())).sum()
}

/// Removes the folder of a session, unless it is running. The log goes last: by it the next sweep finds what this
/// one could not finish.
fn evict(session: &Path) {
    let Ok(log) = File::open(session.join(LOG)) else {
        return;
    };
    let Ok(entries) = fs::read_dir(session) else {
        return;
    };
    if log.try_lock().is_err() {
        return;
    }
    for path in entries.flatten().map(|entry| entry.path()) {
        let _next_time = match path.is_dir() {
            true => fs::remove_dir_all(path),
            false if path.ends_with(LOG) => Ok(()),
            false => fs::remove_file(path),
        };
    }
    let is_empty = fs::read_dir(session).is_ok_and(|entries| entries.count() == 1);
    let _next_time = is_empty.then(|| fs::remove_dir_all(session));
}

/// The log of one session, open for adding to it.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    blobs: Blobs,
    is_strict: bool,
    next: AtomicU64,
    writing: Mutex<()>,
}

impl Log {
    fn begin(folder: &Path, is_strict: bool) -> io::Result<Log> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let log = Log::open(folder, OpenOptions::new().create_new(true), is_strict)?;
        log.file.try_lock()?;
        Ok(log)
    }

    /// The log of a session that has died, once nobody else mends it.
    ///
    /// # Errors
    /// `WouldBlock` while somebody holds it; what the system says.
    pub fn of_the_dead(folder: &Path) -> io::Result<Log> {
        let log = Log::open(folder, &mut OpenOptions::new(), false)?;
        log.file.try_lock()?;
        // A line that death cut short stays a line of its own.
        let length = log.file.metadata()?.len();
        let mut last = [b'\n'];
        if length > 0 {
            log.file.read_exact_at(&mut last, length - 1)?;
        }
        if last != [b'\n'] {
            (&log.file).write_all(b"\n")?;
        }
        Ok(log)
    }

    fn open(folder: &Path, options: &mut OpenOptions, is_strict: bool) -> io::Result<Log> {
        let path = folder.join(LOG);
        let file = options.read(true).append(true).mode(0o600).open(&path)?;
        Ok(Log {
            path,
            file,
            blobs: Blobs::at(folder.join("blobs")),
            is_strict,
            next: AtomicU64::new(1),
            writing: Mutex::default(),
        })
    }

    /// The folder of the session.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// What was there before, by hash.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// A number that no other record of this log has.
    pub fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Adds one line, in one piece.
    ///
    /// # Errors
    /// `resource` when it cannot be written.
    pub fn append(&self, mut line: Vec<u8>) -> Result<(), ToolError> {
        line.push(b'\n');
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let length = self.file.metadata().map(|found| found.len());
        let written = (&self.file)
            .write_all(&line)
            .and_then(|()| match self.is_strict {
                true => self.file.sync_all(),
                false => Ok(()),
            });
        written.map_err(|error| {
            // Half a line must not take the next one with it.
            let _stays = length.and_then(|length| self.file.set_len(length));
            private::failed(&error)
        })
    }

    /// Keeps `bytes` as what was there before.
    ///
    /// # Errors
    /// `resource` when they cannot be written.
    pub fn keep(&self, bytes: &[u8]) -> Result<Hash, ToolError> {
        match self.is_strict {
            true => self.blobs.put_synced(bytes),
            false => self.blobs.put(bytes),
        }
    }
}

/// The lines of the log in the folder of a session.
///
/// # Errors
/// `resource` when it cannot be read.
pub fn log_lines(session: &Path) -> Result<Vec<Vec<u8>>, ToolError> {
    let all = fs::read(session.join(LOG));
    let all = all.map_err(|error| ToolError::from_io(&error, "read from", "the state folder"))?;
    let lines = all.split(|byte| *byte == b'\n');
    Ok(lines
        .filter(|line| !line.is_empty())
        .map(<[u8]>::to_vec)
        .collect())
}

/// What the session in this folder kept of what was there before.
pub fn log_blobs(session: &Path) -> Blobs {
    Blobs::at(session.join("blobs"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn journal(home: &Path, ago: Duration) -> Journal {
        let paths = Paths::at(home.join("config"), home.join("state"));
        let session = SessionId::new(SystemTime::now() - ago).unwrap();
        Journal::new(&paths, Path::new("/w"), session, false)
    }

    #[test]
    fn a_log_is_its_owners_alone_and_comes_back_line_by_line() {
        let home = tempfile::tempdir().unwrap();
        let journal = journal(home.path(), Duration::ZERO);
        assert!(
            !home.path().join("state").exists(),
            "nothing before first use"
        );
        let log = journal.own().unwrap();
        log.append(b"one".to_vec()).unwrap();
        log.append(b"two".to_vec()).unwrap();
        let hash = log.keep(b"before").unwrap();
        assert_eq!(log_lines(log.folder()).unwrap(), [b"one", b"two"]);
        assert_eq!(log_blobs(log.folder()).get(&hash).unwrap(), b"before");
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&log.path), mode(log.folder())), (0o600, 0o700));
        assert_eq!(mode(&journal.folder), 0o700);
        assert_eq!(
            Log::of_the_dead(log.folder()).unwrap_err().kind(),
            io::ErrorKind::WouldBlock
        );
    }

    #[test]
    fn a_torn_line_does_not_take_the_next_one_with_it() {
        let home = tempfile::tempdir().unwrap();
        let journal = journal(home.path(), Duration::ZERO);
        let folder = journal.own().unwrap().folder().to_owned();
        *journal.lock() = None;
        fs::write(folder.join(LOG), b"one\n{\"to").unwrap();
        Log::of_the_dead(&folder)
            .unwrap()
            .append(b"two".to_vec())
            .unwrap();
        assert_eq!(log_lines(&folder).unwrap(), [&b"one"[..], b"{\"to", b"two"]);
    }

    #[test]
    fn old_sessions_go_and_running_ones_stay() {
        let home = tempfile::tempdir().unwrap();
        let month = Duration::from_secs(40 * 24 * 3600);
        let (over, running) = (journal(home.path(), month), journal(home.path(), month));
        for journal in [&over, &running] {
            let log = journal.own().unwrap();
            log.keep(b"before").unwrap();
            log.file.set_modified(SystemTime::now() - month).unwrap();
        }
        *over.lock() = None;
        fs::remove_file(over.folder.join("swept")).unwrap();
        let now = journal(home.path(), Duration::ZERO);
        now.own().unwrap();
        let kept = now.sessions();
        let names: Vec<_> = kept.iter().map(|path| path.file_name().unwrap()).collect();
        assert_eq!(names, [running.session.as_str(), now.session.as_str()]);
    }

    #[test]
    fn what_there_is_no_room_for_goes_but_not_what_is_running() {
        let home = tempfile::tempdir().unwrap();
        let day = |days: u64| journal(home.path(), Duration::from_secs(days * 24 * 3600));
        let [oldest, small, running, large, now] = [5, 4, 3, 2, 1].map(day);
        for (journal, bytes) in [
            (&oldest, 600),
            (&small, 300),
            (&running, 5000),
            (&large, 5000),
        ] {
            journal.own().unwrap().keep(&vec![b'x'; bytes]).unwrap();
        }
        for journal in [&oldest, &small, &large] {
            *journal.lock() = None;
        }
        fs::remove_file(now.folder.join("swept")).unwrap();
        let held = size(&now.folder.join(small.session.as_str()));
        now.sweep(SystemTime::now(), held);
        let kept = now.sessions();
        let names: Vec<_> = kept.iter().map(|path| path.file_name().unwrap()).collect();
        assert_eq!(names, [small.session.as_str(), running.session.as_str()]);
        assert!(!now.folder.join(large.session.as_str()).exists());
        now.sweep(SystemTime::now(), 0);
        assert_eq!(now.sessions().len(), 2, "once an hour");
    }
}
