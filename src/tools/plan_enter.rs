//! `plan_enter`: from here on the session plans, and a model only reads.
//!
//! It takes rights away and gives none, so everybody may call it; what ends planning is the person's yes to a plan.

use schemars::JsonSchema;
use serde::Deserialize;

use super::plan_exit::PlanExit;
use crate::error::ToolError;
use crate::permission::Effect;
use crate::tool::{Context, Example, Outcome, Output, Plan, Typed};

/// The tool `plan_enter`.
pub(super) struct PlanEnter;

/// What `plan_enter` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {}

impl Typed for PlanEnter {
    const ID: &'static str = "plan_enter";
    const SURFACE: &'static str = "agent";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Begins to plan: from here on nothing is changed, until the person \
        says yes to a plan. For work that is large, or that can be done in ways which the person should \
        choose between.";
    const ALIASES: &'static [&'static str] = &["EnterPlanMode", "PlanEnter", "enter_plan_mode"];
    const STANDS_ALONE: bool = true;
    const EXAMPLES: &'static [Example] = &[Example {
        about: "Planning begins",
        files: &[],
        args: "{}",
        shows: "call `plan_exit` with it",
    }];

    type Args = Args;

    async fn plan(_: &Args, _: &Context) -> Result<Plan, ToolError> {
        Ok(Plan::read(Vec::new()))
    }

    async fn execute(_: &Args, _: Plan, context: &Context) -> Outcome {
        // What ends it is there from here on.
        if let Some(deferred) = context.scope.deferred() {
            deferred.open([PlanExit::ID.to_owned()]);
        }
        let title = match context.services.planning.begin() {
            true => "planning already",
            false => "planning",
        };
        let next = match context.services.human.is_there() {
            true => {
                "When the plan stands, call `plan_exit` with it: the person reads it and says yes or no."
            }
            false => "Nobody is there to say yes to a plan, so it is the answer: say it and stop.",
        };
        let text = format!(
            "{title}: files are read, commands that only read are run, and nothing else is.\n{next}\n"
        );
        Ok(Output::new(title, text, []))
    }
}
