//! The survey on real trees, and the project that it is tried on.

mod surveys;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use super::{Entry, Survey, survey};
use crate::store::{Paths, Workspace};

/// A project, the state beside it, and what goes away with them.
pub(crate) struct Project {
    pub(crate) home: tempfile::TempDir,
    pub(crate) workspace: Workspace,
}

impl Project {
    /// A project with these files, each holding its own name.
    pub(crate) fn with(files: &[&str]) -> Project {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().canonicalize().unwrap().join("w");
        fs::create_dir(&root).unwrap();
        let restricted = false;
        let project = Project {
            home,
            workspace: Workspace { root, restricted },
        };
        for file in files {
            project.write(file, format!("-- {file}\n"));
        }
        project
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.workspace.root.join(path)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.at(path)).unwrap();
    }

    pub(crate) fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn survey(&self) -> Survey {
        survey(&self.workspace)
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::at(
            self.home.path().join("config"),
            self.home.path().join("state"),
        )
    }
}

fn shown(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.path.as_str()).collect()
}

fn refused(survey: &Survey) -> Vec<String> {
    let refused = survey.refused.iter();
    refused
        .map(|one| format!("{} {}", one.shown, one.why))
        .collect()
}
