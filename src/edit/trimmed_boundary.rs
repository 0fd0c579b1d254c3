//! The replacer `trimmed_boundary`: the text without the space and the blank lines around it.
//!
//! What is left must stand there to the letter, as whole words.

use super::fold::{cuts_a_word, is_space};
use super::lines::Lines;
use super::{Found, how_like, simple};

/// Every place of the trimmed `old`, where it has anything to trim.
pub(super) fn find(content: &str, old: &str) -> Vec<Found> {
    let core = old.trim_matches(is_space);
    if core == old || core.is_empty() {
        return Vec::new();
    }
    let places = simple::find(content, core).into_iter();
    let whole = places.filter(|span| !cuts_a_word(content, span));
    whole.map(|span| how_like(content, span, core)).collect()
}

/// As the classic chain has it: inside words too, and as blocks of lines.
pub(super) fn classic(content: &str, old: &str) -> Vec<Found> {
    let core = old.trim();
    if core == old {
        return Vec::new();
    }
    let inside = content.find(core).map(|at| at..at + core.len());
    let (lines, count) = (Lines::of(content), old.split('\n').count());
    let starts = 0..(lines.len() + 1)
        .saturating_sub(count)
        .min(super::WORK / count);
    let blocks = starts.map(|at| lines.block(at, count));
    let blocks = blocks.filter(|span| content[span.clone()].trim() == core);
    let all = inside.into_iter().chain(blocks);
    all.map(|span| Found::new(span, 1.0)).collect()
}
