//! A blunt look at a line that is not taken apart: the words of whatever looks like a command in it.
//!
//! It serves denies and asks, so that a path too many does no harm. What it does not see is asked about all the
//! same, since the line is asked about as a whole.

use super::super::command::Word;
use super::super::scan::{Mode, scan};
use super::super::subject::Group;
use super::guessed::Known;
use super::redirected::is_a_stream;
use super::{Around, LONGEST, MOST_OPERANDS, Operand, meant, moving, opened};

/// What a blunt look at the line finds named in it; where redirects go only with `targets`.
pub(super) fn scanned(line: &str, around: &Around<'_>, targets: bool) -> Vec<Operand> {
    if line.len() > LONGEST {
        return Vec::new();
    }
    let inner = Around {
        folders: around.folders.clone(),
        lost: around.lost || moving::mentions(line),
        home: around.home,
        depth: around.depth + 1,
        left: around.left,
    };
    let known = Known::of(line, around.home);
    let mut operands = Vec::new();
    let found = scan(line, Mode::Nested);
    for words in found.commands {
        let start = bare(&words).map_or(0, |rest| words.len() - rest.len());
        let words: Vec<Word> = words[start..]
            .iter()
            .flat_map(|word| meant(word, Some(word), &known))
            .collect();
        operands.extend(opened::operands(&words, &inner));
    }
    let names_a_file = |to: &str| !is_a_stream(to) && to.contains(|c: char| !c.is_ascii_digit());
    let targets = found.targets.iter().filter(|_| targets);
    for (to, writes) in targets.filter(|(to, _)| names_a_file(to)) {
        let group = if *writes { Group::Edit } else { Group::Read };
        let words = meant(to, Some(to), &known);
        operands.extend(words.iter().map(|word| Operand {
            folders: inner.folders.clone(),
            lost: inner.lost,
            ..Operand::new(word, group.clone())
        }));
    }
    operands.truncate(MOST_OPERANDS);
    operands
}

/// The words of a command without the grammar before it; `None` where nothing is left.
fn bare(words: &[String]) -> Option<Vec<&str>> {
    const BEFORE: [&str; 8] = ["if", "then", "elif", "else", "while", "until", "do", "!"];
    const ENDS: [&str; 2] = ["fi", "done"];
    let rest: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .skip_while(|word| BEFORE.contains(word))
        .collect();
    match rest.as_slice() {
        [] | ["for", ..] => None,
        [end] if ENDS.contains(end) => None,
        _ => Some(rest),
    }
}
