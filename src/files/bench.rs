//! The tree that the tests of this room work on: a workspace, a home folder, a folder for locks.
//! It exists in tests only and goes away with the value.

use std::path::{Path, PathBuf};

use super::Files;

/// A temporary workspace beside a temporary home.
pub(crate) struct Bench {
    top: PathBuf,
    _tree: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let tree = tempfile::tempdir().unwrap();
        let top = tree.path().canonicalize().unwrap();
        for folder in ["work", "home", "locks"] {
            std::fs::create_dir(top.join(folder)).unwrap();
        }
        Bench { top, _tree: tree }
    }

    /// The path `below` the workspace; the empty path is the workspace.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        let work = self.top.join("work");
        if below.is_empty() {
            work
        } else {
            work.join(below)
        }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.top.join("home")
    }

    pub(crate) fn locks(&self) -> PathBuf {
        self.top.join("locks")
    }

    pub(crate) fn files(&self) -> Files {
        self.files_in("")
    }

    /// A session that works in the folder `below`.
    pub(crate) fn files_in(&self, below: &str) -> Files {
        Files::new(
            self.path(""),
            self.path(below),
            Some(self.home()),
            self.locks(),
        )
    }

    /// Writes a file with its folders and gives its path.
    pub(crate) fn write(&self, below: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, below: &str) -> Vec<u8> {
        std::fs::read(self.path(below)).unwrap()
    }

    /// Every path in the workspace, sorted, hidden ones too: what a test compares to see a stray.
    pub(crate) fn everything(&self) -> Vec<String> {
        let mut found = Vec::new();
        collect(&self.path(""), &self.path(""), &mut found);
        found.sort();
        found
    }
}

fn collect(top: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        found.push(
            path.strip_prefix(top)
                .unwrap()
                .to_string_lossy()
                .into_owned(),
        );
        if path.is_dir() && !path.is_symlink() {
            collect(top, &path, found);
        }
    }
}
