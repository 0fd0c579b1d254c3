//! What was decided about one call, as far as it has come: for its record, which is written whatever happens.
//!
//! It holds what rules were matched against and what they said, never arguments or results.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Plan, Work};
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Effect, Source, Subject, Verdict};

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
    /// Where the verdict came from; `None` where nobody said so.
    pub source: Option<Source>,
    /// The rule that decided, or what spoke in its place.
    pub rule: Cow<'static, str>,
    /// Why, in one sentence.
    pub reason: Cow<'static, str>,
}

impl Judged {
    fn of(plan: &Plan, verdict: &Verdict) -> Judged {
        let said = verdict
            .trace
            .iter()
            .filter(|step| step.action == verdict.action);
        let decided = said.max_by_key(|step| step.source);
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
            source: decided.map(|step| step.source),
            rule: decided.map(|step| step.rule.clone()).unwrap_or_default(),
            reason: verdict.reason.clone(),
        }
    }

    /// A refusal before anything was planned; `None` for any other error.
    fn refused(error: &ToolError) -> Option<Judged> {
        let detail = error.detail.as_deref();
        let is_by_hook = detail.is_some_and(|detail| detail.contains_key("hook"));
        (error.kind == Kind::Denied).then(|| Judged {
            effect: None,
            subjects: Vec::new(),
            command: None,
            action: Action::Deny,
            source: is_by_hook.then_some(Source::Hook),
            rule: Cow::default(),
            reason: error.message.clone().into(),
        })
    }
}

/// The account of one call. It is filled while the call goes on, and read when it ends.
#[derive(Debug, Default)]
pub struct Account(Mutex<Option<Judged>>);

impl Account {
    /// The call was planned and judged; what was said of an earlier plan of it is void.
    pub fn judged(&self, plan: &Plan, verdict: &Verdict) {
        *self.lock() = Some(Judged::of(plan, verdict));
    }

    /// In its middle the call asked for more.
    pub fn asked_for_more(&self, plan: &Plan, verdict: &Verdict) {
        let more = Judged::of(plan, verdict);
        let mut held = self.lock();
        *held = Some(match held.take() {
            None => more,
            Some(first) => {
                let subjects = [first.subjects.clone(), more.subjects.clone()].concat();
                let stricter = match more.action > first.action {
                    true => more,
                    false => first.clone(),
                };
                Judged {
                    effect: first.effect,
                    command: first.command,
                    subjects,
                    ..stricter
                }
            }
        });
    }

    /// What is to be recorded of a call that ends with `error`, if it does.
    pub fn close(&self, error: Option<&ToolError>) -> Option<Judged> {
        let judged = self.lock().take();
        judged.or_else(|| error.and_then(Judged::refused))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Judged>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
