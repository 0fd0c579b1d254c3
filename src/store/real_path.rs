//! Where a path really leads: the one resolver, for the program's own folders and for every tool.
//!
//! Links are resolved component by component as the system would, `..` after a link included. What
//! does not exist has a real path too, at the end of a dangling link as well: its deepest real ancestor
//! and the rest. Nothing is opened and nothing is changed.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Component, Path, PathBuf};

/// How many links one path may pass, as in Linux.
const MAX_LINKS: usize = 40;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    Missing,
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, where links were not to be followed.
    Link,
    /// Something else: `a FIFO`, `a socket`, `a device`.
    Other(&'static str),
    /// Nobody knows: a folder on the way may not be searched.
    Unreachable,
}

impl Entry {
    /// What a file type is.
    pub fn of(kind: std::fs::FileType) -> Entry {
        match kind {
            _ if kind.is_file() => Entry::File,
            _ if kind.is_dir() => Entry::Folder,
            _ if kind.is_symlink() => Entry::Link,
            _ if kind.is_fifo() => Entry::Other("a FIFO"),
            _ if kind.is_socket() => Entry::Other("a socket"),
            _ => Entry::Other("a device"),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Entry::Missing => "missing",
            Entry::File => "a file",
            Entry::Folder => "a folder",
            Entry::Link => "a symbolic link",
            Entry::Other(what) => what,
            Entry::Unreachable => "out of reach",
        })
    }
}

/// Where the absolute `path` really leads, and what stands there. With `follow_last` a link in the last
/// component is followed too.
///
/// # Errors
/// A circle of links.
pub fn real_path(path: &Path, follow_last: bool) -> io::Result<(PathBuf, Entry)> {
    let mut real = PathBuf::from("/");
    let mut entry = Entry::Folder;
    let mut links = 0;
    let mut ahead: Vec<OsString> = reversed(path).collect();
    while let Some(name) = ahead.pop() {
        if name == ".." {
            real.pop();
            entry = look(&real)?;
            continue;
        }
        real.push(&name);
        entry = look(&real)?;
        if entry != Entry::Link || (ahead.is_empty() && !follow_last) {
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(io::Error::other("its symbolic links lead in a circle"));
        }
        let Ok(target) = std::fs::read_link(&real) else {
            entry = Entry::Missing; // it went away this very moment
            continue;
        };
        real.pop();
        entry = Entry::Folder;
        if target.is_absolute() {
            real = PathBuf::from("/");
        }
        ahead.extend(reversed(&target));
    }
    Ok((real, entry))
}

/// The names in `path`, last first; `/` and `.` are left out.
fn reversed(path: &Path) -> impl Iterator<Item = OsString> {
    path.components()
        .rev()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some("..".into()),
            _ => None,
        })
}

fn look(path: &Path) -> io::Result<Entry> {
    match path.symlink_metadata() {
        Ok(metadata) => Ok(Entry::of(metadata.file_type())),
        Err(error) => match error.kind() {
            io::ErrorKind::PermissionDenied => Ok(Entry::Unreachable),
            _ => Ok(Entry::Missing),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn finds_the_real_path_of_what_does_not_exist_yet() {
        let tree = tempfile::tempdir().unwrap();
        let top = tree.path().canonicalize().unwrap();
        std::fs::create_dir(top.join("a")).unwrap();
        symlink(top.join("a"), top.join("link")).unwrap();
        symlink("a/not/yet", top.join("dangling")).unwrap();
        for (path, real) in [
            ("link/x/y", "a/x/y"),
            ("x/../a/z", "a/z"),
            ("dangling/below", "a/not/yet/below"),
            ("dangling", "a/not/yet"),
        ] {
            let (found, entry) = real_path(&top.join(path), true).unwrap();
            assert_eq!((found, entry), (top.join(real), Entry::Missing), "{path}");
        }
    }
}
