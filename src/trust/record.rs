//! What a yes is on disk: the root, when it was given, every path with the hash of its content.
//!
//! A record that cannot be read in full counts for nothing. The bytes themselves are kept as blobs, for
//! showing what changed since.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::layers::Survey;
use crate::store::Hash;

/// The last yes to a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Last {
    /// Seconds since 1970.
    pub when: u64,
    /// What the yes covered, by path.
    pub files: BTreeMap<String, LastFile>,
}

impl Last {
    /// `survey` as a yes to it would be recorded, without the contents.
    pub(super) fn of(survey: &Survey) -> Last {
        let files = survey.entries.iter().map(|entry| {
            let (hash, bytes) = (entry.hash, None);
            (entry.path.clone(), LastFile { hash, bytes })
        });
        Last {
            when: 0,
            files: files.collect(),
        }
    }
}

/// A file as it was when the yes was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastFile {
    /// The hash of its bytes.
    pub hash: Hash,
    /// Its bytes, where they are still kept.
    pub bytes: Option<Vec<u8>>,
}

/// The form of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    /// The name of the record again: one that was copied to another name is no yes.
    key: String,
    /// For people; not read back.
    root: String,
    when: u64,
    files: BTreeMap<String, String>,
}

const VERSION: u32 = 1;

/// The name that stands for a root: of its real path, to the byte.
pub(super) fn key(root: &Path) -> String {
    Hash::of(root.as_os_str().as_encoded_bytes()).to_string()
}

/// The record of a yes to `survey`.
pub(super) fn write(survey: &Survey, when: u64) -> Vec<u8> {
    let files = survey.entries.iter();
    let written = Written {
        version: VERSION,
        key: key(&survey.root),
        root: survey.root.to_string_lossy().into_owned(),
        when,
        files: files
            .map(|entry| (entry.path.clone(), entry.hash.to_string()))
            .collect(),
    };
    serde_json::to_vec(&written).unwrap_or_default()
}

/// The yes that `bytes` hold for `root`, without the contents.
///
/// # Errors
/// What is wrong with them.
pub(super) fn read(bytes: &[u8], root: &Path) -> Result<Last, String> {
    let written: Written =
        serde_json::from_slice(bytes).map_err(|error| format!("it cannot be read ({error})"))?;
    if written.version != VERSION {
        return Err(format!("it has the version {}", written.version));
    }
    if written.key != key(root) {
        return Err("it belongs to another folder".to_owned());
    }
    let mut files = BTreeMap::new();
    for (path, hash) in written.files {
        let hash = hash
            .parse()
            .map_err(|_| format!("the hash of {path:?} is none"))?;
        files.insert(path, LastFile { hash, bytes: None });
    }
    Ok(Last {
        when: written.when,
        files,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::{Entry, What};

    fn survey(root: &str) -> Survey {
        let bytes: std::sync::Arc<[u8]> = (*b"return {}").into();
        let entry = Entry {
            path: "tools/x.lua".to_owned(),
            hash: Hash::of(&bytes),
            bytes,
            what: What::Tool,
        };
        Survey {
            root: root.into(),
            entries: vec![entry],
            refused: Vec::new(),
        }
    }

    #[test]
    fn comes_back_as_it_was_written() {
        let bytes = write(&survey("/a"), 7);
        let last = read(&bytes, Path::new("/a")).unwrap();
        assert_eq!(last.when, 7);
        assert_eq!(last.files["tools/x.lua"].hash, Hash::of(b"return {}"));
    }

    #[test]
    fn whatever_is_wrong_with_it_makes_it_no_yes() {
        let good = String::from_utf8(write(&survey("/a"), 7)).unwrap();
        let wrong = |text: &str| read(text.as_bytes(), Path::new("/a")).unwrap_err();
        for damaged in [
            "",
            "{}",
            "null",
            &good[..good.len() - 1],
            &good.replace("\"version\":1", "\"version\":2"),
            &good.replace("\"version\":1", "\"version\":1,\"more\":1"),
            &good.replace("{\"tools/x.lua\":\"", "{\"tools/x.lua\":\"0"),
            &format!("{good}{good}"),
        ] {
            assert!(!wrong(damaged).is_empty(), "{damaged}");
        }
        let elsewhere = read(good.as_bytes(), Path::new("/b")).unwrap_err();
        assert_eq!(elsewhere, "it belongs to another folder");
        assert!(read(&[0xff; 100], Path::new("/a")).is_err());
    }
}
