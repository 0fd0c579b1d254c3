//! What is told on the way: log lines, progress and events, on stderr, or as lines under `jsonl`.
//!
//! One progress line stands on a terminal at most, and it is wiped before anything else is said.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use super::answer::{Answer, say};
use super::args::Format;
use crate::text::{head_bytes, visible};
use crate::tool::{Event, Level, Sink};

/// The listener of this process.
pub(super) struct Listener {
    answer: Arc<Answer>,
    verbose: bool,
    is_terminal: bool,
    /// Whether a progress line stands on the terminal and must be wiped first.
    progress: Mutex<bool>,
}

impl Listener {
    /// A listener for this answer; `verbose` tells of every call.
    pub(super) fn new(answer: Arc<Answer>, verbose: bool) -> Listener {
        let is_terminal = io::stderr().is_terminal();
        Listener {
            answer,
            verbose,
            is_terminal,
            progress: Mutex::new(false),
        }
    }

    /// Wipes a progress line that still stands there.
    pub(super) fn wipe(&self) {
        let mut standing = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut *standing) {
            let mut stderr = io::stderr().lock();
            let _ = write!(stderr, "\r\x1b[K");
            let _ = stderr.flush();
        }
    }

    fn progress(&self, done: u64, total: Option<u64>, text: &str) {
        let of = total.map(|total| format!("/{total}")).unwrap_or_default();
        let line = format!("{done}{of} {text}");
        if !self.is_terminal {
            if self.verbose {
                say(&line);
            }
            return;
        }
        let mut standing = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stderr = io::stderr().lock();
        let shown = visible(&line).replace('\n', " ");
        let _ = write!(stderr, "\r\x1b[K{}", head_bytes(&shown, 78));
        let _ = stderr.flush();
        *standing = true;
    }

    fn log(&self, level: Level, text: &str) {
        if level == Level::Debug && !self.verbose {
            return;
        }
        self.wipe();
        match level {
            Level::Debug | Level::Info => say(text),
            Level::Warn => say(&format!("warning: {text}")),
            Level::Error => say(&format!("error: {text}")),
        }
    }
}

impl Sink for Listener {
    fn emit(&self, event: Event) {
        if self.answer.format == Format::Jsonl {
            self.answer.line(&event);
        }
        match &event {
            Event::Log { level, text } => self.log(*level, text),
            Event::Progress {
                done, total, text, ..
            } => self.progress(*done, *total, text),
            Event::Started {
                call, tool, caller, ..
            } if self.verbose => {
                self.wipe();
                say(&format!("{call} {tool} for {}", caller.as_str()));
            }
            Event::Finished {
                call,
                tool,
                kind,
                duration,
                ..
            } if self.verbose => {
                self.wipe();
                let end = kind.map_or("ok", |kind| kind.as_str());
                say(&format!(
                    "{call} {tool}: {end} after {:.1} ms",
                    duration * 1000.0
                ));
            }
            Event::Started { .. }
            | Event::Finished { .. }
            | Event::Updated { .. }
            | Event::Output { .. } => {}
        }
    }
}
