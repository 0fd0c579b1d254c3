//! The replacer `whitespace_normalized`: the same words, however much space is between them.
//!
//! Where one text has a line end the other has one too, and as many blank lines; a word is a whole one.

use super::fold::{cuts_a_word, is_space};
use super::lines::{Lines, positions};
use super::{Found, Span, how_like};

/// A run of characters without space, and how many line ends stand before it.
struct Word<'a> {
    text: &'a str,
    start: usize,
    ends: usize,
}

/// Every place of `content` that has the words of `old`.
pub(super) fn find(content: &str, old: &str) -> Vec<Found> {
    let (words, wanted) = (words(content), words(old));
    let spans = match wanted.as_slice() {
        [] => Vec::new(),
        [one] => inside(&words, one.text),
        [first, middle @ .., last] => runs(&words, first, middle, last),
    };
    let whole = spans.into_iter().filter(|span| !cuts_a_word(content, span));
    whole.map(|span| how_like(content, span, old)).collect()
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
    let places = words.iter().flat_map(|word| {
        let found = word.text.match_indices(wanted);
        found.map(|(at, _)| word.start + at..word.start + at + wanted.len())
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
pub(super) fn classic(content: &str, old: &str) -> Vec<Found> {
    let (lines, wanted) = (Lines::of(content), joined(old));
    let mut spans = Vec::new();
    for at in 0..lines.len() {
        let line = joined(lines.get(at));
        if line == wanted {
            spans.push(lines.block(at, 1));
        } else if line.contains(&wanted) {
            spans.extend(first_in_line(lines.get(at), old).map(|span| {
                let start = lines.block(at, 1).start;
                start + span.start..start + span.end
            }));
        }
    }
    let count = old.split('\n').count();
    if count > 1 {
        let starts = 0..(lines.len() + 1)
            .saturating_sub(count)
            .min(super::WORK / count);
        let blocks = starts.map(|at| lines.block(at, count));
        spans.extend(blocks.filter(|span| is_joined(&content[span.clone()], &wanted)));
    }
    spans
        .into_iter()
        .map(|span| Found::new(span, 1.0))
        .collect()
}

/// `text` with one blank for every run of space, and none around it.
fn joined(text: &str) -> String {
    Vec::from_iter(text.split_whitespace()).join(" ")
}

/// Whether `text` comes to `wanted`; decided at the first word that differs.
fn is_joined(text: &str, wanted: &str) -> bool {
    text.split_whitespace().eq(wanted.split(' '))
}

/// The first place in `line` where the words of `old` follow each other.
fn first_in_line(line: &str, old: &str) -> Option<Span> {
    let mut words = old.split_whitespace();
    let first = words.next()?;
    let rest: Vec<&str> = words.collect();
    line.match_indices(first).find_map(|(start, _)| {
        let mut at = start + first.len();
        for word in &rest {
            let behind = line[at..].trim_start();
            let space = line.len() - at - behind.len();
            if space == 0 || !behind.starts_with(word) {
                return None;
            }
            at += space + word.len();
        }
        Some(start..at)
    })
}
