//! Events out of bytes: server-sent events as the HTML standard has them, and JSON where a server sends that
//! instead. Bytes may be split anywhere; the same bytes always give the same events.
//!
//! Comments and blank lines are no events: whoever waits for an answer counts what is given here.

mod json;

use super::StreamError;
use json::Json;

/// Longest event, in bytes.
const LIMIT: usize = 8 * 1024 * 1024;
/// Longest beginning that an error repeats, in bytes.
const SHOWN: usize = 200;

/// The fields of an event; a line that ends within one of these words was cut.
const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its data, lines joined by a line end.
    pub data: String,
}

/// Reads events out of a body.
#[derive(Debug, Default)]
pub struct Events {
    form: Form,
    count: u64,
}

/// What the body turned out to be. Its first byte that is no white space says so.
#[derive(Debug)]
enum Form {
    Unknown(Vec<u8>),
    Sse(Lines),
    Json(Json),
    Page(Vec<u8>),
}

impl Default for Form {
    fn default() -> Form {
        Form::Unknown(Vec::new())
    }
}

impl Events {
    /// A new body.
    pub fn new() -> Events {
        Events::default()
    }

    /// How many events have come.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Takes a chunk of the body and gives the events that end in it.
    ///
    /// # Errors
    /// An event over 8 MiB; a body that is no stream of events.
    pub fn push(&mut self, chunk: &[u8]) -> Result<Vec<Event>, StreamError> {
        let mut found = Vec::new();
        let mut rest = chunk;
        if let Form::Unknown(head) = &mut self.form {
            let Some(at) = rest.iter().position(|byte| !is_before(*byte)) else {
                keep(head, rest)?;
                return Ok(found);
            };
            self.form = match rest.get(at) {
                Some(b'{' | b'[') => Form::Json(Json::default()),
                Some(b'<') => Form::Page(Vec::new()),
                _ => Form::Sse(Lines::default()),
            };
            rest = rest.get(at..).unwrap_or_default();
        }
        match &mut self.form {
            Form::Unknown(_) => {}
            Form::Sse(lines) => lines.push(rest, &mut found)?,
            Form::Json(json) => json.push(rest, &mut found)?,
            Form::Page(page) => {
                page.extend(rest.iter().take(SHOWN.saturating_sub(page.len())));
                if page.len() >= SHOWN {
                    return Err(StreamError::NoStream(start(page)));
                }
            }
        }
        self.count += found.len() as u64;
        Ok(found)
    }

    /// The body has ended: gives the event that no blank line ended, where it is whole.
    ///
    /// # Errors
    /// A body that was no stream of events.
    pub fn end(&mut self) -> Result<Vec<Event>, StreamError> {
        let mut found = Vec::new();
        match &mut self.form {
            Form::Unknown(_) => {}
            Form::Sse(lines) => lines.end(&mut found),
            Form::Json(json) => json.end(&mut found)?,
            Form::Page(page) => return Err(StreamError::NoStream(start(page))),
        }
        self.count += found.len() as u64;
        match &self.form {
            Form::Sse(Lines {
                stray: Some(stray), ..
            }) if self.count == 0 => Err(StreamError::NoStream(stray.clone())),
            _ => Ok(found),
        }
    }
}

/// White space and the byte order mark, which may stand before the first event.
fn is_before(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0xEF | 0xBB | 0xBF)
}

fn keep(buffer: &mut Vec<u8>, bytes: &[u8]) -> Result<(), StreamError> {
    if buffer.len() + bytes.len() > LIMIT {
        return Err(StreamError::TooLarge(LIMIT));
    }
    buffer.extend_from_slice(bytes);
    Ok(())
}

/// How a body begins, on one line.
fn start(bytes: &[u8]) -> String {
    let shown = bytes.get(..bytes.len().min(SHOWN)).unwrap_or_default();
    let text = String::from_utf8_lossy(shown);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Server-sent events, line by line. A line ends with CR, LF or both.
#[derive(Debug, Default)]
struct Lines {
    line: Vec<u8>,
    after_cr: bool,
    name: String,
    data: Option<String>,
    /// The first line that is of no known field.
    stray: Option<String>,
}

impl Lines {
    fn push(&mut self, chunk: &[u8], found: &mut Vec<Event>) -> Result<(), StreamError> {
        let mut rest = chunk;
        if std::mem::take(&mut self.after_cr) {
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            self.after_cr = chunk.is_empty();
        }
        while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
            let (line, after) = rest.split_at(at);
            self.add(line)?;
            self.line_ended(found);
            rest = match after {
                [b'\r', b'\n', more @ ..] | [_, more @ ..] => more,
                [] => after,
            };
            self.after_cr = after == b"\r";
        }
        self.add(rest)
    }

    fn end(&mut self, found: &mut Vec<Event>) {
        let is_cut = FIELDS
            .iter()
            .any(|field| field.as_bytes().starts_with(&self.line));
        if !is_cut {
            self.line_ended(found);
        }
        let whole = |data: &String| {
            data == "[DONE]" || serde_json::from_str::<serde::de::IgnoredAny>(data).is_ok()
        };
        if self.data.as_ref().is_some_and(whole) {
            self.dispatch(found);
        }
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        let held = self.data.as_ref().map_or(0, String::len);
        if held + self.line.len() + bytes.len() > LIMIT {
            return Err(StreamError::TooLarge(LIMIT));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn line_ended(&mut self, found: &mut Vec<Event>) {
        let bytes = std::mem::take(&mut self.line);
        if bytes.is_empty() {
            return self.dispatch(found);
        }
        let line = String::from_utf8_lossy(&bytes);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => self.name = value.to_owned(),
            "" | "id" | "retry" => {}
            _ if self.stray.is_none() => self.stray = Some(start(&bytes)),
            _ => {}
        }
    }

    /// An event without data is none.
    fn dispatch(&mut self, found: &mut Vec<Event>) {
        let name = std::mem::take(&mut self.name);
        if let Some(data) = self.data.take().filter(|data| !data.is_empty()) {
            found.push(Event { name, data });
        }
    }
}

#[cfg(test)]
mod tests;
