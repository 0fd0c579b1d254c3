//! The replacer `line_trimmed`: whole lines that are the same but for the space around each.
//!
//! It never looks inside a line.

use super::lines::{Lines, positions, trimmed};
use super::{Found, how_like};
use crate::text::{TooMuch, Work};

/// Every run of lines of `content` that is `old`.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn find(content: &str, old: &str, work: &Work) -> Result<Vec<Found>, TooMuch> {
    let (lines, wanted) = (Lines::of(content), Lines::quoted(old));
    let found = positions(&lines.forms(trimmed), &wanted.forms(trimmed));
    let places = found.into_iter().map(|at| lines.block(at, wanted.len()));
    how_like(content, places, old, work)
}
