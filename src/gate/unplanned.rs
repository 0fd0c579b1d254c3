//! A call that cannot be planned: why is told only to who may change what it is about, and read it.
//!
//! Planning looks at files before anybody has judged the call. A failure that named a file as missing, as a folder, as
//! too large, would tell what is there; so it is held back until the verdict, and is the same denial for all of them.

use super::ask::ask;
use super::hooks::Decoded;
use super::verdict::{facts, is_asked, judged, tightened};
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Group, Subject};
use crate::tool::{Context, Plan, Tool};

/// What the caller is told of `error`, which planning the call came to: it, or that the call is refused.
pub(super) async fn told(
    error: ToolError,
    tool: &dyn Tool,
    decoded: &Decoded,
    context: &Context,
) -> ToolError {
    if error.kind == Kind::Cancelled {
        return error;
    }
    // What can be no path tells of no file.
    let Ok(Some(about)) = tool.about(&decoded.args, context).await else {
        return error;
    };
    match refused(about, tool, decoded, context).await {
        Ok(()) => error,
        Err(refused) => refused,
    }
}

/// Whether the call is denied, or what it is about may not be read, of which its failure would tell something. Where
/// reading is asked about, the question is the one about the call, as if it could be made.
async fn refused(
    about: Plan,
    tool: &dyn Tool,
    decoded: &Decoded,
    context: &Context,
) -> Result<(), ToolError> {
    let call = tightened(tool, &about, decoded, context).await;
    let read = Plan::read(about.subjects.iter().map(source).collect());
    let reading = judged(tool, &read, &decoded.args, context).await;
    let (verdict, plan) = match (call.action, reading.action) {
        (Action::Deny, _) => (call, about),
        (_, Action::Allow) => return Ok(()),
        (Action::Ask, Action::Ask) => (call, about),
        _ => (reading, read),
    };
    context.account.judged(&plan, &verdict);
    is_asked(&verdict)?;
    let facts = facts(tool, &plan, &decoded.args, context);
    let shows = plan.shows(&decoded.args);
    ask(verdict, shows, tool, &facts, context).await
}

/// The same thing, were it only read.
fn source(subject: &Subject) -> Subject {
    Subject {
        group: Group::Read,
        removed: false,
        ..subject.clone()
    }
}
