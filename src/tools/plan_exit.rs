//! `plan_exit`: the person reads the plan, and their yes ends planning.
//!
//! It ends what `plan_enter` began and nothing else: the profile that holds stays, and so does a mode that the person
//! chose. Without a yes planning goes on.

use schemars::JsonSchema;
use serde::Deserialize;

use super::awaited::awaited;
use crate::error::{Kind, ToolError};
use crate::permission::Effect;
use crate::tool::{
    Always, Answer, Answered, Context, Example, Outcome, Output, Plan, Question, Reply, Scope,
    Services, Typed,
};

/// The profile that plans from beginning to end.
const PROFILE: &str = "plan";

/// The tool `plan_exit`.
pub(super) struct PlanExit;

/// What `plan_exit` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The plan, whole, as the person is to read it
    plan: String,
}

impl Typed for PlanExit {
    const ID: &'static str = "plan_exit";
    const SURFACE: &'static str = "agent";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Shows the plan to the person. Their yes ends planning, and the work \
        begins; with a no planning goes on.";
    const ALIASES: &'static [&'static str] = &["ExitPlanMode", "PlanExit", "exit_plan_mode"];
    const STANDS_ALONE: bool = true;
    const EXAMPLES: &'static [Example] = &[Example {
        about: "A plan of two steps",
        files: &[],
        args: r#"{"plan": "1. a test that fails\n2. the loop begins at 1"}"#,
        shows: "the plan is approved",
    }];

    type Args = Args;

    fn offered(scope: &Scope, services: &Services) -> Result<(), ToolError> {
        if services.planning.is_on() || scope.profile() == Some(PROFILE) {
            return Ok(());
        }
        Err(
            ToolError::new(Kind::Unavailable, "nothing is being planned")
                .with_hint("do the work; `plan_enter` begins to plan"),
        )
    }

    async fn plan(args: &Args, _: &Context) -> Result<Plan, ToolError> {
        match args.plan.trim().is_empty() {
            true => Err(ToolError::argument("plan: expected the plan, got no text")),
            false => Ok(Plan::read(Vec::new())),
        }
    }

    async fn execute(args: &Args, _: Plan, context: &Context) -> Outcome {
        let question = Question {
            tool: PlanExit::ID.to_owned(),
            warning: None,
            reason: "this is the plan; a yes lets it be carried out".to_owned(),
            shows: args.plan.trim().to_owned(),
            always: Always::default(),
        };
        let answer = awaited(|human| human.ask(question), context).await;
        let (reply, outcome) = match answer {
            Answer::Once | Answer::Always(_) => (Reply::Once, Ok(approved(context))),
            Answer::Reject(words) => (Reply::No, Err(rejected(words, context))),
            Answer::Nobody => (Reply::Nobody, Err(unattended())),
        };
        context.account.answered(Answered {
            about: vec![PlanExit::ID.to_owned()],
            reply,
            rules: Vec::new(),
        });
        outcome
    }
}

fn approved(context: &Context) -> Output {
    context.services.planning.end();
    let next = match context.scope.profile() == Some(PROFILE) {
        true => {
            "This profile changes nothing: the plan is the answer, for whoever carries it out under another profile."
        }
        false => "Carry it out now.",
    };
    let title = "the plan is approved";
    Output::new(title, format!("{title}\n{next}\n"), [])
}

/// That the person said no: with words planning goes on with them, without any the turn is over.
fn rejected(words: Option<String>, context: &Context) -> ToolError {
    match words {
        None => {
            context.services.approved.refuse();
            ToolError::new(Kind::Rejected, "the person said no to the plan")
                .with_hint("planning goes on; wait for what they say")
                .with_detail("ends_turn", true)
        }
        Some(words) => {
            let message = format!("the person said no to the plan: {words}");
            ToolError::new(Kind::Rejected, message).with_hint(
                "planning goes on: change the plan as they ask, then call `plan_exit` again",
            )
        }
    }
}

fn unattended() -> ToolError {
    ToolError::new(Kind::Denied, "nobody is there to say yes to the plan")
        .with_hint("planning goes on: give the plan as the answer, and stop")
        .with_detail("unattended", true)
}
