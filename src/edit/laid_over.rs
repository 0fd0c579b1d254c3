//! One new line laid over the line of the file it comes from: the characters that the edit keeps stay the file's.
//!
//! A quote stays the file's only together with its partner, and what is new is written as the place writes it.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::escape_normalized::Spelling;
use super::unfit::Unfit;
use super::units::{Meaning, Unit, mean_the_same, units};
use crate::text::{Work, aligning};

/// How many steps one comparison of units may take.
const WORK: usize = 8 << 20;

/// A line of the file and the old and the new one, without the space around them.
pub(super) struct Line<'a> {
    pub(super) file: &'a str,
    pub(super) old: &'a str,
    pub(super) new: &'a str,
}

/// A unit of the new line.
struct Piece<'a> {
    /// As the new text has it.
    given: Unit<'a>,
    /// The number of the unit of the file that it is.
    kept: Option<usize>,
}

impl Line<'_> {
    /// The new line as the file would have it. `spelling`: how the place writes what can be escaped, where
    /// escapes are what differs.
    ///
    /// # Errors
    /// [`Unfit::TooMuch`] to compare; [`Unfit::Unclear`] how something is spelled.
    pub(super) fn text(&self, spelling: Option<&Spelling>, work: &Work) -> Result<String, Unfit> {
        let spelled = |text: &str| match spelling {
            Some(spelling) => spelling.of(text),
            None => Ok(text.to_owned()),
        };
        if self.old == self.new {
            return Ok(self.file.to_owned());
        }
        let file = units(self.file, spelling.is_some());
        let (old, new) = (units(self.old, false), units(self.new, false));
        let steps = aligning(old.len(), new.len());
        if self.file == self.old || !mean_the_same(&file, &old) || steps > WORK {
            return spelled(self.new);
        }
        work.take(4 * steps)?;
        let mut pieces = pieces(&old, &new);
        if spelling.is_none() {
            for is_quote in [is_double as fn(Unit<'_>) -> bool, is_single] {
                part(&mut pieces, &file, is_quote);
            }
        }
        let mut written = String::new();
        for piece in pieces {
            match piece.kept {
                Some(unit) => written.push_str(file[unit].text),
                None => written.push_str(&spelled(piece.given.text)?),
            }
        }
        Ok(written)
    }
}

/// The units of the new line, with those of the old one that they are.
fn pieces<'a>(old: &[Unit<'_>], new: &[Unit<'a>]) -> Vec<Piece<'a>> {
    let texts = |units: &[Unit<'_>]| -> Vec<String> {
        units.iter().map(|unit| unit.text.to_owned()).collect()
    };
    let mut pieces: Vec<Piece<'a>> = Vec::with_capacity(new.len());
    for op in capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new)) {
        let is_kept = matches!(op, DiffOp::Equal { .. });
        let from = op.old_range().start;
        pieces.extend(op.new_range().enumerate().map(|(more, at)| Piece {
            given: new[at],
            kept: is_kept.then_some(from + more),
        }));
    }
    pieces
}

/// Gives up quotes of the file that are parted from their partner.
fn part(pieces: &mut [Piece<'_>], file: &[Unit<'_>], is_quote: fn(Unit<'_>) -> bool) {
    let mut order = vec![None; file.len()];
    for (number, at) in quotes(file, is_quote).into_iter().enumerate() {
        order[at] = Some(number);
    }
    let given: Vec<Unit<'_>> = pieces.iter().map(|piece| piece.given).collect();
    let count = order.iter().flatten().count();
    for pair in quotes(&given, is_quote).chunks(2) {
        let number = |at: usize| pieces[at].kept.and_then(|unit| order[unit]);
        let together = match *pair {
            [one, other] => match (number(one), number(other)) {
                (Some(one), Some(other)) => one % 2 == 0 && other == one + 1,
                (one, other) => one == other,
            },
            [one] => number(one).is_none_or(|one| one % 2 == 0 && one + 1 == count),
            _ => true,
        };
        if !together {
            for &at in pair {
                pieces[at].kept = None;
            }
        }
    }
}

/// The quotes of a line; an apostrophe inside a word is none.
fn quotes(line: &[Unit<'_>], is_quote: fn(Unit<'_>) -> bool) -> Vec<usize> {
    let is_word = |at: Option<usize>| {
        let unit = at.and_then(|at| line.get(at));
        matches!(unit, Some(Unit { meaning: Meaning::Letter(letter), .. }) if letter.is_alphanumeric())
    };
    let is_apostrophe =
        |at: usize| is_single(line[at]) && is_word(at.checked_sub(1)) && is_word(Some(at + 1));
    let all = (0..line.len()).filter(|&at| is_quote(line[at]) && !is_apostrophe(at));
    all.collect()
}

fn is_double(unit: Unit<'_>) -> bool {
    unit.meaning == Meaning::Letter('"')
}

fn is_single(unit: Unit<'_>) -> bool {
    unit.meaning == Meaning::Letter('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_stays_with_its_partner() {
        for (file, old, new, written) in [
            (
                "print(“hi there”)",
                "print(\"hi there\")",
                "print(\"hi\") # there\"s",
                "print(\"hi\") # there\"s",
            ),
            (
                "say “a” b",
                "say \"a\" b",
                "say \"c\" \"d\" b",
                "say \"c\" \"d\" b",
            ),
            ("don’t ‘a’", "don't 'a'", "don't 'b'", "don’t ‘b’"),
            ("“a” and “b”", "\"a\" and \"b\"", "\"b\"", "\"b\""),
            ("x   = “a”", "x = \"a\"", "x = 'a'", "x   = 'a'"),
            ("5′ – 6′", "5' - 6'", "5' - 7'", "5′ – 7′"),
        ] {
            let text = Line { file, old, new }.text(None, &Work::of(1_000_000));
            assert_eq!(text.unwrap(), written);
        }
    }
}
