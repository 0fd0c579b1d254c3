//! One message of a conversation, in the words of this program and of no provider.
//!
//! A session keeps messages as they stand here. What only one provider understands travels as [`Opaque`] and is
//! sent back to nobody else.

use serde::{Deserialize, Serialize};

use super::{Arguments, Image};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// This program, in the midst of a conversation; what stands at its head is [`super::Request::system`].
    System,
    /// The person, and what is said on the person's behalf.
    User,
    /// The model.
    Assistant,
    /// Tools: results and nothing else.
    Tool,
}

/// One message: who speaks, and what is said, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub parts: Vec<Part>,
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Text.
    Text {
        /// The text; may be empty only where a provider made it so.
        text: String,
    },
    /// What the model thought before it spoke.
    Reasoning(Reasoning),
    /// An image.
    Image(Image),
    /// A call that the model makes.
    Call(Call),
    /// The result of a call.
    Result(CallResult),
}

/// What the model thought: a readable part, and one that only its provider can read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reasoning {
    /// What can be shown; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What has to go back to the provider unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<Opaque>,
}

/// What one kind of provider made for itself. Each wire sends back its own and leaves out the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Opaque {
    /// `anthropic`: the signature of a thinking block.
    Signature {
        /// The signature.
        data: String,
    },
    /// `anthropic`: a thinking block that is encrypted as a whole.
    Redacted {
        /// The block's data.
        data: String,
    },
    /// `openai`: a reasoning item.
    Encrypted {
        /// The item's id.
        id: String,
        /// The item's encrypted content.
        data: String,
    },
    /// `gemini`: the signature of a part.
    Thought {
        /// The signature.
        data: String,
    },
}

/// A call: one use of a tool that the model asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The call's name in this conversation; no other call has it.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub tool: String,
    /// What the model wrote as arguments.
    pub arguments: Arguments,
    /// Whether the answer broke off before the arguments were whole. Such a call never runs; it has a result
    /// that says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// What has to go back with the call to the provider that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<Opaque>,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallResult {
    /// The call's [`Call::id`].
    pub id: String,
    /// The call's tool.
    pub tool: String,
    /// What the model reads.
    pub text: String,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// Images that belong to the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
}

impl Part {
    /// A part of text.
    pub fn text(text: impl Into<String>) -> Part {
        Part::Text { text: text.into() }
    }
}

/// How many bytes of text an image counts as.
const IMAGE: usize = 6000;

impl Message {
    /// A message of text.
    pub fn text(role: Role, text: impl Into<String>) -> Message {
        let parts = vec![Part::text(text)];
        Message { role, parts }
    }

    /// The results of a step, in the order of their calls.
    pub fn results(results: Vec<CallResult>) -> Message {
        Message {
            role: Role::Tool,
            parts: results.into_iter().map(Part::Result).collect(),
        }
    }

    /// The message's text, its parts one after the other.
    pub fn said(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The calls of the message, in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.parts.iter().filter_map(|part| match part {
            Part::Call(call) => Some(call),
            _ => None,
        })
    }

    /// About how many tokens it is, by its length: four bytes to each.
    pub fn weight(&self) -> u64 {
        let bytes = self.parts.iter().map(|part| match part {
            Part::Text { text } => text.len(),
            Part::Reasoning(reasoning) => reasoning.text.len(),
            Part::Image(_) => IMAGE,
            Part::Call(call) => call.arguments.as_str().len() + 60,
            Part::Result(result) => result.text.len() + IMAGE * result.images.len() + 40,
        });
        bytes.sum::<usize>() as u64 / 4 + 4
    }

    /// The results in the message, in order.
    pub fn answers(&self) -> impl Iterator<Item = &CallResult> {
        self.parts.iter().filter_map(|part| match part {
            Part::Result(result) => Some(result),
            _ => None,
        })
    }
}
