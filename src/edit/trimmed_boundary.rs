//! The replacer `trimmed_boundary`: the text without the space and the blank lines around it.
//!
//! What is left must stand there to the letter, as whole tokens.

use super::fold::is_space;
use super::lines::Lines;
use super::multi_occurrence::Sought;
use super::token::cuts_a_token;
use super::{Found, how_like};
use crate::text::{TooMuch, Work};

/// Every place of the trimmed `old`, where it has anything to trim.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn find(content: &str, old: &str, work: &Work) -> Result<Vec<Found>, TooMuch> {
    let core = old.trim_matches(is_space);
    if core == old || core.is_empty() {
        return Ok(Vec::new());
    }
    let sought = Sought::of(core);
    let whole = sought
        .places(content)
        .filter(|span| !cuts_a_token(content, span));
    how_like(content, whole, core, work)
}

/// As the classic chain has it: inside words too, and as blocks of lines.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn classic(content: &str, old: &str, work: &Work) -> Result<Vec<Found>, TooMuch> {
    let core = old.trim();
    if core == old {
        return Ok(Vec::new());
    }
    let inside = content.find(core).map(|at| at..at + core.len());
    let (lines, count) = (Lines::of(content), old.split('\n').count());
    let mut all = Vec::from_iter(inside);
    for at in 0..(lines.len() + 1).saturating_sub(count) {
        let span = lines.block(at, count);
        let block = content[span.clone()].trim();
        work.take(span.len() - block.len())?;
        if block.len() == core.len() {
            work.look(core.len())?;
            all.extend((block == core).then_some(span));
        }
    }
    Ok(all.into_iter().map(|span| Found::new(span, 1.0)).collect())
}
