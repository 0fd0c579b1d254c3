//! A model that makes the same call again and again: the call that closes the circle is asked about before it runs.
//!
//! Only a model's own calls are looked at, and only finished ones count: one that was refused or cancelled has not
//! run, and one that is open has no result yet. Nothing but hashes is kept, and those only as long as they have a say.

use std::sync::{Mutex, PoisonError};

use super::ask::ask;
use super::verdict::{denied, facts, judged};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Effect, Group, REMEMBERED, Subject, repetition};
use crate::store::Hash;
use crate::tool::{CallId, Context, Outcome, Output, Plan, Tool, Work};

/// Facts of a result that differ each time though nothing else does: how long it took, and where its whole text is.
const PASSING: [&str; 2] = ["duration", "spill"];

/// How many bytes a text has at most that is a fact and no content.
const SHORT: usize = 256;

/// The finished calls of one session, in the order they were made: what was called, and what came of it.
#[derive(Default)]
pub(super) struct DoomLoop(Mutex<Vec<(CallId, (Hash, Hash))>>);

/// A call that may run, and will have a say once it has its result.
pub(super) struct Counted<'a> {
    all: &'a DoomLoop,
    id: CallId,
    call: Hash,
}

impl DoomLoop {
    /// Asks whether the call may run, where it closes a circle. Nothing to count where no circle is looked for.
    ///
    /// # Errors
    /// `denied` or `rejected`.
    pub(super) async fn pass(
        &self,
        tool: &dyn Tool,
        args: &Data,
        context: &Context,
    ) -> Result<Option<Counted<'_>>, ToolError> {
        if !context.scope.is_models_own() || tool.spec().polls {
            return Ok(None);
        }
        let Some(call) = called(tool, args) else {
            return Ok(None);
        };
        if let Some(length) = self.closes(&call) {
            question(length, tool, args, context).await?;
        }
        let id = context.call;
        Ok(Some(Counted {
            all: self,
            id,
            call,
        }))
    }

    fn closes(&self, call: &Hash) -> Option<usize> {
        let done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let done: Vec<(Hash, Hash)> = done.iter().map(|(_, done)| *done).collect();
        repetition(&done, call)
    }
}

impl Counted<'_> {
    /// Remembers what came of the call. Calls that ran side by side stand in the order they were made.
    pub(super) fn ended(self, outcome: &Outcome) {
        let Some(result) = came_of_it(outcome) else {
            return;
        };
        let mut done = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = done.partition_point(|(id, _)| *id < self.id);
        done.insert(at, (self.id, (self.call, result)));
        if done.len() > REMEMBERED {
            done.remove(0);
        }
    }
}

/// Has the repetition judged, and somebody asked about it where the verdict says so.
async fn question(
    length: usize,
    tool: &dyn Tool,
    args: &Data,
    context: &Context,
) -> Result<(), ToolError> {
    let plan = Plan {
        effect: Effect::Read,
        subjects: vec![Subject::name(Group::DoomLoop, tool.id())],
        work: Work::None,
        note: Data::Null,
    };
    let mut verdict = judged(tool, &plan, args, context).await;
    verdict.reason = format!("{}; {}", told(length, tool.id()), verdict.reason).into();
    context.account.asked_for_more(&plan, &verdict);
    match verdict.action {
        Action::Allow => Ok(()),
        Action::Deny => Err(denied(&verdict).with_hint(ADVICE)),
        Action::Ask => {
            let shows = plan.shows(args);
            let facts = facts(tool, &plan, args, context);
            ask(verdict, shows, tool, &facts, context).await
        }
    }
}

/// What a caller that repeats itself can do.
const ADVICE: &str = "change the arguments, do something else, or say what is in the way";

fn told(length: usize, tool: &str) -> String {
    match length {
        1 => format!(
            "`{tool}` is called for the third time in a row, each time with the same result"
        ),
        length => format!(
            "the last {length} calls repeat for the third time, each time with the same results; \
             `{tool}` would be the last of them"
        ),
    }
}

/// The call: the tool and its arguments, complete and in the order of their names.
fn called(tool: &dyn Tool, args: &Data) -> Option<Hash> {
    let call = serde_json::to_vec(&(tool.id(), args)).ok()?;
    Some(Hash::of(&call))
}

/// What came of a call, as far as it tells one result from another; `None` where it never ran.
fn came_of_it(outcome: &Outcome) -> Option<Hash> {
    let said = match outcome {
        Ok(output) => serde_json::to_vec(&whole(output)).ok()?,
        Err(error) => match error.kind {
            Kind::Cancelled | Kind::Denied | Kind::Rejected => return None,
            kind => format!("{kind} {}", error.message).into_bytes(),
        },
    };
    Some(Hash::of(&said))
}

/// What a model gets of a result, and the short facts beside it. The first lines of a text that say how a command
/// ended say how long it took too, and the facts say the rest of them.
fn whole(output: &Output) -> impl serde::Serialize {
    let text = output.text.get(output.lead_bytes()..).unwrap_or_default();
    let is_short = |data: &Data| match data {
        Data::Text(text) => text.len() <= SHORT,
        Data::Null | Data::Bool(_) | Data::Int(_) | Data::Float(_) => true,
        Data::Bytes(_) | Data::List(_) | Data::Map(_) => false,
    };
    let facts = output.metadata.iter();
    let facts = facts
        .map(|(name, fact)| (name.as_str(), fact))
        .filter(|(name, fact)| is_short(fact) && !PASSING.contains(name));
    let attached = output.attachments.iter();
    let attached = attached.map(|one| (one.mime.as_str(), Hash::of(&one.bytes).to_string()));
    (
        text,
        facts.collect::<Vec<_>>(),
        attached.collect::<Vec<_>>(),
    )
}
