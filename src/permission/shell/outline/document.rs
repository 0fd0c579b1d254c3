//! Redirects, and the texts that here-documents and here-strings feed to commands.
//!
//! What is run from inside of such a text is found, and left to be judged by itself.

use std::ops::Range;

use super::{BROKEN, Document, Feed, ODD, Read, Reader};

/// A text from which more commands are run is not read.
const MOST_RUN: usize = 100;

impl Reader<'_> {
    /// Whether a redirect begins here, with the number of its descriptor perhaps.
    pub(super) fn is_at_redirect(&self) -> bool {
        let rest = self.line.get(self.at..).unwrap_or_default();
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = after.len() < rest.len();
        let substitutes = after.starts_with("<(") || after.starts_with(">(");
        rest.starts_with("&>") || (after.starts_with(['<', '>']) && (is_numbered || !substitutes))
    }

    /// Passes over a redirect.
    pub(super) fn redirect(&mut self) -> Read {
        const SIGNS: [&str; 12] = [
            "<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">|", ">&", ">", "&>>", "&>",
        ];
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        let number = self.text(&(start..self.at));
        let sign = SIGNS
            .into_iter()
            .find(|sign| self.starts(sign))
            .ok_or(BROKEN)?;
        self.at += sign.len();
        if sign.starts_with("<<") && !matches!(number, "" | "0") {
            return Err("it feeds a text to a descriptor that has no name");
        }
        match sign {
            "<<" => self.document(start, false),
            "<<-" => self.document(start, true),
            "<<<" => self.string(start),
            "<&" | ">&" if self.take("-") => Ok(()),
            _ => {
                self.blanks();
                if self.is_at_redirect() {
                    return Err(BROKEN);
                }
                let start = self.at;
                self.word()?;
                self.found.targets.push(start..self.at);
                Ok(())
            }
        }
    }

    /// The word that ends a document, in one of the forms that leave no doubt.
    fn document(&mut self, start: usize, tabs: bool) -> Read {
        self.blanks();
        let quote = match self.peek() {
            Some(quote @ (b'\'' | b'"' | b'\\')) => {
                self.at += 1;
                Some(quote)
            }
            _ => None,
        };
        let from = self.at;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        while self.peek().is_some_and(is_plain) {
            self.at += 1;
        }
        let delimiter = from..self.at;
        if let Some(quote @ (b'\'' | b'"')) = quote {
            if self.peek() != Some(quote) {
                return Err(ODD);
            }
            self.at += 1;
        }
        if delimiter.is_empty() || !self.is_at_edge() || self.tick.is_some() {
            return Err(ODD);
        }
        self.pending.push(self.found.documents.len());
        self.found.documents.push(Document {
            redirect: start..self.at,
            body: delimiter,
            end: 0..0,
            substitutions: Vec::new(),
            kind: match quote {
                Some(_) => Feed::Quoted(tabs),
                None => Feed::Open(tabs),
            },
        });
        Ok(())
    }

    /// A line has ended: passes over the texts that were waiting for that.
    pub(super) fn documents(&mut self) -> Read {
        for (nth, index) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            if nth > 0 {
                self.expect("\n")?;
            }
            let (delimiter, kind) = match self.found.documents.get(index) {
                Some(document) => (document.body.clone(), document.kind),
                None => return Err(ODD),
            };
            let body = self.at;
            let end = self.last_line(
                &delimiter,
                matches!(kind, Feed::Quoted(true) | Feed::Open(true)),
            )?;
            let body = body..end.start;
            let substitutions = match kind {
                Feed::Open(_) => self.run_from(&body)?,
                _ => Vec::new(),
            };
            self.at = end.end;
            let document = &mut self.found.documents[index];
            (document.body, document.end, document.substitutions) = (body, end, substitutions);
        }
        Ok(())
    }

    /// The line that holds nothing but the delimiter that stands at `delimiter`.
    fn last_line(&self, delimiter: &Range<usize>, tabs: bool) -> Read<Range<usize>> {
        let delimiter = self.text(delimiter);
        let mut start = self.at;
        let rest = self.line.get(start..).unwrap_or_default();
        for line in rest.split('\n') {
            let said = match tabs {
                true => line.trim_start_matches('\t'),
                false => line,
            };
            if said == delimiter {
                return Ok(start..start + line.len());
            }
            start += line.len() + 1;
        }
        Err(BROKEN)
    }

    /// What is run from a text in which nothing but `$…` is expanded.
    fn run_from(&mut self, body: &Range<usize>) -> Read<Vec<Range<usize>>> {
        self.at = body.start;
        self.apart(|reader| {
            while reader.at < body.end {
                match reader.peek() {
                    Some(b'\\') if reader.next() == Some(b'\n') => return Err(ODD),
                    Some(b'\\') => reader.at += 2,
                    Some(b'`') => return Err(ODD),
                    Some(b'$') => reader.dollar(true)?,
                    _ => reader.at += 1,
                }
            }
            match reader.at == body.end {
                true => Ok(()),
                false => Err(ODD),
            }
        })
    }

    /// A word that is fed to a command as a text.
    fn string(&mut self, start: usize) -> Read {
        if !self.pending.is_empty() {
            return Err(ODD);
        }
        self.blanks();
        let from = self.at;
        let substitutions = self.apart(Reader::word)?;
        let body = from..self.at;
        let text = self.text(&body);
        if text.contains('`') || text.contains("<(") || text.contains(">(") {
            return Err(ODD);
        }
        self.found.documents.push(Document {
            redirect: start..self.at,
            end: body.end..body.end,
            body,
            substitutions,
            kind: Feed::Word,
        });
        Ok(())
    }

    /// Does `read` and keeps nothing of what it finds but the outermost substitutions.
    fn apart(&mut self, read: impl FnOnce(&mut Self) -> Read) -> Read<Vec<Range<usize>>> {
        let (seen, commands) = (self.substitutions.len(), self.found.commands.len());
        let (targets, functions) = (self.found.targets.len(), self.found.functions.len());
        let (documents, comments) = (self.found.documents.len(), self.found.comments.len());
        let pending = std::mem::take(&mut self.pending);
        let outer = std::mem::replace(&mut self.is_value, true);
        read(self)?;
        self.is_value = outer;
        self.pending = pending;
        if self.found.documents.len() != documents || self.found.functions.len() != functions {
            return Err(ODD);
        }
        self.found.commands.truncate(commands);
        self.found.targets.truncate(targets);
        self.found.comments.truncate(comments);
        let passed: Vec<Range<usize>> = self.substitutions.drain(seen..).collect();
        if passed.len() > MOST_RUN {
            return Err(ODD);
        }
        let is_inner = |place: &Range<usize>| {
            let holds = |other: &Range<usize>| other.start < place.start && place.end < other.end;
            passed.iter().any(holds)
        };
        Ok(passed
            .iter()
            .filter(|place| !is_inner(place))
            .cloned()
            .collect())
    }
}
