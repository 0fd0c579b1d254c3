//! Redaction: secrets in a text become tags, before a model or a log has it. Pure.
//!
//! What is looked for: values that this process holds, in every form they take ([`Secrets`]), and what the
//! [`Rule`]s say. Everything is found line by line, so that a range of a text, or a text that comes in
//! pieces, is redacted as the whole of it is. Nothing is guessed from how random a text looks.

mod block;
mod forms;
mod keywords;
mod redactor;
mod restore;
mod rule;
mod secrets;
mod stream;
mod tag;

pub use redactor::Redactor;
pub use restore::{Known, Lost};
pub use rule::{Reach, Rule};
pub use secrets::Secrets;
pub use stream::Stream;
pub use tag::{Key, as_name, tags};

#[cfg(test)]
mod tests;
