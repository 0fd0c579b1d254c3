//! Words: where one ends, whatever is quoted in it, and the commands of its substitutions.
//!
//! What a word stands for is not worked out here.

use super::super::braces;
use super::{BROKEN, DEEPEST, ODD, Read, Reader};

const BRACES: &str = "it has braces in it";
const COMMENT: &str = "it has a comment in it";

impl Reader<'_> {
    /// Passes over one word, at least a byte of it.
    pub(super) fn word(&mut self) -> Read {
        let start = self.at;
        loop {
            if self.starts("<(") || self.starts(">(") {
                self.at += 1;
                self.substitution("(", ")")?;
                continue;
            }
            if self.is_at_edge() {
                break;
            }
            match self.peek() {
                Some(b'\'') => self.single()?,
                Some(b'"') => self.double()?,
                Some(b'\\') if self.next().is_none() => return Err("it ends in a backslash"),
                Some(b'\\') => self.at += 2,
                Some(b'$') => self.dollar(false)?,
                Some(b'`') => self.backtick(false)?,
                Some(b'{') if self.next() == Some(b'}') => self.at += 2,
                Some(b'{') => self.braces()?,
                Some(b'}') => return Err(BRACES),
                Some(b'#') if self.at == start => return Err(COMMENT),
                _ => self.at += 1,
            }
        }
        match self.at > start {
            true => Ok(()),
            false => Err(BROKEN),
        }
    }

    /// Passes over braces that are closed again in the same word, with plain letters between them.
    fn braces(&mut self) -> Read {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                Some(b'{') => depth += 1,
                Some(b'}') => depth -= 1,
                Some(byte) if braces::is_plain(byte) => {}
                _ => return Err(BRACES),
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Passes over a comment. What ends where one stands inside of a substitution, shells do not agree on.
    pub(super) fn comment(&mut self) -> Read {
        let rest = self.line.get(self.at..).unwrap_or_default();
        let length = rest.find('\n').unwrap_or(rest.len());
        let before = self.line.get(..self.at).unwrap_or_default();
        let begins =
            before.is_empty() || before.ends_with([' ', '\t', '\n', ';', '&', '|', '(', ')']);
        let is_odd = |c: char| "()'\"`\\${}".contains(c);
        let is_doubtful = self.inside > 0 && rest[..length].contains(is_odd);
        if !begins || before.ends_with("\\\n") || self.tick.is_some() || is_doubtful {
            return Err(COMMENT);
        }
        self.found.comments.push(self.at..self.at + length);
        self.at += length;
        Ok(())
    }

    /// A word that is put somewhere without being judged as one of a command.
    pub(super) fn value(&mut self) -> Read {
        let outer = std::mem::replace(&mut self.is_value, true);
        let read = self.word();
        self.is_value = outer;
        read
    }

    fn single(&mut self) -> Read {
        let inner = self.line.get(self.at + 1..).unwrap_or_default();
        let length = inner.find('\'').ok_or("a quote is not closed")?;
        self.at += length + 2;
        self.quiet(&inner[..length])
    }

    /// A text that waits begins on the next line, but on which, when that line ends inside of a quote?
    fn quiet(&self, quoted: &str) -> Read {
        match quoted.contains('\n') && !self.pending.is_empty() {
            true => Err(ODD),
            false => Ok(()),
        }
    }

    fn double(&mut self) -> Read {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err("a quote is not closed"),
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(b'$') => self.dollar(true)?,
                Some(b'`') => self.backtick(true)?,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        let quoted = start..self.at;
        self.quiet(self.text(&quoted))
    }

    /// What begins with a dollar, inside of double quotes or not.
    pub(super) fn dollar(&mut self, quoted: bool) -> Read {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'(') if self.next() == Some(b'(') => {
                self.arithmetic()?;
                let names = |c: char| c.is_alphabetic() || c == '_' || c == '$';
                let place = start + 1..self.at;
                match self.is_value && self.text(&place).contains(names) {
                    true => Err(ODD),
                    false => Ok(()),
                }
            }
            Some(b'(') => {
                self.substitution("(", ")")?;
                self.substitutions.push(start..self.at);
                Ok(())
            }
            Some(b'{') => self.parameter(),
            Some(b'\'') if !quoted => self.ansi(),
            Some(b'"') if !quoted => Err(ODD),
            Some(b'[') => Err(ODD),
            Some(c) if c.is_ascii_alphabetic() || c == b'_' => {
                let is_name = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
                while self.peek().is_some_and(is_name) {
                    self.at += 1;
                }
                Ok(())
            }
            Some(c) if c.is_ascii_digit() || b"@*#?-$!".contains(&c) => {
                self.at += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The commands between two brackets, the first of which stands here.
    fn substitution(&mut self, open: &str, close: &str) -> Read {
        if !self.pending.is_empty() {
            return Err(ODD);
        }
        let outer = std::mem::take(&mut self.is_value);
        self.inside += 1;
        self.expect(open)?;
        self.list(&[])?;
        self.inside -= 1;
        self.is_value = outer;
        if !self.pending.is_empty() {
            return Err(ODD);
        }
        self.expect(close)
    }

    /// `${…}`: a name; of a word that is judged also what is cut from it or put in its place, in plain letters, and
    /// what stands for it where it is not set.
    fn parameter(&mut self) -> Read {
        let inner = self.line.get(self.at + 1..).unwrap_or_default();
        let inner = &inner[..inner.find('}').ok_or(BROKEN)?];
        let name = inner.strip_prefix('#').unwrap_or(inner);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
        let is_odd = |c: char| c.is_whitespace() || "'\"$`\\{}()<>&|;[]@!".contains(c);
        let plain = match self.is_value {
            true => end == name.len(),
            false => !name[end..].contains(is_odd),
        };
        if end > 0 && plain {
            self.at += inner.len() + 2;
            return Ok(());
        }
        let rest = &name[end..];
        let sign = rest.strip_prefix(':').unwrap_or(rest);
        if end == 0 || self.is_value || name.len() < inner.len() || !sign.starts_with(['-', '+']) {
            return Err(ODD);
        }
        self.at += 2 + inner.len() - sign.len();
        self.default()
    }

    /// What stands for a variable, up to the brace that closes: plain letters and what begins with a dollar.
    fn default(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ODD);
        }
        loop {
            match self.peek() {
                Some(b'}') => break,
                Some(b'$') => self.dollar(true)?,
                Some(byte) if braces::is_plain(byte) && byte != b'{' => self.at += 1,
                _ => return Err(ODD),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// `$'…'`, with the dollar behind.
    fn ansi(&mut self) -> Read {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err("a quote is not closed"),
                Some(b'\'') => break,
                Some(b'\\') => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        let quoted = start..self.at;
        self.quiet(self.text(&quoted))
    }

    /// The commands between two backticks, where nothing in them is quoted once more.
    fn backtick(&mut self, quoted: bool) -> Read {
        let inner = self.line.get(self.at + 1..).unwrap_or_default();
        let length = inner.find('`').ok_or("a quote is not closed")?;
        let inner = &inner[..length];
        if self.tick.is_some() || inner.contains('\\') || (quoted && inner.contains('"')) {
            return Err(ODD);
        }
        self.tick = Some(self.at + 1 + length);
        self.substitution("`", "")?;
        if !self.is_at_tick() {
            return Err(ODD);
        }
        self.tick = None;
        self.at += 1;
        Ok(())
    }
}
