//! What a person, a model and its tools say to each other, and how each provider spells it. Pure: bytes in,
//! values out; nothing is connected to, waited for or run here.
//!
//! A [`Request`] becomes a body through a [`Wire`]; the bytes that come back become events ([`Events`]), the
//! events deltas ([`Decode`]), and the deltas one [`Message`] ([`Gather`]). Whatever the provider sends, each
//! call is in that message exactly once, under an id that no other call of the conversation bears.

mod arguments;
mod delta;
mod failure;
mod gather;
mod image;
mod message;
pub mod pairs;
mod price;
mod quirks;
mod request;
mod sse;
mod wire;

pub use arguments::Arguments;
pub use delta::{Delta, Stop, Usage};
pub use failure::{Failure, FailureKind, StreamError};
pub use gather::{Gather, Gathered};
pub use image::Image;
pub use message::{Call, CallResult, Message, Opaque, Part, Reasoning, Role};
pub use price::Prices;
pub use quirks::{Quirks, Thinking};
pub use request::{Choice, Effort, Offered, Request, Structure};
pub use sse::{Event, Events};
pub use wire::{Decode, KeyHeader, Wire, lay_header};
