//! What the program says: the answer on stdout, as one document, one line or text; all else on stderr.
//!
//! A message on stderr shows control characters, and opens with one word in colour where colours are.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::args::Format;
use super::colour::{Colours, dye, paint};
use super::outlet::Outlet;
use super::screen::Piece;
use crate::error::{Error, Exit, Kind, ToolError};
use crate::text::visible;
use crate::tool::Span;

/// Where the answer goes, and in which form.
pub(super) struct Answer {
    /// The form.
    pub(super) format: Format,
    /// Where colours are.
    pub(super) colours: Colours,
    outlet: Arc<Outlet>,
    is_terminal: bool,
    is_given: AtomicBool,
}

impl Answer {
    /// An answer in this form.
    pub(super) fn new(format: Format) -> Answer {
        Answer {
            format,
            colours: Colours::of_process(),
            outlet: Arc::default(),
            is_terminal: io::stdout().is_terminal(),
            is_given: AtomicBool::new(false),
        }
    }

    /// Whether stdout carries JSON, so that everything else must go elsewhere.
    pub(super) fn is_machine(&self) -> bool {
        self.format != Format::Text
    }

    /// The way out that it takes.
    pub(super) fn outlet(&self) -> &Arc<Outlet> {
        &self.outlet
    }

    /// Whether the one document was written.
    pub(super) fn is_given(&self) -> bool {
        self.is_given.load(Ordering::Acquire)
    }

    /// Writes `text` with a line end if it has none; on a terminal control characters are visible.
    pub(super) fn text(&self, text: &str) {
        let text = if self.is_terminal {
            visible(text)
        } else {
            text.into()
        };
        self.bytes(text.as_bytes());
        if !text.is_empty() && !text.ends_with('\n') {
            self.bytes(b"\n");
        }
    }

    /// Writes spans one after the other, control characters visible, and a line end if there is none.
    pub(super) fn spans(&self, spans: &[Span]) {
        let mut text = String::new();
        for span in spans {
            text.push_str(&dye(&visible(&span.text), span.style, self.colours.out));
        }
        let ends = spans.last().is_none_or(|last| last.text.ends_with('\n'));
        text.push_str(if ends { "" } else { "\n" });
        self.bytes(text.as_bytes());
    }

    /// Writes raw bytes as they are.
    pub(super) fn bytes(&self, bytes: &[u8]) {
        self.outlet.write(Piece::Out, bytes);
    }

    /// Writes the one document; under `jsonl` it is the last line and has the type `result`.
    pub(super) fn document(&self, fields: impl Serialize) {
        self.is_given.store(true, Ordering::Release);
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
            self.bytes(&line);
        }
    }

    /// Ends a command that failed: a document on stdout under JSON, else a message on stderr.
    pub(super) fn failure(&self, error: &Error, tool: Option<&str>) {
        if self.is_machine() {
            let mut fields = Map::new();
            fields.insert("ok".to_owned(), json!(false));
            if let (Error::Tool(_), Some(tool)) = (error, tool) {
                fields.insert("tool".to_owned(), json!(tool));
            }
            fields.insert("error".to_owned(), as_value(&as_tool_error(error)));
            return self.document(fields);
        }
        match error {
            Error::Tool(failed) => self.complain_of(failed, None),
            _ => self.complain(&error.to_string()),
        }
    }

    /// Ends a run that was ended from outside: what happened, and what to do about it if anything.
    pub(super) fn ended(&self, kind: Kind, what: &str, advice: Option<&str>, tool: Option<&str>) {
        if self.is_machine() {
            let mut error = ToolError::new(kind, what);
            error.hint = advice.map(str::to_owned);
            return self.failure(&Error::Tool(error), tool);
        }
        let advice = advice.map(|advice| format!("; {advice}"));
        self.complain(&format!("{what}{}", advice.unwrap_or_default()));
    }

    /// Writes what a script prints: to stdout where that is the answer, else to stderr.
    pub(super) fn print(&self, bytes: &[u8]) {
        let piece = match self.is_machine() {
            true => Piece::Err,
            false => Piece::Out,
        };
        self.outlet.write(piece, bytes);
    }

    /// The exit code of the run, once everything is written: an answer that was lost is a failure.
    pub(super) fn finish(&self, exit: Exit) -> Exit {
        self.outlet.write(Piece::Settled, b"");
        let Some(error) = self.outlet.trouble() else {
            return exit;
        };
        self.complain(&ToolError::from_io(&error, "write to", "standard output").to_string());
        self.outlet.drain();
        if exit == Exit::Done {
            Exit::Failed
        } else {
            exit
        }
    }

    /// Says on stderr what failed: its kind, where in the person's own code, and what to try.
    pub(super) fn complain_of(&self, error: &ToolError, position: Option<&str>) {
        let place = position
            .map(|position| format!("{position}: "))
            .unwrap_or_default();
        // What a script raised in words of its own says all there is to say.
        let advice = match (error.kind, &error.hint) {
            (Kind::Failed, None) => String::new(),
            _ => format!("\n  try: {}", error.hint()),
        };
        self.word(
            "error",
            &format!(" ({}): {place}{error}{advice}", error.kind),
        );
    }

    /// Says on stderr what went wrong, with control characters visible.
    pub(super) fn complain(&self, message: &str) {
        self.word("error", &format!(": {message}"));
    }

    /// Says on stderr what is off, with control characters visible.
    pub(super) fn warn(&self, message: &str) {
        self.word("warning", &format!(": {message}"));
    }

    /// Writes one line to stderr, with control characters visible.
    pub(super) fn say(&self, line: &str) {
        self.word("", line);
    }

    fn word(&self, word: &str, rest: &str) {
        let word = match word {
            "" => word.into(),
            word => paint(word, self.colours.err),
        };
        let line = format!("{word}{}\n", visible(rest));
        self.outlet.write(Piece::Err, line.as_bytes());
    }
}

/// A failure as documents carry it, whoever it came from.
fn as_tool_error(error: &Error) -> ToolError {
    match error {
        Error::Usage { message, hint } => ToolError::argument(message).with_hint(hint),
        Error::Tool(error) => error.clone(),
        Error::Ended(Exit::Timeout) => ToolError::new(Kind::Timeout, error.to_string()),
        Error::Ended(_) => ToolError::new(Kind::Cancelled, error.to_string()),
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
