//! The answer: what goes to stdout, and nothing else does. One document, one line, or text.
//!
//! A reader that went away is no error of ours: writing stops quietly.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::args::Format;
use crate::error::{Error, Exit, Kind, ToolError};
use crate::text::visible;

/// Where the answer goes, and in which form.
pub(super) struct Answer {
    /// The form.
    pub(super) format: Format,
    /// The first failure to write that was not a reader going away.
    trouble: Mutex<Option<io::Error>>,
}

impl Answer {
    /// An answer in this form.
    pub(super) fn new(format: Format) -> Answer {
        Answer {
            format,
            trouble: Mutex::new(None),
        }
    }

    /// Whether stdout carries JSON, so that everything else must go elsewhere.
    pub(super) fn is_machine(&self) -> bool {
        self.format != Format::Text
    }

    /// Writes `text` as it is, with a line end if it has none.
    pub(super) fn text(&self, text: &str) {
        let end = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        self.write(&[text.as_bytes(), end.as_bytes()]);
    }

    /// Writes raw bytes as they are.
    pub(super) fn bytes(&self, bytes: &[u8]) {
        self.write(&[bytes]);
    }

    /// Writes the one document; under `jsonl` it is the last line and has the type `result`.
    pub(super) fn document(&self, fields: impl Serialize) {
        let mut document = Map::new();
        if self.format == Format::Jsonl {
            document.insert("type".to_owned(), json!("result"));
        }
        document.insert("version".to_owned(), json!(1));
        if let Ok(Value::Object(fields)) = serde_json::to_value(fields) {
            document.extend(fields);
        }
        self.line(&Value::Object(document));
    }

    /// Writes one JSON line, such as an event under `jsonl`.
    pub(super) fn line(&self, value: &impl Serialize) {
        if let Ok(mut line) = serde_json::to_vec(value) {
            line.push(b'\n');
            self.write(&[&line]);
        }
    }

    /// Ends a command that failed: a document on stdout under JSON, else a message on stderr.
    pub(super) fn failure(&self, error: &Error, tool: Option<&str>) {
        match error {
            Error::Tool(error) if self.is_machine() => {
                let mut fields = Map::new();
                fields.insert("ok".to_owned(), json!(false));
                if let Some(tool) = tool {
                    fields.insert("tool".to_owned(), json!(tool));
                }
                fields.insert("error".to_owned(), as_value(error));
                self.document(fields);
            }
            _ if self.is_machine() => {
                let error = ToolError::new(kind_of(error), error.to_string());
                self.document(json!({ "ok": false, "error": as_value(&error) }));
            }
            Error::Tool(failed) => complain_of(failed, None),
            _ => complain(&error.to_string()),
        }
    }

    /// Writes what a script prints: to stdout where that is the answer, else to stderr.
    pub(super) fn print(&self, bytes: &[u8]) {
        if !self.is_machine() {
            return self.bytes(bytes);
        }
        let _ = io::stderr().lock().write_all(bytes);
    }

    /// The exit code of the run, once everything is written: an answer that was lost is a failure.
    pub(super) fn finish(&self, exit: Exit) -> Exit {
        self.write(&[]);
        let trouble = self
            .trouble
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(error) = trouble else { return exit };
        complain(&ToolError::from_io(&error, "write to", "standard output").to_string());
        if exit == Exit::Done {
            Exit::Failed
        } else {
            exit
        }
    }

    fn write(&self, parts: &[&[u8]]) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stdout = io::stdout().lock();
        let mut written = parts.iter().try_for_each(|part| stdout.write_all(part));
        written = written.and_then(|()| stdout.flush());
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            trouble.get_or_insert(error);
        }
    }
}

fn kind_of(error: &Error) -> Kind {
    match error {
        Error::Usage { .. } => Kind::Argument,
        Error::Tool(error) => error.kind,
        Error::Ended(Exit::Timeout) => Kind::Timeout,
        Error::Ended(_) => Kind::Cancelled,
    }
}

/// An error as documents carry it: kind, message, hint, detail.
pub(super) fn as_value(error: &ToolError) -> Value {
    json!({
        "kind": error.kind,
        "message": error.message,
        "hint": error.hint(),
        "detail": error.detail.as_deref().cloned().unwrap_or_default(),
    })
}

/// Says on stderr what failed: its kind, where in the person's own code, and what to try.
pub(super) fn complain_of(error: &ToolError, position: Option<&str>) {
    let place = position
        .map(|position| format!("{position}: "))
        .unwrap_or_default();
    say(&format!(
        "error ({}): {place}{error}\n  try: {}",
        error.kind,
        error.hint()
    ));
}

/// Says on stderr what went wrong, with control characters visible.
pub(super) fn complain(message: &str) {
    say(&format!("error: {message}"));
}

/// Writes one line to stderr, with control characters visible.
pub(super) fn say(line: &str) {
    let mut stderr = io::stderr().lock();
    let _ = writeln!(stderr, "{}", visible(line));
}
