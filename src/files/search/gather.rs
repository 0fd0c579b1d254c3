//! What one file holds: its matches with the lines around them, as the searcher meets them.
//! It keeps no more than is asked for, however many matches there are.

use std::io;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkFinish, SinkMatch};

use super::rank::enough;
use super::{Match, Query, Show};

/// The matches of one file.
pub(super) struct Gather<'q> {
    matcher: &'q RegexMatcher,
    show: Show,
    multiline: bool,
    /// How many matches are enough.
    enough: usize,
    pub(super) count: usize,
    pub(super) matches: Vec<Match>,
    pub(super) is_binary: bool,
    /// Lines that belong before the next match.
    before: Vec<(u64, String)>,
}

impl<'q> Gather<'q> {
    pub(super) fn new(matcher: &'q RegexMatcher, query: &Query) -> Gather<'q> {
        Gather {
            matcher,
            show: query.show,
            multiline: query.multiline,
            enough: match query.show {
                Show::Content => enough(query),
                Show::Files => 1,
                Show::Count => usize::MAX,
            },
            count: 0,
            matches: Vec::new(),
            is_binary: false,
            before: Vec::new(),
        }
    }

    /// The matches in a block of lines of a multi-line search. Where two begin on a line that an
    /// earlier one already shows, that one stands for both.
    fn block(&mut self, line: u64, block: &[u8]) -> io::Result<()> {
        let mut shown = 0;
        let mut found = Vec::new();
        self.matcher
            .find_iter(block, |one| {
                if one.start() >= shown && one.start() < block.len() {
                    let start = line_start(block, one.start());
                    let last = one.end().max(one.start() + 1) - 1;
                    shown = memchr::memchr(b'\n', &block[last..])
                        .map_or(block.len(), |at| last + at + 1);
                    found.push((start, shown, one.start() - start));
                }
                true
            })
            .map_err(io::Error::other)?;
        for (start, end, column) in found {
            self.count += 1;
            let line = line + memchr::memchr_iter(b'\n', &block[..start]).count() as u64;
            self.keep(line, column, &block[start..end]);
        }
        Ok(())
    }

    fn keep(&mut self, line: u64, column: usize, bytes: &[u8]) {
        if self.show == Show::Content && self.matches.len() < self.enough {
            self.matches.push(Match {
                path: String::new(),
                line,
                column: column + 1,
                text: text(bytes),
                before: std::mem::take(&mut self.before),
                after: Vec::new(),
            });
        }
    }
}

impl Sink for Gather<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let line = found.line_number().unwrap_or(1);
        if self.multiline {
            self.block(line, found.bytes())?;
        } else {
            self.count += 1;
            if self.show == Show::Content {
                let first = self.matcher.find(found.bytes()).map_err(io::Error::other)?;
                self.keep(line, first.map_or(0, |first| first.start()), found.bytes());
            }
        }
        Ok(self.count < self.enough)
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        let numbered = (line.line_number().unwrap_or(1), text(line.bytes()));
        match (line.kind(), self.matches.last_mut()) {
            (SinkContextKind::After, Some(last)) => last.after.push(numbered),
            _ => self.before.push(numbered),
        }
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> io::Result<()> {
        self.is_binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}

/// Where the line of byte `at` begins.
fn line_start(block: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &block[..at]).map_or(0, |newline| newline + 1)
}

/// Lines without their last ending, what is not UTF-8 replaced.
fn text(bytes: &[u8]) -> String {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let body = body.strip_suffix(b"\r").unwrap_or(body);
    String::from_utf8_lossy(body).into_owned()
}
