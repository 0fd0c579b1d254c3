//! The stages of one call, in order. What each does is in its own file.
//!
//! A lost race for a file is no failure yet: the call is planned and judged again.

use std::sync::Arc;

use super::decode::decode;
use super::dispatch::Dispatch;
use super::{deliver, hooks, refused, verdict};
use crate::error::{Kind, ToolError};
use crate::tool::{
    Account, Bound, Call, CallId, Context, Gate, Generation, Guard, Guarded, Outcome, Output, Plan,
    Scope, Tool, Work,
};

/// How often a call whose files changed under it is planned again before it gives up. Every lost race is
/// somebody else's change that was made, so as many calls on one file may wait for each other.
const REPLANS: usize = 64;

/// One open call.
pub(super) struct Run {
    pub(super) dispatch: Arc<Dispatch>,
    pub(super) generation: Arc<Generation>,
    pub(super) scope: Scope,
    pub(super) id: CallId,
    pub(super) account: Arc<Account>,
    /// The tool's id, or the name asked for where there is none.
    pub(super) name: Arc<str>,
    pub(super) call: Call,
}

impl Run {
    /// Decode, before-hooks, plan and verdict, execute, after-hooks and delivery.
    pub(super) async fn stages(self, tool: Result<Arc<dyn Tool>, ToolError>) -> Outcome {
        let services = Arc::clone(&self.dispatch.services);
        let destination = self.call.destination;
        let (generation, scope) = (Arc::clone(&self.generation), self.scope.clone());
        let outcome = match tool {
            Ok(tool) => self.through_the_tool(tool).await,
            Err(error) => Err(error),
        };
        let outcome = match outcome {
            Ok(output) => return Ok(output),
            Err(error) => Err(refused::fitting(
                error,
                scope.caller(),
                services.planning.is_on(),
            )),
        };
        let redaction = &generation.redaction;
        let redactor = redaction.hiding(&services, &scope, destination);
        deliver::error_for(&services, redactor.as_ref(), destination, outcome)
    }

    async fn through_the_tool(self, tool: Arc<dyn Tool>) -> Outcome {
        tool.usable()?;
        let destination = self.call.destination;
        let context = Context {
            scope: self.scope,
            call: self.id,
            account: self.account,
            tool: self.name,
            running: Arc::clone(&tool),
            destination,
            services: Arc::clone(&self.dispatch.services),
            generation: self.generation,
            gate: Arc::clone(&self.dispatch) as Arc<dyn Gate>,
            is_foreseen: false,
        };
        let arguments = self.call.arguments;
        let dispatch = self.dispatch;
        let stages = async {
            let generation = Arc::clone(&context.generation);
            had(&*tool, &context)?;
            available(&*tool, &context).await?;
            let taken = dispatch.definitions.taken(&tool, &context).await?;
            let args = taken.complete(decode(arguments, &taken)?)?;
            let decoded = hooks::before(&context, &taken, args).await?;
            let doom_loop = dispatch.doom_loop.pass(&*tool, &decoded.args, &context);
            let counted = doom_loop.await?;
            let outcome = execute(&*tool, &decoded, &context).await;
            if let Some(counted) = counted {
                counted.ended(&outcome);
            }
            let measured = generation.truncation.asked.contains_key(tool.id());
            let args = measured.then(|| Arc::clone(&decoded.args));
            let output = hooks::after(&context, &*tool, decoded.args, outcome).await?;
            deliver::output(output, destination, args, &context).await
        };
        match stages.await {
            Ok(output) => Ok(output),
            Err(error) if matches!(error.kind, Kind::Denied | Kind::Rejected) => {
                Err(match context.account.subject() {
                    Some(subject) => error.with_detail("subject", subject),
                    None => error,
                })
            }
            Err(error) => Err(told(&*tool, error, &context).await),
        }
    }
}

/// Whether the profile that holds has the tool, and the conversation has opened it.
///
/// # Errors
/// `unavailable`, with what it has, or with how to open it.
pub(super) fn had(tool: &dyn Tool, context: &Context) -> Result<(), ToolError> {
    context.generation.usable_in(&context.scope, tool)?;
    let deferred = context.scope.deferred();
    deferred.map_or(Ok(()), |deferred| deferred.usable(tool.id()))
}

/// Whether the tool can be called here and now.
///
/// # Errors
/// `unavailable`, with the reason.
pub(super) async fn available(tool: &dyn Tool, context: &Context) -> Result<(), ToolError> {
    let generation = &context.generation;
    generation.surfaces.usable(tool.spec(), &generation.tools)?;
    match tool.offered(&context.scope, &context.services) {
        Some(offered) => offered.await,
        None => Ok(()),
    }
}

/// A failure as the tool says it, where it has a say: who was refused is told so by the door alone.
async fn told(tool: &dyn Tool, error: ToolError, context: &Context) -> ToolError {
    if matches!(error.kind, Kind::Cancelled | Kind::Denied | Kind::Rejected) {
        return error;
    }
    match tool.told(&error, context) {
        Some(told) => ToolError {
            kind: error.kind,
            ..told.await
        },
        None => error,
    }
}

/// Plans, judges and executes; again when a race for a file was lost, or when the call is not any more what the
/// person said yes to. A plan of changes to files is carried out whole or not at all, so a conflict in the middle
/// of it is such a race. Where somebody was asked, it is the result: nobody is asked twice about one thing.
async fn execute(
    tool: &dyn Tool,
    decoded: &hooks::Decoded,
    context: &Context,
) -> Result<Output, ToolError> {
    let (mut replans, mut rounds) = (0, 0);
    loop {
        let (plan, yes) = verdict::plan(tool, decoded, context).await?;
        if let Some(ready) = tool.ready(context) {
            ready.await?;
        }
        let is_race = matches!(plan.work, Work::Files(_)) && replans < REPLANS && yes.is_none();
        let plan = match yes {
            None => plan,
            Some(yes) => match verdict::as_approved(yes, decoded, context).await? {
                Some(plan) => plan,
                None if rounds + 1 < ROUNDS => {
                    rounds += 1;
                    continue;
                }
                None => return Err(ToolError::conflict(CHANGING)),
            },
        };
        match timed(tool, &*decoded.bound, plan, context).await {
            Err(error) if is_race && error.kind == Kind::Conflict => replans += 1,
            outcome => return outcome,
        }
    }
}

/// How often a call is judged and asked about that changed while somebody was asked.
const ROUNDS: usize = 3;

/// That it changed each time.
const CHANGING: &str = "what the call would do kept changing while it was asked about";

/// Executes within the tool's time. When that is over all that the tool began is ended, before anything
/// else happens.
async fn timed(tool: &dyn Tool, bound: &dyn Bound, plan: Plan, context: &Context) -> Outcome {
    let Some(limit) = tool.spec().timeout else {
        return bound.execute(plan, context).await;
    };
    let scope = context.scope.block()?;
    let guard = Guard::new(Arc::clone(scope.node()));
    let inner = Context {
        scope: scope.clone(),
        ..context.clone()
    };
    let work = Guarded::new(guard, bound.execute(plan, &inner));
    let done = context.services.thinking.within(limit, work).await;
    if let Some(outcome) = done {
        return outcome;
    }
    scope.settled().await;
    let message = format!(
        "`{}` was not done after {} s",
        tool.id(),
        limit.as_secs_f64()
    );
    Err(ToolError::new(Kind::Timeout, message))
}
