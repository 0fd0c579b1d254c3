//! The workspace on disk: where paths lead, reading, change-sets and their commit, walking, searching.
//!
//! Everything here is synchronous and meant for the blocking pool. It judges nothing: whether a path
//! may be read or changed is decided above, on the [`Place`] that this room resolves.

#[cfg(test)]
pub(crate) mod bench;
mod change;
mod commit;
mod globbing;
mod lock;
mod near;
mod pattern;
mod place;
mod plan;
mod ranged;
mod removal;
mod rename;
mod root;
mod search;
mod snapshot;
mod step;
mod walk;

use std::path::{Path, PathBuf};

pub use change::{Action, Change, ChangeSet, Form, Image};
pub use commit::{Committed, CommittedChange};
pub use globbing::{Globbed, Hit};
pub use place::{Entry, Place};
pub use plan::{DELETED, HELD};
pub use ranged::{Range, Ranged, not_text};
pub use root::Root;
pub use search::{Match, Matched, Query, Searched, Show, Sort};
pub use snapshot::Snapshot;
pub use walk::{Filter, Listed, PassedOver};

/// The folders that paths are understood from.
#[derive(Clone, Debug)]
pub struct Files {
    workspace_given: PathBuf,
    workspace_real: PathBuf,
    cwd: PathBuf,
    home: Option<PathBuf>,
    home_real: Option<PathBuf>,
    locks: PathBuf,
}

impl Files {
    /// `workspace`, `cwd` (the session's folder) and `home` are absolute; `locks` is a folder in the
    /// state, created on first use.
    pub fn new(workspace: PathBuf, cwd: PathBuf, home: Option<PathBuf>, locks: PathBuf) -> Files {
        let real = |path: &Path| {
            place::real_path(path, true).map_or_else(|_| place::normalised(path), |(real, _)| real)
        };
        Files {
            workspace_real: real(&workspace),
            workspace_given: place::normalised(&workspace),
            cwd,
            home_real: home.as_deref().map(real),
            home: home.as_deref().map(place::normalised),
            locks,
        }
    }

    /// The same workspace seen from another folder.
    pub fn in_folder(&self, cwd: PathBuf) -> Files {
        Files {
            cwd,
            ..self.clone()
        }
    }

    /// The real path of the workspace.
    pub fn workspace(&self) -> &Path {
        &self.workspace_real
    }

    /// The real path of the home folder, if there is one.
    pub fn home(&self) -> Option<&Path> {
        self.home_real.as_deref()
    }

    /// `text` with `~` for the home folder, wherever a path in it begins with it.
    pub fn without_home(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for home in self.home_real.iter().chain(&self.home) {
            let home = home.to_string_lossy();
            if home.len() > 1 {
                text = text.replace(&format!("{home}/"), "~/");
            }
        }
        text
    }

    /// The folder that relative paths start from.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }
}
