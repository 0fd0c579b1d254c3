//! A command as it is written, and its words where the two readers agree on them.
//!
//! Braces count as the words that they stand for, where both have the word and that is certain.

use std::ops::Range;

use super::super::command::{self, Word};
use super::braces;
use super::tree::{Found, Kind};

/// The words of a command where both readers agree on them. The error is empty where only one has an opinion.
pub(super) fn certain(
    found: &Found,
    text: &str,
    choices: &Choices,
) -> Result<Vec<Word>, &'static str> {
    if found.kind == Kind::Other {
        return Err("");
    }
    let words = command::patterns(text).map_err(|_| "")?;
    if found.kind == Kind::Test {
        return Ok(words);
    }
    let mut theirs = Vec::with_capacity(words.len());
    for (word, choice) in found.words.iter().zip(choices) {
        match (word, choice) {
            (_, Some(choice)) => theirs.extend(choice.iter().map(String::as_str)),
            (Some(word), None) => theirs.push(word),
            (None, None) => return Err(""),
        }
    }
    let ours = words.iter().map(|word| word.text.as_str());
    match ours.eq(theirs) {
        true => Ok(words),
        false => Err("it can be read in two ways"),
    }
}

/// The first word of a command, as it is written.
pub(super) fn name<'a>(line: &'a str, found: &Found) -> &'a str {
    let place = found.raw.first().cloned();
    place.and_then(|place| line.get(place)).unwrap_or_default()
}

/// What each word of a command stands for that has braces in it.
pub(super) type Choices = Vec<Option<Vec<String>>>;

/// The same where both readers have the word as it is written.
pub(super) fn choices(line: &str, found: &Found) -> Choices {
    let raw = || found.raw.iter().map(|place| line.get(place.clone()));
    let mut choices = braces::choices(raw().map(Option::unwrap_or_default));
    for ((choice, raw), word) in choices.iter_mut().zip(raw()).zip(&found.words) {
        choice.take_if(|_| found.assigns || raw != word.as_deref());
    }
    choices
}

/// The command as it is written, without its redirects, and with what its braces stand for.
pub(super) fn written(line: &str, found: &Found, choices: &Choices) -> String {
    let slice = |place: &Range<usize>| line.get(place.clone()).unwrap_or_default();
    match found.kind {
        Kind::Command if !found.assigns => {
            let words = found.raw.iter().zip(choices);
            let words = words.map(|(raw, choice)| match choice {
                Some(choice) => choice.join(" "),
                None => slice(raw).to_owned(),
            });
            words.collect::<Vec<_>>().join(" ")
        }
        _ => slice(&found.whole).to_owned(),
    }
}
