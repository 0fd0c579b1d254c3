//! What a session has read: the hash each file had then. It decides nothing and reads no file.
//!
//! Keys are real paths; the caller resolves them. Kept in memory, for one session, for any thread.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Hash;

/// A file as the session last saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The hash of the whole file, as it lay on disk.
    pub hash: Hash,
    /// The encoding its text is in, by name; `None` for a file that was written and not read.
    pub encoding: Option<String>,
}

/// What one session has read or written itself.
#[derive(Debug, Default)]
pub struct Ledger {
    seen: Mutex<HashMap<PathBuf, Seen>>,
}

impl Ledger {
    /// The session saw this file like this; what it saw before is forgotten.
    pub fn note(&self, path: impl Into<PathBuf>, seen: Seen) {
        self.lock().insert(path.into(), seen);
    }

    /// How the session last saw this file.
    pub fn get(&self, path: &Path) -> Option<Seen> {
        self.lock().get(path).cloned()
    }

    /// The file, or the folder with all in it, is no longer known.
    pub fn forget(&self, path: &Path) {
        self.lock().retain(|known, _| !known.starts_with(path));
    }

    /// The file, or the folder with all in it, is known under another name; what was known there is forgotten.
    pub fn rename(&self, from: &Path, to: &Path) {
        let mut seen = self.lock();
        let moved: Vec<PathBuf> = seen
            .keys()
            .filter(|known| known.starts_with(from))
            .cloned()
            .collect();
        let moved: Vec<(PathBuf, Seen)> = moved
            .into_iter()
            .filter_map(|old| Some((renamed(&old, from, to)?, seen.remove(&old)?)))
            .collect();
        seen.retain(|known, _| !known.starts_with(to));
        seen.extend(moved);
    }

    /// A panic elsewhere cannot leave the map half changed, so a poisoned lock is still good.
    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `path`, which lies at or below `from`, as it is called after the move. (`join("")` would add a slash.)
fn renamed(path: &Path, from: &Path, to: &Path) -> Option<PathBuf> {
    let rest = path.strip_prefix(from).ok()?;
    if rest.as_os_str().is_empty() {
        return Some(to.to_owned());
    }
    Some(to.join(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(bytes: &[u8]) -> Seen {
        Seen {
            hash: Hash::of(bytes),
            encoding: None,
        }
    }

    #[test]
    fn remembers_the_last_look_at_each_file() {
        let ledger = Ledger::default();
        ledger.note("/w/a", seen(b"old"));
        ledger.note("/w/a", seen(b"new"));
        assert_eq!(ledger.get(Path::new("/w/a")), Some(seen(b"new")));
        ledger.forget(Path::new("/w/a"));
        assert_eq!(ledger.get(Path::new("/w/a")), None);
    }

    #[test]
    fn follows_a_folder_to_its_new_name() {
        let ledger = Ledger::default();
        ledger.note("/w/a/x", seen(b"x"));
        ledger.note("/w/ab", seen(b"ab"));
        ledger.note("/w/b", seen(b"overwritten"));
        ledger.rename(Path::new("/w/a"), Path::new("/w/b"));
        assert_eq!(ledger.get(Path::new("/w/b/x")), Some(seen(b"x")));
        assert_eq!(ledger.get(Path::new("/w/a/x")), None);
        assert_eq!(ledger.get(Path::new("/w/b")), None);
        assert_eq!(
            ledger.get(Path::new("/w/ab")),
            Some(seen(b"ab")),
            "only whole components"
        );
        ledger.rename(Path::new("/w/b/x"), Path::new("/w/y"));
        let known = ledger.lock().keys().cloned().collect::<Vec<_>>();
        assert!(known.contains(&PathBuf::from("/w/y")), "{known:?}");
    }
}
