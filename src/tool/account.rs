//! What was decided about one call, as far as it has come: for its record, which is written whatever happens.
//!
//! It holds what rules were matched against and what they said, never arguments or results.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Plan, Work};
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Effect, Reach, Source, Step, Subject, Verdict};

/// What was judged, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What the call would do; `None` where it was refused before that was known.
    pub effect: Option<Effect>,
    /// What rules were matched against.
    pub subjects: Vec<Subject>,
    /// The command line as it would run, and the real path of the folder it would run in.
    pub command: Option<(String, String)>,
    /// The verdict.
    pub action: Action,
    /// Why, in one sentence.
    pub reason: Cow<'static, str>,
    /// Everything that had a say; empty where nobody said so.
    pub trace: Vec<Step>,
    /// The questions that it led to, in order.
    pub answers: Vec<Answered>,
}

/// A question about a call, and what came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The groups that it was about; the tool's id where there was none.
    pub about: Vec<String>,
    /// What came back.
    pub reply: Reply,
    /// The rules that a yes for good was given to.
    pub rules: Vec<String>,
}

/// What came back to a question about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The person said yes, for once.
    Once,
    /// The person said yes for good.
    Always(Reach),
    /// A yes for good to another call answered it.
    Approval,
    /// The person said no, to this call or to another one that refused it too.
    No,
    /// Nobody was there.
    Nobody,
}

impl Reply {
    /// The word that the audit log uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Reply::Once => "once",
            Reply::Always(reach) => reach.as_str(),
            Reply::Approval => "approval",
            Reply::No => "no",
            Reply::Nobody => "nobody",
        }
    }
}

impl Judged {
    fn of(plan: &Plan, verdict: &Verdict) -> Judged {
        let command = match &plan.work {
            Work::Command { line, cwd } => {
                Some((line.clone(), cwd.real.to_string_lossy().into_owned()))
            }
            _ => None,
        };
        Judged {
            effect: Some(plan.effect),
            subjects: plan.subjects.clone(),
            command,
            action: verdict.action,
            reason: verdict.reason.clone(),
            trace: verdict.trace.clone(),
            answers: Vec::new(),
        }
    }

    /// A refusal before anything was planned; `None` for any other error.
    fn refused(error: &ToolError) -> Option<Judged> {
        let detail = error.detail.as_deref();
        let is_by_hook = detail.is_some_and(|detail| detail.contains_key("hook"));
        let reason = Cow::from(error.message.clone());
        let step = is_by_hook.then(|| Step {
            source: Source::Hook,
            rule: reason.clone(),
            action: Action::Deny,
        });
        (error.kind == Kind::Denied).then(|| Judged {
            effect: None,
            subjects: Vec::new(),
            command: None,
            action: Action::Deny,
            trace: step.into_iter().collect(),
            answers: Vec::new(),
            reason,
        })
    }

    /// Adds what the call asked for besides.
    fn extend(&mut self, more: Judged) {
        self.subjects.extend(more.subjects);
        let is_new = |step: &Step| !self.trace.contains(step);
        let steps: Vec<Step> = more.trace.into_iter().filter(is_new).collect();
        self.trace.extend(steps);
        if more.action > self.action {
            (self.action, self.reason) = (more.action, more.reason);
        }
    }

    /// What decided: of all that said what the verdict says, the strongest.
    pub fn decided(&self) -> Option<&Step> {
        let said = self.trace.iter().filter(|step| step.action == self.action);
        said.max_by_key(|step| step.source)
    }
}

/// The account of one call. It is filled while the call goes on, and read when it ends.
#[derive(Debug, Default)]
pub struct Account(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    planned: Option<Judged>,
    more: Option<Judged>,
    answers: Vec<Answered>,
}

impl Account {
    /// The call was planned and judged; what was said of an earlier plan of it is void.
    pub fn judged(&self, plan: &Plan, verdict: &Verdict) {
        self.lock().planned = Some(Judged::of(plan, verdict));
    }

    /// Beside its plan the call asked for more.
    pub fn asked_for_more(&self, plan: &Plan, verdict: &Verdict) {
        let more = Judged::of(plan, verdict);
        match &mut self.lock().more {
            Some(before) => before.extend(more),
            none => *none = Some(more),
        }
    }

    /// Somebody was asked about the call.
    pub fn answered(&self, answered: Answered) {
        self.lock().answers.push(answered);
    }

    /// What the call was about, as rules saw it: its command, else the first thing; `None` where it did not come to that.
    pub fn subject(&self) -> Option<String> {
        let held = self.lock();
        let judged = held.planned.as_ref().or(held.more.as_ref())?;
        let command = judged.command.as_ref().map(|(line, _)| line.clone());
        command.or_else(|| Some(judged.subjects.first()?.text.clone()))
    }

    /// What is to be recorded of a call that ends with `error`, if it does.
    pub fn close(&self, error: Option<&ToolError>) -> Option<Judged> {
        let Held {
            planned,
            more,
            answers,
        } = std::mem::take(&mut *self.lock());
        let judged = match (planned, more) {
            (Some(mut planned), Some(more)) => {
                planned.extend(more);
                Some(planned)
            }
            (planned, more) => planned.or(more),
        };
        let judged = judged.or_else(|| error.and_then(Judged::refused));
        judged.map(|judged| Judged { answers, ..judged })
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
