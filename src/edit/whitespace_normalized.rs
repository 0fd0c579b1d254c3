//! The replacer `whitespace_normalized`: the same words, however much space is between them.
//!
//! Where one text has a line end the other has one too, and as many blank lines; a token is a whole one.

use super::fold::is_space;
use super::lines::{Lines, positions};
use super::multi_occurrence::Sought;
use super::token::cuts_a_token;
use super::{Found, Span, how_like};
use crate::text::{TooMuch, Work};

/// A run of characters without space, and how many line ends stand before it.
struct Word<'a> {
    text: &'a str,
    start: usize,
    ends: usize,
}

/// Every place of `content` that has the words of `old`.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn find(content: &str, old: &str, work: &Work) -> Result<Vec<Found>, TooMuch> {
    let (words, wanted) = (words(content), words(old));
    let spans = match wanted.as_slice() {
        [] => Vec::new(),
        [one] => inside(&words, one.text),
        [first, middle @ .., last] => runs(&words, first, middle, last),
    };
    let whole = spans
        .into_iter()
        .filter(|span| !cuts_a_token(content, span));
    how_like(content, whole, old, work)
}

fn words(text: &str) -> Vec<Word<'_>> {
    let (mut all, mut ends, mut from) = (Vec::new(), 0, None);
    let mut end = |start: &mut Option<usize>, at: usize, ends: &mut usize| {
        if let Some(start) = start.take() {
            let text = &text[start..at];
            all.push(Word {
                text,
                start,
                ends: std::mem::take(ends),
            });
        }
    };
    for (at, letter) in text.char_indices() {
        if !is_space(letter) {
            from.get_or_insert(at);
            continue;
        }
        end(&mut from, at, &mut ends);
        ends += usize::from(letter == '\n');
    }
    end(&mut from, text.len(), &mut ends);
    all
}

/// The places of a single word.
fn inside(words: &[Word<'_>], wanted: &str) -> Vec<Span> {
    let sought = Sought::of(wanted);
    // Looking for a long text costs its length before the first character is compared.
    let long = words.iter().filter(|word| word.text.len() >= wanted.len());
    let places = long.flat_map(|word| {
        let found = sought.places(word.text);
        found.map(|span| word.start + span.start..word.start + span.end)
    });
    places.collect()
}

/// The places where `first`, all of `middle` and `last` follow each other: the first may be the end of a
/// longer run, the last the beginning of one.
fn runs(words: &[Word<'_>], first: &Word<'_>, middle: &[Word<'_>], last: &Word<'_>) -> Vec<Span> {
    let form = |word: &Word<'_>| (word.text.to_owned(), word.ends);
    let starts: Vec<usize> = match middle {
        [] => (1..words.len()).collect(),
        middle => {
            let all: Vec<_> = words.iter().map(form).collect();
            positions(&all, &middle.iter().map(form).collect::<Vec<_>>())
        }
    };
    let place = |start: usize| {
        let before = words.get(start.checked_sub(1)?)?;
        let after = words.get(start + middle.len())?;
        let fits = before.text.ends_with(first.text)
            && after.text.starts_with(last.text)
            && after.ends == last.ends;
        fits.then(|| {
            let from = before.start + before.text.len() - first.text.len();
            from..after.start + last.text.len()
        })
    };
    starts.into_iter().filter_map(place).collect()
}

/// As the classic chain has it: a line, a part of a line even inside words, a block of as many lines.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn classic(content: &str, old: &str, work: &Work) -> Result<Vec<Found>, TooMuch> {
    let (lines, wanted) = (Lines::of(content), joined(old));
    let mut spans = Vec::new();
    for at in 0..lines.len() {
        let line = joined(lines.get(at));
        if line == wanted {
            spans.push(lines.block(at, 1));
        } else if line.contains(&wanted) {
            spans.extend(first_in_line(lines.get(at), old, work)?.map(|span| {
                let start = lines.block(at, 1).start;
                start + span.start..start + span.end
            }));
        }
    }
    let count = old.split('\n').count();
    if count > 1 {
        for at in 0..(lines.len() + 1).saturating_sub(count) {
            let span = lines.block(at, count);
            if is_joined(&content[span.clone()], &wanted, work)? {
                spans.push(span);
            }
        }
    }
    let found = spans.into_iter().map(|span| Found::new(span, 1.0));
    Ok(found.collect())
}

/// `text` with one blank for every run of space, and none around it.
fn joined(text: &str) -> String {
    Vec::from_iter(text.split_whitespace()).join(" ")
}

/// Whether `text` comes to `wanted`; decided at the first word that differs.
fn is_joined(text: &str, wanted: &str, work: &Work) -> Result<bool, TooMuch> {
    let (mut rest, mut wanted) = (text, wanted.split(' '));
    loop {
        let words = rest.trim_start();
        work.take(1 + rest.len() - words.len())?;
        let Some(word) = wanted.next() else {
            return Ok(words.is_empty());
        };
        work.look(word.len())?;
        match words.strip_prefix(word) {
            Some(more) if more.is_empty() || more.starts_with(char::is_whitespace) => rest = more,
            _ => return Ok(false),
        }
    }
}

/// The first place in `line` where the words of `old` follow each other.
fn first_in_line(line: &str, old: &str, work: &Work) -> Result<Option<Span>, TooMuch> {
    let mut words = old.split_whitespace();
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let rest: Vec<&str> = words.collect();
    'places: for (start, _) in line.match_indices(first) {
        let mut at = start + first.len();
        for word in &rest {
            let behind = line[at..].trim_start();
            let space = line.len() - at - behind.len();
            work.take(1 + space)?;
            work.look(word.len())?;
            if space == 0 || !behind.starts_with(word) {
                continue 'places;
            }
            at += space + word.len();
        }
        return Ok(Some(start..at));
    }
    Ok(None)
}
