//! What comes back from a model while it answers, in the same words for every provider.
//!
//! Usage and stop replace what was said of them before: a figure that comes twice counts once.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::Opaque;

/// One piece of an answer.
///
/// Calls are told apart by `key`: a number that the decoder gives each place in the stream. It means nothing
/// outside of that stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// More of what the model thinks.
    Reasoning(String),
    /// Ends the reasoning that runs, with what has to go back to the provider; alone, it is a part of its own.
    Opaque(Opaque),
    /// A call begins.
    CallBegun {
        /// Its place in the stream.
        key: u64,
        /// The id the provider gave it, if it did.
        id: Option<String>,
        /// The tool.
        tool: String,
        /// What has to go back with the call.
        opaque: Option<Opaque>,
    },
    /// More of a call's arguments.
    CallPiece {
        /// The call's place.
        key: u64,
        /// The piece.
        text: String,
    },
    /// The arguments of a call as a whole: they take the place of the pieces.
    CallWhole {
        /// The call's place.
        key: u64,
        /// All of the arguments.
        text: String,
    },
    /// The provider says that a call is finished. It is not believed of arguments that are no object until the
    /// stop is known: an answer that breaks off is closed just so.
    CallDone {
        /// The call's place.
        key: u64,
    },
    /// The usage so far: takes the place of what was said before.
    Usage(Usage),
    /// Why the model stopped.
    Stop(Stop),
}

/// Tokens of one answer, or of several together. No token is in two of `input`, `cache_read`, `cache_write`
/// and `output`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Read, and neither from the cache nor into it.
    pub input: u64,
    /// Written, what the model thought included.
    pub output: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Read and put into the cache.
    pub cache_write: u64,
    /// How much of `output` the model thought, where the provider tells.
    pub reasoning: u64,
}

impl Usage {
    /// Everything that was read and written.
    pub fn total(self) -> u64 {
        self.context().saturating_add(self.output)
    }

    /// Everything that was read: how long the conversation is by now.
    pub fn context(self) -> u64 {
        let cached = self.cache_read.saturating_add(self.cache_write);
        self.input.saturating_add(cached)
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        add(&mut self.input, other.input);
        add(&mut self.output, other.output);
        add(&mut self.cache_read, other.cache_read);
        add(&mut self.cache_write, other.cache_write);
        add(&mut self.reasoning, other.reasoning);
    }
}

/// Why a model stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It has said what it had to say.
    Done,
    /// It wants calls to be run.
    Calls,
    /// The answer, or the context, is as long as it may be.
    Length,
    /// It will not answer.
    Refused,
    /// The provider held the answer back.
    Filtered,
    /// It has not finished and goes on when it is sent the conversation again, its own message at the end.
    Paused,
    /// Something else, in the provider's word.
    Other(String),
}

impl Stop {
    /// The word for it.
    pub fn as_str(&self) -> &str {
        match self {
            Stop::Done => "done",
            Stop::Calls => "calls",
            Stop::Length => "length",
            Stop::Refused => "refused",
            Stop::Filtered => "filtered",
            Stop::Paused => "paused",
            Stop::Other(word) => word,
        }
    }
}
