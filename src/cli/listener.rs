//! What is told on the way: log lines, progress and events, on stderr, or as lines under `jsonl`.
//!
//! Everything is queued: who tells of something never waits for a terminal or a pipe.

use std::io::{self, IsTerminal as _};
use std::sync::{Arc, OnceLock};

use super::answer::Answer;
use super::args::{Format, Options};
use super::hiding::Hiding;
use super::screen::Piece;
use crate::gate::Dispatch;
use crate::permission::Caller;
use crate::text::{head_bytes, visible};
use crate::tool::{Event, Level, Sink};

/// The listener of this process.
pub(super) struct Listener {
    answer: Arc<Answer>,
    verbose: bool,
    /// Whether the calls are told by who makes them.
    is_loop: bool,
    is_terminal: bool,
    /// What hides secrets from what is told, where a model acts.
    hiding: OnceLock<Hiding>,
}

impl Listener {
    /// A listener for this answer; under `-v` it tells of every call.
    pub(super) fn new(answer: Arc<Answer>, options: &Options) -> Listener {
        let is_terminal = io::stderr().is_terminal();
        Listener {
            answer,
            verbose: options.verbose > 0,
            is_loop: options.asks_a_model,
            is_terminal,
            hiding: OnceLock::new(),
        }
    }

    /// From here on what is told holds no secrets, where it is told to a model.
    pub(super) fn hide_from(&self, caller: Caller, dispatch: &Arc<Dispatch>) {
        if caller == Caller::Model {
            self.hiding.get_or_init(|| Hiding::of(dispatch));
        }
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
        match self.hiding.get() {
            None => self.tell(event),
            Some(hiding) => hiding.hide(event, |event| self.tell(event)),
        }
    }
}

impl Listener {
    fn tell(&self, event: Event) {
        let is_call = matches!(
            event,
            Event::Started { .. }
                | Event::Updated { .. }
                | Event::Output { .. }
                | Event::Finished { .. }
        );
        if self.answer.format == Format::Jsonl && !(self.is_loop && is_call) {
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
