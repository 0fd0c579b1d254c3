//! Patches: text that says what becomes of several files. Pure: a patch is parsed into sections, and the
//! hunks of a section are applied to the text of a file. Nothing here knows a file system.
//!
//! What is not certain is refused: a hunk that fits in several places fits in none.

mod apply;
mod fit;
mod frame;
mod grammar;
mod indent;
mod place;
mod typography;

pub use apply::apply;
pub use grammar::parse;

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The line of the patch where it begins, from 1.
    pub line: usize,
    /// The file, as the patch names it.
    pub path: String,
    /// What is done.
    pub work: Work,
}

/// What a section does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// A file that is not there yet gets this text; its line ends are `\n`.
    Add(String),
    /// The file goes away.
    Delete,
    /// The file gets another name, other lines, or both.
    Update {
        /// The new name.
        to: Option<String>,
        /// What becomes of its lines.
        hunks: Vec<Hunk>,
    },
}

/// Lines of a file and what becomes of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The line of the patch where it begins, from 1.
    pub line: usize,
    /// The lines behind `@@` below which the place lies, the outer one first.
    pub scopes: Vec<String>,
    /// Its lines in order.
    pub lines: Vec<Line>,
    /// How many blank lines at its end may only part it from what follows in the patch.
    pub blanks: usize,
    /// Whether it ends where the file ends.
    pub at_end: bool,
    /// Whether its header counted lines (`@@ -1,2 +1,2 @@`). The numbers decide nothing.
    pub counted: bool,
}

/// A line of a hunk, without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// It is there and stays.
    Keep(String),
    /// It is there and goes.
    Drop(String),
    /// It comes.
    Put(String),
}

impl Line {
    /// The text, if it is one that is there before.
    fn before(&self) -> Option<&str> {
        match self {
            Line::Keep(text) | Line::Drop(text) => Some(text),
            Line::Put(_) => None,
        }
    }

    /// The text, if it is one that is there afterwards.
    fn after(&self) -> Option<&str> {
        match self {
            Line::Keep(text) | Line::Put(text) => Some(text),
            Line::Drop(_) => None,
        }
    }
}

/// A text after its hunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The whole text.
    pub text: String,
    /// The hunks that fit only roughly, each named by its line in the patch, and what differs.
    pub tolerated: Vec<(usize, &'static str)>,
}

/// Why a text is no patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line of the patch, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What was expected there.
    pub expected: &'static str,
}

/// Why the hunks do not apply to a text. Lines are those of the text, from 1; hunks are named by the line
/// of the patch where they begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// A line behind `@@` is nowhere, or not below the one before it.
    NoScope {
        /// The hunk.
        hunk: usize,
        /// The line.
        scope: String,
    },
    /// The lines of a hunk stand nowhere.
    NotFound {
        /// The hunk.
        hunk: usize,
        /// Its first line that stands nowhere; `None` where each stands somewhere, but not together.
        missing: Option<String>,
        /// Whether they were looked for at the end of the file, or below a line behind `@@`, alone.
        narrowed: bool,
    },
    /// A hunk fits in several places.
    Several {
        /// The hunk.
        hunk: usize,
        /// The line at which each begins.
        lines: Vec<usize>,
    },
    /// Two hunks change the same line.
    Overlap {
        /// The first hunk.
        hunk: usize,
        /// The second.
        other: usize,
        /// The line.
        line: usize,
    },
    /// A hunk changes nothing.
    NoChange {
        /// The hunk.
        hunk: usize,
    },
    /// Until this hunk there was more to compare than can be compared in time.
    TooMuch {
        /// The hunk.
        hunk: usize,
    },
    /// A hunk has nothing but new lines and line numbers, which alone are not trusted.
    Numbers {
        /// The hunk.
        hunk: usize,
    },
}
