//! `batch`: several calls in one. Each of them goes through the door by itself: it is judged, hooked and recorded as if
//! it had been made alone, with the batch around it.
//!
//! The batch does nothing of its own, so its effect is `read`. What may run beside what is not decided here.

use std::sync::Arc;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::permission::Effect;
use crate::text::counted;
use crate::tool::{
    Arguments, Call, Context, Destination, Example, Next, Outcome, Output, Plan, Scope, Typed,
};

/// The most calls of one batch.
const MOST: usize = 25;

/// The tool `batch`.
pub(super) struct Batch;

/// What `batch` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The calls, 25 at most, in the order of their results
    calls: Vec<One>,
}

/// One call of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct One {
    /// The name of the tool
    #[serde(alias = "name", alias = "tool_name", alias = "recipient_name")]
    tool: String,
    /// What it takes, by name
    #[serde(default, alias = "parameters", alias = "args", alias = "input")]
    #[schemars(with = "Option<std::collections::BTreeMap<String, serde_json::Value>>")]
    arguments: Data,
}

impl One {
    /// The arguments as the door takes them; `None` for what are none.
    fn arguments(&self) -> Option<Arguments> {
        match &self.arguments {
            Data::Map(map) => Some(Arguments::Named(map.clone())),
            Data::Text(text) => Some(Arguments::Json(text.clone())),
            Data::Null => Some(Arguments::Named(Map::new())),
            Data::List(list) if list.is_empty() => Some(Arguments::Named(Map::new())),
            _ => None,
        }
    }
}

impl Typed for Batch {
    const ID: &'static str = "batch";
    const SURFACE: &'static str = "agent";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Makes several calls that do not need each other's results. \
        Neighbouring calls that only read run together, any other waits for those before it, and a command \
        that fails takes back those after it. No batch inside of a batch.";
    const ALIASES: &'static [&'static str] = &["Batch", "multi_tool_use.parallel", "parallel"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("tool_calls", "calls"),
        ("tool_uses", "calls"),
        ("invocations", "calls"),
    ];
    const FIELDS: &'static [&'static str] = &["ends_turn"];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "Two looks at once",
        files: &[("a.txt", "alpha\n"), ("b.txt", "beta\n")],
        args: r#"{"calls": [
            {"tool": "read", "arguments": {"path": "a.txt"}},
            {"tool": "grep", "arguments": {"pattern": "be"}}]}"#,
        shows: "[2 grep]",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        check(&args.calls, context)?;
        Ok(Plan::read(Vec::new()))
    }

    fn makes(args: &Data) -> Vec<(String, Arguments)> {
        let calls = Args::deserialize(args).map(|args| args.calls);
        let calls = calls.unwrap_or_default().into_iter();
        let named = calls.filter_map(|one| one.arguments().map(|args| (one.tool, args)));
        named.collect()
    }

    async fn execute(args: &Args, _: Plan, context: &Context) -> Outcome {
        let outcomes = run(&args.calls, context).await?;
        Ok(told(&args.calls, outcomes))
    }
}

/// Whether the calls can be made at all.
///
/// # Errors
/// `argument`: none, too many, one that is a batch, arguments that are none.
fn check(calls: &[One], context: &Context) -> Result<(), ToolError> {
    if calls.is_empty() || calls.len() > MOST {
        let message = format!("calls: expected 1 to {MOST} calls, got {}", calls.len());
        return Err(ToolError::argument(message).with_hint("nothing was run; make several batches"));
    }
    let generation = context.gate.generation();
    for (at, one) in calls.iter().enumerate() {
        let place = format!("calls[{}]", at + 1);
        let tool = generation.tools.get(&one.tool);
        if tool.is_some_and(|tool| tool.id() == Batch::ID) {
            let message = format!("{place}.tool: a batch holds no other batch");
            return Err(ToolError::argument(message)
                .with_hint("nothing was run; put the calls of both into one list"));
        }
        if one.arguments().is_none() {
            let got = one.arguments.got();
            let message = format!("{place}.arguments: expected values by name, got {got}");
            return Err(ToolError::argument(message));
        }
    }
    Ok(())
}

/// Makes the calls, each as soon as its neighbours let it; their results in the order of the calls.
///
/// # Errors
/// `cancelled`.
async fn run(calls: &[One], context: &Context) -> Result<Vec<Outcome>, ToolError> {
    // What has to be opened before it is called has to be here, too.
    let scope = match context.scope.deferred() {
        Some(deferred) => context.scope.deferring(Arc::clone(deferred))?,
        None => context.scope.clone(),
    };
    let scope = &scope;
    let generation = context.gate.generation();
    let mut batch = crate::tool::Batch::default();
    for one in calls {
        let arguments = one.arguments();
        let arguments = arguments.unwrap_or_else(|| Arguments::Named(Map::new()));
        batch.add(generation.weigh(&one.tool, &arguments, &context.services.files));
    }
    let mut outcomes: Vec<Option<Outcome>> = calls.iter().map(|_| None).collect();
    let (mut running, mut done) = (FuturesUnordered::new(), 0);
    loop {
        while let Some(next) = batch.pick() {
            match next {
                Next::Start(at) => {
                    running.push(async move { (at, call(&calls[at], scope, context).await) })
                }
                Next::TakeBack(at, by) => outcomes[at] = Some(Err(taken_back(&calls[by].tool))),
            }
        }
        let Some((at, outcome)) = running.next().await else {
            break;
        };
        batch.ended(at, generation.breaks(&calls[at].tool, &outcome));
        outcomes[at] = Some(outcome);
        done += 1;
        context.progress(done, Some(calls.len() as u64), calls[at].tool.as_str());
    }
    let outcomes = outcomes.into_iter();
    let missing = || Err(ToolError::internal("a call of a batch has no result"));
    Ok(outcomes.map(|one| one.unwrap_or_else(missing)).collect())
}

/// Makes one of the calls.
async fn call(one: &One, scope: &Scope, context: &Context) -> Outcome {
    let call = Call {
        tool: one.tool.clone(),
        arguments: one.arguments().ok_or_else(ToolError::cancelled)?,
        // Control characters become visible once, in the text of the whole.
        destination: match context.destination {
            Destination::Person => Destination::Program,
            other => other,
        },
    };
    let gate = Arc::clone(&context.gate);
    gate.call(scope, call).await
}

fn taken_back(by: &str) -> ToolError {
    let message =
        format!("the command before it in the same batch failed (`{by}`), so it was not run");
    ToolError::new(Kind::Cancelled, message)
        .with_hint("look at what the command says, then call it again if it is still wanted")
}

/// Whether the person wants no more of this turn.
fn ends_turn(error: &ToolError) -> bool {
    let detail = error.detail.as_deref();
    detail.is_some_and(|detail| detail.contains_key("ends_turn"))
}

/// The results as one.
fn told(calls: &[One], outcomes: Vec<Outcome>) -> Output {
    let failed = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    let title = match failed {
        0 => counted(calls.len(), "call"),
        failed => format!("{}, {failed} failed", counted(calls.len(), "call")),
    };
    let ends_turn = outcomes
        .iter()
        .filter_map(|outcome| outcome.as_ref().err())
        .any(ends_turn);
    let (mut text, mut facts, mut attachments) = (format!("{title}\n"), Vec::new(), Vec::new());
    for (at, (one, outcome)) in calls.iter().zip(outcomes).enumerate() {
        let kind = outcome.as_ref().err().map(|error| error.kind.as_str());
        facts.push(Data::map([
            ("tool", one.tool.as_str().into()),
            ("ok", kind.is_none().into()),
            ("kind", kind.into()),
        ]));
        let said = match outcome {
            Ok(output) => {
                attachments.extend(output.attachments);
                output.text
            }
            Err(error) => {
                let (kind, hint) = (error.kind, error.hint());
                format!("error ({kind}): {}\ntry: {hint}", error.message)
            }
        };
        text.push_str(&format!(
            "\n[{} {}]\n{}\n",
            at + 1,
            one.tool,
            said.trim_end_matches('\n')
        ));
    }
    let mut output = Output::new(title.clone(), text, [("calls", facts.into())]);
    if ends_turn {
        output.metadata.insert("ends_turn".to_owned(), true.into());
    }
    Output {
        attachments,
        ..output.led_by(format!("{title}\n"))
    }
}
