//! Sessions on disk: `sessions/ID.jsonl`, one file each, lines that are only ever added to. What a line says is for
//! whoever writes it.
//!
//! One process writes a session at a time: the file is locked as long as it is open for that. A last line that was cut
//! short is no line; it goes when the next one is written. Nothing is forced to the disk: a kill loses no line.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::paths::{Paths, Room};
use super::private;
use super::session::SessionId;
use crate::error::{Kind, ToolError};

/// How a file of a session ends.
const SUFFIX: &str = ".jsonl";
/// How many bytes of a session are read at most.
const MOST_BYTES: u64 = 1 << 30;

/// The sessions below one state folder.
#[derive(Clone, Debug)]
pub struct Sessions {
    folder: PathBuf,
}

impl Sessions {
    /// The sessions of this state folder. Creates nothing.
    pub fn new(paths: &Paths) -> Sessions {
        Sessions {
            folder: paths.room(Room::Sessions),
        }
    }

    /// Begins the file of a new session, for its owner alone.
    ///
    /// # Errors
    /// `conflict` when there is one; `resource` when the state folder cannot be written.
    pub fn begin(&self, id: &SessionId) -> Result<SessionLog, ToolError> {
        private::make_folder(&self.folder)?;
        let place = self.place(id);
        let opened = OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(place);
        match opened {
            Ok(file) => SessionLog::lock(file, id),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(ToolError::conflict(
                format!("there is a session {id} already"),
            )),
            Err(error) => Err(private::failed(&error)),
        }
    }

    /// Opens a session to go on with: what it holds, and the way to add to it.
    ///
    /// # Errors
    /// `not_found` when there is none; `conflict` when another process goes on with it.
    pub fn go_on(&self, id: &SessionId) -> Result<(Vec<Vec<u8>>, SessionLog), ToolError> {
        let opened = OpenOptions::new()
            .read(true)
            .append(true)
            .open(self.place(id));
        let file = opened.map_err(|error| unopened(&error, id))?;
        let log = SessionLog::lock(file, id)?;
        let bytes = read(&log.lock_file())?;
        let whole = whole(&bytes);
        if whole < bytes.len() {
            let length = u64::try_from(whole).unwrap_or_default();
            let cut = log.lock_file().set_len(length);
            cut.map_err(|error| private::failed(&error))?;
        }
        Ok((lines(&bytes[..whole]), log))
    }

    /// Whether there is a file of this session.
    pub fn has(&self, id: &SessionId) -> bool {
        self.place(id).symlink_metadata().is_ok()
    }

    /// The whole lines of a session, without their ends. Somebody may be adding to it.
    ///
    /// # Errors
    /// `not_found` when there is none; `resource` when it cannot be read.
    pub fn lines(&self, id: &SessionId) -> Result<Vec<Vec<u8>>, ToolError> {
        let file = File::open(self.place(id)).map_err(|error| unopened(&error, id))?;
        let bytes = read(&file)?;
        Ok(lines(&bytes[..whole(&bytes)]))
    }

    /// The first line of a session, without its end; empty where there is no whole one.
    ///
    /// # Errors
    /// Those of [`Sessions::lines`].
    pub fn head(&self, id: &SessionId) -> Result<Vec<u8>, ToolError> {
        let mut file = File::open(self.place(id)).map_err(|error| unopened(&error, id))?;
        let (mut head, mut piece) = (Vec::new(), [0; 4096]);
        loop {
            let many = file.read(&mut piece).map_err(|error| unread(&error))?;
            head.extend_from_slice(&piece[..many]);
            if let Some(end) = head.iter().position(|byte| *byte == b'\n') {
                head.truncate(end);
                return Ok(head);
            }
            if many == 0 || head.len() > 1 << 20 {
                return Ok(Vec::new());
            }
        }
    }

    /// The sessions there are, the newest first.
    ///
    /// # Errors
    /// `resource` when the folder cannot be read.
    pub fn list(&self) -> Result<Vec<SessionId>, ToolError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unread(&error)),
        };
        let names = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok());
        let ids = names.filter_map(|name| name.strip_suffix(SUFFIX)?.parse().ok());
        let mut ids: Vec<SessionId> = ids.collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ids)
    }

    fn place(&self, id: &SessionId) -> PathBuf {
        self.folder.join(format!("{id}{SUFFIX}"))
    }
}

/// A session that this process writes.
#[derive(Debug)]
pub struct SessionLog {
    file: Mutex<File>,
}

impl SessionLog {
    fn lock(file: File, id: &SessionId) -> Result<SessionLog, ToolError> {
        match file.try_lock() {
            Ok(()) => Ok(SessionLog {
                file: Mutex::new(file),
            }),
            Err(TryLockError::WouldBlock) => {
                let message = format!("another process goes on with the session {id}");
                Err(ToolError::new(Kind::Conflict, message)
                    .with_hint("end it there, or fork it: agent session fork"))
            }
            Err(TryLockError::Error(error)) => Err(private::failed(&error)),
        }
    }

    /// Adds one line, in one piece. What `line` holds is one line; its end is added.
    ///
    /// # Errors
    /// `resource` when it cannot be written; then nothing of it stays.
    pub fn add(&self, line: &[u8]) -> Result<(), ToolError> {
        let mut whole = Vec::with_capacity(line.len() + 1);
        whole.extend_from_slice(line);
        whole.push(b'\n');
        let mut file = self.lock_file();
        let before = file.metadata().map(|found| found.len());
        file.write_all(&whole).map_err(|error| {
            if let Ok(before) = before {
                let _torn = file.set_len(before);
            }
            private::failed(&error)
        })
    }

    fn lock_file(&self) -> std::sync::MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(mut file: &File) -> Result<Vec<u8>, ToolError> {
    let mut bytes = Vec::new();
    let read = (&mut file).take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| unread(&error))?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(unread(&io::ErrorKind::FileTooLarge.into())),
        false => Ok(bytes),
    }
}

/// How many bytes whole lines are.
fn whole(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1)
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

fn unopened(error: &io::Error, id: &SessionId) -> ToolError {
    match error.kind() {
        io::ErrorKind::NotFound => ToolError::not_found(format!("there is no session {id}"))
            .with_hint("`agent session list` shows those of this workspace"),
        _ => unread(error),
    }
}

fn unread(error: &io::Error) -> ToolError {
    ToolError::from_io(error, "read from", "the state folder")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::SystemTime;

    use super::*;

    fn sessions() -> (tempfile::TempDir, Sessions, SessionId) {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::at(folder.path().join("config"), folder.path().join("state"));
        let id = SessionId::new(SystemTime::now()).unwrap();
        (folder, Sessions::new(&paths), id)
    }

    #[test]
    fn what_is_added_is_there_and_nobody_elses() {
        let (_folder, sessions, id) = sessions();
        assert_eq!(sessions.list().unwrap(), []);
        let log = sessions.begin(&id).unwrap();
        log.add(b"{\"a\":1}").unwrap();
        log.add("{\"ä\":2}".as_bytes()).unwrap();
        assert_eq!(sessions.lines(&id).unwrap().len(), 2);
        assert_eq!(sessions.head(&id).unwrap(), b"{\"a\":1}");
        assert_eq!(sessions.list().unwrap(), std::slice::from_ref(&id));
        let mode = sessions.place(&id).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(sessions.begin(&id).unwrap_err().kind, Kind::Conflict);
    }

    #[test]
    fn one_writes_and_the_next_goes_on_when_it_is_done() {
        let (_folder, sessions, id) = sessions();
        assert_eq!(sessions.go_on(&id).unwrap_err().kind, Kind::NotFound);
        let log = sessions.begin(&id).unwrap();
        log.add(b"1").unwrap();
        assert_eq!(sessions.go_on(&id).unwrap_err().kind, Kind::Conflict);
        drop(log);
        let (lines, log) = sessions.go_on(&id).unwrap();
        assert_eq!(lines, [b"1".to_vec()]);
        log.add(b"2").unwrap();
        assert_eq!(sessions.lines(&id).unwrap(), [b"1".to_vec(), b"2".to_vec()]);
    }

    #[test]
    fn a_last_line_that_was_cut_short_is_no_line() {
        let (_folder, sessions, id) = sessions();
        let log = sessions.begin(&id).unwrap();
        log.add(b"whole").unwrap();
        drop(log);
        let whole = fs::read(sessions.place(&id)).unwrap();
        for cut in 0..whole.len() {
            fs::write(sessions.place(&id), [&whole, &whole[..cut]].concat()).unwrap();
            assert_eq!(sessions.lines(&id).unwrap(), [b"whole".to_vec()]);
            let (lines, log) = sessions.go_on(&id).unwrap();
            log.add(b"next").unwrap();
            assert_eq!((lines.len(), sessions.lines(&id).unwrap().len()), (1, 2));
        }
        fs::write(sessions.place(&id), "torn").unwrap();
        assert_eq!(sessions.head(&id).unwrap(), b"");
        assert!(sessions.lines(&id).unwrap().is_empty());
    }

    #[test]
    fn the_newest_comes_first_and_what_is_no_session_is_passed_over() {
        let (_folder, sessions, id) = sessions();
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        let later = SessionId::new(later).unwrap();
        for id in [&id, &later] {
            sessions.begin(id).unwrap();
        }
        fs::write(sessions.folder.join("notes.txt"), "").unwrap();
        fs::write(sessions.folder.join("x.jsonl"), "").unwrap();
        assert_eq!(sessions.list().unwrap(), [later, id]);
    }
}
