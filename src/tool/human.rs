//! The person, if there is one. Dispatch asks; only a room with a terminal can answer.
//!
//! Where nobody can answer, the answer is `Nobody` at once: no question waits for ever.

use futures_util::future::BoxFuture;

use crate::permission::Reach;

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
    /// What a yes for good would be.
    pub always: Always,
}

/// The yes for good that is offered with a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Always {
    /// The rules that would allow it from then on, each short enough to be shown whole. None: no such yes is
    /// offered.
    pub rules: Vec<String>,
    /// Whether they can be saved, so that they outlive the session.
    pub can_save: bool,
}

/// What the person said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, this once.
    Once,
    /// Yes, and yes to whatever the rules allow that were offered with the question.
    Always(Reach),
    /// No. With words for the caller, if any were given.
    Reject(Option<String>),
    /// Nobody is there to ask.
    Nobody,
}

/// What a script or a tool asks, in words of its own.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The question, whole; the terminal shows it escaped.
    pub text: String,
    /// What would be an answer.
    pub wants: Wants,
}

/// What would be an answer to a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Yes or no. An empty line is the default, if there is one.
    YesNo(Option<bool>),
    /// A line of text. An empty line is the default, if there is one.
    Line {
        /// What an empty line stands for; shown, unless it is secret.
        default: Option<String>,
        /// Whether what is typed is not shown.
        is_secret: bool,
    },
    /// One of these, by number or by its text. An empty line is the default, if there is one.
    Choice {
        /// The texts, in order.
        choices: Vec<String>,
        /// The place of the default, from 0.
        default: Option<usize>,
    },
    /// One of these, by number or by its label, or an answer in words of their own.
    Open {
        /// What there is to choose from, in order.
        choices: Vec<Offer>,
        /// Whether several may be chosen, parted by commas.
        several: bool,
    },
}

/// One thing to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What is chosen.
    pub label: String,
    /// What choosing it means.
    pub about: Option<String>,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Yes or no.
    YesNo(bool),
    /// A line, without its end.
    Line(String),
    /// The place of a choice, from 0.
    Choice(usize),
    /// The places of what was chosen, from 0, in order; at least one.
    Choices(Vec<usize>),
    /// The end of input: the person gives no answer.
    End,
    /// Nobody is there to ask.
    Nobody,
}

/// Somebody who can be asked.
pub trait Human: Send + Sync {
    /// Asks, and waits for the answer without blocking anything else. Questions queue.
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer>;

    /// Asks in words of a script or a tool, and waits as [`Human::ask`] does. Questions of both kinds stand
    /// in one queue.
    fn prompt(&self, prompt: Prompt) -> BoxFuture<'static, Said> {
        let _unasked = prompt;
        Box::pin(std::future::ready(Said::Nobody))
    }

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
