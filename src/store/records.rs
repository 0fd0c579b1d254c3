//! Small files of one part of the state, each under a name of its own: what is trusted, what was approved.
//!
//! A record appears complete or not at all, for its owner alone. What it says is its reader's to judge:
//! a name is a plain file name, and nothing is ever read from beside the folder.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use super::paths::{Paths, Room};
use super::private;
use crate::error::ToolError;

/// More than any record needs: what is longer was not written by this program.
const MOST_BYTES: u64 = 8 << 20;

/// The records of one room.
#[derive(Clone, Debug)]
pub struct Records {
    folder: PathBuf,
}

impl Records {
    /// The records of `room`. Creates nothing.
    pub fn new(paths: &Paths, room: Room) -> Records {
        Records {
            folder: paths.room(room),
        }
    }

    /// The bytes of the record `name`; `None` when there is none.
    ///
    /// # Errors
    /// `resource` when it cannot be read, or is longer than a record can be.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, ToolError> {
        let Some(file) = private::open_file(&self.place(name)?)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| ToolError::from_io(&error, "read from", "the state folder"))?;
        if bytes.len() as u64 > MOST_BYTES {
            let error = io::Error::from(io::ErrorKind::FileTooLarge);
            return Err(ToolError::from_io(&error, "read", "a record of the state"));
        }
        Ok(Some(bytes))
    }

    /// The bytes of the record `name`, as [`Records::read`] gives them, of a plain file that nobody but its
    /// owner can have written.
    ///
    /// # Errors
    /// `resource` when it is anything else, or cannot be read.
    pub fn read_private(&self, name: &str) -> Result<Option<Vec<u8>>, ToolError> {
        let found = match self.place(name)?.symlink_metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ToolError::from_io(&error, "read from", "the state folder")),
        };
        let is_own = found.uid() == rustix::process::geteuid().as_raw();
        if !found.is_file() || !is_own || found.mode() & 0o077 != 0 {
            let error = io::Error::from(io::ErrorKind::PermissionDenied);
            return Err(ToolError::from_io(&error, "trust", "a record of the state"));
        }
        self.read(name)
    }

    /// Whether the record `name` is there.
    pub fn has(&self, name: &str) -> bool {
        self.place(name)
            .is_ok_and(|place| place.symlink_metadata().is_ok())
    }

    /// Writes the record `name`, in the place of an older one.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ToolError> {
        self.place(name)?;
        private::make_folder(&self.folder)?;
        private::write_file(&self.folder, name, bytes, None)
    }

    /// Takes the record `name` away; whether there was one.
    ///
    /// # Errors
    /// `resource` when the system refuses.
    pub fn remove(&self, name: &str) -> Result<bool, ToolError> {
        match fs::remove_file(self.place(name)?) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(private::failed(&error)),
        }
    }

    /// The names that begin with `prefix`, sorted.
    ///
    /// # Errors
    /// `resource` when the folder cannot be read.
    pub fn names(&self, prefix: &str) -> Result<Vec<String>, ToolError> {
        let failed = |error| ToolError::from_io(&error, "read from", "the state folder");
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(failed)?.file_name();
            if let Some(name) = name.to_str().filter(|name| name.starts_with(prefix)) {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    fn place(&self, name: &str) -> Result<PathBuf, ToolError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        match !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain) {
            true => Ok(self.folder.join(name)),
            false => Err(ToolError::internal("a record has an impossible name")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::error::Kind;

    fn records() -> (tempfile::TempDir, Records) {
        let home = tempfile::tempdir().unwrap();
        let paths = Paths::at(home.path().join("config"), home.path().join("state"));
        (home, Records::new(&paths, Room::Trust))
    }

    #[test]
    fn a_record_is_its_owners_alone_and_comes_back_whole() {
        let (home, records) = records();
        assert_eq!(records.read("a").unwrap(), None);
        assert!(records.names("").unwrap().is_empty() && !records.remove("a").unwrap());
        assert!(
            !home.path().join("state").exists(),
            "looking creates nothing"
        );
        records.write("a.json", b"one").unwrap();
        records.write("a.json", b"two").unwrap();
        assert_eq!(records.read("a.json").unwrap().unwrap(), b"two");
        assert!(records.has("a.json") && !records.has("b.json"));
        let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(records.folder.join("a.json")), 0o600);
        assert_eq!(mode(records.folder.clone()), 0o700);
        records.write("b", b"").unwrap();
        assert_eq!(records.names("a").unwrap(), ["a.json"]);
        assert!(records.remove("a.json").unwrap() && !records.has("a.json"));
    }

    #[test]
    fn a_name_leads_nowhere_else() {
        let (_home, records) = records();
        for name in ["", ".", "..", "../x", "a/b", ".hidden", "a\0"] {
            assert_eq!(
                records.read(name).unwrap_err().kind,
                Kind::Internal,
                "{name:?}"
            );
            assert!(records.write(name, b"x").is_err() && !records.has(name));
        }
    }
}
