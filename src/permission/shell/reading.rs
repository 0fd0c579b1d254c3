//! Whether a command, with these words, is one that only reads, and which paths it reads.
//!
//! It says yes only to what the table of known commands lists. Whether the paths may be read, and whether
//! the name means the system's own program, others find out.

use super::super::command::Word;
use super::super::subject::Group;
use super::known::{Known, Shape, find};
use super::{Depth, Operand, assigned, finding};

/// A command that only reads.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// What it reads.
    pub(super) operands: Vec<Operand>,
    /// The shell does it itself.
    pub(super) builtin: bool,
}

/// The words after the options, and what of the options matters.
#[derive(Default)]
struct Sorted<'a> {
    operands: Vec<&'a Word>,
    /// The pattern stands in an option.
    patterned: bool,
    /// Everything below a folder is read.
    recursive: bool,
    /// The names of all that lies below a folder are shown.
    names: bool,
    /// It lists files instead of searching in them.
    lists: bool,
    /// Only what is asked for is printed.
    quiet: bool,
}

/// What `words` read, if they are a command that only reads.
pub(super) fn reads(words: &[Word]) -> Option<Reading> {
    let (name, rest) = words.split_first()?;
    let known = find(&name.text)?;
    let operands = match known.shape {
        Shape::Find => finding::find(rest)?,
        Shape::Test => finding::test(&name.text, rest)?,
        Shape::Text if matches!(known.name, "echo" | "true" | "false" | ":") => named(rest),
        _ => {
            let sorted = sorted(known, rest)?;
            operands(known.shape, &sorted)?
        }
    };
    let builtin = known.builtin;
    Some(Reading { operands, builtin })
}

/// Every word that the shell puts names in the place of.
fn named(words: &[Word]) -> Vec<Operand> {
    let names = words.iter().filter(|word| word.glob);
    names.map(|word| Operand::new(word, Group::Read)).collect()
}

fn operands(shape: Shape, sorted: &Sorted<'_>) -> Option<Vec<Operand>> {
    let all = sorted.operands.as_slice();
    // What reads files has nothing of a folder.
    let depth = match sorted.recursive || shape == Shape::Compared {
        true => Depth::Whole,
        false if sorted.names => Depth::Names,
        false => Depth::Itself,
    };
    let paths = |words: &[&Word]| -> Vec<Operand> {
        let read = |word: &&Word| Operand {
            depth,
            follows: shape == Shape::Compared,
            ..Operand::new(word, Group::Read)
        };
        words.iter().map(read).collect()
    };
    let here = || {
        vec![Operand {
            depth,
            ..Operand::here()
        }]
    };
    let text = |words: &[&Word]| words.iter().all(|word| !word.glob);
    match shape {
        Shape::Paths | Shape::Facts | Shape::Compared => Some(paths(all)),
        Shape::Here if all.is_empty() => Some(here()),
        Shape::Here => Some(paths(all)),
        Shape::One if all.len() > 1 || !text(all) => None,
        Shape::One => Some(paths(all)),
        Shape::Text => text(all).then(Vec::new),
        Shape::Format => {
            let format = all.first()?;
            (text(all) && assigned::prints_only(&format.text)).then(Vec::new)
        }
        Shape::Folder => match all {
            [] => Some(Vec::new()),
            [to] if !to.glob && !to.text.is_empty() => Some(Vec::new()),
            _ => None,
        },
        Shape::Pattern | Shape::Search => {
            let skipped = usize::from(!sorted.patterned && !sorted.lists);
            let (pattern, rest) = all.split_at_checked(skipped)?;
            let searches = shape == Shape::Search || sorted.recursive;
            match (text(pattern), rest) {
                (false, _) => None,
                (true, []) if searches => Some(here()),
                (true, rest) => Some(paths(rest)),
            }
        }
        Shape::Sed => {
            let (script, rest) = all.split_first()?;
            (sorted.quiet && text(&[script]) && finding::prints(&script.text)).then(|| paths(rest))
        }
        Shape::Find | Shape::Test => None,
    }
}

/// Sorts the words behind the name; `None` for an option that is not in the table.
fn sorted<'a>(known: &Known, words: &'a [Word]) -> Option<Sorted<'a>> {
    let mut sorted = Sorted {
        recursive: known.shape == Shape::Search,
        ..Sorted::default()
    };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let takes_next = match text.strip_prefix('-') {
            None | Some("") => {
                sorted.operands.push(word);
                false
            }
            Some("-") => {
                sorted.operands.extend(rest.by_ref());
                false
            }
            Some(option) if option.starts_with('-') => {
                let holds = text.contains('=');
                if word.glob && !holds {
                    return None;
                }
                long(known, &option[1..], &mut sorted)?
            }
            Some(_) if word.glob => return None,
            Some(letters) => short(known, letters, &mut sorted)?,
        };
        if takes_next && rest.next()?.glob {
            return None;
        }
    }
    Some(sorted)
}

/// Whether the long option takes the next word as its value.
fn long(known: &Known, option: &str, sorted: &mut Sorted<'_>) -> Option<bool> {
    let (name, value) = match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    };
    let mut all = known.long.split_whitespace();
    let entry = all.find(|entry| entry.trim_end_matches(['=', '?']) == name)?;
    match name {
        "recursive" => sorted.recursive = true,
        "all" => sorted.names = known.name == "du",
        "regexp" => sorted.patterned = true,
        "files" => sorted.lists = true,
        "quiet" | "silent" => sorted.quiet = true,
        _ => {}
    }
    match (entry.ends_with('='), entry.ends_with('?'), value) {
        (true, _, None) => Some(true),
        (true, _, Some(_)) | (_, true, _) | (false, false, None) => Some(false),
        (false, false, Some(_)) => None,
    }
}

/// Whether the last of the letters takes the next word as its value.
fn short(known: &Known, letters: &str, sorted: &mut Sorted<'_>) -> Option<bool> {
    for (at, letter) in letters.char_indices() {
        match (known.shape, letter) {
            (Shape::Pattern, 'r') | (Shape::Here, 'R') => sorted.recursive = true,
            (Shape::Pattern | Shape::Search, 'e') => sorted.patterned = true,
            (Shape::Here, 'a') if known.name == "du" => sorted.names = true,
            (Shape::Sed, 'n') => sorted.quiet = true,
            _ => {}
        }
        if known.valued.contains(letter) {
            return Some(at + letter.len_utf8() == letters.len());
        }
        if !known.flags.contains(letter) {
            return None;
        }
    }
    Some(false)
}
