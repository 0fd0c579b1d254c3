//! The yes for good: which rules a question offers for it, and what becomes of one that was given.
//!
//! Only what can be shown whole is offered, and nothing for what is critical or asked about by a hook, nor for a
//! command that gets variables or input with the call: no rule says what those are. Which rules they are that
//! would do, `permission` says.

use std::sync::Arc;

use crate::permission::{Action, Approval, Reach, Rule, Source, Step, Verdict};
use crate::text::one_line;
use crate::tool::{Always, Context, Facts, Level, Tool};

use super::verdict;

/// A longer rule is read by nobody.
const LONGEST: usize = 120;

/// What is offered with the question about a call.
pub(super) fn offer(judged: &Verdict, facts: &Facts<'_>, context: &Context) -> Always {
    if !can_be_lifted(judged) || facts.plan.is_given(facts.args) {
        return Always::default();
    }
    let rules = context.generation.policy.keeping(facts);
    let is_shown = |rule: &String| rule.chars().count() <= LONGEST && one_line(rule) == *rule;
    match rules.iter().all(is_shown) {
        true => Always {
            rules,
            can_save: context.services.approved.can_save(),
        },
        false => Always::default(),
    }
}

/// Whether an approval could answer in the person's place.
pub(super) fn can_be_lifted(judged: &Verdict) -> bool {
    let by_hook = |step: &Step| step.source == Source::Hook && step.action == Action::Ask;
    judged.warning.is_none() && !judged.trace.iter().any(by_hook)
}

/// Takes the yes for good that was given to what was offered.
pub(super) async fn give(reach: Reach, offered: Always, facts: &Facts<'_>, context: &Context) {
    let rules = offered.rules.iter();
    let rules = rules.filter_map(|rule| Rule::parse(rule, Action::Allow, Source::Session).ok());
    let caller = facts.caller;
    let approvals: Vec<Approval> = rules
        .map(|rule| Approval {
            rule,
            reach,
            caller,
        })
        .collect();
    let approved = Arc::clone(&context.services.approved);
    let now = (context.services.clock)();
    let given = context
        .blocking(move || approved.give(approvals, now))
        .await;
    if let Err(error) = given {
        let line = format!("the approval holds in this session only: {error}");
        context.services.sink.log(Level::Warn, line);
    }
}

/// Whether the approvals there are now let the call through that was asked about.
pub(super) async fn lifts(
    judged: &Verdict,
    tool: &dyn Tool,
    facts: &Facts<'_>,
    context: &Context,
) -> bool {
    can_be_lifted(judged) && {
        let again = verdict::judged(tool, facts.plan, facts.args, context).await;
        again.action == Action::Allow
    }
}

/// What the person approved beside the rules of the policy and outside of this session.
pub(super) async fn saved(context: &Context) -> Vec<Rule> {
    let services = &context.services;
    if !services.approved.can_save() {
        return Vec::new();
    }
    let (approved, caller) = (Arc::clone(&services.approved), context.caller());
    match context.blocking(move || approved.saved_rules(caller)).await {
        Ok((rules, lines)) => {
            for line in lines {
                services.sink.log(Level::Warn, line);
            }
            rules
        }
        Err(error) => {
            let line = format!("the saved approvals cannot be read, so none holds: {error}");
            services.sink.log(Level::Warn, line);
            Vec::new()
        }
    }
}
