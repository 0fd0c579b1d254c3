//! What holds commands: conditions, loops, cases, groups, functions; and what has a grammar of its own.
//!
//! Only the forms that every bash takes are read; of functions those with a group or a subshell as their body.

use std::ops::Range;

use super::{BROKEN, Item, ODD, Read, Reader};

impl Reader<'_> {
    /// One command of whatever kind, with its redirects.
    pub(super) fn command(&mut self) -> Read {
        match self.reserved() {
            "if" => self.condition()?,
            "while" | "until" => {
                self.at += 5;
                self.list(&["do"])?;
                self.repeated()?;
            }
            word @ ("for" | "select") => self.each(word)?,
            "case" => self.cases()?,
            "{" => self.group()?,
            "[[" => self.test()?,
            "function" => {
                self.at += "function".len();
                self.blanks();
                let start = self.at;
                self.word()?;
                return self.function(start..self.at);
            }
            "time" => {
                self.timed()?;
                return self.simple();
            }
            "coproc" => return Err(ODD),
            "then" | "elif" | "else" | "fi" | "in" | "do" | "done" | "esac" | "}" | "!" | "]]" => {
                return Err(BROKEN);
            }
            _ if self.starts("((") => {
                let start = self.at;
                self.arithmetic()?;
                self.item(start);
            }
            _ if self.take("(") => {
                self.list(&[])?;
                self.expect(")")?;
            }
            _ => return self.simple(),
        }
        self.redirects()
    }

    fn redirects(&mut self) -> Read {
        loop {
            self.gap()?;
            if !self.is_at_redirect() {
                return Ok(());
            }
            self.redirect()?;
        }
    }

    /// What began at `start` has a grammar of its own.
    fn item(&mut self, start: usize) {
        let (place, words) = (start..self.at, Vec::new());
        self.found.commands.push(Item { place, words });
    }

    fn condition(&mut self) -> Read {
        self.keyword("if")?;
        loop {
            self.list(&["then"])?;
            self.keyword("then")?;
            self.list(&["elif", "else", "fi"])?;
            match self.reserved() {
                "elif" => self.at += "elif".len(),
                "else" => {
                    self.at += "else".len();
                    self.list(&["fi"])?;
                    break;
                }
                _ => break,
            }
        }
        self.keyword("fi")
    }

    fn repeated(&mut self) -> Read {
        self.keyword("do")?;
        self.list(&["done"])?;
        self.keyword("done")
    }

    /// The rest of a loop over values, or of one that counts.
    fn each(&mut self, word: &str) -> Read {
        self.keyword(word)?;
        self.blanks();
        if word == "for" && self.starts("((") {
            let start = self.at;
            self.arithmetic()?;
            self.item(start);
            self.blanks();
            self.take(";");
            self.newlines()?;
            return match self.reserved() {
                "{" => self.group(),
                _ => self.repeated(),
            };
        }
        let start = self.at;
        self.word()?;
        let name = start..self.at;
        if !self.text(&name).bytes().all(is_of_a_name) {
            return Err(ODD);
        }
        self.newlines()?;
        if self.reserved() == "in" {
            self.at += "in".len();
            self.values()?;
            if self.peek() != Some(b'\n') && !self.take(";") {
                return Err(BROKEN);
            }
        } else {
            self.take(";");
        }
        self.newlines()?;
        self.repeated()
    }

    fn values(&mut self) -> Read {
        loop {
            self.gap()?;
            if self.is_at_edge() {
                return Ok(());
            }
            self.value()?;
        }
    }

    fn cases(&mut self) -> Read {
        self.keyword("case")?;
        self.blanks();
        self.value()?;
        self.newlines()?;
        self.keyword("in")?;
        self.newlines()?;
        while self.reserved() != "esac" {
            self.take("(");
            loop {
                self.blanks();
                self.value()?;
                self.blanks();
                if !self.take("|") {
                    break;
                }
            }
            self.expect(")")?;
            self.commands(&["esac"])?;
            if !self.take(";;&") && !self.take(";;") && !self.take(";&") {
                break;
            }
            self.newlines()?;
        }
        self.keyword("esac")
    }

    fn group(&mut self) -> Read {
        self.keyword("{")?;
        self.list(&["}"])?;
        self.keyword("}")
    }

    /// The rest of a function whose name stands at `name`.
    pub(super) fn function(&mut self, name: Range<usize>) -> Read {
        let is_plain = |byte: u8| is_of_a_name(byte) || b"-.:+".contains(&byte);
        if !self.text(&name).bytes().all(is_plain) {
            return Err(ODD);
        }
        self.found.functions.push(name);
        self.blanks();
        if self.take("(") {
            self.blanks();
            self.expect(")")?;
        }
        self.newlines()?;
        match self.reserved() {
            "{" => self.group()?,
            _ if self.starts("((") => return Err(ODD),
            _ => {
                self.expect("(")?;
                self.list(&[])?;
                self.expect(")")?;
            }
        }
        self.redirects()
    }

    /// `[[ … ]]`: its operators are not those of the shell. Where bash lets it go on on the next
    /// line differs by what stands before; behind `&&` and `||` it always does, elsewhere nothing is read.
    fn test(&mut self) -> Read {
        let (start, comments) = (self.at, self.found.comments.len());
        self.keyword("[[")?;
        let mut joined = false;
        loop {
            self.blanks();
            if self.peek() == Some(b'\n') && !joined {
                return Err(ODD);
            }
            self.newlines()?;
            if self.found.comments.len() > comments {
                return Err(ODD);
            }
            if self.reserved() == "]]" {
                self.at += 2;
                break;
            }
            if self.starts("<(") || self.starts(">(") {
                return Err(ODD);
            }
            joined = self.take("&&") || self.take("||");
            match self.peek() {
                _ if joined => {}
                None | Some(b';' | b'#' | b'`') => return Err(ODD),
                Some(b'&' | b'|' | b'(' | b')' | b'<' | b'>') => self.at += 1,
                _ => self.word()?,
            }
        }
        self.item(start);
        Ok(())
    }

    /// Passes over `(( … ))`, where nothing in it is quoted, run or looked up in a list.
    pub(super) fn arithmetic(&mut self) -> Read {
        self.expect("((")?;
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Some(b'(') => depth += 1,
                Some(b')') if depth == 0 => return self.expect("))"),
                Some(b')') => depth -= 1,
                Some(b'$') if matches!(self.next(), Some(b'(' | b'\'' | b'"')) => return Err(ODD),
                None | Some(b'\'' | b'"' | b'`' | b'\\' | b'#' | b'\n') => return Err(ODD),
                Some(b'{' | b'}' | b'[' | b']') => return Err(ODD),
                _ => {}
            }
            self.at += 1;
        }
    }

    /// `time` is a word like others in front of a simple command; before anything else it is not.
    fn timed(&mut self) -> Read {
        let start = self.at;
        self.at += "time".len();
        self.blanks();
        let is_word = !self.is_at_edge();
        const HOLD: [&str; 12] = [
            "if", "while", "until", "for", "select", "case", "{", "[[", "function", "time",
            "coproc", "!",
        ];
        let holds = HOLD.contains(&self.reserved());
        self.at = start;
        match is_word && !holds {
            true => Ok(()),
            false => Err(ODD),
        }
    }
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
