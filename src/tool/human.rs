//! The person, if there is one. Dispatch asks; only a room with a terminal can answer.
//!
//! Where nobody can answer, the answer is `Nobody` at once: no question waits for ever.

use futures_util::future::BoxFuture;

/// What a person is asked: exactly what would run or change.
#[derive(Clone, Debug)]
pub struct Question {
    /// The tool's id.
    pub tool: String,
    /// What is critical about it, if anything is: to be shown first.
    pub warning: Option<String>,
    /// Why it is asked.
    pub reason: String,
    /// What would happen: a command, a diff, the arguments. Whole; the terminal shows it escaped.
    pub shows: String,
}

/// What the person said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, this once.
    Once,
    /// No. With words for the caller, if any were given.
    Reject(Option<String>),
    /// Nobody is there to ask.
    Nobody,
}

/// Somebody who can be asked.
pub trait Human: Send + Sync {
    /// Asks, and waits for the answer without blocking anything else. Questions queue.
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer>;

    /// Whether an answer is waited for at all.
    fn is_there(&self) -> bool {
        true
    }
}

/// Nobody is there: every question is answered at once with [`Answer::Nobody`].
pub struct Nobody;

impl Human for Nobody {
    fn ask(&self, _question: Question) -> BoxFuture<'static, Answer> {
        Box::pin(std::future::ready(Answer::Nobody))
    }

    fn is_there(&self) -> bool {
        false
    }
}
