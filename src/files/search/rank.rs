//! The first results of an order, while files are searched in any order.
//!
//! Once newer files hold more than the limit, an older one cannot be among the results: it is neither
//! kept nor searched. One more than the limit is kept, which proves that there is more.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Match, Query, Show};

/// The age of a file, then its path.
type Key = (Reverse<SystemTime>, PathBuf);

/// What one file holds.
pub(super) struct Ranked {
    pub(super) modified: SystemTime,
    pub(super) below: PathBuf,
    pub(super) count: usize,
    pub(super) matches: Vec<Match>,
}

/// The best files so far.
pub(super) struct Rank {
    files: BTreeMap<Key, Ranked>,
    weight: usize,
    /// One more than the limit.
    enough: usize,
    show: Show,
}

impl Rank {
    pub(super) fn new(query: &Query) -> Rank {
        Rank {
            files: BTreeMap::new(),
            weight: 0,
            enough: enough(query),
            show: query.show,
        }
    }

    /// Whether the file could still be among the results.
    pub(super) fn takes(&self, modified: impl Fn() -> SystemTime, below: &Path) -> bool {
        if self.weight < self.enough {
            return true;
        }
        let last = self.files.last_key_value();
        last.is_some_and(|(last, _)| key(modified(), below) < *last)
    }

    pub(super) fn add(&mut self, file: Ranked) {
        self.weight += weight(self.show, &file);
        self.files.insert(key(file.modified, &file.below), file);
        while let Some(last) = self.files.last_entry() {
            let weight = weight(self.show, last.get());
            if self.weight - weight < self.enough {
                break;
            }
            last.remove();
            self.weight -= weight;
        }
    }

    /// The results in order, cut at the limit, and whether there is more.
    pub(super) fn into_ordered(self) -> (Vec<Ranked>, bool) {
        let more = self.weight >= self.enough;
        let mut room = self.enough - 1;
        let mut ordered = Vec::with_capacity(self.files.len());
        for (_, mut file) in self.files {
            if room == 0 {
                break;
            }
            if self.show == Show::Content {
                file.matches.truncate(room);
                room -= file.matches.len();
            } else {
                room -= 1;
            }
            ordered.push(file);
        }
        (ordered, more)
    }
}

fn key(modified: SystemTime, below: &Path) -> Key {
    (Reverse(modified), below.to_owned())
}

/// How many results a file is.
fn weight(show: Show, file: &Ranked) -> usize {
    match show {
        Show::Content => file.matches.len(),
        Show::Files | Show::Count => 1,
    }
}

/// How many results of one file, or of all, are enough to know that there are too many.
pub(super) fn enough(query: &Query) -> usize {
    query
        .limit
        .map_or(usize::MAX, |limit| limit.get().saturating_add(1))
}
