//! What a yes for good keeps of a command: its first words where a table has it, else exactly the command.
//!
//! An approval is read here too, and not as a pattern: word by word, so that a blank or a wildcard in a word is
//! itself. What follows the words that are kept may be anything but what the table leaves out for that command:
//! what runs other code, goes elsewhere or cannot be taken back is asked about again. Pure.

mod table;

use super::command::Command;
use crate::text::shell_word;
use table::{PROGRAMS, Program};

/// What stands for the words behind those that are kept.
const ANYTHING: &str = " *";

/// How many words at the start of `argv` are kept, the options among them counted. `None` where the table has
/// no such command, or leaves out what stands behind them: then all of it is kept as it is.
pub(super) fn keep(argv: &[String]) -> Option<usize> {
    let name = argv.first()?;
    let program = PROGRAMS
        .iter()
        .find(|program| program.names.split(' ').any(|known| known == name))?;
    let places = leading(program, argv);
    let rows = program.rows.iter();
    let fitting = rows.filter_map(|(row, never)| {
        let words: Vec<&str> = row.split(' ').collect();
        let mut pairs = words.iter().zip(&places);
        let fits = words.len() <= places.len()
            && pairs.all(|(word, place)| *word == "?" || argv[*place] == *word);
        fits.then_some((words.len(), *never))
    });
    let (words, never) = fitting.max_by_key(|(words, _)| *words)?;
    let end = places[words - 1] + 1;
    let never = || program.never.split(' ').chain(never.split(' '));
    let is_left_out = |word: &String| never().any(|entry| names(entry, word));
    // What stands in the place of a name is looked at as what follows is.
    let given = places[..words].iter().map(|place| &argv[*place]);
    let mut looked_at = given.chain(&argv[end..]);
    (!looked_at.any(is_left_out)).then_some(end)
}

/// The pattern of the approval that a yes for good to `argv` is.
pub(super) fn pattern(argv: &[String]) -> String {
    match keep(argv) {
        Some(words) => written(&argv[..words]) + ANYTHING,
        None => written(argv),
    }
}

/// Whether an approval of this pattern speaks for `argv`.
pub(super) fn covers(pattern: &str, argv: &[String]) -> bool {
    match pattern.strip_suffix(ANYTHING) {
        Some(kept) => keep(argv).is_some_and(|words| written(&argv[..words]) == kept),
        None => matches!(Command::read(pattern), Command::Plain(words) if words == argv),
    }
}

/// The places of the words behind the program's name that are no options, up to the first option that is not
/// known.
fn leading(program: &Program, argv: &[String]) -> Vec<usize> {
    let (mut places, mut at) = (Vec::new(), 1);
    while let Some(word) = argv.get(at) {
        let mut options = program
            .options
            .split(' ')
            .filter(|option| !option.is_empty());
        match options.find_map(|option| taken(option, word)) {
            Some(words) => at += words,
            None if word.starts_with('-') || word.is_empty() => break,
            None => {
                places.push(at);
                at += 1;
            }
        }
    }
    places
}

/// How many words the option takes that begins with `word`, if it is this one. One that ends in `=` has a value,
/// in the next word or its own; one that ends in `*` begins so.
fn taken(option: &str, word: &str) -> Option<usize> {
    if let Some(start) = option.strip_suffix('*') {
        return word.starts_with(start).then_some(1);
    }
    let Some(name) = option.strip_suffix('=') else {
        return (option == word).then_some(1);
    };
    let value = word.strip_prefix(name)?;
    match (value, name.starts_with("--")) {
        ("", _) => Some(2),
        (value, true) => value.starts_with('=').then_some(1),
        (_, false) => Some(1),
    }
}

/// Whether an entry of what is left out means `word`. `*` at an end is any text. `-x` is the letter among others,
/// `--name` also where it is cut short, `=-name` only this word, with or without a value.
fn names(entry: &str, word: &str) -> bool {
    if let Some(entry) = entry.strip_prefix('=') {
        let value = word.strip_prefix(entry);
        return value.is_some_and(|value| value.is_empty() || value.starts_with('='));
    }
    if entry.contains('*') {
        let text = entry.trim_matches('*');
        return match (entry.starts_with('*'), entry.ends_with('*')) {
            (true, true) => word.contains(text),
            (true, false) => word.ends_with(text),
            (false, _) => word.starts_with(text),
        };
    }
    let Some(name) = entry.strip_prefix('-') else {
        return !entry.is_empty() && word == entry;
    };
    let Some(given) = word.strip_prefix('-') else {
        return false;
    };
    match (name.strip_prefix('-'), given.strip_prefix('-')) {
        (Some(name), Some(given)) => {
            let given = given.split('=').next().unwrap_or_default();
            !given.is_empty() && name.starts_with(given)
        }
        (None, None) => given.contains(name),
        _ => false,
    }
}

/// Words as a shell reads them back.
fn written(words: &[String]) -> String {
    let word = |word: &String| match shell_word(word.trim_start_matches('-')) {
        bare if *bare == *word.trim_start_matches('-') => word.clone(),
        _ => shell_word(word).into_owned(),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
