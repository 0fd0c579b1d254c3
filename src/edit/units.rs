//! A line as the units that tolerant comparing tells apart: runs of space, and single characters.
//!
//! Two lines are the same when their units mean the same; each unit keeps the text it was.

use super::escape_normalized::meaning;
use super::fold::{is_space, plain};

/// What a unit means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Space,
    /// A character, its typography folded away.
    Letter(char),
}

/// A unit, and how it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit<'a> {
    pub(super) text: &'a str,
    pub(super) meaning: Meaning,
}

/// The units of `text`; with `escapes`, `\t`, `\"` and their like are what they mean.
pub(super) fn units(text: &str, escapes: bool) -> Vec<Unit<'_>> {
    let mut all: Vec<Unit<'_>> = Vec::new();
    let (mut start, mut letters) = (0, text.chars().peekable());
    while let Some(letter) = letters.next() {
        let escaped = match escapes && letter == '\\' {
            true => letters
                .peek()
                .copied()
                .and_then(|next| meaning(next).map(|is| (next, is))),
            false => None,
        };
        let (length, letter) = match escaped {
            Some((written, meant)) => {
                letters.next();
                (1 + written.len_utf8(), meant)
            }
            None => (letter.len_utf8(), letter),
        };
        let end = start + length;
        let meaning = match is_space(letter) {
            true => Meaning::Space,
            false => Meaning::Letter(plain(letter)),
        };
        match all.last_mut() {
            Some(run) if run.meaning == Meaning::Space && meaning == Meaning::Space => {
                run.text = &text[start - run.text.len()..end];
            }
            _ => {
                let text = &text[start..end];
                all.push(Unit { text, meaning });
            }
        }
        start = end;
    }
    all
}

/// Whether two texts mean the same.
pub(super) fn mean_the_same(one: &[Unit<'_>], other: &[Unit<'_>]) -> bool {
    let meanings = one.iter().zip(other);
    one.len() == other.len() && meanings.into_iter().all(|(a, b)| a.meaning == b.meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_mean_the_same_whatever_they_were() {
        for (one, other, escapes, same) in [
            ("say “hi”", "say \"hi\"", false, true),
            ("a\t b", "a b", false, true),
            ("a b", "ab", false, false),
            ("a\\tb", "a  b", true, true),
            ("a\\tb", "a  b", false, false),
        ] {
            let (one, other) = (units(one, escapes), units(other, escapes));
            assert_eq!(mean_the_same(&one, &other), same, "{one:?} {other:?}");
        }
    }
}
