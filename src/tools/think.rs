//! `think`: a thought, written down. Nothing happens: it stands in the conversation, and in its record.
//!
//! Nothing of it is kept anywhere else.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::ToolError;
use crate::permission::Effect;
use crate::tool::{Context, Example, Outcome, Output, Plan, Typed};

/// The tool `think`.
pub(super) struct Think;

/// What `think` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The thought
    thought: String,
}

impl Typed for Think {
    const ID: &'static str = "think";
    const SURFACE: &'static str = "agent";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Writes a thought down, and does nothing else. For what is worth \
        working out between two steps: what a result means, which of several ways to take.";
    const ALIASES: &'static [&'static str] = &["Think", "sequential_thinking"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] =
        &[("thoughts", "thought"), ("text", "thought")];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "Weighing two ways",
        files: &[],
        args: r#"{"thought": "The test fails before the parser runs, so the fault is in the fixture."}"#,
        shows: "noted",
    }];

    type Args = Args;

    async fn plan(_: &Args, _: &Context) -> Result<Plan, ToolError> {
        Ok(Plan::read(Vec::new()))
    }

    async fn execute(args: &Args, _: Plan, _: &Context) -> Outcome {
        let thought = ("thought", args.thought.as_str().into());
        Ok(Output::new("a thought", "noted", [thought]))
    }
}
