//! One entry into Lua: a script, a tool's body, a hook. Runs until it is done or not wanted any more.
//!
//! The token is looked at before every poll, so a job that was cancelled runs no further line; what it
//! left is dropped, with its `<close>` handlers, before the answer is sent.

use std::future::Future;
use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use futures_util::FutureExt as _;
use tokio::sync::oneshot;

use super::clock::{self, Limit};
use super::current::{Current, Voice};
use super::state::State;
use crate::error::ToolError;
use crate::tool::Scope;

/// What a job begins with.
pub(super) struct Entry {
    pub(super) state: Rc<State>,
    pub(super) scope: Scope,
    pub(super) voice: Voice,
    /// How long it may take.
    pub(super) limit: Option<Limit>,
}

/// Runs what `start` makes, and sends what it ends with.
pub(super) async fn run<T, E, F>(
    entry: Entry,
    start: impl FnOnce(Rc<State>) -> F,
    answer: oneshot::Sender<Result<T, E>>,
) where
    E: From<ToolError>,
    F: Future<Output = Result<T, E>>,
{
    let Entry {
        state,
        scope,
        voice,
        limit,
    } = entry;
    let node = Arc::clone(scope.node());
    let host = Rc::clone(&state.host);
    let mut current = Current::new(scope, voice);
    let clock = limit.map(|limit| clock::set(&host, &mut current, limit));
    let work = async move { start(state).await };
    let mut work = Box::pin(current.around(AssertUnwindSafe(work).catch_unwind()));
    let mut unwanted = pin!(node.closed());
    let ended = poll_fn(|context| {
        if node.is_closed() || host.is_stopped() {
            return Poll::Ready(None);
        }
        host.pulse.begin();
        match work.as_mut().poll(context) {
            Poll::Ready(result) => Poll::Ready(Some(result)),
            Poll::Pending => {
                if let Some(clock) = &clock {
                    clock.wind();
                }
                unwanted.as_mut().poll(context).map(|()| None)
            }
        }
    })
    .await;
    drop(work);
    let result = match ended {
        Some(Ok(result)) if !node.is_closed() && !host.is_stopped() => result,
        Some(Err(_)) => Err(E::from(ToolError::internal(
            "Lua brought the program to a panic",
        ))),
        _ => Err(E::from(ToolError::cancelled())),
    };
    let _nobody_waits = answer.send(result);
}
