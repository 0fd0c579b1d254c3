//! Creating files that are not there, and making generated ones anew. Nothing else is ever overwritten.
//!
//! A link in the place of a file is left alone, as any file is.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::error::ToolError;
use crate::lua::GENERATED;

/// What was done about one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// It was not there.
    Created,
    /// It is generated, and was made anew.
    Refreshed,
    /// It was there, and stays as it is.
    Kept,
}

impl Done {
    /// The word that documents and people read.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Done::Created => "created",
            Done::Refreshed => "refreshed",
            Done::Kept => "kept",
        }
    }
}

/// Makes a folder, unless it is there.
///
/// # Errors
/// What the system says.
pub(super) fn folder(top: &Path, path: &str) -> Result<(), ToolError> {
    fs::create_dir_all(top.join(path)).map_err(|error| failed(&error, path))
}

/// Creates a file that is not there.
///
/// # Errors
/// What the system says.
pub(super) fn create(top: &Path, path: &str, text: &str) -> Result<Done, ToolError> {
    match fs::File::create_new(top.join(path)) {
        Ok(mut file) => {
            let written = file.write_all(text.as_bytes());
            written.map_err(|error| failed(&error, path))?;
            Ok(Done::Created)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Done::Kept),
        Err(error) => Err(failed(&error, path)),
    }
}

/// Creates a generated file, or makes it anew where it was generated before.
///
/// # Errors
/// What the system says.
pub(super) fn generate(top: &Path, path: &str, text: &str) -> Result<Done, ToolError> {
    let created = create(top, path, text)?;
    let place = top.join(path);
    let is_file = place.symlink_metadata().is_ok_and(|found| found.is_file());
    if created == Done::Created || !is_file {
        return Ok(created);
    }
    let there = fs::read(&place).map_err(|error| failed(&error, path))?;
    let there = String::from_utf8_lossy(&there);
    if there == text || there.lines().nth(1) != Some(GENERATED) {
        return Ok(Done::Kept);
    }
    fs::write(&place, text).map_err(|error| failed(&error, path))?;
    Ok(Done::Refreshed)
}

fn failed(error: &io::Error, path: &str) -> ToolError {
    ToolError::from_io(error, "create", path)
}
