//! What a tool takes: declared once, and from it the JSON Schema, the signature in help, the check of
//! arguments, and the options of a script. Pure.
//!
//! A declaration comes from a Rust struct, from the short form that Lua uses, or from a JSON Schema;
//! all three become [`Parameters`]. Arguments are put in order by [`prepare`] and then either decoded
//! into the tool's struct ([`decode`]) or checked against the schema ([`Checker`]). Nothing is
//! guessed: what is not certain is refused with the path of the value.

mod args;
mod check;
mod decode;
mod derived;
mod help;
mod param;
mod parameters;
mod prepare;
mod short;
mod words;

pub use args::{Parsed, parse_args};
pub use check::Checker;
pub use decode::decode;
pub use parameters::Parameters;
pub use prepare::{prepare, prepare_some};
pub use short::ShortForm;
