//! What a word could stand for that is not certain: variables that the line sets, the home and the working folder,
//! braces, escapes. What remains is said to be unknown.
//!
//! It serves denies and asks, so that a meaning too many does no harm. Nothing is run and no file is looked at.

mod choices;

use std::cell::Cell;
use std::collections::HashMap;
use std::iter::Peekable;
use std::rc::Rc;
use std::str::Chars;

use super::super::command::{Word, is_assignment};
use super::super::scan::{Mode, scan};

/// How many words one may stand for.
const MOST: usize = 64;

/// A word with more braces and variables is not looked into.
const BRACES: usize = 32;

/// What looking at anything costs at least, in letters.
const LEAST: usize = 16;

/// How many letters are looked at for one line, those of what words stand for included.
const MOST_LETTERS: usize = 1 << 20;

/// A longer word is not looked into.
const LONGEST: usize = 4_096;

/// How deep variables are followed.
const DEEPEST: usize = 3;

/// Words of grammar before a command.
const LEADING: [&str; 10] = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "time", "{",
];

/// What a line says of its variables.
pub(super) struct Known<'a> {
    home: &'a str,
    values: Rc<HashMap<String, Vec<String>>>,
    depth: usize,
    /// How many letters may still be looked at.
    left: Rc<Cell<usize>>,
}

/// A part of a word.
#[derive(Clone)]
enum Piece {
    Letter(char),
    Pattern(char),
    Brace(char),
    /// Any of these.
    Words(Vec<Word>),
}

impl Known<'_> {
    /// What `line` sets, in a home folder.
    pub(super) fn of<'a>(line: &str, home: &'a str) -> Known<'a> {
        let mut values: HashMap<String, Vec<String>> = HashMap::new();
        let commands = match line.contains('$') {
            true => scan(line, Mode::Nested).commands,
            false => Vec::new(),
        };
        for words in &commands {
            let at = words
                .iter()
                .position(|word| !LEADING.contains(&word.as_str()));
            match words.get(at.unwrap_or(words.len())..).unwrap_or_default() {
                [head, name, each, rest @ ..]
                    if matches!(head.as_str(), "for" | "select") && each == "in" =>
                {
                    values
                        .entry(name.clone())
                        .or_default()
                        .extend_from_slice(rest);
                }
                [head, rest @ ..]
                    if matches!(head.as_str(), "read" | "mapfile" | "readarray" | "getopts") =>
                {
                    for name in rest {
                        values
                            .entry(name.clone())
                            .or_default()
                            .push("$(".to_owned());
                    }
                }
                rest => {
                    for word in rest.iter().filter(|word| is_assignment(word)) {
                        let (name, value) = word.split_once('=').unwrap_or_default();
                        let name = name.trim_end_matches('+');
                        values
                            .entry(name.to_owned())
                            .or_default()
                            .push(value.to_owned());
                    }
                }
            }
        }
        Known {
            home,
            values: Rc::new(values),
            depth: 0,
            left: Rc::new(Cell::new(MOST_LETTERS)),
        }
    }

    /// The same for what stands inside of a word.
    fn inside(&self) -> Known<'_> {
        Known {
            home: self.home,
            values: Rc::clone(&self.values),
            depth: self.depth + 1,
            left: Rc::clone(&self.left),
        }
    }

    /// Looks at so many letters, where as many are left.
    fn spend(&self, letters: usize) -> bool {
        let rest = self.left.get().checked_sub(letters + LEAST);
        self.left.set(rest.unwrap_or(0));
        rest.is_some()
    }

    /// What a word could be that is written so.
    pub(super) fn meant(&self, raw: &str) -> Vec<Word> {
        if raw.starts_with("<(") || raw.starts_with(">(") {
            return Vec::new();
        }
        if raw.len() > LONGEST || self.depth > DEEPEST || !self.spend(raw.len()) {
            return vec![unknown(raw)];
        }
        let pieces = self.pieces(raw);
        let opens = |piece: &&Piece| matches!(piece, Piece::Brace('{') | Piece::Words(_));
        if pieces.iter().filter(opens).count() > BRACES {
            return vec![unknown(raw)];
        }
        let mut left = MOST;
        let all = self.braced(pieces, &mut left);
        let mut words: Vec<Word> = all.iter().flat_map(|pieces| self.joined(pieces)).collect();
        words.truncate(MOST);
        for word in words.iter_mut().filter(|word| word.unknown) {
            raw.clone_into(&mut word.text);
            word.glob = false;
        }
        if left == 0 {
            words.push(unknown(raw));
        }
        words
    }

    fn pieces(&self, raw: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut rest = raw.chars().peekable();
        let mut quoted = false;
        while let Some(c) = rest.next() {
            match c {
                '\'' if !quoted => {
                    pieces.extend(rest.by_ref().take_while(|c| *c != '\'').map(Piece::Letter));
                }
                '"' => quoted = !quoted,
                '\\' => pieces.extend(rest.next().map(Piece::Letter)),
                '$' => pieces.extend(self.dollar(&mut rest, quoted)),
                '`' => {
                    let inner: String = rest.by_ref().take_while(|c| *c != '`').collect();
                    pieces.push(said(&inner));
                }
                '~' if !quoted && pieces.is_empty() => {
                    let mut name = String::new();
                    while let Some(c) = rest.next_if(|c| *c != '/') {
                        name.push(c);
                    }
                    pieces.push(match name.as_str() {
                        "" => fixed(self.home),
                        "+" => fixed("."),
                        _ => Piece::Words(vec![unknown("")]),
                    });
                }
                '*' | '?' | '[' if !quoted => pieces.push(Piece::Pattern(c)),
                '{' | ',' | '}' if !quoted => pieces.push(Piece::Brace(c)),
                c => pieces.push(Piece::Letter(c)),
            }
        }
        pieces
    }

    /// What stands behind a `$`.
    fn dollar(&self, rest: &mut Peekable<Chars<'_>>, quoted: bool) -> Vec<Piece> {
        let is_name = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        match rest.peek() {
            Some('\'') if !quoted => {
                rest.next();
                escaped(rest)
            }
            Some('"') => Vec::new(),
            Some('(') => vec![said(&balanced(rest, '(', ')'))],
            Some('{') => vec![Piece::Words(self.parameter(&balanced(rest, '{', '}')))],
            Some(c) if is_name(c) && !c.is_ascii_digit() => {
                let mut name = String::new();
                while let Some(c) = rest.next_if(is_name) {
                    name.push(c);
                }
                vec![Piece::Words(self.variable(&name))]
            }
            _ => {
                rest.next_if(|c| !matches!(c, '/' | '\'' | '"'));
                vec![Piece::Words(vec![unknown("")])]
            }
        }
    }

    fn variable(&self, name: &str) -> Vec<Word> {
        match (self.values.get(name), name) {
            (Some(values), _) => {
                let inner = self.inside();
                let letters = values.iter().take(MOST).map(String::len).sum();
                if !self.spend(letters) {
                    return vec![unknown("")];
                }
                let split = |value: &String| -> Vec<String> {
                    let parts = value.split_whitespace().take(MOST).map(str::to_owned);
                    std::iter::once(value.clone())
                        .chain(parts.filter(|part| part != value))
                        .collect()
                };
                let all = values.iter().take(MOST).flat_map(split);
                all.take(MOST)
                    .flat_map(|value| inner.meant(&value))
                    .take(MOST)
                    .collect()
            }
            (None, "HOME") => vec![word(self.home)],
            (None, "PWD") => vec![word(".")],
            _ => vec![unknown("")],
        }
    }

    /// What stands in `${…}`.
    fn parameter(&self, body: &str) -> Vec<Word> {
        let end = body.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, rest) = body.split_at(end.unwrap_or(body.len()));
        if name.is_empty() || rest.starts_with('[') {
            return vec![unknown("")];
        }
        let mut words = self.variable(name);
        let default = rest.trim_start_matches(':').strip_prefix(['-', '=', '+']);
        words.extend(
            default
                .into_iter()
                .flat_map(|default| self.inside().meant(default)),
        );
        words
    }
}

/// What a command in the place of a word says.
fn said(command: &str) -> Piece {
    match command.trim() {
        "pwd" | "pwd -P" | "pwd -L" => fixed("."),
        _ => Piece::Words(vec![unknown("")]),
    }
}

fn fixed(text: &str) -> Piece {
    Piece::Words(vec![word(text)])
}

fn word(text: &str) -> Word {
    Word {
        text: text.to_owned(),
        glob: false,
        home: false,
        unknown: false,
    }
}

fn unknown(text: &str) -> Word {
    Word {
        unknown: true,
        ..word(text)
    }
}

/// What stands between `open`, which comes next, and its end.
fn balanced(rest: &mut Peekable<Chars<'_>>, open: char, close: char) -> String {
    let (mut inner, mut depth) = (String::new(), 0_usize);
    for c in rest.by_ref() {
        depth += usize::from(c == open);
        depth -= usize::from(c == close);
        if depth == 0 {
            break;
        }
        inner.push(c);
    }
    inner.get(1..).unwrap_or_default().to_owned()
}

/// The rest of `$'…'`.
fn escaped(rest: &mut Peekable<Chars<'_>>) -> Vec<Piece> {
    let mut text = String::from("$'");
    while let Some(c) = rest.next() {
        text.push(c);
        match c {
            '\'' => break,
            '\\' => text.extend(rest.next()),
            _ => {}
        }
    }
    let commands = scan(&text, Mode::Nested).commands;
    let word = commands.first().and_then(|words| words.first());
    word.into_iter()
        .flat_map(|word| word.chars())
        .map(Piece::Letter)
        .collect()
}

#[cfg(test)]
mod tests;
