//! What happens in a turn, told as it happens. Who listens changes nothing and must not block.
//! It is data for a line of JSON or for a screen; nothing is decided by who hears it.

use serde::Serialize;

use crate::error::Kind;

/// One thing that happened. With `-o jsonl` each is a line, its name in the field `type`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type")]
pub enum Happened {
    /// A session begins, or goes on.
    #[serde(rename = "session")]
    Session {
        /// Its id.
        id: String,
        /// The model, as `provider/model`.
        model: String,
    },
    /// A turn begins.
    #[serde(rename = "turn.start")]
    TurnStart,
    /// The model says more.
    #[serde(rename = "text")]
    Text {
        /// What.
        text: String,
    },
    /// The model thinks more.
    #[serde(rename = "reasoning")]
    Reasoning {
        /// What, as far as it is shown.
        text: String,
    },
    /// A call is about to be made.
    #[serde(rename = "call.start")]
    CallStart {
        /// The model's id of it.
        id: String,
        /// The tool's name as the model wrote it.
        tool: String,
        /// The arguments as the model wrote them.
        arguments: String,
    },
    /// A call says what it does, or how far it is.
    #[serde(rename = "call.progress")]
    CallProgress {
        /// The model's id of it.
        id: String,
        /// One line.
        text: String,
    },
    /// A call has its result.
    #[serde(rename = "call.end")]
    CallEnd {
        /// The model's id of it.
        id: String,
        /// The tool's name as the model wrote it.
        tool: String,
        /// Whether it worked.
        ok: bool,
        /// The kind of its error.
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<Kind>,
    },
    /// A call needed a yes, and nobody was there to give it.
    #[serde(rename = "ask")]
    Ask {
        /// The model's id of it.
        id: String,
        /// The tool's name as the model wrote it.
        tool: String,
        /// What it was about.
        subject: String,
        /// Why it was asked.
        reason: String,
    },
    /// A turn is over.
    #[serde(rename = "turn.end")]
    TurnEnd {
        /// How.
        status: &'static str,
        /// How many requests it took.
        steps: u64,
    },
}

/// Who listens.
pub trait Hear: Send + Sync {
    /// Takes note.
    fn hear(&self, happened: &Happened);
}

/// Nobody listens.
pub struct Deaf;

impl Hear for Deaf {
    fn hear(&self, _happened: &Happened) {}
}
