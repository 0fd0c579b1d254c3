//! Finding the place that an edit means, and putting the new text there. Pure: text in, text out.
//!
//! A place is a span of the text that is there, never a text to be searched for again. Line ends are
//! no part of a match or of a replacement: the file keeps its own. The nine replacers come first;
//! `search` asks them in the order of the `chain`, `adapted` makes the new text fit what was found.

mod block_anchor;
mod context_aware;
mod escape_normalized;
mod indentation_flexible;
mod line_trimmed;
mod multi_occurrence;
mod simple;
mod trimmed_boundary;
mod whitespace_normalized;

mod adapted;
mod chain;
mod fold;
mod found;
pub mod hashline;
mod indent;
mod line_ends;
mod lines;
mod merged;
mod not_applied;
mod search;
mod similar;
mod token;
mod units;

pub use chain::{Chain, Policy, Replacer, Step, Thresholds};
pub use found::{Found, in_order};
pub use not_applied::{NotApplied, Size};
pub use search::{Edited, Progress, Search};

use crate::text::{TooMuch, Work};

/// A place in a text: bytes from 0, the end exclusive.
pub type Span = std::ops::Range<usize>;

/// The steps of one edit. A step is about one comparison of two characters: some nanoseconds.
const STEPS: usize = 60_000_000;

/// The places, each with how like it is to `old`.
fn how_like(
    content: &str,
    spans: impl IntoIterator<Item = Span>,
    old: &str,
    work: &Work,
) -> Result<Vec<Found>, TooMuch> {
    let place = |span: Span| {
        let score = similar::similarity(&content[span.clone()], old, work)?;
        Ok(Found::new(span, score))
    };
    spans.into_iter().map(place).collect()
}
