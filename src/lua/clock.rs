//! A time limit on a piece of Lua. It holds where Lua cannot pause, and stands still while a person thinks.
//!
//! The clock runs on the runtime's threads and closes the node, so that the count hook sees it even in a
//! loop that never yields. It is wound up only when the work pauses, or has run for one slice: most work
//! is done before that.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use super::current::Current;
use super::host::Host;
use crate::error::{Kind, ToolError};

/// A clock that is not wound up yet, and those around it.
pub(super) struct Clock {
    start: Cell<Option<Box<dyn FnOnce()>>>,
    outer: Option<Rc<Clock>>,
}

impl Clock {
    /// Winds up this clock and all around it.
    pub(super) fn wind(&self) {
        let mut clock = Some(self);
        while let Some(this) = clock {
            if let Some(start) = this.start.take() {
                start();
            }
            clock = this.outer.as_deref();
        }
    }
}

/// A limit, and whether it has been passed.
#[derive(Clone)]
pub(super) struct Limit {
    time: Duration,
    late: Arc<AtomicBool>,
}

impl Limit {
    /// A limit that has not begun.
    pub(super) fn new(time: Duration) -> Limit {
        let late = Arc::default();
        Limit { time, late }
    }

    /// Whether the time was over before the work was done.
    pub(super) fn is_passed(&self) -> bool {
        self.late.load(Ordering::Acquire)
    }
}

/// Puts `current` under a limit, counted from now: its node is closed when the time is over. Somebody has
/// to wind up the clock when the work pauses.
pub(super) fn set(host: &Host, current: &mut Current, limit: Limit) -> Rc<Clock> {
    let start = starting(host, current, limit);
    let clock = Rc::new(Clock {
        start: Cell::new(Some(Box::new(start))),
        outer: current.clock(),
    });
    current.set_clock(Rc::clone(&clock));
    clock
}

/// Runs `work` as part of `current` for at most `time`, counted from the first poll. None: it was not
/// done by then, or `current` has ended; its node is closed, `work` dropped, and what it left is settled.
pub(super) async fn within<T>(
    host: &Host,
    mut current: Current,
    time: Duration,
    work: impl Future<Output = T>,
) -> Option<T> {
    let node = Arc::clone(current.scope().node());
    let scope = current.scope().clone();
    let limit = Limit::new(time);
    let clock = set(host, &mut current, limit.clone());
    let mut work = Box::pin(current.around(work));
    let mut ended = pin!(node.closed());
    let done = poll_fn(|context| {
        if node.is_closed() {
            return Poll::Ready(None);
        }
        if let Poll::Ready(value) = work.as_mut().poll(context) {
            return Poll::Ready(Some(value));
        }
        clock.wind();
        ended.as_mut().poll(context).map(|()| None)
    })
    .await;
    // A result that came in the same moment as the end of the time is void.
    let done = done.filter(|_| !limit.is_passed());
    if done.is_none() {
        scope.settled().await;
    }
    done
}

/// What starts the clock: it closes the node when the time is over, and ends with the node.
fn starting(host: &Host, current: &Current, limit: Limit) -> impl FnOnce() + use<> {
    let node = Arc::clone(current.scope().node());
    let thinking = Arc::clone(&host.services.thinking);
    let runtime = host.vm.shared().settings.runtime.clone();
    let begun = Instant::now();
    move || {
        runtime.spawn(async move {
            let left = limit.time.saturating_sub(begun.elapsed());
            if thinking.within(left, node.closed()).await.is_none() {
                limit.late.store(true, Ordering::Release);
                node.close();
            }
        });
    }
}

/// What is raised when `what` was not done within `limit`.
pub(super) fn timeout(what: &str, limit: Duration) -> ToolError {
    let message = format!("{what} was not done after {} s", limit.as_secs_f64());
    ToolError::new(Kind::Timeout, message).with_hint("do less, or give it a longer `timeout`")
}
