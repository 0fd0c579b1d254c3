//! Folders and files that belong to the person alone: 0700 and 0600, whatever the umask.
//!
//! A file appears complete or not at all. Messages name the thing, never its path: the state folder
//! lies below a home folder, and that would be a user name.

use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::time::SystemTime;

use tempfile::NamedTempFile;

use crate::error::ToolError;

/// Creates `folder` and what is missing above it, readable by its owner alone.
pub(super) fn make_folder(folder: &Path) -> Result<(), ToolError> {
    create(folder).map_err(|error| ToolError::from_io(&error, "create", "a folder for state"))
}

fn create(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Writes a file in one step; one that is there already is replaced. `modified` sets its time.
pub(super) fn write_file(
    folder: &Path,
    name: &str,
    bytes: &[u8],
    modified: Option<SystemTime>,
) -> Result<(), ToolError> {
    let mut file = new_file(folder)?;
    let written = file.write_all(bytes).and_then(|()| match modified {
        Some(time) => file.as_file().set_modified(time),
        None => Ok(()),
    });
    written.map_err(|error| failed(&error))?;
    file.persist(folder.join(name))
        .map(drop)
        .map_err(|error| failed(&error.error))
}

/// What the system said of writing to the state folder.
pub(super) fn failed(error: &io::Error) -> ToolError {
    ToolError::from_io(error, "write to", "the state folder")
}

/// A new file that goes away unless it is given a name.
pub(super) fn new_file(folder: &Path) -> Result<NamedTempFile, ToolError> {
    let temporary = || tempfile::Builder::new().prefix(".new-").tempfile_in(folder);
    let made = temporary().or_else(|error| {
        if error.kind() != io::ErrorKind::NotFound {
            return Err(error);
        }
        create(folder)?;
        temporary()
    });
    made.map_err(|error| failed(&error))
}

/// Opens a file for reading; `None` when there is none.
pub(super) fn open_file(path: &Path) -> Result<Option<File>, ToolError> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ToolError::from_io(&error, "read from", "the state folder")),
    }
}
