//! The formats in which models are spoken to, one file each, and what they have in common.
//!
//! A wire writes a request as bytes and reads an answer out of events. It connects to nothing, holds no key and
//! knows no server but by its [`Quirks`].

mod address;
mod answer;
mod anthropic;
mod event;
mod failure;
mod gemini;
mod gemini_schema;
mod naming;
mod openai;
mod openai_chat;
mod strict;

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};

pub use address::lay_header;

use super::{Delta, Event, Failure, Quirks, Request, StreamError};
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

    /// Where a request goes: the provider's address with the path of the format.
    pub fn url(self, base_url: &str, request: &Request) -> String {
        address::url(self, base_url, &request.model)
    }

    /// The headers of a request but the one that carries the key, names in lower case, each once.
    pub fn headers(self, request: &Request, quirks: &Quirks) -> Vec<(String, String)> {
        address::headers(self, request, quirks)
    }

    /// The header that carries the key.
    pub fn key_header(self) -> KeyHeader {
        address::key_header(self)
    }

    /// The body of a request. The same request gives the same bytes; one that has only more messages differs
    /// only inside the list of messages (where `anthropic` moves its cache marks on) and behind it. Tools that were
    /// found in the midst of the conversation stand behind the others, whose bytes stay as they are; what follows the
    /// tools only moves on, since no format takes a tool anywhere else.
    pub fn body(self, request: &Request, quirks: &Quirks) -> Vec<u8> {
        let mut body = match self {
            Wire::Anthropic => anthropic::body(request, quirks),
            Wire::OpenAi => openai::body(request, quirks),
            Wire::OpenAiChat => openai_chat::body(request, quirks),
            Wire::Gemini => gemini::body(request, quirks),
        };
        for (key, value) in &quirks.body {
            if let Ok(value) = serde_json::to_value(value) {
                merge(&mut body, key, value);
            }
        }
        Value::Object(body).to_string().into_bytes()
    }

    /// What reads the answer to `request`.
    pub fn decoder(self, request: &Request, quirks: &Quirks) -> Box<dyn Decode> {
        let decoder: Box<dyn Decode> = match self {
            Wire::Anthropic => Box::<anthropic::Decoder>::default(),
            Wire::OpenAi => Box::<openai::Decoder>::default(),
            Wire::OpenAiChat => Box::<openai_chat::Decoder>::default(),
            Wire::Gemini => Box::<gemini::Decoder>::default(),
        };
        let decoder = naming::decoder(request, decoder);
        answer::decoder(self, request, quirks, decoder)
    }

    /// What a provider said instead of an answer: any status that is not 200, or a body that is no stream.
    pub fn failure(self, status: u16, content_type: Option<&str>, body: &[u8]) -> Failure {
        failure::read(status, content_type, body)
    }
}

/// A field of the body that a server wants besides: tables are merged, all else is replaced.
fn merge(body: &mut Map<String, Value>, key: &str, value: Value) {
    match (body.get_mut(key), value) {
        (Some(Value::Object(old)), Value::Object(new)) => {
            for (key, value) in new {
                merge(old, &key, value);
            }
        }
        (_, value) => {
            body.insert(key.to_owned(), value);
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
mod tests;
