//! What happens while calls run, told upward as data. Nobody below the roof prints.
//! An event is told after the fact and changes nothing; who listens must not block.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::CallId;
use crate::data::Data;
use crate::error::Kind;
use crate::permission::Caller;
use crate::process::Stream;

/// How loud a line of the log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Shown under `-v` only.
    Debug,
    /// Worth knowing.
    Info,
    /// Something is off and it goes on.
    Warn,
    /// Something failed.
    Error,
}

/// One thing that happened. With `-o jsonl` each is a line, its name in the field `type`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A call entered the door.
    Started {
        /// Its number.
        call: CallId,
        /// The call it was made for, if any.
        parent: Option<CallId>,
        /// The tool's id, or the name asked for where no such tool exists.
        #[serde(serialize_with = "as_text")]
        tool: Arc<str>,
        /// On whose behalf.
        #[serde(serialize_with = "as_word")]
        caller: Caller,
    },
    /// A running call says what it is doing.
    Updated {
        /// Its number.
        call: CallId,
        /// One line.
        title: String,
        /// Facts so far.
        metadata: Data,
    },
    /// A call or a script says how far it is.
    Progress {
        /// The call's number; none for a script.
        call: Option<CallId>,
        /// Units done.
        done: u64,
        /// Units in all, if known.
        total: Option<u64>,
        /// What is being done.
        text: String,
    },
    /// A running command wrote something.
    Output {
        /// The call's number.
        call: CallId,
        /// Which pipe.
        stream: Stream,
        /// What it wrote; bytes that are no UTF-8 replaced.
        text: String,
    },
    /// A call has its one result.
    Finished {
        /// Its number.
        call: CallId,
        /// The tool's id.
        #[serde(serialize_with = "as_text")]
        tool: Arc<str>,
        /// Whether it worked.
        ok: bool,
        /// The kind of its error.
        kind: Option<Kind>,
        /// Seconds from the door to the result.
        duration: f64,
    },
    /// Somebody should look up.
    Notified {
        /// What about, in a word or two.
        title: Option<String>,
        /// What there is to know.
        text: String,
    },
    /// A line of the log.
    Log {
        /// How loud.
        level: Level,
        /// The line.
        text: String,
    },
}

fn as_word<S: Serializer>(caller: &Caller, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(caller.as_str())
}

fn as_text<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

/// Who listens to events. Called from any thread; must not block.
pub trait Sink: Send + Sync {
    /// Takes note of one event.
    fn emit(&self, event: Event);

    /// Takes note of a line of the log.
    fn log(&self, level: Level, text: String) {
        self.emit(Event::Log { level, text });
    }
}

/// Nobody listens.
pub struct Silent;

impl Sink for Silent {
    fn emit(&self, _event: Event) {}
}
