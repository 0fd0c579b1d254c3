//! `invalid`: where a call goes that could not be made. It fails, and says what was wrong and what there is.
//!
//! No list names it and no model is offered it; it is there for those that call it all the same.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::ToolError;
use crate::permission::Effect;
use crate::tool::{Context, Example, Outcome, Plan, Typed};

/// The tool `invalid`.
pub(super) struct Invalid;

/// What `invalid` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The tool that was meant
    tool: String,
    /// What was wrong with the call
    error: String,
}

impl Typed for Invalid {
    const ID: &'static str = "invalid";
    const SURFACE: &'static str = "agent";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Says what was wrong with a call. Do not call it.";
    const IS_LISTED: bool = false;
    const EXAMPLES: &'static [Example] = &[Example {
        about: "A call without its path",
        files: &[],
        args: r#"{"tool": "read", "error": "there is no path"}"#,
        shows: "the call of `read` was not made: there is no path",
    }];

    type Args = Args;

    async fn plan(_: &Args, _: &Context) -> Result<Plan, ToolError> {
        Ok(Plan::read(Vec::new()))
    }

    async fn execute(args: &Args, _: Plan, context: &Context) -> Outcome {
        let generation = context.gate.generation();
        let (tool, error) = (&args.tool, args.error.trim());
        let hint = match generation.tools.find(tool) {
            Ok(tool) => {
                let spec = tool.spec();
                format!("call it again as {}{}", spec.id, spec.parameters.compact())
            }
            Err(unknown) => unknown.hint().to_owned(),
        };
        let message = format!("the call of `{tool}` was not made: {error}");
        Err(ToolError::argument(message).with_hint(hint))
    }
}
