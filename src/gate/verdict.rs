//! Stage 3: plan the call, judge the plan, and ask a person where the verdict says so.
//!
//! What was approved is exactly what runs: after a question the call is planned again, and a plan that
//! came out different is judged again.

use super::hooks::Decoded;
use super::run::Run;
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Subject, Verdict};
use crate::tool::{Answer, Context, Facts, Generation, Plan, Question, Tool, Work};

/// How often a plan that changed while somebody was asked is judged again.
const ROUNDS: usize = 3;

/// The plan of a call that may run.
///
/// # Errors
/// What planning says; `denied` or `rejected` by the verdict; `conflict` when it keeps changing.
pub(super) async fn plan(
    run: &Run,
    tool: &dyn Tool,
    decoded: &Decoded,
    context: &Context,
) -> Result<Plan, ToolError> {
    let mut plan = decoded.bound.plan(context).await?;
    for _ in 0..ROUNDS {
        let facts = Facts {
            tool: tool.id(),
            surface: &tool.spec().surface,
            plan: &plan,
            caller: run.scope.caller(),
            args: &decoded.args,
        };
        let mut verdict = run.generation.policy.judge(&run.scope, &facts).await;
        for (action, reason, hook) in &decoded.tightened {
            verdict.tighten(*action, reason, hook);
        }
        if !settle(&verdict, tool.id(), plan.shows(&decoded.args), context).await? {
            return Ok(plan);
        }
        let again = decoded.bound.plan(context).await?;
        if again == plan {
            return Ok(plan);
        }
        plan = again;
    }
    Err(ToolError::conflict(
        "what the call would do kept changing while it was asked about",
    ))
}

/// Judges one more subject in the middle of a call.
///
/// # Errors
/// `denied` or `rejected`.
pub(super) async fn permit(
    generation: &Generation,
    context: &Context,
    subject: Subject,
    reason: String,
) -> Result<(), ToolError> {
    let tool = generation.tools.find(&context.tool)?;
    let shows = format!("{}: {}\n  {reason}", subject.group, subject.text);
    let plan = Plan {
        effect: tool.spec().effect,
        subjects: vec![subject],
        work: Work::None,
    };
    let args = Data::Null;
    let facts = Facts {
        tool: tool.id(),
        surface: &tool.spec().surface,
        plan: &plan,
        caller: context.caller(),
        args: &args,
    };
    let verdict = generation.policy.judge(&context.scope, &facts).await;
    settle(&verdict, &context.tool, shows, context)
        .await
        .map(|_| ())
}

/// Whether somebody was asked; an error when the answer, or the verdict, is no.
async fn settle(
    verdict: &Verdict,
    tool: &str,
    shows: String,
    context: &Context,
) -> Result<bool, ToolError> {
    match verdict.action {
        Action::Allow => return Ok(false),
        Action::Deny => return Err(denied(verdict)),
        Action::Ask => {}
    }
    let question = Question {
        tool: tool.to_owned(),
        reason: verdict.reason.clone(),
        shows,
    };
    let services = &context.services;
    match services.thinking.during(services.human.ask(question)).await {
        Answer::Once => Ok(true),
        Answer::Nobody => Err(denied(verdict)
            .with_detail("unattended", true)
            .with_hint("nobody is there to ask: allow it with a rule, such as `--allow`")),
        Answer::Reject(None) => Err(ToolError::new(Kind::Rejected, "the person said no")),
        Answer::Reject(Some(words)) => {
            let message = format!("the person said no: {words}");
            Err(ToolError::new(Kind::Rejected, message).with_hint("do what they ask instead"))
        }
    }
}

fn denied(verdict: &Verdict) -> ToolError {
    let trace: Vec<serde_json::Value> = verdict
        .trace
        .iter()
        .map(|step| {
            serde_json::json!({
                "source": step.source.as_str(), "rule": step.rule, "action": step.action.as_str(),
            })
        })
        .collect();
    ToolError::new(Kind::Denied, verdict.reason.clone()).with_detail("trace", trace)
}
