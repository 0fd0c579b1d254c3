//! OpenAI's Responses: <https://platform.openai.com/docs/api-reference/responses>.
//!
//! Nothing is stored at the provider: what the model thought comes back encrypted and is sent again with the
//! next request, before what followed from it.

mod body;
mod decode;
mod item;

pub(super) use body::body;
pub(super) use decode::Decoder;
