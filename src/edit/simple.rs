//! The replacer `simple`: the very text, to the letter.
//!
//! Line ends are unified before it is asked; it tolerates nothing else.

use super::Span;

/// How many overlapping places are looked for before the rest is taken as said.
const ENOUGH: usize = 100;

/// Every place where `old` stands in `content`; places do not overlap.
pub(super) fn find(content: &str, old: &str) -> Vec<Span> {
    content
        .match_indices(old)
        .map(|(at, found)| at..at + found.len())
        .collect()
}

/// The first places where `old` stands, those that overlap too: what decides whether it is unique.
pub(super) fn find_overlapping(content: &str, old: &str) -> Vec<Span> {
    let step = old.chars().next().map_or(1, char::len_utf8);
    let mut from = 0;
    let next = || {
        let at = from + content.get(from..)?.find(old)?;
        from = at + step;
        Some(at..at + old.len())
    };
    std::iter::from_fn(next).take(ENOUGH).collect()
}
