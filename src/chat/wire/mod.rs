//! The formats in which models are spoken to, one file each, and what they have in common.
//!
//! A wire writes a request as bytes and reads an answer out of events. It connects to nothing, holds no key and
//! knows no server but by its [`Quirks`].

use std::fmt;
use std::str::FromStr;

use super::{Delta, Event, StreamError};
use crate::text::offer;

/// The format in which a provider is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Responses.
    OpenAi,
    /// OpenAI's Chat Completions, which many others speak.
    OpenAiChat,
    /// Google's Gemini.
    Gemini,
}

/// Reads one answer.
pub trait Decode: Send {
    /// What an event says.
    ///
    /// # Errors
    /// The provider breaks off, or the event is none of the format. The answer is over then.
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, StreamError>;

    /// What is left to say at the end of the stream.
    ///
    /// # Errors
    /// [`StreamError::Cut`] where the answer is not finished.
    fn end(&mut self) -> Result<Vec<Delta>, StreamError>;
}

/// The header that carries the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHeader {
    /// Its name, in lower case.
    pub name: &'static str,
    /// What stands before the key.
    pub prefix: &'static str,
}

impl Wire {
    /// Every format.
    pub const ALL: [Wire; 4] = [
        Wire::Anthropic,
        Wire::OpenAi,
        Wire::OpenAiChat,
        Wire::Gemini,
    ];

    /// The word that `kind` takes.
    pub fn as_str(self) -> &'static str {
        match self {
            Wire::Anthropic => "anthropic",
            Wire::OpenAi => "openai",
            Wire::OpenAiChat => "openai_chat",
            Wire::Gemini => "gemini",
        }
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Wire {
    type Err = String;

    /// # Errors
    /// The formats there are, the nearest first.
    fn from_str(word: &str) -> Result<Wire, String> {
        let found = Wire::ALL.into_iter().find(|wire| wire.as_str() == word);
        found.ok_or_else(|| offer(word, "kinds", Wire::ALL.map(Wire::as_str)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back_and_a_misspelt_one_names_the_nearest() {
        for wire in Wire::ALL {
            assert_eq!(wire.to_string().parse(), Ok(wire));
        }
        let offered = "openai-chat".parse::<Wire>().unwrap_err();
        assert!(offered.contains("openai_chat"), "{offered}");
    }
}
