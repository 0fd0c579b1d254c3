//! The stages of one call, in order. What each does is in its own file.
//!
//! A lost race for a file is no failure yet: the call is planned and judged again.

use std::sync::Arc;

use super::decode::decode;
use super::dispatch::Dispatch;
use super::{deliver, hooks, verdict};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::tool::{
    Bound, Call, CallId, Context, Gate, Generation, Outcome, Output, Plan, Scope, Tool,
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
    pub(super) call: Call,
}

impl Run {
    /// Decode, before-hooks, plan and verdict, execute, after-hooks and delivery.
    pub(super) async fn stages(self) -> Outcome {
        let outcome = self.through_the_tool().await;
        deliver::error_for(&self.dispatch.services, outcome)
    }

    async fn through_the_tool(&self) -> Outcome {
        let tool = Arc::clone(self.generation.tools.find(&self.call.tool)?);
        tool.usable()?;
        let spec = tool.spec();
        let context = self.context(tool.id());
        let args = decode(self.call.arguments.clone(), spec)?;
        let decoded = hooks::before(self, &*tool, Arc::new(args)).await?;
        let outcome = self.execute(&*tool, &decoded, &context).await;
        let output = hooks::after(self, &*tool, &decoded.args, outcome).await?;
        deliver::output(output, self.call.destination, spec.keep, &context).await
    }

    fn context(&self, tool: &str) -> Context {
        Context {
            scope: self.scope.clone(),
            call: self.id,
            tool: tool.into(),
            destination: self.call.destination,
            services: Arc::clone(&self.dispatch.services),
            gate: Arc::clone(&self.dispatch) as Arc<dyn Gate>,
        }
    }

    /// Plans, judges and executes; again when a race for a file was lost.
    async fn execute(
        &self,
        tool: &dyn Tool,
        decoded: &hooks::Decoded,
        context: &Context,
    ) -> Result<Output, ToolError> {
        let mut replans = 0;
        loop {
            let plan = verdict::plan(self, tool, decoded, context).await?;
            match timed(tool, &*decoded.bound, plan, context).await {
                Err(error) if replans < REPLANS && is_lost_race(&error) => replans += 1,
                outcome => return outcome,
            }
        }
    }
}

async fn timed(tool: &dyn Tool, bound: &dyn Bound, plan: Plan, context: &Context) -> Outcome {
    let work = bound.execute(plan, context);
    let Some(limit) = tool.spec().timeout else {
        return work.await;
    };
    let done = context.services.thinking.within(limit, work).await;
    done.unwrap_or_else(|| {
        let message = format!("`{}` was not done after {} s", tool.id(), limit.as_secs());
        Err(ToolError::new(Kind::Timeout, message))
    })
}

/// Whether somebody else changed the file between plan and commit.
fn is_lost_race(error: &ToolError) -> bool {
    let raced = error.detail.as_ref().and_then(|detail| detail.get("raced"));
    error.kind == Kind::Conflict && raced.and_then(|raced| raced.as_bool()) == Some(true)
}

/// The arguments as a hook or policy sees them.
pub(super) fn as_event(run: &Run, tool: &dyn Tool, args: &Data) -> crate::data::Map {
    let pairs = [
        ("call", Data::from(run.id.to_string())),
        ("tool", Data::from(tool.id())),
        ("surface", Data::from(tool.spec().surface.as_str())),
        ("caller", Data::from(run.scope.caller().as_str())),
        ("args", args.clone()),
    ];
    pairs
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
