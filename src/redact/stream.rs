//! A text that comes in pieces: redacted as the whole of it is, however it is cut.
//!
//! A line is held back until it has ended, since a secret may go on with the next piece. One that does not
//! end is passed on once it is longer than a MiB, but for its last part. Lines of base64 wait for the line below them,
//! since that may say that they were a key.

use std::sync::Arc;

use super::block::{Open, may_be_of_a_key};
use super::redactor::Redactor;
use super::rule::Reach;

/// How long a line may be before a part of it is passed on.
const LONG: usize = 1 << 20;

/// How many bytes of lines stay behind that look like a part of a key: more than a key has.
const MOST: usize = 16 << 10;

/// How long the last line of a key may be, with what stands around it.
const SHORT: usize = 160;

/// How much of such a line stays behind: more than a secret is long.
const BEHIND: usize = 64 << 10;

/// What came and was not passed on.
pub struct Stream {
    redactor: Arc<Redactor>,
    reach: Reach,
    held: Vec<u8>,
    /// How much at the start of what is held is lines that look like a part of a key.
    run: usize,
    open: Open,
}

impl Stream {
    /// The start of a text.
    pub fn new(redactor: &Arc<Redactor>, reach: Reach) -> Stream {
        Stream {
            redactor: Arc::clone(redactor),
            reach,
            held: Vec::new(),
            run: 0,
            open: Open::default(),
        }
    }

    /// Takes the next piece; what can be passed on. Bytes that are no UTF-8 are replaced.
    pub fn push(&mut self, piece: &[u8]) -> String {
        let ended = memchr::memrchr(b'\n', piece).map(|end| self.held.len() + end + 1);
        self.held.extend_from_slice(piece);
        let mut passed = String::new();
        let ended = ended.map(|end| self.kept(end)).filter(|end| *end > 0);
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

    /// How far whole lines can be passed on, of which the last ends at `end`: a key may end below those that look like
    /// a part of one, and its last line may be short.
    fn kept(&mut self, end: usize) -> usize {
        let known = std::mem::take(&mut self.run).min(end);
        let (mut start, mut wide, mut is_cut) = (end, known, false);
        let lines = self.held[known..end].split_inclusive(|byte| *byte == b'\n');
        for line in lines.rev() {
            let is_wide =
                std::str::from_utf8(line).is_ok_and(|line| may_be_of_a_key(line.trim_end()));
            is_cut = !is_wide && (start < end || line.len() > SHORT);
            if is_cut {
                break;
            }
            if is_wide {
                wide = wide.max(start);
            }
            start -= line.len();
        }
        if !is_cut {
            start = 0;
        }
        if wide <= start || end - start > MOST {
            return end;
        }
        self.run = wide - start;
        start
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
        self.run = 0;
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
