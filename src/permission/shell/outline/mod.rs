//! Our own reading of a command line: where its commands and their words stand, where redirects go, which
//! functions it defines and which texts it carries.
//!
//! The second opinion beside the grammar. It refuses whatever it is not sure of, and it expands nothing.

mod compound;
mod document;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use super::super::command::is_assignment;

/// The work of a step of the reader, or why the line is not read any further.
type Read<T = ()> = Result<T, &'static str>;

const BROKEN: &str = "it is no whole command line";
const ODD: &str = "it has more in it than can be followed";

/// How many lists of commands inside of each other are read.
const DEEPEST: usize = 40;

/// What was found in a line; places are bytes of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// In the order of their first words.
    pub(super) commands: Vec<Item>,
    /// The words that redirects go to, in order.
    pub(super) targets: Vec<Range<usize>>,
    /// The names of the functions that it defines, in order.
    pub(super) functions: Vec<Range<usize>>,
    /// Here-documents and here-strings, in order.
    pub(super) documents: Vec<Document>,
    /// From the `#` to the end of the line, in order.
    pub(super) comments: Vec<Range<usize>>,
}

/// A simple command, or what the shell judges by itself: assignments, `[[ … ]]`, `(( … ))`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// From its first word on, without assignments before it.
    pub(super) place: Range<usize>,
    /// Its words, without redirects and assignments; none where it has a grammar of its own.
    pub(super) words: Vec<Range<usize>>,
}

/// A text that is fed to a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Document {
    /// The operator and the word behind it.
    pub(super) redirect: Range<usize>,
    /// The text itself; of a here-string the word.
    pub(super) body: Range<usize>,
    /// The line that ends it; empty for a here-string.
    pub(super) end: Range<usize>,
    /// What in it is run, from `$(` to its `)`.
    pub(super) substitutions: Vec<Range<usize>>,
    pub(super) kind: Feed,
}

/// How a text is fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feed {
    /// As it stands. Whether tabs at the start of its lines are left out.
    Quoted(bool),
    /// With what the shell puts in the place of `$…`; tabs as above.
    Open(bool),
    /// One word.
    Word,
}

/// Reads `line`, in which everything can be seen.
///
/// # Errors
/// Why it is not read.
pub(super) fn read(line: &str) -> Result<Outline, &'static str> {
    let mut reader = Reader {
        line,
        at: 0,
        depth: 0,
        tick: None,
        inside: 0,
        is_value: false,
        pending: Vec::new(),
        substitutions: Vec::new(),
        found: Outline::default(),
    };
    reader.list(&[])?;
    if reader.at < line.len() || !reader.pending.is_empty() {
        return Err(BROKEN);
    }
    let mut found = reader.found;
    found.commands.sort_by_key(|item| item.place.start);
    found.targets.sort_by_key(|target| target.start);
    found.functions.sort_by_key(|name| name.start);
    Ok(found)
}

impl Outline {
    /// `line` with spaces in the place of the texts that it feeds to commands, so that places stay what they are.
    pub(super) fn without_documents<'a>(&self, line: &'a str) -> Cow<'a, str> {
        self.without_documents_but(line, None)
    }

    /// The same, of all but one of the texts.
    pub(super) fn without_documents_but<'a>(
        &self,
        line: &'a str,
        kept: Option<usize>,
    ) -> Cow<'a, str> {
        let documents = self.documents.iter().enumerate();
        let others = documents.filter(|(at, _)| Some(*at) != kept);
        let places = others.flat_map(|(_, document)| {
            let text = document.body.start..document.end.end;
            [document.redirect.clone(), text]
        });
        match self.documents.is_empty() {
            true => Cow::Borrowed(line),
            false => Cow::Owned(blanked(line, places)),
        }
    }

    /// The line with spaces in the place of its comments.
    pub(super) fn without_comments(&self, line: &str) -> String {
        blanked(line, self.comments.iter().cloned())
    }
}

/// `line` with spaces in these places.
fn blanked(line: &str, places: impl Iterator<Item = Range<usize>>) -> String {
    let mut bytes = line.as_bytes().to_vec();
    for place in places {
        if let Some(bytes) = bytes.get_mut(place) {
            bytes.fill(b' ');
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| line.to_owned())
}

struct Reader<'a> {
    line: &'a str,
    at: usize,
    depth: usize,
    /// Where the backtick stands that ends what is being read.
    tick: Option<usize>,
    /// How many substitutions are around.
    inside: usize,
    /// What is read is put somewhere without being judged as a word of a command.
    is_value: bool,
    /// The documents whose text begins on the next line.
    pending: Vec<usize>,
    /// Every substitution that was passed.
    substitutions: Vec<Range<usize>>,
    found: Outline,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    fn next(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at + 1).copied()
    }

    fn starts(&self, text: &str) -> bool {
        let rest = self.line.as_bytes().get(self.at..);
        rest.is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }

    fn take(&mut self, text: &str) -> bool {
        let starts = self.starts(text);
        self.at += if starts { text.len() } else { 0 };
        starts
    }

    fn expect(&mut self, text: &str) -> Read {
        match self.take(text) {
            true => Ok(()),
            false => Err(BROKEN),
        }
    }

    fn text(&self, place: &Range<usize>) -> &'a str {
        self.line.get(place.clone()).unwrap_or_default()
    }

    fn is_at_tick(&self) -> bool {
        self.tick == Some(self.at)
    }

    /// Whether a word ends here, and with it what is not quoted.
    fn is_at_edge(&self) -> bool {
        let is_meta = |byte: u8| b" \t\n;&|()<>".contains(&byte);
        self.peek().is_none_or(is_meta) || self.is_at_tick()
    }

    /// Passes over blanks and lines that go on.
    fn blanks(&mut self) {
        loop {
            let continued = self.starts("\\\n");
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if continued => self.at += 2,
                _ => return,
            }
        }
    }

    /// Passes over blanks, and a comment behind them.
    fn gap(&mut self) -> Read {
        self.blanks();
        match self.peek() {
            Some(b'#') => self.comment(),
            _ => Ok(()),
        }
    }

    /// Passes over blanks, ends of lines and the texts that follow them.
    fn newlines(&mut self) -> Read {
        loop {
            self.gap()?;
            if !self.take("\n") {
                return Ok(());
            }
            self.documents()?;
        }
    }

    /// What stands here alone, if it could be a word of the grammar.
    fn reserved(&self) -> &'a str {
        let rest = self.line.get(self.at..).unwrap_or_default();
        let is_part = |c: char| c.is_ascii_lowercase() || "{}![]".contains(c);
        let (word, after) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
        let ends = after.is_empty() || after.starts_with(|c: char| " \t\n;&|()<>`".contains(c));
        if ends { word } else { "" }
    }

    fn keyword(&mut self, word: &str) -> Read {
        if self.reserved() != word {
            return Err(BROKEN);
        }
        self.at += word.len();
        Ok(())
    }

    /// Commands, at least one, up to what ends them, which stays: the end of the text or of a bracket, one of the
    /// words `ends`.
    fn list(&mut self, ends: &[&str]) -> Read {
        match self.commands(ends)? {
            true => Ok(()),
            false => Err(BROKEN),
        }
    }

    /// The same, or none; whether there were any.
    fn commands(&mut self, ends: &[&str]) -> Read<bool> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it is nested too deep");
        }
        let mut some = false;
        loop {
            self.newlines()?;
            if self.is_at_end() || ends.contains(&self.reserved()) {
                break;
            }
            self.chained()?;
            some = true;
            self.gap()?;
            if self.is_at_end() {
                break;
            }
            if self.peek() != Some(b'\n') && !self.take(";") && !self.take("&") {
                return Err(BROKEN);
            }
        }
        self.depth -= 1;
        Ok(some)
    }

    fn is_at_end(&self) -> bool {
        matches!(self.peek(), None | Some(b')'))
            || self.is_at_tick()
            || self.starts(";;")
            || self.starts(";&")
    }

    /// Pipes, each of which hangs on the one before.
    fn chained(&mut self) -> Read {
        loop {
            self.piped()?;
            self.gap()?;
            if !self.take("&&") && !self.take("||") {
                return Ok(());
            }
            self.newlines()?;
        }
    }

    fn piped(&mut self) -> Read {
        if self.reserved() == "!" {
            self.at += 1;
            self.blanks();
        }
        loop {
            self.command()?;
            self.gap()?;
            if self.starts("||") || !self.take("|") {
                return Ok(());
            }
            self.take("&");
            self.newlines()?;
        }
    }

    fn simple(&mut self) -> Read {
        let (mut words, mut assigned) = (Vec::<Range<usize>>::new(), None::<Range<usize>>);
        let mut redirects = false;
        loop {
            self.gap()?;
            if self.is_at_redirect() {
                self.redirect()?;
                redirects = true;
                continue;
            }
            if self.peek() == Some(b'(') {
                return match words.as_slice() {
                    [name] if assigned.is_none() && !redirects => self.function(name.clone()),
                    _ => Err(ODD),
                };
            }
            if self.is_at_edge() && !self.starts("<(") && !self.starts(">(") {
                break;
            }
            let start = self.at;
            self.word()?;
            let place = start..self.at;
            if words.is_empty() && is_assignment(self.text(&place)) {
                let first = assigned.map_or(place.start, |assigned| assigned.start);
                assigned = Some(first..place.end);
            } else {
                words.push(place);
            }
        }
        let place = match (words.first(), words.last()) {
            (Some(first), Some(last)) => Some(first.start..last.end),
            _ => assigned,
        };
        if let Some(place) = place {
            self.found.commands.push(Item { place, words });
        } else if !redirects {
            return Err(BROKEN);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
