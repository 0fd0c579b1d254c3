//! Google's Gemini, `streamGenerateContent` with server-sent events:
//! <https://ai.google.dev/api/generate-content>.
//!
//! Calls have no ids: results go back in the order of their calls. A signature goes back on the part it came
//! with; the newest models refuse a call without one.

mod body;
mod decode;

pub(super) use body::body;
pub(super) use decode::Decoder;
