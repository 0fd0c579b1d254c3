//! Cuts a command line into everything that looks like a simple command, whatever it is wrapped in.
//!
//! This serves denies and asks, so it errs on the side of too many commands: it never says that a
//! text is harmless, and it fails on nothing. What it is unsure of it reports as doubt, and the
//! caller looks again in a blunter [`Mode`].

use std::iter::Peekable;
use std::vec::IntoIter;

/// How closely the grammar is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Quotes are obeyed; a substitution is a command of its own and the one around it goes on.
    Nested,
    /// Quotes and backslashes are dropped; braces and parameter defaults end a command too.
    Bare,
}

/// The commands of a text as lists of words, redirects left out, and whether a doubt remains.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Scan {
    pub(super) commands: Vec<Vec<String>>,
    /// Where redirects go, and whether they write there.
    pub(super) targets: Vec<(String, bool)>,
    pub(super) doubt: bool,
}

/// Reads `text` in `mode`.
pub(super) fn scan(text: &str, mode: Mode) -> Scan {
    let chars: Vec<char> = text.chars().collect();
    let mut scanner = Scanner {
        rest: chars.into_iter().peekable(),
        frame: Frame::default(),
        outer: Vec::new(),
        done: Scan::default(),
    };
    while let Some(c) = scanner.rest.next() {
        match (mode, scanner.frame.quoted) {
            (Mode::Bare, _) => scanner.bare(c),
            (_, true) => scanner.quoted(c),
            (_, false) => scanner.unquoted(c),
        }
    }
    scanner.finish()
}

/// A command under way.
#[derive(Default)]
struct Frame {
    words: Vec<String>,
    word: Option<String>,
    /// Inside double quotes.
    quoted: bool,
    /// The next word is where a redirect goes; whether it writes there.
    target: Option<bool>,
    /// What opened the substitution that runs inside this command.
    opener: char,
}

struct Scanner {
    rest: Peekable<IntoIter<char>>,
    frame: Frame,
    outer: Vec<Frame>,
    done: Scan,
}

impl Scanner {
    fn unquoted(&mut self, c: char) {
        match c {
            '\'' => self.single(),
            '"' => {
                self.frame.quoted = true;
                self.frame.word.get_or_insert_default();
            }
            '\\' => self.escaped(),
            '$' => self.dollar(),
            '`' => self.backtick(),
            '(' => self.open('('),
            ')' => self.close(),
            '\n' | ';' | '|' => self.end_command(),
            '&' if self.rest.peek() != Some(&'>') => self.end_command(),
            '&' => {}
            '<' | '>' => self.redirect(c),
            '#' if self.frame.word.is_none() => {
                self.done.doubt = true;
                while self.rest.next_if(|&c| c != '\n').is_some() {}
            }
            '{' if !self
                .rest
                .peek()
                .is_none_or(|&c| c == '}' || c.is_whitespace()) =>
            {
                self.done.doubt = true;
                self.push(c);
            }
            c if c.is_whitespace() => self.end_word(),
            c => self.push(c),
        }
    }

    fn quoted(&mut self, c: char) {
        match c {
            '"' => self.frame.quoted = false,
            '`' => self.backtick(),
            '$' if self.rest.peek() == Some(&'(') => {
                self.rest.next();
                self.push('$');
                self.open('(');
            }
            '\\' => match self.rest.next() {
                Some('\n') | None => {}
                Some(c @ ('"' | '\\' | '$')) => self.push(c),
                Some(c) => {
                    self.done.doubt |= c == '`';
                    self.push('\\');
                    self.push(c);
                }
            },
            c => self.push(c),
        }
    }

    fn bare(&mut self, c: char) {
        match c {
            '\'' | '"' | '\\' => {}
            '$' if self.rest.next_if_eq(&'{').is_some() => {
                let is_name = |c: &char| c.is_alphanumeric() || "_!#@*?".contains(*c);
                while self.rest.next_if(is_name).is_some() {}
                while self.rest.next_if(|c| ":-=+?".contains(*c)).is_some() {}
                self.end_command();
            }
            '$' if matches!(self.rest.peek(), Some('\'' | '"')) => {}
            '$' | '`' | '(' | ')' | '{' | '}' | '\n' | ';' | '|' => self.end_command(),
            '&' if self.rest.peek() != Some(&'>') => self.end_command(),
            '&' => {}
            '<' | '>' => self.redirect(c),
            c if c == ',' || c.is_whitespace() => self.end_word(),
            c => self.push(c),
        }
    }

    fn single(&mut self) {
        self.frame.word.get_or_insert_default();
        loop {
            match self.rest.next() {
                Some('\'') => return,
                Some(c) => self.push(c),
                None => {
                    self.done.doubt = true;
                    return;
                }
            }
        }
    }

    fn escaped(&mut self) {
        match self.rest.next() {
            Some('\n') | None => {}
            Some(c) => {
                self.done.doubt |= c == '`';
                self.push(c);
            }
        }
    }

    fn dollar(&mut self) {
        match self.rest.peek() {
            Some('\'') => {
                self.rest.next();
                self.ansi();
            }
            Some('"') => {}
            Some('(') => {
                self.rest.next();
                self.push('$');
                self.open('(');
            }
            next => {
                self.done.doubt |= next == Some(&'{');
                self.push('$');
                if let Some(brace) = self.rest.next_if_eq(&'{') {
                    self.push(brace);
                }
            }
        }
    }

    /// The rest of `$'…'`, with the escapes that stand for characters.
    fn ansi(&mut self) {
        self.frame.word.get_or_insert_default();
        while let Some(c) = self.rest.next() {
            match c {
                '\'' => return,
                '\\' => {
                    if let Some(c) = self.ansi_escape() {
                        self.push(c);
                    }
                }
                c => self.push(c),
            }
        }
        self.done.doubt = true;
    }

    fn ansi_escape(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        let number = match c {
            'x' => self.digits(16, 2, 0),
            'u' => self.digits(16, 4, 0),
            'U' => self.digits(16, 8, 0),
            '0'..='7' => self.digits(8, 2, c.to_digit(8)?),
            'n' => return Some('\n'),
            't' => return Some('\t'),
            c => return Some(c),
        };
        char::from_u32(number)
    }

    fn digits(&mut self, radix: u32, most: usize, start: u32) -> u32 {
        let mut number = start;
        for _ in 0..most {
            let digit = self.rest.peek().and_then(|c| c.to_digit(radix));
            let Some(digit) = digit else { break };
            self.rest.next();
            number = number.wrapping_mul(radix).wrapping_add(digit);
        }
        number
    }

    fn redirect(&mut self, first: char) {
        let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
        if self.frame.word.as_ref().is_some_and(is_number) {
            self.frame.word = None;
        }
        self.end_word();
        let mut sign = String::from(first);
        while let Some(c) = self.rest.next_if(|c| "<>&|".contains(*c)) {
            sign.push(c);
        }
        self.done.doubt |= sign.starts_with("<<");
        // What follows `<<<` is text that a shell may run, so it stays a word.
        let is_word = sign == "<<<" || self.rest.peek() == Some(&'(');
        self.frame.target = (!is_word).then(|| sign.contains('>'));
    }

    fn backtick(&mut self) {
        let inside = self.outer.last().is_some_and(|frame| frame.opener == '`');
        if inside {
            self.end_command();
            self.leave();
        } else {
            self.push('$');
            self.open('`');
        }
    }

    fn open(&mut self, opener: char) {
        self.frame.opener = opener;
        self.outer.push(std::mem::take(&mut self.frame));
    }

    fn close(&mut self) {
        self.end_command();
        match self.outer.last() {
            Some(frame) if frame.opener == '(' => self.leave(),
            Some(_) => self.done.doubt = true,
            None => {}
        }
    }

    fn leave(&mut self) {
        if let Some(frame) = self.outer.pop() {
            self.frame = frame;
        }
    }

    fn push(&mut self, c: char) {
        self.frame.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        let Some(word) = self.frame.word.take() else {
            return;
        };
        if let Some(writes) = self.frame.target.take() {
            self.done.targets.push((word, writes));
            return;
        }
        if word == "{" || word == "}" {
            return self.end_command();
        }
        self.done.doubt |= word == "case";
        self.frame.words.push(word);
    }

    fn end_command(&mut self) {
        self.end_word();
        self.frame.target = None;
        if !self.frame.words.is_empty() {
            let words = std::mem::take(&mut self.frame.words);
            self.done.commands.push(words);
        }
    }

    fn finish(mut self) -> Scan {
        self.done.doubt |= self.frame.quoted || !self.outer.is_empty();
        self.end_command();
        while !self.outer.is_empty() {
            self.leave();
            self.end_command();
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, mode: Mode) -> Vec<String> {
        let commands = scan(text, mode).commands;
        commands.iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn cuts_at_every_operator() {
        let text = "a 1 && b || c; d | e & f\ng |& h";
        let all = ["a 1", "b", "c", "d", "e", "f", "g", "h"];
        assert_eq!(lines(text, Mode::Nested), all);
    }

    #[test]
    fn goes_on_with_a_command_after_a_substitution_inside_it() {
        assert_eq!(
            lines("git $(true) push", Mode::Nested),
            ["true", "git $ push"]
        );
        assert_eq!(
            lines("git \"$(a \"b\")\" push", Mode::Nested),
            ["a b", "git $ push"]
        );
        assert_eq!(
            lines("git `true` push", Mode::Nested),
            ["true", "git $ push"]
        );
        assert_eq!(lines("cat <(a) >(b)", Mode::Nested), ["a", "b", "cat"]);
    }

    #[test]
    fn joins_quoted_parts_and_leaves_redirects_out() {
        assert_eq!(lines("g''i\"t\" p\\ush", Mode::Nested), ["git push"]);
        assert_eq!(lines("$'g\\x69t' $'\\160ush'", Mode::Nested), ["git push"]);
        assert_eq!(
            lines(">x git 2>&1 push &>log a>b", Mode::Nested),
            ["git push a"]
        );
        let targets = scan(">x a 2>&1 <'b c' &>>d", Mode::Nested).targets;
        let targets: Vec<_> = targets
            .iter()
            .map(|(to, writes)| (to.as_str(), *writes))
            .collect();
        assert_eq!(
            targets,
            [("x", true), ("1", true), ("b c", false), ("d", true)]
        );
        assert_eq!(lines("git\\\n push", Mode::Nested), ["git push"]);
        assert_eq!(lines("{ git push; }", Mode::Nested), ["git push"]);
        assert_eq!(lines("echo 'a; b'", Mode::Nested), ["echo a; b"]);
    }

    #[test]
    fn doubts_what_it_may_misread_and_then_reads_it_bare() {
        for text in [
            "x # it's\ngit push",
            "cat <<E\n'\ngit push",
            "echo 'x\n; git push",
            "{git,push}",
            "${x:-git push}",
            "$(case x in x) git push;; esac)",
        ] {
            assert!(scan(text, Mode::Nested).doubt, "{text:?}");
            assert!(
                lines(text, Mode::Bare).contains(&"git push".to_owned()),
                "{text:?}"
            );
        }
        assert!(!scan("echo 'a' \"b\" && ls {} | { x; }", Mode::Nested).doubt);
    }
}
