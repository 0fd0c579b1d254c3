//! The replacer `multi_occurrence`: the very text, each time it occurs, inside another place of it too.
//!
//! It stands last in the chain and tells of several places where those before it tell of none. All the others count
//! by it: one pass over the text, however often it overlaps itself.

use super::Span;
use super::lines::falls;

/// A text that is looked for.
pub(super) struct Sought<'a> {
    text: &'a str,
    /// For every beginning of it, how long the longest beginning is that also ends that one.
    falls: Vec<usize>,
}

impl<'a> Sought<'a> {
    /// `text` is not empty.
    pub(super) fn of(text: &'a str) -> Sought<'a> {
        let falls = falls(text.as_bytes());
        Sought { text, falls }
    }

    /// Every place where it begins, in order.
    pub(super) fn places(&self, content: &str) -> impl Iterator<Item = Span> {
        let (mut at, mut held) = (0, 0);
        std::iter::from_fn(move || {
            at = self.end_of_next(content, at, held)?;
            held = self.falls.last().copied()?;
            Some(at - self.text.len()..at)
        })
    }

    /// Where the next place ends, of which `held` bytes stand before `at`.
    fn end_of_next(&self, content: &str, mut at: usize, mut held: usize) -> Option<usize> {
        let (bytes, wanted) = (content.as_bytes(), self.text.as_bytes());
        while held > 0 {
            let byte = bytes.get(at)?;
            while held > 0 && wanted[held] != *byte {
                held = self.falls[held - 1];
            }
            held += usize::from(wanted[held] == *byte);
            at += 1;
            if held == wanted.len() {
                return Some(at);
            }
        }
        // No place begins inside a character.
        let from = content.ceil_char_boundary(at);
        let found = content[from..].find(self.text)?;
        Some(from + found + wanted.len())
    }
}

/// Places of a text.
pub(super) struct Places {
    /// The first ones.
    pub(super) spans: Vec<Span>,
    /// How many there are where it begins, those inside another one too.
    pub(super) count: usize,
}

/// Every place where `old` stands to the letter; the first `most` are told.
pub(super) fn all(content: &str, old: &str, most: usize) -> Places {
    of_which(content, old, most, |_, _| true)
}

/// The places that do not overlap, the first first; the first `most` of those are told.
pub(super) fn apart(content: &str, old: &str, most: usize) -> Places {
    of_which(content, old, most, |last, place| last.end <= place.start)
}

fn of_which(
    content: &str,
    old: &str,
    most: usize,
    counts: impl Fn(&Span, &Span) -> bool,
) -> Places {
    let mut places = Places {
        spans: Vec::new(),
        count: 0,
    };
    for place in Sought::of(old).places(content) {
        places.count += 1;
        let spans = &mut places.spans;
        if spans.len() < most && spans.last().is_none_or(|last| counts(last, &place)) {
            spans.push(place);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn finds_what_lies_over_itself() {
        let spans = |content: &str, old: &str| all(content, old, 9).spans;
        assert_eq!(spans("aaaa", "aa"), [0..2, 1..3, 2..4]);
        assert_eq!(spans("ababaxaba", "aba"), [0..3, 2..5, 6..9]);
        assert_eq!(spans("ééé–é", "éé"), [0..4, 2..6]);
        assert!(spans("abc", "abcd").is_empty());
        assert_eq!(apart("aaaaa", "aa", 9).spans, [0..2, 2..4]);
        assert_eq!(apart("aaaaa", "aa", 1).count, 4);
    }

    #[test]
    fn counts_in_one_pass() {
        let (content, old) = ("x".repeat(800_000), "x".repeat(400_000));
        assert_eq!(all(&content, &old, 9).count, 400_001);
    }

    proptest! {
        #[test]
        fn finds_each_place_and_no_other(content in "[aé–]{0,12}b?[aé–]{0,12}", old in "[aé–]{1,4}") {
            let found = all(&content, &old, 99).spans;
            let each = (0..content.len()).filter(|&at| {
                content.get(at..).is_some_and(|rest| rest.starts_with(&old))
            });
            let each: Vec<Span> = each.map(|at| at..at + old.len()).collect();
            prop_assert_eq!(found, each);
        }
    }
}
