//! What to try where a call was refused: for a person what stands in the way and where to change it, for a model
//! what to do instead.
//!
//! It reads the trace of the verdict and decides nothing. A refusal that says itself what to try keeps its words.

use serde_json::Value;

use crate::error::{Kind, ToolError};
use crate::permission::{Action, Caller, Source};

/// What refused a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// A rule of this source.
    Rule(Source),
    /// What a surface keeps its tools to.
    Limit,
    /// The mode.
    Mode,
    /// A hook, by what it returned or raised.
    Hook,
    /// Nobody says.
    Other,
}

/// The error with a hint that fits who reads it, where it is a refusal without one.
pub(super) fn fitting(error: ToolError, caller: Caller, is_planning: bool) -> ToolError {
    if error.hint.is_some() {
        return error;
    }
    let hint = match (error.kind, caller) {
        (Kind::Denied, Caller::User) => for_a_person(by(&error)),
        (Kind::Denied, Caller::Model) => match by(&error) {
            By::Mode if is_planning => PLANNING,
            by => for_a_model(by),
        },
        (Kind::Rejected, Caller::User) => "nothing was done: call it again to be asked again",
        _ => return error,
    };
    error.with_hint(hint)
}

/// What a model does in the place of what it may not do while it plans.
const PLANNING: &str = "this is planning: look around, then call `plan_exit` with the plan";

fn for_a_person(by: By) -> &'static str {
    match by {
        By::Rule(Source::CommandLine) => {
            "leave that --deny out, or make it narrower: no --allow outweighs a deny"
        }
        By::Rule(Source::Environment) => {
            "change the variable AGENT_PERMISSION: no --allow outweighs a deny"
        }
        By::Rule(Source::ProjectInstructions) => {
            "change the rule in the project's AGENTS.md or CLAUDE.md: no --allow outweighs a deny"
        }
        By::Rule(_) => {
            "change the rule where it stands (`agent permissions list` shows that): no --allow outweighs a deny"
        }
        By::Limit => "widen the limit in the file that is named: no rule outweighs it",
        By::Mode => {
            "choose another mode (`agent permissions list` shows who names this one); in `dont_ask` an --allow helps, too"
        }
        By::Hook => "mend what the hook objects to, or the hook itself: no rule outweighs it",
        By::Other => "change what refuses it, as the message names it",
    }
}

fn for_a_model(by: By) -> &'static str {
    match by {
        By::Rule(_) => "do not retry: do without it, or ask the person to change the rule",
        By::Limit => "do not retry: keep to what the surface is limited to, or ask the person",
        By::Mode => "do not retry: say what you would do, or ask the person for another mode",
        By::Hook => "do not retry it as it is: heed what the hook says, or ask the person",
        By::Other => Kind::Denied.hint(),
    }
}

/// Of all that refused, the strongest.
fn by(error: &ToolError) -> By {
    let detail = error.detail.as_deref();
    if detail.is_some_and(|detail| detail.contains_key("hook")) {
        return By::Hook;
    }
    let steps = detail.and_then(|detail| detail.get("trace")?.as_array());
    let steps = steps.into_iter().flatten();
    let denies = steps.filter(|step| step["action"] == Action::Deny.as_str());
    let named = denies.filter_map(|step| Some((source(step)?, step["rule"].as_str()?)));
    match named.max_by_key(|(source, _)| *source) {
        None => By::Other,
        Some((Source::Hook, _)) => By::Hook,
        Some((Source::Mode, _)) => By::Mode,
        // No name of a rule has a space in it.
        Some((_, rule)) if rule.starts_with("surface ") => By::Limit,
        Some((source, _)) => By::Rule(source),
    }
}

fn source(step: &Value) -> Option<Source> {
    let mut all = Source::ALL.into_iter();
    all.find(|source| step["source"] == source.as_str())
}
