//! Walking a folder on all cores, past what is ignored and hidden.
//!
//! `.gitignore`, `.ignore`, git's own excludes and those of the folders above hold, with or without a
//! repository. What is named is walked: a folder that is itself ignored or hidden, or lies in one. Links
//! are never followed, one that is put in the way while walking neither: what is shown is looked at once
//! more below a handle on the folder. `.git` is not entered unless it was named.

use std::fmt;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, WalkBuilder, WalkState};
use rustix::io::Errno;

use super::pattern::Patterns;
use super::refusal::moved_meanwhile;
use super::{Entry, Files, Place, Root};
use crate::error::ToolError;

/// What the caller leaves out of a walk.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Globs of files and folders that are passed over.
    pub exclude: Vec<String>,
    /// How many folders deep to go: 1 is the folder itself.
    pub max_depth: Option<usize>,
    /// What somebody else's rules withhold.
    pub withheld: Option<Withheld>,
}

/// Entries that are left out as if they were not there, and how many that were.
#[derive(Clone)]
pub struct Withheld {
    is_withheld: Arc<dyn Fn(&Path) -> bool + Send + Sync>,
    count: Arc<AtomicUsize>,
}

impl Withheld {
    /// Leaves out the entries for whose real path `is_withheld` is true; of a folder, all that is in it.
    pub fn new(is_withheld: impl Fn(&Path) -> bool + Send + Sync + 'static) -> Withheld {
        Withheld {
            is_withheld: Arc::new(is_withheld),
            count: Arc::default(),
        }
    }

    /// How many entries were left out so far.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Whether the entry with this real path is left out; it counts as one that was.
    pub fn leaves_out(&self, real: &Path) -> bool {
        let withheld = (self.is_withheld)(real);
        self.count
            .fetch_add(usize::from(withheld), Ordering::Relaxed);
        withheld
    }
}

impl fmt::Debug for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Withheld")
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

/// What a walk passed over that might have been wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Files that ignore rules leave out.
    pub ignored: usize,
    /// Files that are hidden, or lie in a hidden folder.
    pub hidden: usize,
}

/// Whether a walk shows what is usually left out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    hidden: bool,
    ignored: bool,
}

/// A walk that can be run, more than once if need be.
pub(super) struct Walker {
    place: Place,
    /// The very folder: walking goes by its path, what is found is looked at from here.
    root: Root,
    exclude: Patterns,
    max_depth: Option<usize>,
    withheld: Option<Withheld>,
    /// Whether the rules of the folders above hold; not where they would leave out the base itself.
    parents: bool,
}

impl Walker {
    /// A walk of the folder at `place`.
    pub(super) fn new(files: &Files, place: &Place, filter: &Filter) -> Result<Walker, ToolError> {
        match place.entry {
            Entry::Folder => {}
            Entry::Missing => return Err(files.missing(place)),
            entry => {
                let message = format!("{} is {entry}, not a folder", place.display);
                return Err(ToolError::argument(message).with_hint("name a folder"));
            }
        }
        let root = Root::open(&place.real).map_err(|error| cannot_enter(&error, place))?;
        Ok(Walker {
            place: place.clone(),
            root,
            exclude: Patterns::new(filter.exclude.iter().map(String::as_str))?,
            max_depth: filter.max_depth,
            withheld: filter.withheld.clone(),
            parents: !is_left_out(&files.workspace, &place.real),
        })
    }

    /// The folder that is walked.
    pub(super) fn root(&self) -> &Root {
        &self.root
    }

    /// What stands at `below` in the folder; `None` when nothing does, or a link is on the way.
    pub(super) fn look(&self, below: &Path) -> Option<Metadata> {
        self.root.look(below).ok()
    }

    /// Calls a visitor for every entry below the base, with its path from there. Each thread makes its
    /// own visitor; one that returns false ends the walk. Gives the number of entries that could not be
    /// read. An entry may come from elsewhere if links are put in the way: a visitor looks again before
    /// it shows one.
    pub(super) fn run<V>(
        &self,
        shown: Shown,
        stop: &AtomicBool,
        make: impl Fn() -> V,
    ) -> Result<usize, ToolError>
    where
        V: FnMut(&Path, &DirEntry) -> bool + Send,
    {
        let unreadable = AtomicUsize::new(0);
        self.builder(shown).build_parallel().run(|| {
            let mut visit = make();
            let unreadable = &unreadable;
            Box::new(move |entry| {
                if stop.load(Ordering::Relaxed) {
                    return WalkState::Quit;
                }
                let Ok(entry) = entry else {
                    unreadable.fetch_add(1, Ordering::Relaxed);
                    return WalkState::Continue;
                };
                self.visited(&entry, &mut visit)
            })
        });
        if stop.load(Ordering::Relaxed) {
            return Err(ToolError::cancelled());
        }
        self.must_be_there()?;
        Ok(unreadable.into_inner())
    }

    /// The path must still lead to the folder that was opened, or nothing is known about it.
    fn must_be_there(&self) -> Result<(), ToolError> {
        let same = |(a, b): (Metadata, Metadata)| (a.dev(), a.ino()) == (b.dev(), b.ino());
        let opened = Root::open(&self.place.real).and_then(|root| root.look(Path::new("")));
        let both = self.look(Path::new("")).zip(opened.ok());
        if both.is_some_and(same) {
            return Ok(());
        }
        Err(moved_meanwhile(&self.place))
    }

    fn visited(
        &self,
        entry: &DirEntry,
        visit: &mut impl FnMut(&Path, &DirEntry) -> bool,
    ) -> WalkState {
        if entry.depth() == 0 {
            return WalkState::Continue;
        }
        let below = entry
            .path()
            .strip_prefix(&self.place.real)
            .unwrap_or(entry.path());
        if entry.file_name() == ".git" || self.exclude.matches(below) {
            return WalkState::Skip;
        }
        if self
            .withheld
            .as_ref()
            .is_some_and(|rules| rules.leaves_out(entry.path()))
        {
            return WalkState::Skip;
        }
        if visit(below, entry) {
            WalkState::Continue
        } else {
            WalkState::Quit
        }
    }

    fn builder(&self, shown: Shown) -> WalkBuilder {
        let mut builder = WalkBuilder::new(&self.place.real);
        builder
            .standard_filters(!shown.ignored)
            .parents(self.parents && !shown.ignored)
            .hidden(!shown.hidden)
            .require_git(false)
            .follow_links(false)
            .max_depth(self.max_depth)
            .current_dir(&self.place.real);
        builder
    }

    /// How many files the usual walk leaves out that `wanted` would have taken. Two more walks: to be
    /// asked only where a result is empty.
    pub(super) fn passed_over(
        &self,
        stop: &AtomicBool,
        wanted: impl Fn(&Path) -> bool + Sync,
    ) -> Result<PassedOver, ToolError> {
        let count = |shown: Shown| {
            let (count, wanted) = (AtomicUsize::new(0), &wanted);
            self.run(shown, stop, || {
                |below: &Path, entry: &DirEntry| {
                    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                    count.fetch_add(usize::from(is_file && wanted(below)), Ordering::Relaxed);
                    true
                }
            })?;
            Ok(count.into_inner())
        };
        let usual = count(Shown::default())?;
        let unhidden = count(Shown {
            hidden: true,
            ignored: false,
        })?;
        let everything = count(Shown {
            hidden: true,
            ignored: true,
        })?;
        Ok(PassedOver {
            hidden: unhidden.saturating_sub(usual),
            ignored: everything.saturating_sub(unhidden),
        })
    }
}

fn cannot_enter(error: &io::Error, place: &Place) -> ToolError {
    match Errno::from_io_error(error) {
        Some(Errno::LOOP) => moved_meanwhile(place),
        _ => ToolError::from_io(error, "look into", &place.display),
    }
}

/// Whether the rules of the workspace would leave out `base` or a folder that it lies in.
fn is_left_out(workspace: &Path, base: &Path) -> bool {
    let Ok(below) = base.strip_prefix(workspace) else {
        return false;
    };
    let mut builder = WalkBuilder::new(workspace);
    builder
        .require_git(false)
        .hidden(false)
        .current_dir(workspace);
    let Some(mut matcher) = builder.build_matchers().pop() else {
        return false;
    };
    let mut folders = below
        .ancestors()
        .filter(|folder| !folder.as_os_str().is_empty());
    folders.any(|folder| matcher.matched(folder, true).is_ignore())
}

/// What one thread found; handed over when its visitor ends.
pub(super) struct Batch<'a, T> {
    pub(super) items: Vec<T>,
    all: &'a Mutex<Vec<T>>,
}

impl<'a, T> Batch<'a, T> {
    pub(super) fn new(all: &'a Mutex<Vec<T>>) -> Batch<'a, T> {
        Batch {
            items: Vec::new(),
            all,
        }
    }
}

impl<T> Drop for Batch<'_, T> {
    fn drop(&mut self) {
        if let Ok(mut all) = self.all.lock() {
            all.append(&mut self.items);
        }
    }
}

/// What all threads found.
pub(super) fn taken<T>(all: Mutex<Vec<T>>) -> Vec<T> {
    all.into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
