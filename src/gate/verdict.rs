//! Stage 3: plan the call, judge the plan, and have a person asked where the verdict says so.
//!
//! What was approved is exactly what runs: a yes is bound to what was asked about, and right before the call runs it
//! is planned again and compared. What would happen is written out only where somebody is asked.

use std::sync::Arc;

use super::always;
use super::ask::ask;
use super::hooks::Decoded;
use super::unplanned;
use super::yes::Yes;
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Source, Subject, Verdict};
use crate::tool::{Context, Facts, Plan, Tool, Work};

/// The plan of a call that may run; with the yes that it needs, where somebody was asked about it.
///
/// # Errors
/// What planning says, to who may know it; `denied` or `rejected` by the verdict.
pub(super) async fn plan(
    tool: &dyn Tool,
    decoded: &Decoded,
    context: &Context,
) -> Result<(Plan, Option<Yes>), ToolError> {
    let plan = match decoded.bound.plan(context).await {
        Ok(plan) => plan,
        Err(error) => return Err(unplanned::told(error, tool, decoded, context).await),
    };
    let verdict = tightened(tool, &plan, decoded, context).await;
    context.account.judged(&plan, &verdict);
    if !is_asked(&verdict)? {
        return Ok((plan, None));
    }
    let (args, inner) = (Arc::clone(&decoded.args), context.clone());
    let write_out = move || {
        let (shows, yes) = (plan.shows(&args), Yes::to(&plan, &args, &inner));
        Ok((plan, shows, yes))
    };
    let (plan, shows, yes) = context.blocking(write_out).await?;
    let facts = facts(tool, &plan, &decoded.args, context);
    ask(verdict, shows, tool, &facts, context).await?;
    Ok((plan, Some(yes)))
}

/// The plan of the call as it is now, if it is the one that `yes` was said to.
///
/// # Errors
/// What planning says.
pub(super) async fn as_approved(
    yes: Yes,
    decoded: &Decoded,
    context: &Context,
) -> Result<Option<Plan>, ToolError> {
    let plan = decoded.bound.plan(context).await?;
    let (args, inner) = (Arc::clone(&decoded.args), context.clone());
    let compare = move || {
        let is_same = Yes::to(&plan, &args, &inner) == yes;
        Ok(is_same.then_some(plan))
    };
    context.blocking(compare).await
}

/// The verdict on a planned call, with what hooks said of it.
pub(super) async fn tightened(
    tool: &dyn Tool,
    plan: &Plan,
    decoded: &Decoded,
    context: &Context,
) -> Verdict {
    let mut verdict = judged(tool, plan, &decoded.args, context).await;
    context.services.breaker.heard(&verdict);
    for (action, reason) in &decoded.tightened {
        verdict.tighten(*action, reason.as_str(), Source::Hook);
    }
    verdict
}

/// What the policy and the person's approvals say of a planned call: of one that is made, and of one that is
/// only asked about. Saved approvals are looked at where it would be asked about.
pub(super) async fn judged(
    tool: &dyn Tool,
    plan: &Plan,
    args: &Data,
    context: &Context,
) -> Verdict {
    let policy = &context.generation.policy;
    // What a command is given besides its words no approval speaks about.
    let is_given = plan.is_given(args);
    let mut approved = match is_given {
        true => Vec::new(),
        false => context.services.approved.rules(context.caller()),
    };
    let facts = facts(tool, plan, args, context);
    let by_session = Facts {
        approved: &approved,
        ..facts
    };
    let verdict = policy.judge(&context.scope, &by_session).await;
    if verdict.action != Action::Ask || is_given || !always::can_be_lifted(&verdict) {
        return verdict;
    }
    let saved = always::saved(context).await;
    if saved.is_empty() {
        return verdict;
    }
    approved.extend(saved);
    let by_all = Facts {
        approved: &approved,
        ..facts
    };
    policy.judge(&context.scope, &by_all).await
}

/// Judges one more subject in the middle of a call.
///
/// # Errors
/// `denied` or `rejected`.
pub(super) async fn permit(
    context: &Context,
    subject: Subject,
    reason: String,
) -> Result<(), ToolError> {
    let tool = &context.running;
    let subject = match subject.group.as_str() == tool.id() {
        true => subject,
        false => subject.beside(),
    };
    let shows = format!("{}: {}\n  {reason}", subject.group, subject.text);
    let plan = Plan {
        effect: tool.spec().effect,
        subjects: vec![subject],
        work: Work::None,
        note: Data::Null,
    };
    let verdict = judged(&**tool, &plan, &Data::Null, context).await;
    context.services.breaker.heard(&verdict);
    context.account.asked_for_more(&plan, &verdict);
    let facts = facts(&**tool, &plan, &Data::Null, context);
    match is_asked(&verdict)? {
        true => ask(verdict, shows, &**tool, &facts, context).await,
        false => Ok(()),
    }
}

pub(super) fn facts<'a>(
    tool: &'a dyn Tool,
    plan: &'a Plan,
    args: &'a Data,
    context: &'a Context,
) -> Facts<'a> {
    let [surface, declared] = context.surfaces();
    Facts {
        tool: tool.id(),
        surface,
        declared,
        plan,
        caller: context.caller(),
        profile: context.scope.profile(),
        terms: context.scope.terms().map(|terms| &**terms),
        is_planning: context.services.planning.is_on(),
        args,
        approved: &[],
        unclassified: context.services.breaker.opened(),
    }
}

/// Whether somebody must be asked; an error when the verdict is no.
pub(super) fn is_asked(verdict: &Verdict) -> Result<bool, ToolError> {
    match verdict.action {
        Action::Allow => Ok(false),
        Action::Ask => Ok(true),
        Action::Deny => Err(denied(verdict)),
    }
}

/// That the verdict is no, with everything that had a say in it.
pub(super) fn denied(verdict: &Verdict) -> ToolError {
    let trace: Vec<serde_json::Value> = verdict
        .trace
        .iter()
        .map(|step| {
            serde_json::json!({
                "source": step.source.as_str(), "rule": step.rule, "action": step.action.as_str(),
            })
        })
        .collect();
    ToolError::new(Kind::Denied, &*verdict.reason).with_detail("trace", trace)
}
