//! Content by regular expression, with ripgrep's own crates, on all cores.
//!
//! A path is a folder or one file, and nothing else is searched in its stead. Results come newest file
//! first, of one age by path; with a limit they are the first ones of that order, whatever thread found them.
//! Binary files are passed over and counted; lines are decoded with replacement.

mod gather;
mod rank;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::DirEntry;

use super::pattern::Patterns;
use super::walk::{Filter, PassedOver, Shown, Walker};
use super::{Entry, Files, Place, Root};
use crate::error::ToolError;
use gather::Gather;
use rank::{Rank, Ranked};

/// The longest line, and the largest file of a multi-line search, in bytes. Beyond it a file counts as
/// unreadable.
const LONGEST: usize = 256 << 20;

/// What is wanted of the files that match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// The lines.
    #[default]
    Content,
    /// The files alone; each is read up to its first match.
    Files,
    /// The number of matching lines in each file.
    Count,
}

/// A search.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The regular expression, in the syntax of the `regex` crate.
    pub pattern: String,
    /// Globs of files to search; one with `!` in front leaves out. Empty: all.
    pub include: Vec<String>,
    /// What is passed over.
    pub filter: Filter,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// Whether a match may span lines.
    pub multiline: bool,
    /// How many lines around a match are wanted.
    pub context: usize,
    /// What is wanted.
    pub show: Show,
    /// At most so many matches (`Content`) or files (the others).
    pub limit: Option<NonZeroUsize>,
}

/// A line, or lines, that match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The file as it is shown.
    pub path: String,
    /// The line, from 1.
    pub line: u64,
    /// The byte of the line at which the match begins, from 1.
    pub column: usize,
    /// The line without its ending; all of them for a match that spans several.
    pub text: String,
    /// The lines before it that belong to no other match, with their numbers.
    pub before: Vec<(u64, String)>,
    /// The lines after it, likewise.
    pub after: Vec<(u64, String)>,
}

/// A file that has matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The file as it is shown.
    pub path: String,
    /// How many of its lines match; 1 under [`Show::Files`].
    pub count: usize,
    /// When it was last changed.
    pub modified: SystemTime,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The matches in order; empty but for [`Show::Content`].
    pub matches: Vec<Match>,
    /// The files in order.
    pub files: Vec<Matched>,
    /// How many files were searched.
    pub searched: usize,
    /// Files that are no text.
    pub binary: usize,
    /// Files and folders that could not be read.
    pub unreadable: usize,
    /// What was passed over; counted only where nothing was found.
    pub passed_over: Option<PassedOver>,
    /// Whether there is more than the limit let through.
    pub more: bool,
}

impl Files {
    /// Searches the file or the folder at `place`.
    ///
    /// # Errors
    /// `argument` for a broken pattern or glob, `not_found` with near names, `cancelled`.
    pub fn search(
        &self,
        query: &Query,
        place: &Place,
        stop: &AtomicBool,
    ) -> Result<Searched, ToolError> {
        let search = Search {
            matcher: matcher(query)?,
            rank: Mutex::new(Rank::new(query)),
            query,
            searched: AtomicUsize::new(0),
            binary: AtomicUsize::new(0),
            unreadable: AtomicUsize::new(0),
        };
        if place.entry == Entry::Folder {
            return search.folder(self, place, stop);
        }
        let file = self.open(place)?.file;
        search.file(&mut searcher(query), &file, Path::new(""));
        Ok(search.into_searched(|_| place.display.clone()))
    }
}

struct Search<'q> {
    query: &'q Query,
    matcher: RegexMatcher,
    rank: Mutex<Rank>,
    searched: AtomicUsize,
    binary: AtomicUsize,
    unreadable: AtomicUsize,
}

impl Search<'_> {
    fn folder(
        self,
        files: &Files,
        place: &Place,
        stop: &AtomicBool,
    ) -> Result<Searched, ToolError> {
        let wanted = Wanted::new(&self.query.include)?;
        let walker = Walker::new(files, place, &self.query.filter)?;
        let unreadable = walker.run(Shown::default(), stop, || {
            let mut searcher = searcher(self.query);
            let (search, root, wanted) = (&self, walker.root(), &wanted);
            move |below: &Path, entry: &DirEntry| {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if is_file && wanted.takes(below) {
                    search.entry(&mut searcher, root, below);
                }
                true
            }
        })?;
        self.unreadable.fetch_add(unreadable, Ordering::Relaxed);
        let mut searched = self.into_searched(|below| files.show(&place.path.join(below)));
        if searched.files.is_empty() {
            searched.passed_over = Some(walker.passed_over(stop, |below| wanted.takes(below))?);
        }
        Ok(searched)
    }

    fn entry(&self, searcher: &mut Searcher, root: &Root, below: &Path) {
        match root.read(below) {
            Ok(file) => self.file(searcher, &file, below),
            Err(_) => {
                self.unreadable.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn file(&self, searcher: &mut Searcher, file: &std::fs::File, below: &Path) {
        let modified = || {
            let metadata = file.metadata().and_then(|metadata| metadata.modified());
            metadata.unwrap_or(SystemTime::UNIX_EPOCH)
        };
        if !self.rank().takes(modified, below) {
            return;
        }
        let mut gather = Gather::new(&self.matcher, self.query);
        let done = searcher.search_file(&self.matcher, file, &mut gather);
        let counter = match (done, gather.is_binary) {
            (Err(_), _) => &self.unreadable,
            (_, true) => &self.binary,
            _ => &self.searched,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        if gather.count > 0 && !gather.is_binary {
            self.rank().add(Ranked {
                modified: modified(),
                below: below.to_owned(),
                count: gather.count,
                matches: gather.matches,
            });
        }
    }

    fn rank(&self) -> std::sync::MutexGuard<'_, Rank> {
        self.rank
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn into_searched(self, show: impl Fn(&PathBuf) -> String) -> Searched {
        let rank = self
            .rank
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let (ranked, more) = rank.into_ordered();
        let mut searched = Searched {
            searched: self.searched.into_inner(),
            binary: self.binary.into_inner(),
            unreadable: self.unreadable.into_inner(),
            more,
            ..Searched::default()
        };
        for file in ranked {
            let path = show(&file.below);
            for mut one in file.matches {
                one.path.clone_from(&path);
                searched.matches.push(one);
            }
            searched.files.push(Matched {
                path,
                count: file.count,
                modified: file.modified,
            });
        }
        searched
    }
}

/// Which files `include` takes.
struct Wanted {
    taken: Patterns,
    left: Patterns,
}

impl Wanted {
    fn new(include: &[String]) -> Result<Wanted, ToolError> {
        let globs = || include.iter().map(String::as_str);
        Ok(Wanted {
            taken: Patterns::new(globs().filter(|glob| !glob.starts_with('!')))?,
            left: Patterns::new(globs().filter_map(|glob| glob.strip_prefix('!')))?,
        })
    }

    fn takes(&self, below: &Path) -> bool {
        (self.taken.is_empty() || self.taken.matches(below)) && !self.left.matches(below)
    }
}

fn matcher(query: &Query) -> Result<RegexMatcher, ToolError> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .case_insensitive(query.ignore_case)
        .crlf(true);
    if query.multiline {
        builder.line_terminator(None);
    }
    builder.build(&query.pattern).map_err(|error| {
        let is_newline = matches!(error.kind(), grep_regex::ErrorKind::NotAllowed(_));
        let hint = if is_newline {
            "set `multiline` to let a match span lines"
        } else {
            "put `\\` before a character that is meant literally: \\( \\[ \\{ \\. \\* \\+ \\?"
        };
        ToolError::argument(format!("the pattern is not a regular expression: {error}"))
            .with_hint(hint)
    })
}

fn searcher(query: &Query) -> Searcher {
    let context = if query.show == Show::Content {
        query.context
    } else {
        0
    };
    SearcherBuilder::new()
        .line_terminator(LineTerminator::crlf())
        .binary_detection(BinaryDetection::quit(0))
        .multi_line(query.multiline)
        .before_context(context)
        .after_context(context)
        .heap_limit(Some(LONGEST))
        .build()
}

#[cfg(test)]
mod tests;
