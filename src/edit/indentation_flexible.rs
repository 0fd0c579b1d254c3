//! The replacer `indentation_flexible`: a block that stands further in or out, its inner shape the same.
//!
//! Only the indent that all its lines share may differ.

use super::fold::is_space;
use super::lines::{Lines, positions, trimmed};
use super::{Found, how_like};
use crate::text::{TooMuch, Work};

/// What a line costs beyond its bytes: it is copied twice.
const LINE: usize = 32;

/// Every block of `content` that is `old` once both are moved to the left as far as they go.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn find(content: &str, old: &str, work: &Work) -> Result<Vec<Found>, TooMuch> {
    let lines = Lines::of(content);
    let wanted = Lines::of(old);
    let shape = moved(&wanted.forms(str::to_owned));
    let starts = positions(&lines.forms(trimmed), &wanted.forms(trimmed));
    let mut places = Vec::new();
    for at in starts {
        let place = lines.block(at, wanted.len());
        work.take(wanted.len() * LINE + place.len())?;
        let block = (at..at + wanted.len()).map(|line| lines.get(line).to_owned());
        if moved(&block.collect::<Vec<String>>()) == shape {
            places.push(place);
        }
    }
    how_like(content, places, old, work)
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
