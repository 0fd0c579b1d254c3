//! Where a server departs from the format it speaks. `models.lua` says so; the default is the format's own.
//!
//! A quirk is a fact about a server, declared by a person. None is guessed from a name or an answer.

use serde::Deserialize;

use crate::data::Map;

/// How one server departs from its format.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Quirks {
    /// `openai_chat`: the field for the most tokens of an answer; `max_completion_tokens` where none is named.
    pub max_tokens_field: Option<String>,
    /// `openai_chat`: the server refuses `stream_options`, so that it tells no usage.
    pub no_stream_usage: bool,
    /// The server refuses to be asked about several calls at once, or cannot make them: none is asked for.
    pub no_parallel_calls: bool,
    /// `openai_chat`: a message's content is one text, never a list of parts; images are left out.
    pub string_content: bool,
    /// `openai_chat`: there is no system role; what it would say is put before the first message of the user.
    pub no_system_role: bool,
    /// `openai_chat`, `openai`: the role of what stands at the head is `developer`.
    pub developer: bool,
    /// The model takes no images: a line of text stands for each.
    pub no_images: bool,
    /// `openai`, `openai_chat`: tools and the shape of an answer are held to strictly. Schemas then list every
    /// property as required and allow no others.
    pub strict_schema: bool,
    /// The shape of an answer is asked for as a call of a tool `answer`, though the format has a word for it.
    pub structure_by_call: bool,
    /// `openai_chat`: the field in which the model's reasoning has to be sent back; it is not, where none is named.
    pub reasoning_field: Option<String>,
    /// How thinking is asked for; the format's present way where nothing is said.
    pub thinking: Option<Thinking>,
    /// Further headers, by name.
    pub headers: std::collections::BTreeMap<String, String>,
    /// Further fields of the body. Tables are merged, all else is replaced.
    pub body: Map,
}

/// How a model is asked to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// It is not asked, whatever the effort.
    Off,
    /// By a word.
    Effort,
    /// By a number of tokens (`anthropic`, `gemini`): what older models take.
    Budget,
}
