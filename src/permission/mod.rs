//! Permission: who may do what, decided from facts that others have gathered. Pure.
//!
//! A [`Request`] and the [`Rule`]s go in, a [`Verdict`] with its trace comes out. No path is
//! resolved here, nobody is asked and nothing is run: real paths arrive with the [`Subject`]s.
//! Where something cannot be decided the answer is `ask`, and a deny is matched as widely as the
//! text allows.

mod approval;
mod beneath;
mod block;
mod bounds;
mod caller;
mod command;
mod critical;
mod denied;
mod doubt;
mod effect;
mod facts;
mod glob;
mod judge;
mod keep;
mod keeping;
mod lifting;
mod limit;
mod mode;
mod protected;
mod repetition;
mod rule;
mod scan;
mod segments;
mod shell;
mod slip;
mod source;
mod subject;
mod touched;
mod unruled;
mod verdict;

pub use approval::{Approval, Reach};
pub use block::Block;
pub use bounds::Bounds;
pub use caller::Caller;
pub use command::Command;
pub use critical::INSTRUCTIONS;
pub use denied::denied;
pub use doubt::Doubt;
pub use effect::Effect;
pub use glob::Glob;
pub use judge::{Request, concerns, judge};
pub use keeping::keeping;
pub use lifting::lifting;
pub use limit::{Limit, Limited};
pub use mode::{Mode, Modes};
pub use repetition::{REMEMBERED, repetition};
pub use rule::{Action, Rule};
pub use shell::{Depth, Guess, Line, Operand, Simple, read_line};
pub use slip::{Ground, slip};
pub use source::Source;
pub use subject::{Group, Subject};
pub use touched::Touch;
pub use verdict::{Step, Verdict};
