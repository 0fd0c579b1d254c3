//! The workspace: the folder whose files a session may work on. It reads no file and changes nothing.
//!
//! It is never widened by chance: a stray `.git` in the home folder, in `/`, in a folder that
//! anybody may write to or that belongs to somebody else does not make that place the workspace.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::ToolError;

/// A folder and whether work in it needs a yes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The real path.
    pub root: PathBuf,
    /// The root is `/`, the home folder or above it, writable for all, or another owner's: reads work, writes ask.
    pub restricted: bool,
}

impl Workspace {
    /// The nearest folder at or above `cwd` that holds `.git` or `.agent`, else `cwd` itself. The
    /// search ends below the first place that can be no workspace.
    ///
    /// # Errors
    /// `not_found` when `cwd` is gone.
    pub fn find(cwd: &Path, home: Option<&Path>) -> Result<Workspace, ToolError> {
        let cwd = cwd.canonicalize().map_err(|error| {
            ToolError::from_io(&error, "work in", &format!("`{}`", cwd.display()))
        })?;
        let home = home.and_then(|home| home.canonicalize().ok());
        if is_restricted(&cwd, home.as_deref()) {
            return Ok(Workspace {
                root: cwd,
                restricted: true,
            });
        }
        let root = cwd
            .ancestors()
            .take_while(|folder| !is_restricted(folder, home.as_deref()))
            .find(|folder| is_marked(folder))
            .unwrap_or(&cwd);
        Ok(Workspace {
            root: root.to_owned(),
            restricted: false,
        })
    }
}

/// `.git` is a folder in a clone and a file in a worktree.
fn is_marked(folder: &Path) -> bool {
    [".git", ".agent"]
        .iter()
        .any(|name| folder.join(name).symlink_metadata().is_ok())
}

fn is_restricted(folder: &Path, home: Option<&Path>) -> bool {
    folder.parent().is_none()
        || home.is_some_and(|home| home.starts_with(folder))
        || !folder.metadata().is_ok_and(|found| is_ours(&found))
}

fn is_ours(found: &Metadata) -> bool {
    found.mode() & 0o002 == 0 && found.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A place that is ours and writable for us alone, below the world-writable temporary folder.
    fn place() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap();
        (place, real)
    }

    fn folder(path: PathBuf) -> PathBuf {
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn open_to_all(path: &Path) {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }

    fn found(cwd: &Path, home: Option<&Path>) -> (PathBuf, bool) {
        let found = Workspace::find(cwd, home).unwrap();
        (found.root, found.restricted)
    }

    #[test]
    fn is_the_nearest_parent_with_a_mark() {
        let (_place, top) = place();
        let deep = folder(top.join("repo/a/b"));
        assert_eq!(
            found(&deep, None),
            (deep.clone(), false),
            "no mark: the folder itself"
        );
        fs::create_dir(top.join("repo/.agent")).unwrap();
        assert_eq!(found(&deep, None), (top.join("repo"), false));
        fs::write(top.join("repo/a/.git"), "gitdir: elsewhere").unwrap();
        assert_eq!(found(&deep, None), (top.join("repo/a"), false));
    }

    #[test]
    fn a_stray_mark_in_the_home_folder_or_above_it_counts_for_nothing() {
        let (_place, top) = place();
        let home = folder(top.join("home/me"));
        let work = folder(home.join("notes"));
        for marked in [&top, &home] {
            fs::create_dir(marked.join(".git")).unwrap();
        }
        assert_eq!(found(&work, Some(&home)), (work.clone(), false));
        assert_eq!(found(&home, Some(&home)), (home.clone(), true));
        assert_eq!(found(&top, Some(&home)), (top.clone(), true));
        assert_eq!(
            found(&work, None),
            (home, false),
            "another's home is a folder like any"
        );
    }

    #[test]
    fn a_folder_that_all_may_write_to_is_restricted_and_ends_the_search() {
        let (_place, top) = place();
        let open = folder(top.join("open"));
        let work = folder(open.join("work"));
        fs::create_dir(top.join(".git")).unwrap();
        fs::create_dir(open.join(".git")).unwrap();
        open_to_all(&open);
        assert_eq!(found(&open, None), (open.clone(), true));
        assert_eq!(found(&work, None), (work.clone(), false));
    }

    #[test]
    fn the_root_of_all_and_what_is_not_ours_are_restricted() {
        assert_eq!(found(Path::new("/"), None), (PathBuf::from("/"), true));
        let (_place, top) = place();
        if rustix::process::geteuid().is_root() {
            let theirs = folder(top.join("theirs"));
            std::os::unix::fs::chown(&theirs, Some(12345), None).unwrap();
            assert_eq!(found(&theirs, None), (theirs.clone(), true));
        } else {
            assert!(found(Path::new("/usr"), None).1);
        }
        assert!(Workspace::find(&top.join("gone"), None).is_err());
    }
}
