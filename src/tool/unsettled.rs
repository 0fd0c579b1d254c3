//! Work that goes on after what asked for it has ended, such as putting files back. Whoever goes on from there
//! waits for it, and so does the end of the program.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// How much of it is under way.
#[derive(Default)]
pub struct Unsettled {
    under_way: Mutex<usize>,
    told: Notify,
}

impl Unsettled {
    /// Runs `work` on a thread of its own; what waits for it waits from this moment.
    pub fn run(self: &Arc<Unsettled>, work: impl FnOnce() + Send + 'static) {
        let piece = self.begin();
        let work = move || {
            let _piece = piece;
            work();
        };
        // A shared slot, so that the work is not lost where no thread can be had.
        let slot = Arc::new(Mutex::new(Some(work)));
        let shared = Arc::clone(&slot);
        let take =
            |slot: &Mutex<Option<_>>| slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = std::thread::Builder::new().name("settle".to_owned());
        let spawned = thread.spawn(move || {
            if let Some(work) = take(&shared) {
                work();
            }
        });
        if spawned.is_err()
            && let Some(work) = take(&slot)
        {
            work();
        }
    }

    /// Ready when nothing is under way.
    pub async fn settled(&self) {
        loop {
            let told = self.told.notified();
            if *self.lock() == 0 {
                return;
            }
            told.await;
        }
    }

    fn begin(self: &Arc<Unsettled>) -> Piece {
        *self.lock() += 1;
        Piece(Arc::clone(self))
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// One piece of it; it has ended when this is dropped.
struct Piece(Arc<Unsettled>);

impl Drop for Piece {
    fn drop(&mut self) {
        *self.0.lock() -= 1;
        self.0.told.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn whoever_waits_goes_on_when_the_last_has_ended() {
        let unsettled = Arc::<Unsettled>::default();
        unsettled.settled().await;
        let (go, gone) = mpsc::channel::<()>();
        let done = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&done);
        unsettled.run(move || {
            let _ = gone.recv();
            flag.store(true, Ordering::SeqCst);
        });
        let waiting = tokio::spawn({
            let unsettled = Arc::clone(&unsettled);
            async move { unsettled.settled().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        go.send(()).unwrap();
        waiting.await.unwrap();
        assert!(done.load(Ordering::SeqCst));
    }
}
