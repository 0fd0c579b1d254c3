//! Time limits that stand still while a person thinks.
//! Several people may be asked at once; the clocks go on when the last has answered.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// How long people have been asked, in all, and whether one is being asked now.
#[derive(Default)]
pub struct Thinking {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    total: Duration,
    since: Option<Instant>,
    asked: usize,
}

impl Thinking {
    /// Runs `asking` with the clocks of all limits stopped.
    pub async fn during<T>(&self, asking: impl Future<Output = T>) -> T {
        let _pause = Pause::new(self);
        asking.await
    }

    /// Runs `work` for at most `limit`, not counting the time people think. `None`: it was not
    /// done by then and has been dropped.
    pub async fn within<T>(&self, limit: Duration, work: impl Future<Output = T>) -> Option<T> {
        let (start, before) = (Instant::now(), self.spent());
        tokio::pin!(work);
        loop {
            let allowed = limit.saturating_add(self.spent().saturating_sub(before));
            let Some(deadline) = start.checked_add(allowed) else {
                return Some(work.await);
            };
            let changed = self.changed.notified();
            let is_asked = self.lock().asked > 0;
            tokio::select! {
                biased;
                value = &mut work => return Some(value),
                () = changed => {}
                () = tokio::time::sleep_until(deadline), if !is_asked => return None,
            }
        }
    }

    fn spent(&self) -> Duration {
        let state = self.lock();
        state.total + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Pause<'a>(&'a Thinking);

impl<'a> Pause<'a> {
    fn new(thinking: &'a Thinking) -> Pause<'a> {
        let mut state = thinking.lock();
        state.asked += 1;
        state.since.get_or_insert_with(Instant::now);
        drop(state);
        thinking.changed.notify_waiters();
        Pause(thinking)
    }
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.asked -= 1;
        if state.asked == 0
            && let Some(since) = state.since.take()
        {
            state.total += since.elapsed();
        }
        drop(state);
        self.0.changed.notify_waiters();
    }
}
