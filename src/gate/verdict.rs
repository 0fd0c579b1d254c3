//! Stage 3: plan the call, judge the plan, and have a person asked where the verdict says so.
//!
//! What was approved is exactly what runs: after a question the call is planned again, and a plan that
//! came out different is judged again. What would happen is written out only where somebody is asked.

use std::sync::Arc;

use super::always;
use super::ask::ask;
use super::hooks::Decoded;
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Source, Subject, Verdict};
use crate::tool::{Context, Facts, Plan, Tool, Work};

/// How often a plan that changed while somebody was asked is judged again.
const ROUNDS: usize = 3;

/// The plan of a call that may run, and whether somebody was asked about it.
///
/// # Errors
/// What planning says; `denied` or `rejected` by the verdict; `conflict` when it keeps changing.
pub(super) async fn plan(
    tool: &dyn Tool,
    decoded: &Decoded,
    context: &Context,
) -> Result<(Plan, bool), ToolError> {
    let mut plan = decoded.bound.plan(context).await?;
    for _ in 0..ROUNDS {
        let mut verdict = judged(tool, &plan, &decoded.args, context).await;
        for (action, reason) in &decoded.tightened {
            verdict.tighten(*action, reason.as_str(), Source::Hook);
        }
        context.account.judged(&plan, &verdict);
        if !is_asked(&verdict)? {
            return Ok((plan, false));
        }
        let args = Arc::clone(&decoded.args);
        let write_out = move || {
            let shows = plan.shows(&args);
            Ok((plan, shows))
        };
        let (asked, shows) = context.blocking(write_out).await?;
        let facts = facts(tool, &asked, &decoded.args, context);
        ask(verdict, shows, tool, &facts, context).await?;
        let again = decoded.bound.plan(context).await?;
        if again == asked {
            return Ok((again, true));
        }
        plan = again;
    }
    Err(ToolError::conflict(
        "what the call would do kept changing while it was asked about",
    ))
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
    let mut approved = context.services.approved.rules(context.caller());
    let facts = facts(tool, plan, args, context);
    let by_session = Facts {
        approved: &approved,
        ..facts
    };
    let verdict = policy.judge(&context.scope, &by_session).await;
    if verdict.action != Action::Ask || !always::can_be_lifted(&verdict) {
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
        args,
        approved: &[],
    }
}

/// Whether somebody must be asked; an error when the verdict is no.
fn is_asked(verdict: &Verdict) -> Result<bool, ToolError> {
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
