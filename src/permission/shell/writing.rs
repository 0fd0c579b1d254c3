//! The paths that well-known commands change, so that what is said of changes to files holds for them too.
//!
//! It sees what such a command is told by name. What any other program writes nobody can tell from its words.

use super::super::command::Word;
use super::super::subject::Group;
use super::{Depth, Operand};

/// What removes its operands, or changes them all through.
const DESTROYING: [&str; 12] = [
    "rm", "rmdir", "unlink", "shred", "mv", "truncate", "dd", "chmod", "chown", "chgrp", "find",
    "git",
];

/// The paths that `words` would change, and those that it reads for that; `None` for a command that is not
/// known to change files.
pub(super) fn writes(words: &[Word]) -> Option<Vec<Operand>> {
    let (name, rest) = words.split_first()?;
    let name = name.text.rsplit('/').next().unwrap_or_default();
    let mut operands = named(name, rest)?;
    if DESTROYING.contains(&name) {
        let unknown = |operand: &&mut Operand| operand.unknown && operand.group == Group::Edit;
        operands
            .iter_mut()
            .filter(unknown)
            .for_each(|operand| operand.removed = true);
    }
    Some(operands)
}

fn named(name: &str, rest: &[Word]) -> Option<Vec<Operand>> {
    let paths = paths(rest);
    let edit = |word: &&Word| Operand::new(word, Group::Edit);
    let removed = |word: &&Word| Operand {
        removed: true,
        ..edit(word)
    };
    let read = |word: &&Word| Operand::new(word, Group::Read);
    Some(match name {
        "rm" | "rmdir" | "unlink" | "shred" => paths.iter().map(removed).collect(),
        "touch" | "mkdir" | "tee" | "truncate" | "mkfifo" => paths.iter().map(edit).collect(),
        "chmod" | "chown" | "chgrp" => paths.iter().skip(1).map(edit).collect(),
        "mv" => moved(rest, &paths, removed),
        "install" if rest.iter().any(|word| makes_folders(&word.text)) => {
            paths.iter().map(edit).collect()
        }
        "cp" if rest.iter().any(|word| is_recursive(&word.text)) => {
            moved(rest, &paths, |word| read(word).looked_into(Depth::Whole))
        }
        "cp" | "ln" | "install" => moved(rest, &paths, read),
        "dd" => values(rest, "of=")
            .map(|word| edit(&&word))
            .chain(values(rest, "if=").map(|word| read(&&word)))
            .collect(),
        "sed" if rest.iter().any(|word| in_place(&word.text)) => paths.iter().map(edit).collect(),
        "sort" => written_by_option(rest, "-o", "--output=")
            .chain(paths.iter().map(read))
            .collect(),
        "uniq" => paths
            .iter()
            .take(1)
            .map(read)
            .chain(paths.iter().skip(1).map(edit))
            .collect(),
        "find" if rest.iter().any(|word| word.text == "-delete") => {
            let starts = rest
                .iter()
                .take_while(|word| !word.text.starts_with(['-', '(', '!']));
            starts.map(|word| removed(&word)).collect()
        }
        "git" if rest.iter().any(|word| word.text == "clean") => paths
            .iter()
            .skip_while(|word| word.text != "clean")
            .skip(1)
            .map(removed)
            .collect(),
        _ => return None,
    })
}

/// An option under which `install` makes folders of all its operands.
fn makes_folders(option: &str) -> bool {
    matches!(option, "-d" | "--directory")
}

/// An option under which `cp` takes folders with all that lies below them.
fn is_recursive(option: &str) -> bool {
    match option.strip_prefix('-') {
        Some(long) if long.starts_with('-') => long.starts_with("-r") || long.starts_with("-a"),
        Some(letters) => letters.contains(['r', 'R', 'a']),
        None => false,
    }
}

/// An option under which `sed` changes its files.
fn in_place(option: &str) -> bool {
    let letters = option.strip_prefix('-').unwrap_or_default();
    let flags = letters
        .find(|c| !"nEruszb".contains(c))
        .unwrap_or(letters.len());
    letters[flags..].starts_with('i') || option.starts_with("--in-place")
}

/// The words that are no options.
fn paths(words: &[Word]) -> Vec<&Word> {
    let mut open = true;
    let mut paths = Vec::new();
    for word in words {
        match word.text.as_str() {
            "--" if open => open = false,
            text if open && text.starts_with('-') && text.len() > 1 => {}
            _ => paths.push(word),
        }
    }
    paths
}

/// Sources and their target; the last word, or what `-t` names.
fn moved(words: &[Word], paths: &[&Word], source: impl Fn(&&Word) -> Operand) -> Vec<Operand> {
    let mut named = written_by_option(words, "-t", "--target-directory=").peekable();
    let (target, sources) = match (named.peek().is_some(), paths.split_last()) {
        (true, _) => (named.next(), paths),
        (false, Some((target, sources))) => (Some(Operand::new(target, Group::Edit)), sources),
        (false, None) => (None, paths),
    };
    let name = |word: &&Word| {
        word.text
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .map(str::to_owned)
    };
    let into = sources.iter().filter_map(name).collect();
    let target = target.map(|target| Operand { into, ..target });
    sources.iter().map(source).chain(target).collect()
}

/// What an option names: in its own word, or in the next.
fn written_by_option<'a>(
    words: &'a [Word],
    short: &'a str,
    long: &'a str,
) -> impl Iterator<Item = Operand> + 'a {
    let next = words
        .windows(2)
        .filter(move |pair| pair[0].text == short)
        .map(|pair| pair[1].clone());
    let own = [short, long]
        .into_iter()
        .flat_map(move |option| values(words, option));
    next.chain(own).map(|word| Operand::new(&word, Group::Edit))
}

/// What follows `option` in the words that begin with it.
fn values<'a>(words: &'a [Word], option: &'a str) -> impl Iterator<Item = Word> + 'a {
    words.iter().filter_map(move |word| {
        let value = word
            .text
            .strip_prefix(option)
            .filter(|value| !value.is_empty())?;
        Some(Word {
            text: value.to_owned(),
            ..word.clone()
        })
    })
}
