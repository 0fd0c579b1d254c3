//! A range of the lines of a file of any size, in bounded memory and without loading it.
//!
//! Lines before the range are counted and let go; reading ends with the range unless the total is
//! wanted. Encodings whose newline is no plain byte are decoded as they stream by.

use std::io::Read;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Opened, Place};
use crate::error::ToolError;
use crate::text::encoding::{Encoding, detect_start};

/// How many bytes are asked of the system at once, and how many decide on the encoding.
const CHUNK: usize = 256 * 1024;

/// Which lines are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The first line, from 1.
    pub first: u64,
    /// The last line, inclusive.
    pub last: u64,
    /// At most this many bytes are kept; the range ends where they do.
    pub max_bytes: usize,
    /// Whether to go on to the end of the file to count its lines.
    pub total: bool,
    /// The encoding, where the content is not to decide.
    pub encoding: Option<Encoding>,
}

/// Lines that were read.
#[derive(Clone, Debug)]
pub struct Ranged {
    /// The lines with their endings. What does not fit the encoding is `\u{fffd}`.
    pub text: String,
    /// The line that the text begins with.
    pub first: u64,
    /// The line that the text ends with; before `first` when there is none.
    pub last: u64,
    /// How many lines the file has, if its end was reached.
    pub total: Option<u64>,
    /// Whether bytes of the range are missing because there were more than `max_bytes`.
    pub cut: bool,
    /// What it was decoded from.
    pub encoding: Encoding,
    /// The size of the file in bytes.
    pub size: u64,
}

impl Opened<'_> {
    /// The lines `range` of the file.
    ///
    /// # Errors
    /// `argument` where it is no text; `resource` where the system refuses; `cancelled` when `stop`
    /// becomes true.
    pub fn lines(self, range: Range, stop: &AtomicBool) -> Result<Ranged, ToolError> {
        let Opened {
            place,
            mut file,
            metadata,
        } = self;
        let mut next = |buffer: &mut [u8]| {
            file.read(buffer)
                .map_err(|error| ToolError::from_io(&error, "read", &place.display))
        };
        let mut chunk = vec![0; CHUNK];
        let mut length = next(&mut chunk)?;
        let encoding = match range.encoding {
            Some(encoding) => encoding.used_by(&chunk[..length]),
            None => detect_start(&chunk[..length]).ok_or_else(|| not_text(place))?,
        };
        let mut lines = Wanted::new(range, encoding);
        let end = loop {
            if stop.load(Ordering::Relaxed) {
                return Err(ToolError::cancelled());
            }
            if lines.feed(&chunk[..length], length == 0).is_break() {
                break false;
            }
            if length == 0 {
                break true;
            }
            length = next(&mut chunk)?;
        };
        Ok(lines.into_ranged(end, metadata.len()))
    }
}

/// The failure of reading as text what is none.
pub fn not_text(place: &Place) -> ToolError {
    ToolError::argument(format!("{} is binary, not text", place.display))
        .with_hint("give an `encoding` if it is text after all, or look at it with a command")
}

/// The lines of a stream that are wanted, kept as they pass.
struct Wanted {
    range: Range,
    encoding: Encoding,
    /// Present where newlines are not plain bytes; then `kept` is UTF-8.
    decoder: Option<encoding_rs::Decoder>,
    /// How many bytes of the byte order mark are still to come.
    mark: usize,
    kept: Vec<u8>,
    /// The line that the next byte belongs to.
    line: u64,
    /// The line of the last byte kept.
    last: u64,
    /// Whether the next byte begins a line.
    fresh: bool,
    cut: bool,
}

impl Wanted {
    fn new(range: Range, encoding: Encoding) -> Wanted {
        Wanted {
            range,
            encoding,
            mark: encoding.bom().len(),
            decoder: (!encoding.has_plain_newlines()).then(|| encoding.stream_decoder()),
            kept: Vec::new(),
            line: 1,
            last: range.first.saturating_sub(1),
            fresh: true,
            cut: false,
        }
    }

    fn feed(&mut self, chunk: &[u8], end: bool) -> ControlFlow<()> {
        let marked = self.mark.min(chunk.len());
        self.mark -= marked;
        let chunk = &chunk[marked..];
        let Some(mut decoder) = self.decoder.take() else {
            return self.pass(chunk);
        };
        let longest = decoder.max_utf8_buffer_length(chunk.len()).unwrap_or(0);
        let mut text = String::with_capacity(longest);
        let _ = decoder.decode_to_string(chunk, &mut text, end);
        self.decoder = Some(decoder);
        self.pass(text.as_bytes())
    }

    /// Takes what is wanted of bytes whose newlines are plain.
    fn pass(&mut self, mut bytes: &[u8]) -> ControlFlow<()> {
        if self.line < self.range.first {
            bytes = self.skip(bytes);
        }
        while !bytes.is_empty() && self.line <= self.range.last && !self.cut {
            let length = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
            let (line, rest) = bytes.split_at(length);
            self.keep(line);
            bytes = rest;
        }
        self.fresh = bytes.last().map_or(self.fresh, |last| *last == b'\n');
        self.line += count_newlines(bytes);
        let done = self.line > self.range.last || self.cut;
        if done && !self.range.total {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// What of `bytes` comes after the lines before the range.
    fn skip<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let missing = self.range.first - self.line;
        let newlines = count_newlines(bytes);
        self.fresh = bytes.last().map_or(self.fresh, |last| *last == b'\n');
        if newlines < missing {
            self.line += newlines;
            return &[];
        }
        self.line = self.range.first;
        let last = memchr::memchr_iter(b'\n', bytes).nth(missing as usize - 1);
        &bytes[last.map_or(bytes.len(), |at| at + 1)..]
    }

    /// Keeps a line, or the piece of one that a chunk holds.
    fn keep(&mut self, line: &[u8]) {
        let room = self.range.max_bytes.saturating_sub(self.kept.len());
        self.cut = line.len() > room;
        let taken = &line[..line.len().min(room)];
        self.kept.extend_from_slice(taken);
        if !taken.is_empty() {
            self.last = self.line;
        }
        self.fresh = line.ends_with(b"\n");
        self.line += u64::from(self.fresh);
    }

    fn into_ranged(mut self, end: bool, size: u64) -> Ranged {
        if self.cut {
            self.kept.truncate(boundary(&self.kept));
        }
        let text = match self.decoder {
            Some(_) => String::from_utf8_lossy(&self.kept).into_owned(),
            None => self.encoding.decode_lossy(&self.kept),
        };
        Ranged {
            text,
            first: self.range.first,
            last: self.last,
            total: end.then_some(self.line - u64::from(self.fresh)),
            cut: self.cut,
            encoding: self.encoding,
            size,
        }
    }
}

/// Where `bytes` end without a broken UTF-8 character; their whole length if they are not UTF-8.
fn boundary(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests;
