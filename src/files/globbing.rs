//! Files by pattern. The fixed folders that a pattern begins with are named, so they are searched even
//! if they are hidden or ignored; what a wildcard meets is subject to the usual rules.
//!
//! A pattern that is also the exact path of a file finds that file, whatever its characters.

use std::cmp::Reverse;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use globset::GlobMatcher;
use ignore::DirEntry;

use super::pattern;
use super::walk::{Batch, Filter, PassedOver, Shown, Walker, taken};
use super::{Entry, Files, Place};
use crate::error::ToolError;

/// A file that a pattern found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The path as it is shown.
    pub path: String,
    /// When it was last changed.
    pub modified: SystemTime,
}

/// What a pattern found.
#[derive(Clone, Debug, Default)]
pub struct Globbed {
    /// The files, newest first; of one age, by path.
    pub hits: Vec<Hit>,
    /// What was passed over; counted only where nothing was found.
    pub passed_over: Option<PassedOver>,
}

impl Globbed {
    /// The files sorted by path.
    pub fn by_path(mut self) -> Vec<Hit> {
        self.hits.sort_by(|a, b| a.path.cmp(&b.path));
        self.hits
    }
}

impl Files {
    /// The files below the folder at `place` that match `pattern`, which is relative to it, absolute,
    /// or begins with `~/`.
    ///
    /// # Errors
    /// `argument` for a broken pattern or a `place` that is no folder, `not_found`, `cancelled`.
    pub fn glob(
        &self,
        pattern: &str,
        place: &Place,
        filter: &Filter,
        stop: &AtomicBool,
    ) -> Result<Globbed, ToolError> {
        Walker::new(self, place, &Filter::default())?; // it must be a folder that is there
        if pattern.is_empty() {
            return Err(ToolError::argument("the glob is empty").with_hint("`**` is every file"));
        }
        let split = Split::of(pattern);
        let glob = pattern::compile(&split.glob, pattern)?.compile_matcher();
        let here = self.in_folder(place.path.clone());
        let mut found = Found::default();
        if let Some(hit) = here.exact(pattern)? {
            found.hits.push(hit);
        }
        let base = here.resolve(&split.fixed)?;
        if base.entry == Entry::Folder {
            here.matching(&glob, &base, filter, stop, &mut found)?;
        }
        let mut hits = found.hits;
        hits.sort_by(|a, b| (Reverse(a.modified), &a.path).cmp(&(Reverse(b.modified), &b.path)));
        hits.dedup_by(|a, b| a.path == b.path);
        Ok(Globbed {
            hits,
            passed_over: found.passed_over,
        })
    }

    /// The file whose path is the very pattern.
    fn exact(&self, pattern: &str) -> Result<Option<Hit>, ToolError> {
        let place = self.resolve(pattern)?;
        if place.entry != Entry::File {
            return Ok(None);
        }
        Ok(Some(Hit {
            modified: modified(&place.real),
            path: place.display,
        }))
    }

    fn matching(
        &self,
        glob: &GlobMatcher,
        base: &Place,
        filter: &Filter,
        stop: &AtomicBool,
        found: &mut Found,
    ) -> Result<(), ToolError> {
        let walker = Walker::new(self, base, filter)?;
        let hits = Mutex::new(Vec::new());
        walker.run(Shown::default(), stop, || {
            let mut batch = Batch::new(&hits);
            move |below: &Path, entry: &DirEntry| {
                if is_file(entry) && glob.is_match(below) {
                    batch.items.push(Hit {
                        path: self.show(&base.path.join(below)),
                        modified: modified(entry.path()),
                    });
                }
                true
            }
        })?;
        found.hits.append(&mut taken(hits));
        if found.hits.is_empty() {
            found.passed_over = Some(walker.passed_over(stop, |below| glob.is_match(below))?);
        }
        Ok(())
    }
}

#[derive(Default)]
struct Found {
    hits: Vec<Hit>,
    passed_over: Option<PassedOver>,
}

/// A file, or a link to something that is no folder.
fn is_file(entry: &DirEntry) -> bool {
    entry
        .file_type()
        .is_some_and(|kind| kind.is_file() || (kind.is_symlink() && !entry.path().is_dir()))
}

fn modified(path: &Path) -> SystemTime {
    let metadata = path.symlink_metadata();
    metadata
        .and_then(|metadata| metadata.modified())
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

/// A pattern in two: the folders in front that hold no wildcard, and the rest.
struct Split {
    fixed: String,
    glob: String,
}

impl Split {
    fn of(pattern: &str) -> Split {
        let whole = if pattern.ends_with('/') {
            format!("{pattern}**")
        } else {
            pattern.to_owned()
        };
        let mut fixed = PathBuf::new();
        let mut components = Path::new(&whole).components();
        loop {
            let before = components.clone();
            let Some(component) = components.next() else {
                break;
            };
            let is_last = components.as_path().as_os_str().is_empty();
            if (is_last && matches!(component, Component::Normal(_))) || is_wild(component) {
                components = before;
                break;
            }
            fixed.push(component);
        }
        let fixed = fixed.to_string_lossy().into_owned();
        let glob = components.as_path().to_string_lossy().into_owned();
        Split {
            fixed: if fixed.is_empty() {
                ".".to_owned()
            } else {
                fixed
            },
            glob: if glob.is_empty() {
                "**".to_owned()
            } else {
                glob
            },
        }
    }
}

fn is_wild(component: Component<'_>) -> bool {
    component
        .as_os_str()
        .to_string_lossy()
        .contains(['*', '?', '[', '{', '\\'])
}

#[cfg(test)]
mod tests;
