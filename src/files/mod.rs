//! The workspace on disk: where paths lead, reading, change-sets and their commit, walking, searching.
//!
//! Everything here is synchronous and meant for the blocking pool. It judges nothing: whether a path
//! may be read or changed is decided above, on the [`Place`] that this room resolves.

mod back;
#[cfg(test)]
pub(crate) mod bench;
mod change;
mod commit;
mod globbing;
mod journal;
mod list;
mod lock;
mod meanwhile;
mod near;
mod net;
mod part;
mod pattern;
mod place;
mod plan;
mod put_back;
mod ranged;
mod record;
mod recover;
mod refusal;
mod removal;
mod rename;
mod restoring;
mod search;
mod snapshot;
mod staged;
mod step;
mod temporary;
mod undoing;
mod units;
mod walk;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use change::{Action, Change, ChangeSet, Form, Image};
pub use commit::{Committed, CommittedChange};
pub use globbing::{Globbed, Hit};
pub use journal::{Purpose, TRANSACTION, Whole};
pub use list::Listed;
pub use meanwhile::leading;
pub use net::net;
pub use part::Part;
pub use place::Place;
pub use plan::HELD;
pub use ranged::{Range, Ranged, not_text};
pub use restoring::{Commit, Lost, Restoring};
pub use search::{Match, Matched, Query, Searched, Show};
pub use snapshot::{Opened, Snapshot};
pub use undoing::{Commits, Undoing};
pub use units::Unit;
pub use walk::{Filter, PassedOver, Withheld};

use crate::store::real_path;
pub use crate::store::{Entry, Root};

/// The folders that paths are understood from.
#[derive(Clone, Debug)]
pub struct Files {
    /// The real path of the workspace, and the one it was asked for by.
    workspace: PathBuf,
    workspace_asked: PathBuf,
    cwd: PathBuf,
    /// The session's folder, which paths are shown from.
    shown_from: PathBuf,
    home: Option<PathBuf>,
    home_real: Option<PathBuf>,
    locks: PathBuf,
    /// Where changes are written down before they are made.
    keeper: Option<Arc<journal::Keeper>>,
}

impl Files {
    /// `workspace`, `cwd` (the session's folder) and `home` are absolute; `locks` is a folder in the
    /// state, created on first use.
    pub fn new(workspace: PathBuf, cwd: PathBuf, home: Option<PathBuf>, locks: PathBuf) -> Files {
        let real = |path: &Path| {
            real_path(path, true).map_or_else(|_| place::normalised(path), |(real, _)| real)
        };
        Files {
            workspace_asked: place::normalised(&workspace),
            workspace: real(&workspace),
            shown_from: cwd.clone(),
            cwd,
            home_real: home.as_deref().map(real),
            home: home.as_deref().map(place::normalised),
            locks,
            keeper: None,
        }
    }

    /// The same workspace, with relative paths understood from another folder. They are shown as before.
    pub fn in_folder(&self, cwd: PathBuf) -> Files {
        Files {
            cwd,
            ..self.clone()
        }
    }

    /// The real path of the workspace.
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// The real path of the home folder, if there is one.
    pub fn home(&self) -> Option<&Path> {
        self.home_real.as_deref()
    }

    /// The folder that relative paths start from.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// `text` with every mention of the home folder written as `~`.
    pub fn without_home(&self, text: &str) -> String {
        let mut plain = text.to_owned();
        for home in self.home.iter().chain(&self.home_real) {
            let home = home.to_string_lossy();
            if home.len() > 1 && plain.contains(home.as_ref()) {
                plain = replace_folder(&plain, &home, "~");
            }
        }
        plain
    }
}

/// `text` with `folder` replaced where it is a whole path or the start of one, not of a longer name.
fn replace_folder(text: &str, folder: &str, by: &str) -> String {
    let is_name = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(folder) {
        let (before, after) = (&rest[..at], &rest[at + folder.len()..]);
        replaced.push_str(before);
        let is_whole = !after.starts_with(is_name) && !before.ends_with(is_name);
        replaced.push_str(if is_whole { by } else { folder });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_is_not_told() {
        let (work, home) = (PathBuf::from("/w"), PathBuf::from("/home/ann"));
        let files = Files::new(work.clone(), work, Some(home), PathBuf::from("/locks"));
        for (text, plain) in [
            ("open /home/ann/x: no", "open ~/x: no"),
            ("/home/anna, /home/ann", "/home/anna, ~"),
            ("/mnt/home/ann", "/mnt/home/ann"),
            ("(/home/ann)", "(~)"),
        ] {
            assert_eq!(files.without_home(text), plain);
        }
    }
}
