//! Edits by anchors: lines are named by number and hash, and nothing is searched for. Pure.
//!
//! `anchor` is what a line is called, `batch` checks all edits of a call against one text before any of
//! them counts, `written` puts them there. `marks`, `echo` and `shape` mend what models get wrong in the lines they
//! give; each tells what it did. What cannot be told apart from intent is taken to the letter.

mod anchor;
mod batch;
mod echo;
mod marks;
mod shape;
mod written;

#[cfg(test)]
mod tests;

pub use anchor::{Mark, anchor, marks};
pub use batch::{Edit, Op, Refused, Stale};
pub use written::{Applied, Region, apply, replaced};
