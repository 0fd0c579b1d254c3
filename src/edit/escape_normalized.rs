//! The replacer `escape_normalized`: `\n`, `\t`, `\"` and the like stand for what they mean.
//!
//! Only for comparing: what is written is the new text to the letter.

use super::lines::{Lines, positions};
use super::multi_occurrence::Sought;
use super::token::cuts_a_token;
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
fn unescaped(text: &str) -> String {
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

/// Every place that means what `old` means: its plain text as whole tokens, or whole lines with escapes.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn find(content: &str, old: &str, work: &Work) -> Result<Vec<Found>, TooMuch> {
    let plain = unescaped(old);
    if plain != old && !plain.trim().is_empty() {
        let sought = Sought::of(&plain);
        let inside = sought.places(content);
        let mut whole = inside
            .filter(|span| !cuts_a_token(content, span))
            .peekable();
        if whole.peek().is_some() {
            return how_like(content, whole, old, work);
        }
    }
    how_like(content, blocks(content, &plain), old, work)
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
