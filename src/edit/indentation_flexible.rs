//! The replacer `indentation_flexible`: a block that stands further in or out, its inner shape the same.
//!
//! Only the indent that all its lines share may differ.

use super::fold::is_space;
use super::lines::{Lines, positions, trimmed};
use super::{Found, WORK, how_like};

/// Every block of `content` that is `old` once both are moved to the left as far as they go.
pub(super) fn find(content: &str, old: &str) -> Vec<Found> {
    let lines = Lines::of(content);
    let wanted = Lines::of(old);
    let shape = moved(&wanted.forms(str::to_owned));
    let starts = positions(&lines.forms(trimmed), &wanted.forms(trimmed));
    let affordable = WORK / wanted.len();
    let starts = starts.into_iter().take(affordable.max(1));
    let blocks = starts.filter(|&at| {
        let block: Vec<String> = (at..at + wanted.len())
            .map(|line| lines.get(line).to_owned())
            .collect();
        moved(&block) == shape
    });
    let places = blocks.map(|at| lines.block(at, wanted.len()));
    places.map(|span| how_like(content, span, old)).collect()
}

/// The lines without the indent that all of them share.
fn moved(lines: &[String]) -> Vec<String> {
    let indent = |line: &String| line.chars().take_while(|&letter| is_space(letter)).count();
    let filled = lines.iter().filter(|line| !trimmed(line).is_empty());
    let least = filled.map(indent).min().unwrap_or(0);
    let cut = |line: &String| match trimmed(line).is_empty() {
        true => line.clone(),
        false => line.chars().skip(least).collect(),
    };
    lines.iter().map(cut).collect()
}
