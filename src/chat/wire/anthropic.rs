//! Anthropic's Messages: <https://docs.anthropic.com/en/api/messages>.
//!
//! Results stand first in the message after their calls; thinking goes back with its signature or not at all;
//! at most four cache marks: tools, system, and the last two messages of the user.

mod body;
mod decode;
mod message;

pub(super) use body::{beta, body};
pub(super) use decode::Decoder;
