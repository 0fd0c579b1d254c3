//! What became of a project's files since something was noted of them: the one comparison that all go by.
//!
//! It compares paths and hashes alone; what a difference means is for those who ask.

use super::Last;
use crate::layers::{Entry, Survey};
use crate::store::Hash;

/// A file compared with what was noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is there as it was.
    Same,
    /// It was not there.
    New,
    /// It was there with another content.
    Changed,
    /// It is not there any more.
    Gone,
}

impl State {
    /// The word that lists and documents use.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Same => "same",
            State::New => "new",
            State::Changed => "changed",
            State::Gone => "gone",
        }
    }
}

/// What became of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// Its path, relative to the root.
    pub path: &'a str,
    /// What became of it.
    pub state: State,
    /// The hash of what is there; `None` when it is gone.
    pub hash: Option<Hash>,
}

impl Survey {
    /// Every file that is here, by path, and then every one of `last` that is gone.
    pub fn changes<'a>(&'a self, last: &'a Last) -> impl Iterator<Item = Change<'a>> {
        let here = self.entries.iter().map(|entry| Change {
            path: &entry.path,
            state: match last.files.get(&entry.path) {
                None => State::New,
                Some(known) if known.hash == entry.hash => State::Same,
                Some(_) => State::Changed,
            },
            hash: Some(entry.hash),
        });
        let gone = last.files.keys().filter(|path| !self.holds(path));
        here.chain(gone.map(|path| Change {
            path,
            state: State::Gone,
            hash: None,
        }))
    }

    fn holds(&self, path: &str) -> bool {
        let by_path = |entry: &Entry| entry.path.as_str().cmp(path);
        self.entries.binary_search_by(by_path).is_ok()
    }
}
