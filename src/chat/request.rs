//! What a model is asked: everything a wire needs to write one body, and nothing about where it goes.
//!
//! The same request always becomes the same bytes, and a request with more messages becomes the same bytes with
//! more of them: providers bill a repeated beginning for less.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Message;

/// One step: what the model is to answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The model's name as its provider knows it.
    pub model: String,
    /// What stands at the head of the conversation, in blocks: the most lasting first.
    pub system: Vec<String>,
    /// The conversation. Every call in it has its result in the message after it.
    pub messages: Vec<Message>,
    /// The tools the model may call, in the order they are offered: those that were found in the midst of the
    /// conversation stand last.
    pub tools: Vec<Offered>,
    /// The shape the answer must have.
    pub structure: Option<Structure>,
    /// Most tokens of the answer; `None` leaves it to the provider (`anthropic` must be told: 8,192 then).
    pub max_output: Option<u32>,
    /// How hard the model is to think; `None` leaves it to the provider.
    pub effort: Option<Effort>,
    /// Whether the provider is to keep the beginning for the next request, where it must be told.
    pub cache: bool,
    /// Which tools the model may or must call.
    pub choice: Choice,
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered {
    /// The tool's id. Each wire has a name for it that providers take.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Its parameters as JSON Schema: an object.
    pub schema: Value,
    /// Whether it was found in the midst of the conversation: what stands before it is as it was without it.
    pub found: bool,
}

/// The shape an answer must have.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// A name of letters, digits, `_` and `-`; some providers ask for one.
    pub name: String,
    /// The JSON Schema.
    pub schema: Value,
}

/// Which tools the model may or must call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// As it sees fit.
    #[default]
    Auto,
    /// None, though they are offered.
    Never,
    /// One at least.
    Any,
    /// This one.
    Tool(String),
}

/// How hard the model is to think, in the words providers use. A word that a provider lacks becomes its nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Not at all.
    None,
    /// As little as it can.
    Minimal,
    /// A little.
    Low,
    /// As usual.
    Medium,
    /// Much.
    High,
    /// More than that.
    Xhigh,
    /// As much as it can.
    Max,
}

impl Effort {
    /// Every effort, the least first.
    pub const ALL: [Effort; 7] = [
        Effort::None,
        Effort::Minimal,
        Effort::Low,
        Effort::Medium,
        Effort::High,
        Effort::Xhigh,
        Effort::Max,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Effort::None => "none",
            Effort::Minimal => "minimal",
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
            Effort::Xhigh => "xhigh",
            Effort::Max => "max",
        }
    }
}

impl FromStr for Effort {
    type Err = String;

    /// # Errors
    /// The efforts there are, the nearest first.
    fn from_str(word: &str) -> Result<Effort, String> {
        let found = Effort::ALL.into_iter().find(|one| one.as_str() == word);
        found.ok_or_else(|| crate::text::offer(word, "efforts", Effort::ALL.map(Effort::as_str)))
    }
}

impl Request {
    /// A request that offers nothing and asks for nothing in particular.
    pub fn new(model: impl Into<String>, messages: Vec<Message>) -> Request {
        Request {
            model: model.into(),
            system: Vec::new(),
            messages,
            tools: Vec::new(),
            structure: None,
            max_output: None,
            effort: None,
            cache: true,
            choice: Choice::Auto,
        }
    }
}
