//! What a tool waits for from the person: the clocks of limits stand still, and whoever listens is told that somebody
//! should look up.
//!
//! What is asked, and what an answer means, is the tool's own.

use futures_util::future::BoxFuture;

use crate::error::{Kind, ToolError};
use crate::tool::{Context, Human, Services};

/// The answer to what `ask` asks the person, once it is there.
pub(super) async fn awaited<T>(
    ask: impl FnOnce(&dyn Human) -> BoxFuture<'static, T>,
    context: &Context,
) -> T {
    let services = &context.services;
    let text = format!("`{}` waits for an answer", context.tool);
    let mut told = context.gate.notify(&context.scope, None, text);
    let answer = services.thinking.during(ask(&*services.human));
    tokio::pin!(answer);
    tokio::select! {
        biased;
        answer = &mut answer => answer,
        () = &mut told => answer.await,
    }
}

/// That nobody is there whom a tool could ask.
///
/// # Errors
/// `unavailable`, unless somebody is there.
pub(super) fn somebody_is_there(services: &Services) -> Result<(), ToolError> {
    match services.human.is_there() {
        true => Ok(()),
        false => Err(nobody()),
    }
}

/// That nobody answers.
pub(super) fn nobody() -> ToolError {
    ToolError::new(Kind::Unavailable, "nobody is there to answer")
        .with_hint("go on with what is most likely meant, and say what you took for granted")
        .with_detail("unattended", true)
}
