//! Reads a command line as the words of one plain command, or says why it cannot.
//!
//! Plain means: whatever the shell, these words and no others reach one program. Words, quotes and
//! backslashes are understood; anything that expands, connects, redirects or assigns is not, and is
//! called undecidable rather than guessed at. An allow rule trusts only what is plain.

use crate::text::visible;

/// A command line, as far as it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// One simple command: its words as the program gets them, the program's name first.
    Plain(Vec<String>),
    /// Anything else, with what stands in the way.
    Undecidable(&'static str),
}

/// A word as far as it is read without running anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// What the program gets; a pattern where `glob` is set.
    pub(super) text: String,
    /// The shell puts the names of files that match in its place.
    pub(super) glob: bool,
    /// It begins with the home folder, `~`.
    pub(super) home: bool,
    /// Some of it is not known.
    pub(super) unknown: bool,
}

/// What the shell reads as grammar, or runs in place of a program of that name, when it comes first.
const RESERVED: [&str; 17] = [
    "if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do",
    "done", "in", "function", "time", "coproc",
];

impl Command {
    /// The words of `line` where patterns and the home folder may stand among them as they are written, and whether
    /// any do: then the program gets other words. `None` where it is no one simple command.
    pub fn written(line: &str) -> Option<(Vec<String>, bool)> {
        let words = patterns(line).ok()?;
        let expands = words.iter().any(|word| word.glob || word.home);
        let words = words.into_iter().map(|word| word.text);
        Some((words.collect(), expands))
    }

    /// Reads `line`. White space around it is ignored.
    pub fn read(line: &str) -> Command {
        match words(line) {
            Ok(words) => Command::Plain(words),
            Err(reason) => Command::Undecidable(reason),
        }
    }
}

fn words(line: &str) -> Result<Vec<String>, &'static str> {
    let words = read(line, false)?;
    Ok(words.into_iter().map(|word| word.text).collect())
}

/// The words of one simple command, where patterns and the home folder may stand among them.
pub(super) fn patterns(line: &str) -> Result<Vec<Word>, &'static str> {
    read(line, true)
}

fn read(line: &str, patterns: bool) -> Result<Vec<Word>, &'static str> {
    let line = line.trim_matches([' ', '\t', '\n']);
    if line.is_empty() {
        return Err("it is empty");
    }
    if line.contains('\n') {
        return Err("it has more than one line");
    }
    let odd = |c: char| c.is_whitespace() && c != ' ' && c != '\t';
    if visible(line).len() != line.len() || line.contains(odd) {
        return Err("it has characters in it that cannot be seen");
    }
    let mut reader = Reader {
        rest: line.chars(),
        words: Vec::new(),
        word: None,
        quoted: false,
        patterns,
        glob: false,
        home: false,
    };
    reader.read()?;
    Ok(reader.words)
}

struct Reader<'a> {
    rest: std::str::Chars<'a>,
    words: Vec<Word>,
    word: Option<String>,
    /// Some part of the word was quoted, so it is neither a reserved word nor an assignment.
    quoted: bool,
    /// Patterns and the home folder are read too.
    patterns: bool,
    glob: bool,
    home: bool,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), &'static str> {
        while let Some(c) = self.rest.next() {
            match c {
                ' ' | '\t' => self.end_word()?,
                '\'' => self.single()?,
                '"' => self.double()?,
                '\\' => {
                    let escaped = self.rest.next().ok_or("it ends in a backslash")?;
                    self.push_quoted(escaped);
                }
                c => self.bare(c)?,
            }
        }
        self.end_word()
    }

    fn single(&mut self) -> Result<(), &'static str> {
        self.begin_quoted();
        loop {
            match self.rest.next().ok_or("a quote is not closed")? {
                '\'' => return Ok(()),
                c => self.push_quoted(c),
            }
        }
    }

    fn double(&mut self) -> Result<(), &'static str> {
        self.begin_quoted();
        loop {
            match self.rest.next().ok_or("a quote is not closed")? {
                '"' => return Ok(()),
                '$' | '`' => return Err("it expands something"),
                '!' if !self.patterns => return Err("it may refer to the history"),
                '\\' => match self.rest.next().ok_or("a quote is not closed")? {
                    c @ ('$' | '`' | '"' | '\\') => self.push_quoted(c),
                    c => {
                        self.push_quoted('\\');
                        self.push_quoted(c);
                    }
                },
                c => self.push_quoted(c),
            }
        }
    }

    fn bare(&mut self, c: char) -> Result<(), &'static str> {
        let before = self.word.as_deref().and_then(|word| word.chars().last());
        match c {
            '$' | '`' => return Err("it expands something"),
            ';' | '&' | '|' | '(' | ')' => return Err("it is more than one command"),
            '<' | '>' => return Err("it redirects"),
            '*' | '?' | '[' if self.patterns => self.glob = true,
            '*' | '?' | '[' => return Err("it has a glob in it"),
            '{' if self.patterns && self.rest.as_str().starts_with('}') => {
                self.rest.next();
                self.word.get_or_insert_default().push_str("{}");
                return Ok(());
            }
            '{' | '}' => return Err("it has braces in it"),
            '!' if self.patterns && !self.words.is_empty() => {}
            '!' => return Err("it may refer to the history"),
            '#' if before.is_none() => return Err("it has a comment in it"),
            '~' if self.patterns && before.is_none() => self.home = true,
            '~' if matches!(before, None | Some('=' | ':')) => return Err("it expands something"),
            '%' if before.is_none() && self.words.is_empty() => return Err("it names a job"),
            _ => {}
        }
        self.word.get_or_insert_default().push(c);
        Ok(())
    }

    fn begin_quoted(&mut self) {
        self.quoted = true;
        self.word.get_or_insert_default();
    }

    fn push_quoted(&mut self, c: char) {
        self.quoted = true;
        self.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) -> Result<(), &'static str> {
        let quoted = std::mem::take(&mut self.quoted);
        let (glob, home) = (
            std::mem::take(&mut self.glob),
            std::mem::take(&mut self.home),
        );
        let Some(word) = self.word.take() else {
            return Ok(());
        };
        let glob = glob && word != "[" && word != "[[";
        if (glob || home) && quoted {
            return Err("a pattern in it is quoted in part");
        }
        if home && word != "~" && !word.starts_with("~/") {
            return Err("it expands something");
        }
        if glob && self.words.is_empty() {
            return Err("the name of its program is a pattern");
        }
        if self.words.is_empty() {
            if is_assignment(&word) {
                return Err("it assigns a variable");
            }
            if !quoted && RESERVED.contains(&word.as_str()) {
                return Err("it is more than a simple command");
            }
            if word.is_empty() || word.contains(char::is_whitespace) {
                return Err("the name of its program is odd");
            }
        }
        self.words.push(Word {
            text: word,
            glob,
            home,
            unknown: false,
        });
        Ok(())
    }
}

/// True for `NAME=…`, `NAME+=…` and `NAME[…]=…`.
pub(super) fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests;
