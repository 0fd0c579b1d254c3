//! Stages 2 and 5: what hooks see, what they may change, and what their failing means.
//!
//! A hook that fails before a call refuses it; one that fails after a call is logged and the result
//! stands. A rewrite is checked again. A hook never fires for calls that it causes itself. Arguments and
//! results move through the event: they are not copied for each hook.

use std::sync::Arc;

use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::Action;
use crate::schema;
use crate::tool::{Bound, Context, Guard, Hook, HookReply, Level, Outcome, Output, Point, Tool};

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
/// `denied` when a hook fails; `argument` when a rewrite is wrong.
pub(super) async fn before(
    context: &Context,
    tool: &dyn Tool,
    args: Arc<Data>,
) -> Result<Decoded, ToolError> {
    let bound = tool.bind(&args)?;
    let mut decoded = Decoded {
        args,
        bound,
        tightened: Vec::new(),
    };
    for hook in hooks_at(context, Point::ToolBefore) {
        let event = Arc::new(event(context, tool, decoded.args));
        let reply = fire(context, hook, Arc::clone(&event))
            .await
            .map_err(|error| refused(hook, error))?;
        let given = taken(&mut owned(event), "args").unwrap_or_default();
        let mut answered = reply.event;
        decoded.args = match taken(&mut answered, "args").filter(|args| *args != given) {
            Some(args) => {
                let args = check_again(tool, args).map_err(|error| misled(hook, error))?;
                decoded.bound = tool.bind(&args).map_err(|error| misled(hook, error))?;
                args
            }
            None => Arc::new(given),
        };
        if let Some((action, reason)) = reply.verdict {
            let reason = format!("{reason} ({})", hook.name());
            decoded.tightened.push((action, reason));
        }
    }
    Ok(decoded)
}

/// Runs the after-hooks in order over a result or an error; only a result can be rewritten.
///
/// # Errors
/// The error that came in.
pub(super) async fn after(
    context: &Context,
    tool: &dyn Tool,
    mut args: Arc<Data>,
    mut outcome: Outcome,
) -> Result<Output, ToolError> {
    for hook in hooks_at(context, Point::ToolAfter) {
        let mut event = event(context, tool, args);
        describe(&mut outcome, &mut event);
        let event = Arc::new(event);
        let fired = fire(context, hook, Arc::clone(&event)).await;
        let mut event = owned(event);
        args = Arc::new(taken(&mut event, "args").unwrap_or_default());
        if let Ok(output) = &mut outcome {
            give_back(output, event);
        }
        match fired {
            Ok(reply) => {
                if let Ok(output) = &mut outcome {
                    give_back(output, reply.event);
                }
            }
            Err(error) => {
                let line = format!(
                    "the hook {} failed and was passed over: {error}",
                    hook.name()
                );
                context.services.sink.log(Level::Warn, line);
            }
        }
    }
    outcome
}

fn hooks_at(context: &Context, point: Point) -> impl Iterator<Item = &Arc<dyn Hook>> {
    let hooks = context.generation.hooks.iter();
    hooks.filter(move |hook| hook.point() == point && !context.scope.is_inside_hook(hook.id()))
}

async fn fire(
    context: &Context,
    hook: &Arc<dyn Hook>,
    event: Arc<Data>,
) -> Result<HookReply, ToolError> {
    let scope = context.scope.hook(hook.id())?;
    let _guard = Guard::new(Arc::clone(scope.node()));
    hook.run(&scope, event).await
}

/// The call as a hook sees it.
fn event(context: &Context, tool: &dyn Tool, args: Arc<Data>) -> Data {
    Data::map([
        ("call", context.call.to_string().into()),
        ("tool", tool.id().into()),
        ("surface", tool.spec().surface.as_str().into()),
        ("caller", context.caller().as_str().into()),
        ("args", owned(args)),
    ])
}

/// The value itself where nobody else holds it, else a copy.
fn owned(data: Arc<Data>) -> Data {
    Arc::unwrap_or_clone(data)
}

fn taken(event: &mut Data, field: &str) -> Option<Data> {
    match event {
        Data::Map(map) => map.remove(field),
        _ => None,
    }
}

fn check_again(tool: &dyn Tool, args: Data) -> Result<Arc<Data>, ToolError> {
    let spec = tool.spec();
    schema::prepare(args, &spec.parameters, &spec.parameter_aliases).map(Arc::new)
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

/// Moves a result into the event, or writes the error there.
fn describe(outcome: &mut Outcome, event: &mut Data) {
    let Data::Map(event) = event else { return };
    match outcome {
        Ok(output) => {
            let Output {
                title,
                text,
                metadata,
                ..
            } = output;
            event.insert("title".to_owned(), std::mem::take(title).into());
            event.insert("output".to_owned(), std::mem::take(text).into());
            event.insert("metadata".to_owned(), std::mem::take(metadata).into());
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

/// Moves what the event holds of a result into the result. What is of another shape is passed over.
fn give_back(output: &mut Output, mut event: Data) {
    if let Some(Data::Text(text)) = taken(&mut event, "output") {
        output.text = text;
    }
    if let Some(Data::Text(title)) = taken(&mut event, "title") {
        output.title = title;
    }
    if let Some(Data::Map(metadata)) = taken(&mut event, "metadata") {
        output.metadata = metadata;
    }
}
