//! What is told on the way: log lines, progress and events, on stderr, or as lines under `jsonl`.
//!
//! Everything is queued: who tells of something never waits for a terminal or a pipe.

use std::io::{self, IsTerminal as _};
use std::sync::{Arc, OnceLock, Weak};

use super::answer::Answer;
use super::args::Format;
use super::screen::Piece;
use crate::gate::Dispatch;
use crate::permission::Caller;
use crate::redact::Reach;
use crate::text::{head_bytes, visible};
use crate::tool::{Event, Gate as _, Level, Sink};

/// The listener of this process.
pub(super) struct Listener {
    answer: Arc<Answer>,
    verbose: bool,
    is_terminal: bool,
    /// Whose rules hide secrets from what is told, where a model acts.
    hiding: OnceLock<Weak<Dispatch>>,
}

impl Listener {
    /// A listener for this answer; `verbose` tells of every call.
    pub(super) fn new(answer: Arc<Answer>, verbose: bool) -> Listener {
        let is_terminal = io::stderr().is_terminal();
        Listener {
            answer,
            verbose,
            is_terminal,
            hiding: OnceLock::new(),
        }
    }

    /// From here on what is told holds no secrets, where it is told to a model.
    pub(super) fn hide_from(&self, caller: Caller, dispatch: &Arc<Dispatch>) {
        if caller == Caller::Model {
            self.hiding.get_or_init(|| Arc::downgrade(dispatch));
        }
    }

    /// The same event without secrets, where they are hidden.
    fn hidden(&self, mut event: Event) -> Event {
        let dispatch = self.hiding.get().and_then(Weak::upgrade);
        let Some(dispatch) = dispatch else {
            return event;
        };
        let generation = dispatch.generation();
        let redactor = generation.redaction.redactor(dispatch.services());
        let texts = match &mut event {
            Event::Log { text, .. } | Event::Progress { text, .. } => [Some(text), None],
            Event::Notified { title, text } => [Some(text), title.as_mut()],
            Event::Updated { title, .. } => [Some(title), None],
            Event::Started { .. } | Event::Finished { .. } | Event::Output { .. } => [None, None],
        };
        for text in texts.into_iter().flatten() {
            *text = redactor.redact(text, Reach::Log).into_owned();
        }
        event
    }

    fn progress(&self, done: u64, total: Option<u64>, text: &str) {
        let of = total.map(|total| format!("/{total}")).unwrap_or_default();
        let line = format!("{done}{of} {text}");
        if self.is_terminal {
            let shown = visible(&line).replace('\n', " ");
            let line = head_bytes(&shown, 78);
            self.answer.outlet().write(Piece::Progress, line.as_bytes());
        } else if self.verbose {
            self.answer.say(&line);
        }
    }

    fn log(&self, level: Level, text: &str) {
        match level {
            Level::Debug if !self.verbose => {}
            Level::Debug | Level::Info => self.answer.say(text),
            Level::Warn => self.answer.warn(text),
            Level::Error => self.answer.complain(text),
        }
    }
}

impl Sink for Listener {
    fn emit(&self, event: Event) {
        let event = self.hidden(event);
        if self.answer.format == Format::Jsonl {
            self.answer.line(&event);
        }
        match &event {
            Event::Log { level, text } => self.log(*level, text),
            Event::Notified { title, text } => {
                let title = title.as_ref().map(|title| format!("{title}: "));
                self.answer.say(&(title.unwrap_or_default() + text));
            }
            Event::Progress {
                done, total, text, ..
            } => self.progress(*done, *total, text),
            Event::Started {
                call, tool, caller, ..
            } if self.verbose => {
                self.answer
                    .say(&format!("{call} {tool} for {}", caller.as_str()));
            }
            Event::Finished {
                call,
                tool,
                kind,
                duration,
                ..
            } if self.verbose => {
                let end = kind.map_or("ok", |kind| kind.as_str());
                self.answer.say(&format!(
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
