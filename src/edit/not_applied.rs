//! Why an edit was not applied, as data. How it is said to a reader is the business of the tool.
//!
//! Whatever the reason, nothing was changed.

use super::Span;

/// How large a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its lines.
    pub lines: usize,
    /// Its bytes.
    pub bytes: usize,
}

/// Why an edit was not applied. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
pub enum NotApplied {
    /// There is nothing to look for.
    Empty,
    /// Old and new are the same but for line ends.
    NoChange,
    /// The text that was found is what the new text would make of it; its spans.
    Already(Vec<Span>),
    /// The text is not there.
    NotFound,
    /// It is there more than once.
    Ambiguous {
        /// Who found it.
        replacer: String,
        /// The first places, in the text.
        spans: Vec<Span>,
        /// How many there are where it begins, those inside another one too.
        count: usize,
    },
    /// What was found is much larger than what was quoted.
    Larger {
        /// Who found it.
        replacer: String,
        /// Where, in the text.
        span: Span,
        /// How large it is.
        found: Size,
        /// How large the old text is.
        quoted: Size,
    },
    /// What is to stand there could be written in more than one way.
    Unclear {
        /// Who found the place.
        replacer: String,
        /// Where, in the text.
        span: Span,
        /// Why, in words.
        why: &'static str,
    },
    /// All places are to be replaced, and so many are too many.
    TooMany(usize),
    /// There are so many places that the text would have so many bytes.
    TooLong(usize),
    /// A replacer had more to compare than it can compare in time; its name.
    TooMuch(String),
}
