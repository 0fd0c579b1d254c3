//! A time limit on a piece of Lua. It holds where Lua cannot pause, and stands still while a person thinks.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::current::Current;
use super::host::Host;
use crate::error::{Kind, ToolError};

/// Runs `work` as part of `current` for at most `limit`, counted from the first poll. None: it was not
/// done by then; the node of `current` is closed and `work` dropped.
///
/// The clock runs on the runtime's threads and closes the node, so that the count hook sees it even in
/// a loop that never yields.
pub(super) async fn within<T>(
    host: &Host,
    current: Current,
    limit: Duration,
    work: impl Future<Output = T>,
) -> Option<T> {
    let node = Arc::clone(current.scope().node());
    let late = Arc::new(AtomicBool::new(false));
    let clock = {
        let (node, late) = (Arc::clone(&node), Arc::clone(&late));
        let thinking = Arc::clone(&host.services.thinking);
        async move {
            let ended = thinking.within(limit, node.token().cancelled()).await;
            if ended.is_none() {
                late.store(true, Ordering::Release);
                node.close();
            }
        }
    };
    tokio::spawn(clock);
    let done = tokio::select! {
        biased;
        () = node.token().cancelled() => None,
        value = current.around(work) => Some(value),
    };
    // A result that came in the same moment as the end of the time is void.
    done.filter(|_| !late.load(Ordering::Acquire))
}

/// What is raised when `what` was not done within `limit`.
pub(super) fn timeout(what: &str, limit: Duration) -> ToolError {
    let message = format!("{what} was not done after {} s", limit.as_secs_f64());
    ToolError::new(Kind::Timeout, message).with_hint("do less, or give it a longer `timeout`")
}
