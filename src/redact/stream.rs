//! A text that comes in pieces: redacted as the whole of it is, however it is cut.
//!
//! A line is held back until it has ended, since a secret may go on with the next piece. One that does not
//! end is passed on once it is longer than a MiB, but for its last part.

use std::sync::Arc;

use super::block::Open;
use super::redactor::Redactor;
use super::rule::Reach;

/// How long a line may be before a part of it is passed on.
const LONG: usize = 1 << 20;

/// How much of such a line stays behind: more than a secret is long.
const BEHIND: usize = 64 << 10;

/// What came and was not passed on.
pub struct Stream {
    redactor: Arc<Redactor>,
    reach: Reach,
    held: Vec<u8>,
    open: Open,
}

impl Stream {
    /// The start of a text.
    pub fn new(redactor: &Arc<Redactor>, reach: Reach) -> Stream {
        Stream {
            redactor: Arc::clone(redactor),
            reach,
            held: Vec::new(),
            open: Open::default(),
        }
    }

    /// Takes the next piece; what can be passed on. Bytes that are no UTF-8 are replaced.
    pub fn push(&mut self, piece: &[u8]) -> String {
        let ended = memchr::memrchr(b'\n', piece).map(|end| self.held.len() + end + 1);
        self.held.extend_from_slice(piece);
        let mut passed = String::new();
        if let Some(end) = ended {
            let rest = self.held.split_off(end);
            let lines = std::mem::replace(&mut self.held, rest);
            passed = self.lines(&lines);
        }
        if self.held.len() > LONG {
            passed.push_str(&self.part());
        }
        passed
    }

    /// The rest.
    pub fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        self.lines(&rest)
    }

    fn lines(&mut self, lines: &[u8]) -> String {
        let text = String::from_utf8_lossy(lines);
        let redacted = self
            .redactor
            .redact_after(&text, self.reach, &mut self.open);
        redacted.into_owned()
    }

    /// The first part of a line that goes on, up to where no secret stands.
    fn part(&mut self) -> String {
        let whole = self.held.len() - unfinished(&self.held);
        let text = String::from_utf8_lossy(&self.held[..whole]).into_owned();
        let found = self
            .redactor
            .find_after(&text, self.reach, &mut self.open.clone());
        let mut cut = text.floor_char_boundary(text.len() - BEHIND);
        if let Some(over) = found.iter().find(|span| span.bytes.contains(&cut)) {
            cut = over.bytes.start;
        }
        let passed = self
            .redactor
            .redact_after(&text[..cut], self.reach, &mut self.open.clone());
        let passed = passed.into_owned();
        let rest = [&text.as_bytes()[cut..], &self.held[whole..]].concat();
        self.held = rest;
        passed
    }
}

/// How many bytes at the end begin a character whose rest has not come.
fn unfinished(bytes: &[u8]) -> usize {
    let last = &bytes[bytes.len().saturating_sub(3)..];
    let start = last.iter().rposition(|byte| *byte >= 0xc0);
    let begun = start.map_or(&[][..], |at| &last[at..]);
    match std::str::from_utf8(begun) {
        Err(error) if error.error_len().is_none() => begun.len(),
        _ => 0,
    }
}
