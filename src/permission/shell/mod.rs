//! A command line taken apart: its simple commands, the paths that they and its redirects name, and which of
//! them are known to do nothing but read.
//!
//! Pure: no path is resolved and no program is looked up here. Two readers must agree, a grammar of bash and
//! our own; where they do not, or one of them is unsure, the line counts as one command that nobody knows.

mod agreement;
mod assigned;
mod braces;
mod feeding;
mod finding;
mod folders;
mod grammar;
mod guessed;
mod known;
mod moving;
mod opened;
mod operand;
mod outline;
mod reading;
mod redirected;
mod scanned;
mod touching;
mod tree;
mod words;
mod writing;
mod written;

use std::borrow::Cow;
use std::cell::Cell;

use super::command::Word;
use crate::text::visible;
use guessed::Known;
pub use operand::{Depth, Guess, Operand};
use scanned::scanned;
use tree::{Found, Tree};
use written::{certain, choices, name, written};

/// A longer line is not taken apart.
const LONGEST: usize = 64 << 10;

/// A line with more commands is not taken apart.
const MOST_COMMANDS: usize = 1_000;

/// What is said of such a line.
const MANY: &str = "it has more commands in it than can be followed";

/// How many bytes are taken apart for one line, with the texts in it that are for a shell of their own.
const MOST_BYTES: usize = 4 * LONGEST;

/// A line that names more paths is not taken apart.
const MOST_OPERANDS: usize = 2_000;

/// A line taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its simple commands, in the order they are written. One that is the whole line where it could not be
    /// taken apart.
    pub commands: Vec<Simple>,
    /// The paths that its commands and redirects name, as far as they are known.
    pub operands: Vec<Operand>,
    /// The line with blanks in the place of its comments and of the texts that it feeds to its commands, where there
    /// are such. Where all of its commands only read, nothing runs these texts.
    pub unfed: Option<String>,
    /// Why it was not taken apart.
    pub opaque: Option<&'static str>,
}

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// As it is written, without its redirects, and with the words that its braces stand for where these are certain.
    pub text: String,
    /// Its words as the program gets them, where they are certain and none of them is a pattern.
    pub argv: Option<Vec<String>>,
    /// True where the table of commands that only read has it with these options, so that it changes nothing
    /// as long as its name means the system's program and its operands may be read.
    pub reads: bool,
    /// The program that must be the system's own for that; `None` for what the shell does itself.
    pub program: Option<String>,
    /// The folders that it could run in; absolute. All that the line names where nobody knows.
    pub folders: Vec<String>,
}

/// Takes `line` apart, as bash would read it in the folder `start`, an absolute path.
pub fn read_line(line: &str, start: &str, home: &str) -> Line {
    let left = Cell::new(MOST_BYTES);
    let around = Around {
        folders: vec![start.to_owned()],
        lost: false,
        home,
        depth: 0,
        left: &left,
    };
    let read = taken_apart(line, &around);
    match left.get() {
        0 => whole(
            line,
            "it has more texts in it than can be followed",
            read.operands,
        ),
        _ => read,
    }
}

/// What a text for a shell stands in.
struct Around<'a> {
    /// The folders that it could begin in.
    folders: Vec<String>,
    /// Nobody knows in which of them, or in another.
    lost: bool,
    home: &'a str,
    /// How many texts it stands in.
    depth: usize,
    /// How many bytes may still be taken apart; none where there were more.
    left: &'a Cell<usize>,
}

fn taken_apart(line: &str, around: &Around<'_>) -> Line {
    if let Some(why) = unreadable(line) {
        return whole(line, why, scanned(line, around, true));
    }
    let left = around.left.get().checked_sub(line.len());
    around.left.set(left.unwrap_or(0));
    if left.is_none() {
        return whole(line, "", Vec::new());
    }
    let outline = outline::read(line);
    if outline
        .as_ref()
        .is_ok_and(|outline| outline.commands.len() > MOST_COMMANDS)
    {
        return whole(line, MANY, scanned(line, around, true));
    }
    let plain = match &outline {
        Ok(outline) => outline.without_documents(line),
        Err(_) => Cow::Borrowed(line),
    };
    let mut tree = tree::read(&plain, &around.folders, around.home);
    tree.adrift |= around.lost;
    tree.lost |= around.lost;
    let guesses = Guesses {
        line,
        known: Known::of(&plain, around.home),
    };
    let mut read = Line::default();
    let mut why = tree.odd.or(outline.as_ref().err().copied());
    for (at, found) in tree.commands.iter().enumerate() {
        if name(line, found).contains('{') {
            why = why.or(Some("the name of a program in it has braces"));
        }
        let choices = choices(line, found);
        let text = written(line, found, &choices);
        let words = certain(found, &text, &choices);
        if let Err(told) = &words {
            why = why.or(Some(*told).filter(|told| !told.is_empty()));
        }
        let words = words.ok().filter(|_| !found.assigns);
        let (simple, mut named) = simple(found, text, words.as_deref(), around, (&tree, &guesses));
        named.iter_mut().for_each(|operand| operand.of = Some(at));
        read.commands.push(simple);
        read.operands.extend(named);
    }
    if let (None, Ok(outline)) = (why, &outline) {
        why = agreement::disagreement(line, outline, &tree);
    }
    let why = why.or_else(|| assigned::why(&plain, line));
    let mut why = why.or(redirected::redirected(
        &tree,
        &guesses.known,
        &mut read.operands,
    ));
    if let (None, Ok(outline)) = (why, &outline) {
        why = feeding::feed(line, outline, &tree, around, &mut read);
    }
    if let Some(why) = why {
        read.operands.extend(scanned(line, around, tree.cut));
        return whole(line, why, read.operands);
    }
    let is_fed = matches!(plain, Cow::Owned(_));
    read.unfed = match outline {
        Ok(outline) if !outline.comments.is_empty() => Some(outline.without_comments(&plain)),
        _ => is_fed.then(|| plain.into_owned()),
    };
    feeding::hidden(line, &tree, is_fed, &mut read.commands);
    read
}

fn whole(line: &str, why: &'static str, mut operands: Vec<Operand>) -> Line {
    for operand in &mut operands {
        operand.of = None;
    }
    let text = line.to_owned();
    Line {
        commands: vec![Simple {
            text,
            ..Simple::default()
        }],
        operands,
        unfed: None,
        opaque: Some(why),
    }
}

/// Why nobody should try to read the line.
fn unreadable(line: &str) -> Option<&'static str> {
    let odd = |c: char| c.is_whitespace() && !matches!(c, ' ' | '\t' | '\n');
    if line.len() > LONGEST {
        Some("it is too long to be taken apart")
    } else if visible(line).len() != line.len() || line.contains(odd) {
        Some("it has characters in it that cannot be seen")
    } else if line.trim_matches([' ', '\t', '\n']).is_empty() {
        Some("it is empty")
    } else {
        None
    }
}

fn simple(
    found: &Found,
    text: String,
    words: Option<&[Word]>,
    around: &Around<'_>,
    (tree, guesses): (&Tree, &Guesses<'_>),
) -> (Simple, Vec<Operand>) {
    let mut simple = Simple {
        text,
        folders: found.folders.clone(),
        ..Simple::default()
    };
    let inner = Around {
        folders: simple.folders.clone(),
        lost: tree.adrift,
        home: around.home,
        depth: around.depth + 1,
        left: around.left,
    };
    let Some(words) = words else {
        // What it names is looked at all the same, as far as it is known.
        return (simple, opened::operands(&guesses.words(found), &inner));
    };
    if !words.iter().any(|word| word.glob || word.home) {
        simple.argv = Some(words.iter().map(|word| word.text.clone()).collect());
    }
    let Some(mut reading) = reading::reads(words) else {
        return (simple, opened::operands(words, &inner));
    };
    simple.reads = !tree.lost;
    simple.program = (!reading.builtin).then(|| words[0].text.clone());
    for operand in &mut reading.operands {
        operand.folders.clone_from(&inner.folders);
        operand.lost = tree.adrift;
    }
    (simple, reading.operands)
}

/// What the words of a line could stand for.
struct Guesses<'a> {
    line: &'a str,
    known: Known<'a>,
}

impl Guesses<'_> {
    /// The words of a command of which some are not certain.
    fn words(&self, found: &Found) -> Vec<Word> {
        let raw = found.raw.iter();
        let raw = raw.map(|place| self.line.get(place.clone()).unwrap_or_default());
        let both = raw.zip(&found.words);
        both.flat_map(|(raw, word)| meant(raw, word.as_ref(), &self.known))
            .collect()
    }
}

/// What a word could be that is written as `raw`, and stands for itself if that is certain.
fn meant(raw: &str, word: Option<&String>, known: &Known<'_>) -> Vec<Word> {
    match word {
        Some(word) if !raw.contains(['~', '$', '`', '{', '*', '?', '[']) => vec![guess(word)],
        _ => known.meant(raw),
    }
}

/// A word of which only the text is known.
fn guess(text: &String) -> Word {
    Word {
        text: text.clone(),
        glob: false,
        home: text.starts_with("~/") || text == "~",
        unknown: false,
    }
}

#[cfg(test)]
mod tests;
