//! What is in a folder: as a person asks for it, and all of it for those who judge.
//!
//! Ignored and hidden entries are left out of the first, nothing is left out of the second.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use ignore::{DirEntry, WalkBuilder};

use super::walk::{Batch, Filter, Shown, Walker, taken};
use super::{Entry, Files, Place};
use crate::error::{Kind, ToolError};

/// How many entries a folder may hold to be looked at as a whole.
const EVERYTHING: usize = 100_000;

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The path as it is shown.
    pub path: String,
    /// What it is.
    pub entry: Entry,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last changed.
    pub modified: SystemTime,
}

impl Files {
    /// What is in the folder at `place`, sorted by path.
    ///
    /// # Errors
    /// `not_found` with near names, `argument` for what is no folder or a broken glob, `cancelled`.
    pub fn list(
        &self,
        place: &Place,
        filter: &Filter,
        stop: &AtomicBool,
    ) -> Result<Vec<Listed>, ToolError> {
        let walker = Walker::new(self, place, filter)?;
        let listed = Mutex::new(Vec::new());
        walker.run(Shown::default(), stop, || {
            let mut batch = Batch::new(&listed);
            let walker = &walker;
            move |below: &Path, _: &DirEntry| {
                if let Some(found) = walker.look(below) {
                    batch.items.push((below.to_owned(), listed_as(&found)));
                }
                true
            }
        })?;
        let mut listed = taken(listed);
        listed.sort_by(|a, b| a.0.cmp(&b.0));
        let shown = |(below, mut listed): (PathBuf, Listed)| {
            listed.path = self.show(&place.path.join(below));
            listed
        };
        Ok(listed.into_iter().map(shown).collect())
    }

    /// The paths of everything below the folder at `place`, from there, hidden and ignored things too.
    ///
    /// # Errors
    /// `resource` for more than 100,000 entries, or a folder that cannot be read; `cancelled`.
    pub fn everything_below(
        &self,
        place: &Place,
        stop: &AtomicBool,
    ) -> Result<Vec<PathBuf>, ToolError> {
        let mut found = Vec::new();
        for entry in WalkBuilder::new(&place.real)
            .standard_filters(false)
            .follow_links(false)
            .build()
        {
            if stop.load(Ordering::Relaxed) {
                return Err(ToolError::cancelled());
            }
            let entry = entry.map_err(|error| {
                ToolError::new(
                    Kind::Resource,
                    format!("cannot look into {}: {error}", place.display),
                )
            })?;
            if let Ok(below) = entry.path().strip_prefix(&place.real)
                && entry.depth() > 0
            {
                found.push(below.to_owned());
            }
            if found.len() > EVERYTHING {
                let message = format!("{} holds more than {EVERYTHING} entries", place.display);
                return Err(ToolError::new(Kind::Resource, message)
                    .with_hint("do it part by part, or with a command"));
            }
        }
        Ok(found)
    }
}

fn listed_as(found: &Metadata) -> Listed {
    Listed {
        path: String::new(),
        entry: Entry::of(found.file_type()),
        size: found.len(),
        modified: found.modified().unwrap_or(SystemTime::UNIX_EPOCH),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::bench::Bench;

    #[test]
    fn lists_a_folder_in_order() {
        let bench = Bench::new();
        for path in [
            "a.rs",
            "src/b.rs",
            "app/x",
            "x/.gitignore",
            "target/y",
            ".env",
        ] {
            bench.write(path, "");
        }
        bench.write(".gitignore", "target/\n");
        let files = bench.files();
        let filter = Filter {
            max_depth: Some(1),
            ..Filter::default()
        };
        let listed = files.list(
            &files.resolve(".").unwrap(),
            &filter,
            &AtomicBool::new(false),
        );
        let shown: Vec<_> = listed
            .unwrap()
            .into_iter()
            .map(|one| (one.path, one.entry))
            .collect();
        let expected = [
            ("a.rs", Entry::File),
            ("app", Entry::Folder),
            ("src", Entry::Folder),
            ("x", Entry::Folder),
        ];
        assert_eq!(
            shown,
            expected.map(|(path, entry)| (path.to_owned(), entry))
        );
    }
}
