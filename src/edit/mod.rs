//! Finding the place that an edit means, and putting the new text there. Pure: text in, text out.
//!
//! A place is a span of the text that is there, never a text to be searched for again. Line ends are
//! no part of a match or of a replacement: the file keeps its own.

mod line_ends;
mod replace;
mod simple;

pub use replace::{Edited, NotApplied, replace};

/// A place in a text: bytes from 0, the end exclusive.
pub type Span = std::ops::Range<usize>;
