//! The contract between the door and everything behind it: what a tool declares, gets and returns.
//!
//! This room holds types and small traits, no policy and no tool. Where something below the door must
//! reach something above it (the gate itself, a person), the trait it reaches through stands here.

mod account;
mod approved;
mod breaker;
mod budget;
mod call;
mod classifier;
mod command;
mod context;
mod decide;
mod event;
mod gate;
mod generation;
mod guard;
pub mod hidden;
mod hook;
mod human;
mod limits;
mod open;
mod output;
mod payload;
mod plan;
mod profiles;
mod redaction;
mod replacers;
mod scope;
mod selection;
mod services;
mod spec;
mod surfaces;
mod terms;
mod thinking;
mod transaction;
mod truncation;
mod typed;
mod unavailable;
mod unsettled;

pub use account::{Account, Answered, Judged, Reply};
pub use approved::{Approved, News, damage};
pub use breaker::Breaker;
pub use budget::{Budget, Most, Spent};
pub use call::{Arguments, Call, CallId, Destination};
pub use classifier::{Classified, Classifier, Risk};
pub use command::{Command, CommandSpec, Commands, Words};
pub use context::Context;
pub use decide::{Decide, Decided};
pub use event::{Event, Level, Silent, Sink};

pub use crate::process::Stream;
pub use gate::{Gate, Record, Recorder};
pub use generation::{Facts, Generation, Policy, Registry, Withholds};
pub use guard::{Guard, Guarded};
pub use hook::{Failing, Form, Head, Hook, HookReply, Point, Powers};
pub use human::{Always, Answer, Human, Nobody, Prompt, Question, Said, Wants};
pub use limits::Limits;
pub use open::{Adopted, Node};
pub use output::{Attachment, Outcome, Output};
pub use payload::Payload;
pub use plan::{Plan, Work};
pub use profiles::{Choice, Profile, Profiles};
pub use redaction::{Hiding, Redaction};
pub use replacers::{Find, Replacers};
pub use scope::{MAX_NESTING, Scope};
pub use selection::Selection;
pub use services::{Inherited, Services};
pub use spec::{Case, Example, Origin, Span, Spec, Style};
pub use surfaces::{Surface, Surfaces};
pub use terms::{Terms, Words as TermWords};
pub use thinking::Thinking;
pub use transaction::{Ending, Entered, Transaction, in_transaction, known};
pub use truncation::{Allowance, Measure, Truncation};
pub use typed::{Asked, Bound, Shipped, Tool, Typed};
pub use unavailable::Unavailable;
pub use unsettled::Unsettled;
