//! The replacer `simple`: the very text, to the letter.
//!
//! Line ends are unified before it is asked; it tolerates nothing else.

use super::Span;

/// Every place where `old` stands in `content`; places do not overlap.
pub(super) fn find(content: &str, old: &str) -> Vec<Span> {
    content
        .match_indices(old)
        .map(|(at, found)| at..at + found.len())
        .collect()
}

/// The first place where `old` stands.
pub(super) fn first(content: &str, old: &str) -> Option<Span> {
    content.find(old).map(|at| at..at + old.len())
}

/// How many overlapping places beyond those that do not overlap are looked for: enough to know that a
/// text is not unique.
const ENOUGH: usize = 100;

/// The places where `old` stands, the first of those that overlap too.
pub(super) fn find_overlapping(content: &str, old: &str) -> Vec<Span> {
    let mut found = find(content, old);
    let step = old.chars().next().map_or(1, char::len_utf8);
    let mut hidden = Vec::new();
    for place in found.iter().take(ENOUGH) {
        // A place that begins inside this one ends before this one's end and one more length.
        let mut end = (place.end + old.len()).min(content.len());
        while !content.is_char_boundary(end) {
            end += 1;
        }
        let from = place.start + step;
        hidden.extend(content.get(from..end).and_then(|rest| {
            let at = from + rest.find(old)?;
            (at < place.end).then(|| at..at + old.len())
        }));
    }
    found.append(&mut hidden);
    found.sort_by_key(|span| span.start);
    found
}
