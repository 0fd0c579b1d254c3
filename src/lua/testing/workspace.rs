//! The workspace of a test: a folder that is emptied before each, and the working folder of the process.
//!
//! Blocks; for the blocking pool.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::ToolError;

/// Removes everything in `folder`, makes it if it is gone, and works in it from here on.
///
/// # Errors
/// What the system says.
pub fn empty(folder: &Path) -> Result<(), ToolError> {
    let failed = |error: io::Error| ToolError::from_io(&error, "empty", "the workspace of a test");
    fs::create_dir_all(folder).map_err(failed)?;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_folder = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        let removed = match is_folder {
            true => fs::remove_dir_all(&path),
            false => fs::remove_file(&path),
        };
        removed.map_err(failed)?;
    }
    std::env::set_current_dir(folder).map_err(failed)
}

/// Creates `files`, paths and contents, in `folder`.
///
/// # Errors
/// `argument` for a path that leads out of it; what the system says.
pub fn fill(folder: &Path, files: &[(PathBuf, Vec<u8>)]) -> Result<(), ToolError> {
    for (path, content) in files {
        let shown = path.display().to_string();
        let is_inside =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(is_inside) {
            let message = format!("files: `{shown}` leads out of the test's workspace");
            return Err(ToolError::argument(message).with_hint("write it relative, without `..`"));
        }
        let failed = |error: io::Error| ToolError::from_io(&error, "create", &shown);
        let place = folder.join(path);
        if let Some(above) = place.parent() {
            fs::create_dir_all(above).map_err(failed)?;
        }
        fs::write(&place, content).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creates_nothing_outside_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        for path in ["../x", "/x", "a/../../x"] {
            let error = fill(&inner, &[(path.into(), Vec::new())]).unwrap_err();
            assert!(error.message.contains(path), "{error}");
        }
        fill(&inner, &[("a/b.txt".into(), b"x".to_vec())]).unwrap();
        assert_eq!(fs::read(inner.join("a/b.txt")).unwrap(), b"x");
        assert!(!folder.path().join("x").exists());
    }
}
