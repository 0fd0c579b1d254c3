//! The one way out: what goes to stdout and to stderr stands in one queue, and one thread writes it.
//!
//! Who speaks does not wait for a reader, unless the reader is 64 MiB behind. What was said first is
//! written first, on both. Nothing is lost: the end waits for the queue, and once the run was ended
//! from outside for a second at most.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::screen::{Piece, Screen};

/// How far a reader may be behind before who speaks has to wait, in bytes.
const MOST: usize = 64 << 20;

/// How long the queue may still take once the run was ended from outside.
const GRACE: Duration = Duration::from_millis(900);

/// How long a last word may take.
const LAST: Duration = Duration::from_millis(200);

/// The queue, and the thread that empties it, which starts on first use.
#[derive(Default)]
pub(super) struct Outlet {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Held by whoever writes; locked after the queue was let go.
    screen: Mutex<Screen>,
}

#[derive(Default)]
struct Queue {
    pieces: VecDeque<(Piece, Vec<u8>)>,
    /// One for each piece and one for each byte, those in the hands of the thread among them.
    waiting: usize,
    has_thread: bool,
    /// Set when the run was ended from outside.
    deadline: Option<Instant>,
}

impl Outlet {
    /// Queues `bytes`; they may be part of a line.
    pub(super) fn write(self: &Arc<Outlet>, piece: Piece, bytes: &[u8]) {
        let mut queue = self.wait(|queue| queue.waiting > MOST);
        let was_idle = queue.pieces.is_empty();
        match queue.pieces.back_mut() {
            Some((last, text)) if *last == piece && piece.is_text() => {
                text.extend_from_slice(bytes);
            }
            _ => {
                queue.pieces.push_back((piece, bytes.to_vec()));
                queue.waiting += 1;
            }
        }
        queue.waiting += bytes.len();
        let starts = !std::mem::replace(&mut queue.has_thread, true);
        drop(queue);
        if starts {
            self.start();
        } else if was_idle {
            self.changed.notify_all();
        }
    }

    /// Waits until everything is written, or until nobody waits any longer; whether everything is.
    pub(super) fn drain(&self) -> bool {
        self.wait(|queue| queue.waiting > 0).waiting == 0
    }

    /// The run was ended from outside: what does not get written soon is given up.
    pub(super) fn hurry(&self) {
        self.lock().deadline.get_or_insert(Instant::now() + GRACE);
        self.changed.notify_all();
    }

    /// One more line for stderr after everybody had to hurry: it gets a moment of its own.
    pub(super) fn last_word(self: &Arc<Outlet>, line: &str) {
        self.lock().deadline = Some(Instant::now() + LAST);
        self.write(Piece::Err, line.as_bytes());
        self.drain();
    }

    /// Waits as [`Outlet::drain`] does; the first failure to write the answer that was not a reader
    /// going away.
    pub(super) fn trouble(&self) -> Option<io::Error> {
        match self.drain() {
            true => self.screen().take_trouble(),
            false => None,
        }
    }

    fn start(self: &Arc<Outlet>) {
        let outlet = Arc::clone(self);
        let thread = std::thread::Builder::new().name("output".to_owned());
        if thread.spawn(move || outlet.serve()).is_err() {
            // No thread can be had: who speaks writes.
            while self.step() {}
            self.lock().has_thread = false;
        }
    }

    /// The thread: writes as long as the process lives.
    fn serve(&self) {
        loop {
            if !self.step() {
                let queue = self.lock();
                let idle = |queue: &mut Queue| queue.pieces.is_empty();
                drop(self.changed.wait_while(queue, idle));
            }
        }
    }

    /// Writes the oldest piece; whether there was one.
    fn step(&self) -> bool {
        let Some((piece, bytes)) = self.lock().pieces.pop_front() else {
            return false;
        };
        self.screen().write(piece, &bytes);
        self.lock().waiting -= bytes.len() + 1;
        self.changed.notify_all();
        true
    }

    /// Waits while `held` holds, but not beyond the deadline.
    fn wait(&self, held: impl Fn(&Queue) -> bool) -> MutexGuard<'_, Queue> {
        let mut queue = self.lock();
        while held(&queue) {
            let Some(deadline) = queue.deadline else {
                queue = self
                    .changed
                    .wait(queue)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(queue, left);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        queue
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn screen(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
