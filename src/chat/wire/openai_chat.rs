//! OpenAI's Chat Completions, and everything that speaks them:
//! <https://platform.openai.com/docs/api-reference/chat>.
//!
//! Results are text only: images of a result follow in a message of the user. Servers differ most here, so that
//! the decoder takes what it can certainly read, and quirks say the rest.

mod body;
mod calls;
mod decode;
mod message;

pub(super) use body::{body, held_to, shape, word};
pub(super) use decode::Decoder;
