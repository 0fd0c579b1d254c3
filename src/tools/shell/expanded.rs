//! The names that a shell puts in the place of a pattern, as the folders are now.
//!
//! It follows bash with its usual settings: hidden names only where the pattern begins with a dot, and the
//! pattern itself where nothing matches. More than it can list it does not guess at.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::files::Files;

/// More names than these are not listed.
const MOST: usize = 1_000;

/// The names for `pattern` from the folder of `files`, each as the program would get it; `None` where they are
/// too many, or the pattern has a list of characters in it that reaches further than is understood.
pub(super) fn expanded(files: &Files, pattern: &str) -> Option<Vec<OsString>> {
    if pattern.contains(['\\', '~'])
        || pattern.contains("[!")
        || pattern.contains("[^")
        || pattern.contains("[[")
    {
        return None;
    }
    let mut found = vec![match pattern.starts_with('/') {
        true => OsString::from("/"),
        false => OsString::new(),
    }];
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    for part in parts {
        let mut next = Vec::new();
        for start in found {
            let names = match part.contains(['*', '?', '[']) {
                true => matching(&files.cwd().join(&start), part)?,
                false => vec![OsString::from(part)],
            };
            for name in names {
                let mut path = PathBuf::from(&start);
                path.push(name);
                next.push(path.into_os_string());
            }
            if next.len() > MOST {
                return None;
            }
        }
        found = next;
    }
    if found.is_empty() {
        found.push(OsString::from(pattern));
    }
    Some(found)
}

fn matching(folder: &Path, pattern: &str) -> Option<Vec<OsString>> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Some(Vec::new());
    };
    // Older shells name the folder itself and the one around it, too.
    let dots = [".", ".."]
        .into_iter()
        .filter(|name| pattern.starts_with('.') && matches(pattern.as_bytes(), name.as_bytes()));
    let mut names: Vec<OsString> = dots.map(OsString::from).collect();
    for (count, entry) in entries.flatten().enumerate() {
        if count > 50 * MOST {
            return None;
        }
        let name = entry.file_name();
        let hidden = name.as_bytes().starts_with(b".");
        if hidden == pattern.starts_with('.') && matches(pattern.as_bytes(), name.as_bytes()) {
            names.push(name);
        }
        if names.len() > MOST {
            return None;
        }
    }
    Some(names)
}

/// Whether the name could be meant: a list of characters stands for any one character.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut of) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    loop {
        match pattern.get(at) {
            Some(b'*') => {
                back = Some((at + 1, of));
                at += 1;
                continue;
            }
            None if of == name.len() => return true,
            Some(one) if of < name.len() => {
                let list = pattern[at..].iter().skip(2).position(|one| *one == b']');
                let (fits, width) = match (one, list) {
                    (b'?', _) => (true, 1),
                    (b'[', Some(end)) => (true, end + 3),
                    (one, _) => (*one == name[of], 1),
                };
                if fits {
                    at += width;
                    of += 1;
                    continue;
                }
            }
            _ => {}
        }
        match back {
            Some((after, start)) if start < name.len() => {
                back = Some((after, start + 1));
                at = after;
                of = start + 1;
            }
            _ => return false,
        }
    }
}
