//! The full text of a result that was cut: kept for seven days, for its own session tree and for the person.
//!
//! It does not cut and does not redact; what comes in is what comes out. Ids cannot be guessed, and
//! a session cannot tell an id of another tree from one that never was.

use std::fmt;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

use super::paths::{Paths, Room};
use super::random::{is_token, token};
use super::{SessionId, private};
use crate::error::ToolError;

/// How long a spill is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// How many entries one sweep looks at.
const SWEPT: usize = 10_000;

/// The name of a spill: 16 lowercase hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpillId(String);

/// Who asks for a spill.
#[derive(Clone, Copy, Debug)]
pub enum Reader<'a> {
    /// A session: it sees the spills of its own tree.
    Session(&'a SessionId),
    /// The person: sees all.
    Person,
}

/// The spills of one state folder: `store/spill/<root session>/<id>`, each file dated by its maker's clock.
#[derive(Clone, Debug)]
pub struct Spills {
    root: PathBuf,
}

impl Spills {
    /// The spills below this state folder. Creates nothing.
    pub fn new(paths: &Paths) -> Spills {
        Spills {
            root: paths.room(Room::Store).join("spill"),
        }
    }

    /// Keeps `bytes` for the tree of `session`, from `now` on.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn put(
        &self,
        session: &SessionId,
        bytes: &[u8],
        now: SystemTime,
    ) -> Result<SpillId, ToolError> {
        let id = SpillId(token()?);
        private::write_file(&self.of_tree(session), &id.0, bytes, Some(now))?;
        Ok(id)
    }

    /// A spill of the tree of `session` that is written piece by piece, from `now` on.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn begin(&self, session: &SessionId, now: SystemTime) -> Result<Spilling, ToolError> {
        let file = private::new_file(&self.of_tree(session))?;
        Ok(Spilling {
            file,
            folder: self.of_tree(session),
            now,
        })
    }

    /// The spill as a file.
    ///
    /// # Errors
    /// `not_found`, the same for one that is unknown, expired, or of another tree; `resource` when it
    /// cannot be read.
    pub fn open(&self, id: &SpillId, who: Reader<'_>, now: SystemTime) -> Result<File, ToolError> {
        let folders = match who {
            Reader::Session(session) => vec![self.of_tree(session)],
            Reader::Person => folders(&self.root),
        };
        for folder in folders {
            let Some(file) = private::open_file(&folder.join(&id.0))? else {
                continue;
            };
            if is_kept(file.metadata(), now) {
                return Ok(file);
            }
        }
        Err(
            ToolError::not_found(format!("there is no spill `{id}` in this session")).with_hint(
                "a spill lives seven days and only in its own session; repeat the call that made it",
            ),
        )
    }

    /// Removes what has expired and says how many spills that were. Looks at a bounded number of entries.
    pub fn sweep(&self, now: SystemTime) -> usize {
        let mut removed = 0;
        let mut looked = 0;
        for folder in folders(&self.root) {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                looked += 1;
                if looked > SWEPT {
                    return removed;
                }
                if !is_kept(entry.metadata(), now) {
                    removed += usize::from(fs::remove_file(entry.path()).is_ok());
                }
            }
            let _ = fs::remove_dir(&folder); // succeeds only where nothing is left
        }
        removed
    }

    fn of_tree(&self, session: &SessionId) -> PathBuf {
        self.root.join(session.root().as_str())
    }
}

/// The folders of all trees. None where there is nothing yet.
fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Whether a file is young enough. One from the future is.
fn is_kept(found: std::io::Result<fs::Metadata>, now: SystemTime) -> bool {
    let Ok(modified) = found.and_then(|found| found.modified()) else {
        return false;
    };
    now.duration_since(modified).map_or(true, |age| age <= KEPT)
}

/// A spill that is being written. It goes away unless it is finished.
#[derive(Debug)]
pub struct Spilling {
    file: NamedTempFile,
    folder: PathBuf,
    now: SystemTime,
}

impl Spilling {
    /// Adds `bytes`.
    ///
    /// # Errors
    /// `resource` when there is no room.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), ToolError> {
        self.file
            .write_all(bytes)
            .map_err(|error| private::failed(&error))
    }

    /// Keeps what was written.
    ///
    /// # Errors
    /// `resource` when it cannot be given its name.
    pub fn finish(self) -> Result<SpillId, ToolError> {
        let id = SpillId(token()?);
        self.file
            .as_file()
            .set_modified(self.now)
            .map_err(|error| private::failed(&error))?;
        let kept = self.file.persist(self.folder.join(&id.0));
        kept.map_err(|error| private::failed(&error.error))?;
        Ok(id)
    }
}

impl fmt::Display for SpillId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SpillId {
    type Err = ToolError;

    fn from_str(text: &str) -> Result<SpillId, ToolError> {
        if is_token(text, 16) {
            return Ok(SpillId(text.to_owned()));
        }
        Err(
            ToolError::argument("not the id of a spill: expected 16 hexadecimal digits")
                .with_hint("take the id from the notice of the truncated result"),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    use std::time::UNIX_EPOCH;

    use super::*;
    use crate::error::Kind;

    const NOW: SystemTime = UNIX_EPOCH;

    fn later(seconds: u64) -> SystemTime {
        NOW + Duration::from_secs(seconds)
    }

    fn spills() -> (tempfile::TempDir, Spills, SessionId) {
        let home = tempfile::tempdir().unwrap();
        let paths = Paths::at(home.path().join("config"), home.path().join("state"));
        (home, Spills::new(&paths), SessionId::new(NOW).unwrap())
    }

    fn text(file: Result<File, ToolError>) -> String {
        let mut text = String::new();
        file.unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn is_read_by_its_own_tree_and_by_the_person_only() {
        let (_home, spills, session) = spills();
        let child = session.child().unwrap();
        let id = spills.put(&child, b"all of it", NOW).unwrap();
        for reader in [
            Reader::Session(&child),
            Reader::Session(&session),
            Reader::Session(&session.child().unwrap()),
            Reader::Person,
        ] {
            assert_eq!(text(spills.open(&id, reader, NOW)), "all of it");
        }
        let stranger = SessionId::new(NOW).unwrap();
        let refused = spills
            .open(&id, Reader::Session(&stranger), NOW)
            .unwrap_err();
        assert_eq!(refused.kind, Kind::NotFound);
        let unknown: SpillId = "0123456789abcdef".parse().unwrap();
        let never = spills
            .open(&unknown, Reader::Session(&stranger), NOW)
            .unwrap_err();
        assert_eq!(
            refused.message.replace(&id.0, ""),
            never.message.replace(&unknown.0, "")
        );
    }

    #[test]
    fn lives_seven_days_and_is_then_swept() {
        let (home, spills, session) = spills();
        let old = spills.put(&session, b"old", NOW).unwrap();
        let new = spills.put(&session, b"new", later(10)).unwrap();
        let week = KEPT.as_secs();
        assert_eq!(text(spills.open(&old, Reader::Person, later(week))), "old");
        assert_eq!(spills.sweep(later(week)), 0);
        assert!(spills.open(&old, Reader::Person, later(week + 1)).is_err());
        assert_eq!(spills.sweep(later(week + 1)), 1);
        assert_eq!(
            text(spills.open(&new, Reader::Person, later(week + 1))),
            "new"
        );
        assert_eq!(spills.sweep(later(week + 11)), 1);
        assert_eq!(folders(&home.path().join("state/store/spill")).len(), 0);
    }

    #[test]
    fn is_for_its_owner_alone() {
        let (_home, spills, session) = spills();
        let id = spills.put(&session, b"", NOW).unwrap();
        let file = spills.open(&id, Reader::Person, NOW).unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn refuses_an_id_that_could_be_a_path() {
        for wrong in [
            "",
            "..",
            "../../etc/passwd",
            "0123456789ABCDEF",
            "0123456789abcde/",
        ] {
            assert_eq!(wrong.parse::<SpillId>().unwrap_err().kind, Kind::Argument);
        }
    }
}
