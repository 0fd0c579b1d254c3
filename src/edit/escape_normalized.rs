//! The replacer `escape_normalized`: `\n`, `\t`, `\"` and the like stand for what they mean.
//!
//! Where the quote was escaped once too often, the new text is taken as it means too; where the file has the
//! escapes, what is new is written as the place writes it. What is not certain is not written.

use std::collections::HashSet;

use super::lines::{Lines, positions};
use super::multi_occurrence::Sought;
use super::token::cuts_a_token;
use super::unfit::Unfit;
use super::{Found, how_like};
use crate::text::{TooMuch, Work};

/// The character that a backslash before `letter` makes.
pub(super) fn meaning(letter: char) -> Option<char> {
    match letter {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '\'' | '"' | '`' | '\\' | '\n' | '$' => Some(letter),
        _ => None,
    }
}

/// `text` with its escapes replaced by what they mean.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let escape = (letter == '\\').then(|| letters.peek().copied().and_then(meaning));
        match escape.flatten() {
            Some(meant) => {
                letters.next();
                plain.push(meant);
            }
            None => plain.push(letter),
        }
    }
    // `\r\n` is a line end like any other.
    plain.replace("\r\n", "\n")
}

/// Every place that means what `old` means: the plain text of an `old` with escapes, as whole tokens; else whole
/// lines with escapes.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn find(content: &str, old: &str, work: &Work) -> Result<Vec<Found>, TooMuch> {
    let plain = unescaped(old);
    if plain == old {
        return how_like(content, blocks(content, &plain), old, work);
    }
    if plain.trim().is_empty() {
        return Ok(Vec::new());
    }
    let sought = Sought::of(&plain);
    let inside = sought.places(content);
    let whole = inside.filter(|span| !cuts_a_token(content, span));
    how_like(content, whole, old, work)
}

/// The plain text of `new`, where the plain text of `old` was found.
///
/// # Errors
/// [`Unfit::Unclear`] where a character is escaped in `new` that is not in `old`, or not every time: it may be
/// meant to the letter.
pub(super) fn meant(old: &str, new: &str) -> Result<String, Unfit> {
    let (was, is) = (Written::in_text(old), Written::in_text(new));
    let fits = |letter: &char| {
        was.escaped.contains(letter) && !was.plain.contains(letter) && !is.plain.contains(letter)
    };
    match is.escaped.iter().all(fits) {
        true => Ok(unescaped(new)),
        false => Err(Unfit::Unclear(
            "`old` was found only where its escapes stand for what they mean, and `new` is not escaped in the same way",
        )),
    }
}

/// The characters that can be escaped, by how a text writes them.
struct Written {
    escaped: HashSet<char>,
    plain: HashSet<char>,
}

impl Written {
    fn in_text(text: &str) -> Written {
        let (mut escaped, mut plain) = (HashSet::new(), HashSet::new());
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let meant = (letter == '\\').then(|| letters.peek().copied().and_then(meaning));
            match meant.flatten() {
                Some(meant) => {
                    letters.next();
                    escaped.insert(meant);
                }
                None if escape(letter).is_some() => {
                    plain.insert(letter);
                }
                None => {}
            }
        }
        Written { escaped, plain }
    }
}

/// What stands behind the backslash of `letter`, if it can be escaped.
fn escape(letter: char) -> Option<char> {
    match letter {
        '\n' => Some('n'),
        '\t' => Some('t'),
        '\r' => Some('r'),
        '\'' | '"' | '`' | '\\' | '$' => Some(letter),
        _ => None,
    }
}

/// How a place of the file writes what can be escaped.
pub(super) struct Spelling(Written);

impl Spelling {
    /// Learned from the lines of the place.
    pub(super) fn in_place(place: &str) -> Spelling {
        // The indents and the line ends are no part of what is escaped.
        let lines = place.split('\n').map(str::trim);
        Spelling(Written::in_text(&Vec::from_iter(lines).join(" ")))
    }

    /// A part of a line as the place would write it.
    ///
    /// # Errors
    /// [`Unfit::Unclear`] where the place does not show how.
    pub(super) fn of(&self, text: &str) -> Result<String, Unfit> {
        let mut spelled = String::with_capacity(text.len());
        for letter in text.chars() {
            let Some(name) = escape(letter) else {
                spelled.push(letter);
                continue;
            };
            let Written { escaped, plain } = &self.0;
            match (escaped.contains(&letter), plain.contains(&letter)) {
                (true, false) => spelled.extend(['\\', name]),
                (false, true) => spelled.push(letter),
                _ => {
                    return Err(Unfit::Unclear(
                        "the file has escapes there that `old` has not, and it is not certain how `new` is to be escaped",
                    ));
                }
            }
        }
        Ok(spelled)
    }
}

/// As the classic chain has it: inside words too.
pub(super) fn classic(content: &str, old: &str) -> Vec<Found> {
    let plain = unescaped(old);
    let inside = content.find(&plain).map(|at| at..at + plain.len());
    let all = inside.into_iter().chain(blocks(content, &plain));
    all.map(|span| Found::new(span, 1.0)).collect()
}

/// The blocks of lines that mean `plain`.
fn blocks(content: &str, plain: &str) -> Vec<super::Span> {
    let (lines, wanted) = (Lines::of(content), Lines::of(plain));
    let found = positions(&lines.forms(unescaped), &wanted.forms(str::to_owned));
    let places = found.into_iter().map(|at| lines.block(at, wanted.len()));
    places.collect()
}
