//! The words of a Lua text: names, literals, symbols, each with its place. Comments are passed over.
//!
//! Made for looking at shapes, not for compiling: what is no Lua gives tokens too, and the end of a literal that
//! does not end is the end of the text.

/// One word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind<'s>,
    /// Its bytes in the source, and the line where it ends.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) line: usize,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'s> {
    /// A name or a keyword.
    Name(&'s [u8]),
    /// A text, in quotes or in long brackets.
    Text,
    Number,
    /// Anything else: one of `...`, `..`, `::`, or a single byte.
    Symbol(&'s [u8]),
}

/// The words of `source`, in order.
pub(super) fn tokens(source: &[u8]) -> Vec<Token<'_>> {
    let mut reader = Reader {
        source,
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::new();
    if source.starts_with(b"#") {
        reader.skip_line();
    }
    while let Some(token) = reader.next() {
        tokens.push(token);
    }
    tokens
}

struct Reader<'s> {
    source: &'s [u8],
    at: usize,
    line: usize,
}

impl<'s> Reader<'s> {
    fn next(&mut self) -> Option<Token<'s>> {
        self.skip_blanks();
        let from = self.at;
        let first = *self.source.get(from)?;
        let is_decimal = self.byte(1).is_some_and(|byte| byte.is_ascii_digit());
        let kind = match first {
            b'"' | b'\'' => {
                self.quoted(first);
                Kind::Text
            }
            b'[' if self.long_bracket().is_some() => Kind::Text,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                self.take(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
                Kind::Name(&self.source[from..self.at])
            }
            b'0'..=b'9' => self.number(),
            b'.' if is_decimal => self.number(),
            _ => self.symbol(),
        };
        let (to, line) = (self.at, self.line);
        Some(Token {
            kind,
            from,
            to,
            line,
        })
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.source.get(self.at + ahead).copied()
    }

    /// Goes to the next byte; counts lines.
    fn step(&mut self) {
        if self.byte(0) == Some(b'\n') {
            self.line += 1;
        }
        self.at = (self.at + 1).min(self.source.len());
    }

    fn take(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&wanted) {
            self.step();
        }
    }

    fn skip_line(&mut self) {
        self.take(|byte| byte != b'\n');
    }

    /// Blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.take(|byte| byte.is_ascii_whitespace() || byte == b'\x0b');
            if !self.source[self.at..].starts_with(b"--") {
                return;
            }
            self.at += 2;
            if self.byte(0) != Some(b'[') || self.long_bracket().is_none() {
                self.skip_line();
            }
        }
    }

    /// A text in quotes; it ends at its quote or, being wrong, at the end of the line.
    fn quoted(&mut self, quote: u8) {
        self.step();
        loop {
            match self.byte(0) {
                None | Some(b'\n') => return,
                Some(b'\\') if self.byte(1) == Some(b'z') => {
                    self.at += 2;
                    self.take(|byte| byte.is_ascii_whitespace() || byte == b'\x0b');
                }
                Some(b'\\') => {
                    self.step();
                    self.step();
                }
                Some(byte) => {
                    self.step();
                    if byte == quote {
                        return;
                    }
                }
            }
        }
    }

    /// `[[ … ]]`, `[==[ … ]==]`; nothing where no such bracket opens.
    fn long_bracket(&mut self) -> Option<()> {
        let rest = &self.source[self.at..];
        let level = rest
            .iter()
            .skip(1)
            .take_while(|byte| **byte == b'=')
            .count();
        if rest.get(level + 1) != Some(&b'[') {
            return None;
        }
        let close = [b"]".as_slice(), &b"=".repeat(level), b"]"].concat();
        let inside = &rest[level + 2..];
        let found = inside
            .windows(close.len())
            .position(|window| window == close);
        let length = found.map_or(rest.len(), |at| level + 2 + at + close.len());
        for _ in 0..length {
            self.step();
        }
        Some(())
    }

    /// As Lua reads numbers: digits, letters and dots, and a sign behind an exponent.
    fn number(&mut self) -> Kind<'s> {
        let is_hex = matches!(
            (self.byte(0), self.byte(1)),
            (Some(b'0'), Some(b'x' | b'X'))
        );
        let exponent: &[u8] = if is_hex { b"pP" } else { b"eE" };
        while let Some(byte) = self.byte(0) {
            let signed = exponent.contains(&byte) && matches!(self.byte(1), Some(b'+' | b'-'));
            match byte {
                _ if signed => self.at += 2,
                b'.' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.step(),
                _ => break,
            }
        }
        Kind::Number
    }

    fn symbol(&mut self) -> Kind<'s> {
        let rest = &self.source[self.at..];
        let long = [b"...".as_slice(), b"..", b"::"];
        let length = long
            .into_iter()
            .find(|symbol| rest.starts_with(symbol))
            .map_or(1, <[u8]>::len);
        self.at += length;
        Kind::Symbol(&rest[..length])
    }
}
