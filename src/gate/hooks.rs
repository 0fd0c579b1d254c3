//! Stages 2 and 5 of a call: what the hooks before and after it see, and what becomes of their changes.
//!
//! A rewrite is checked again, hook by hook, so that a wrong one is put down to the hook that made it.
//! Arguments and results move through the event: they are not copied for each hook.

use std::sync::Arc;

use super::definition::Taken;
use super::fire::{Firing, as_it_is};
use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::permission::Action;
use crate::tool::{Bound, Context, Outcome, Output, Point, Tool};

/// Decoded arguments, bound to their tool, and what the hooks had to say.
pub(super) struct Decoded {
    pub(super) args: Arc<Data>,
    pub(super) bound: Box<dyn Bound>,
    /// Tightenings by hooks: action, and the reason with the name of the hook.
    pub(super) tightened: Vec<(Action, String)>,
}

/// Runs the before-hooks in order.
///
/// # Errors
/// What is wrong with the arguments; a hook's refusal; `failed` when a hook is broken, or rewrote them to
/// something invalid.
pub(super) async fn before(
    context: &Context,
    taken: &Taken<'_>,
    args: Data,
) -> Result<Decoded, ToolError> {
    let (args, mut bound) = taken.bind(args)?;
    let firing = Firing::in_call(Point::ToolBefore, taken.tool, context);
    if !firing.is_heard() {
        let tightened = Vec::new();
        return Ok(Decoded {
            args,
            bound,
            tightened,
        });
    }
    let accept = |event: &mut Map, mut changed: Map| {
        let Some(args) = changed.remove("args") else {
            return Ok(());
        };
        let (args, again) = taken.bind(taken.complete(args)?)?;
        bound = again;
        event.insert("args".to_owned(), owned(args));
        Ok(())
    };
    let event = event(context, taken.tool, owned(args));
    let mut fired = firing.run(event, accept).await?;
    Ok(Decoded {
        args: Arc::new(fired.event.remove("args").unwrap_or_default()),
        bound,
        tightened: fired.said,
    })
}

/// Runs the after-hooks in order over a result or an error; only a result can be rewritten.
///
/// # Errors
/// The error that came in.
pub(super) async fn after(
    context: &Context,
    tool: &dyn Tool,
    args: Arc<Data>,
    outcome: Outcome,
) -> Outcome {
    let firing = Firing::in_call(Point::ToolAfter, tool, context);
    if !firing.is_heard() {
        return outcome;
    }
    let mut event = event(context, tool, owned(args));
    let mut output = match outcome {
        Ok(mut output) => {
            event.insert("title".to_owned(), std::mem::take(&mut output.title).into());
            event.insert("output".to_owned(), std::mem::take(&mut output.text).into());
            let metadata = std::mem::take(&mut output.metadata);
            event.insert("metadata".to_owned(), metadata.into());
            output
        }
        Err(error) => {
            let told = Data::map([
                ("kind", error.kind.as_str().into()),
                ("message", error.message.as_str().into()),
            ]);
            event.insert("error".to_owned(), told);
            let refuse = |_: &mut Map, _| Err(ToolError::argument(NO_RESULT));
            firing.run(event, refuse).await?;
            return Err(error);
        }
    };
    let fired = firing.run(event, as_it_is).await?;
    give_back(&mut output, fired.event);
    Ok(output)
}

/// What a hook is told that changes the result of a call which has none.
const NO_RESULT: &str = "the call failed, so there is no result to change";

/// The call as a hook sees it.
pub(super) fn event(context: &Context, tool: &dyn Tool, args: Data) -> Map {
    let named = |name: &str, value: &str| (name.to_owned(), Data::from(value));
    Map::from([
        named("call", &context.call.to_string()),
        named("tool", tool.id()),
        named("surface", context.generation.surface_of(tool)),
        named("caller", context.caller().as_str()),
        ("args".to_owned(), args),
    ])
}

/// The value itself where nobody else holds it, else a copy.
fn owned(data: Arc<Data>) -> Data {
    Arc::unwrap_or_clone(data)
}

/// Moves what the event holds of a result into the result.
fn give_back(output: &mut Output, mut event: Map) {
    if let Some(Data::Text(text)) = event.remove("output") {
        output.text = text;
    }
    if let Some(Data::Text(title)) = event.remove("title") {
        output.title = title;
    }
    if let Some(Data::Map(metadata)) = event.remove("metadata") {
        output.metadata = metadata;
    }
}
