//! Files by pattern. The fixed folders that a pattern begins with are named, so they are searched even
//! if they are hidden or ignored; what a wildcard meets is subject to the usual rules.
//!
//! A pattern that is also the exact path of a file finds that file, whatever its characters. What a
//! pattern may reach is resolved once and judged; the search itself keeps to those places.

use std::cmp::Reverse;
use std::fs::Metadata;
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

impl Files {
    /// Where `pattern` leads from the folder at `place`: that folder, the one its search starts from, and
    /// the file that is called exactly so, if there is one. Whoever judges a search judges these.
    ///
    /// # Errors
    /// `argument` for an empty pattern, one with `..` behind a wildcard, or a `place` that is no folder;
    /// `not_found`.
    pub fn glob_places(&self, pattern: &str, place: &Place) -> Result<Vec<Place>, ToolError> {
        must_be_folder(self, place)?;
        let here = self.in_folder(place.path.clone());
        let base = here.resolve(&Split::of(pattern)?.fixed)?;
        let mut places = vec![place.clone(), base];
        places.extend(Some(here.resolve(pattern)?).filter(|exact| exact.entry == Entry::File));
        Ok(places)
    }

    /// The folder that `pattern` looks into from `place`, whether it is there or not.
    ///
    /// # Errors
    /// `argument` for an empty pattern, one with `..` behind a wildcard, or what can be no path.
    pub fn glob_folder(&self, pattern: &str, place: &Place) -> Result<Place, ToolError> {
        let fixed = Split::of(pattern)?.fixed;
        let here = self.in_folder(place.path.clone());
        here.resolve(&fixed).or_else(|_| here.by_name(&fixed))
    }

    /// The files that match `pattern`, which is relative, absolute, or begins with `~/`. `places` are
    /// those of [`Files::glob_places`]; nothing outside them is found.
    ///
    /// # Errors
    /// `argument` for a broken pattern, `conflict` where a place leads elsewhere by now, `cancelled`.
    pub fn glob(
        &self,
        pattern: &str,
        places: &[Place],
        filter: &Filter,
        stop: &AtomicBool,
    ) -> Result<Globbed, ToolError> {
        let glob = pattern::compile(&Split::of(pattern)?.glob, pattern)?.compile_matcher();
        let mut found = Found::default();
        found
            .hits
            .extend(places.get(2).and_then(|exact| self.exact(exact)));
        if let Some(base) = places.get(1).filter(|base| base.entry == Entry::Folder) {
            self.matching(&glob, base, filter, stop, &mut found)?;
        }
        let mut hits = found.hits;
        hits.sort_by(|a, b| (Reverse(a.modified), &a.path).cmp(&(Reverse(b.modified), &b.path)));
        hits.dedup_by(|a, b| a.path == b.path);
        Ok(Globbed {
            hits,
            passed_over: found.passed_over,
        })
    }

    /// The file whose path is the very pattern, if it is still there.
    fn exact(&self, place: &Place) -> Option<Hit> {
        let metadata = self.open(place).ok()?.metadata;
        Some(Hit {
            path: place.display.clone(),
            modified: modified(&metadata),
        })
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
            let walker = &walker;
            move |below: &Path, entry: &DirEntry| {
                let wanted = is_file(entry) && glob.is_match(below);
                if let Some(metadata) = wanted.then(|| walker.look(below)).flatten() {
                    batch.items.push(Hit {
                        path: self.show(&base.path.join(below)),
                        modified: modified(&metadata),
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

fn must_be_folder(files: &Files, place: &Place) -> Result<(), ToolError> {
    Walker::new(files, place, &Filter::default()).map(drop)
}

/// A file, or a link to something that is no folder.
fn is_file(entry: &DirEntry) -> bool {
    entry
        .file_type()
        .is_some_and(|kind| kind.is_file() || (kind.is_symlink() && !entry.path().is_dir()))
}

fn modified(metadata: &Metadata) -> SystemTime {
    metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// A pattern in two: the folders in front that hold no wildcard, and the rest.
struct Split {
    fixed: String,
    glob: String,
}

impl Split {
    /// Behind the first wildcard there is no way up: which folder `..` would mean depends on what it met.
    fn of(pattern: &str) -> Result<Split, ToolError> {
        if pattern.is_empty() {
            return Err(ToolError::argument("the glob is empty").with_hint("`**` is every file"));
        }
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
        if glob.split(['/', '{', ',', '}']).any(|name| name == "..") {
            let message = format!("the glob `{pattern}` has `..` behind a wildcard");
            return Err(ToolError::argument(message)
                .with_hint("put `..` in front of it, or name another folder in `path`"));
        }
        Ok(Split {
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
        })
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
