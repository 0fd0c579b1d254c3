//! Stages 2 and 5: what hooks see, what they may change, and what their failing means.
//!
//! A hook that fails before a call refuses it; one that fails after a call is logged and the result
//! stands. A rewrite is checked again. A hook never fires for calls that it causes itself.

use std::sync::Arc;

use super::run::{Run, as_event};
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::permission::Action;
use crate::schema;
use crate::tool::{Bound, Guard, Hook, HookReply, Level, Outcome, Output, Point, Tool};

/// Decoded arguments, bound to their tool, and what the hooks had to say.
pub(super) struct Decoded {
    pub(super) args: Arc<Data>,
    pub(super) bound: Box<dyn Bound>,
    /// Tightenings by hooks: action, reason, name of the hook.
    pub(super) tightened: Vec<(Action, String, String)>,
}

/// Runs the before-hooks in order.
///
/// # Errors
/// `denied` when a hook fails; `argument` when a rewrite is wrong.
pub(super) async fn before(
    run: &Run,
    tool: &dyn Tool,
    args: Arc<Data>,
) -> Result<Decoded, ToolError> {
    let bound = tool.bind(&args)?;
    let mut decoded = Decoded {
        args,
        bound,
        tightened: Vec::new(),
    };
    for hook in hooks_at(run, Point::ToolBefore) {
        let event = Data::Map(as_event(run, tool, &decoded.args));
        let reply = fire(run, hook, event)
            .await
            .map_err(|error| refused(hook, error))?;
        let rewritten = reply
            .event
            .get("args")
            .filter(|args| **args != *decoded.args);
        if let Some(args) = rewritten {
            let args = check_again(tool, args).map_err(|error| misled(hook, error))?;
            decoded.bound = tool.bind(&args).map_err(|error| misled(hook, error))?;
            decoded.args = args;
        }
        if let Some((action, reason)) = reply.verdict {
            decoded.tightened.push((action, reason, hook.name()));
        }
    }
    Ok(decoded)
}

/// Runs the after-hooks in order over a result or an error; only a result can be rewritten.
///
/// # Errors
/// The error that came in.
pub(super) async fn after(
    run: &Run,
    tool: &dyn Tool,
    args: &Data,
    mut outcome: Outcome,
) -> Result<Output, ToolError> {
    for hook in hooks_at(run, Point::ToolAfter) {
        let mut event = as_event(run, tool, args);
        describe(&outcome, &mut event);
        match fire(run, hook, Data::Map(event)).await {
            Ok(reply) => outcome = outcome.map(|output| rewrite(output, &reply.event)),
            Err(error) => {
                let line = format!(
                    "the hook {} failed and was passed over: {error}",
                    hook.name()
                );
                run.dispatch.services.sink.log(Level::Warn, line);
            }
        }
    }
    outcome
}

fn hooks_at(run: &Run, point: Point) -> impl Iterator<Item = &Arc<dyn Hook>> {
    run.generation
        .hooks
        .iter()
        .filter(move |hook| hook.point() == point && !run.scope.is_inside_hook(hook.id()))
}

async fn fire(run: &Run, hook: &Arc<dyn Hook>, event: Data) -> Result<HookReply, ToolError> {
    let scope = run.scope.hook(hook.id())?;
    let _guard = Guard::new(Arc::clone(scope.node()));
    hook.run(&scope, event).await
}

fn check_again(tool: &dyn Tool, args: &Data) -> Result<Arc<Data>, ToolError> {
    let spec = tool.spec();
    schema::prepare(args.clone(), &spec.parameters, &spec.parameter_aliases).map(Arc::new)
}

/// What a hook that says no means: its own words where it has a kind for them, else that it is broken.
fn refused(hook: &Arc<dyn Hook>, error: ToolError) -> ToolError {
    let is_fault = matches!(
        error.kind,
        Kind::Failed | Kind::Internal | Kind::Timeout | Kind::Resource | Kind::Unavailable
    );
    if !is_fault {
        return error;
    }
    let message = format!(
        "the hook {} failed, so the call was refused: {error}",
        hook.name()
    );
    let hint = error
        .hint
        .unwrap_or_else(|| "mend or remove the hook".to_owned());
    ToolError::new(Kind::Denied, message).with_hint(hint)
}

fn misled(hook: &Arc<dyn Hook>, error: ToolError) -> ToolError {
    let message = format!(
        "the hook {} rewrote the arguments: {}",
        hook.name(),
        error.message
    );
    ToolError { message, ..error }
}

fn describe(outcome: &Outcome, event: &mut Map) {
    match outcome {
        Ok(output) => {
            event.insert("output".to_owned(), output.text.as_str().into());
            event.insert("title".to_owned(), output.title.as_str().into());
            event.insert("metadata".to_owned(), output.metadata.clone().into());
        }
        Err(error) => {
            let error = Data::map([
                ("kind", error.kind.as_str().into()),
                ("message", error.message.as_str().into()),
            ]);
            event.insert("error".to_owned(), error);
        }
    }
}

fn rewrite(mut output: Output, event: &Data) -> Output {
    if let Some(text) = event.get("output").and_then(Data::as_str) {
        text.clone_into(&mut output.text);
    }
    if let Some(title) = event.get("title").and_then(Data::as_str) {
        title.clone_into(&mut output.title);
    }
    if let Some(metadata) = event.get("metadata").and_then(Data::as_map) {
        output.metadata.clone_from(metadata);
    }
    output
}
