//! The person at the terminal: questions are asked on one thread of their own, one after the other.
//!
//! Attended means that stdin and stderr are terminals. How a question is put is the business of the desk.

use std::io::{self, IsTerminal as _};
use std::sync::{Arc, OnceLock, mpsc};

use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

use super::desk::{Asked, Desk};
use super::outlet::Outlet;
use crate::tool::{Answer, Human, Prompt, Question, Said};

/// Whether somebody sits there: stdin and stderr are terminals.
pub(super) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// A question on its way: asks, and takes the answer where it is wanted.
type Queued = Box<dyn FnOnce(&Desk) + Send>;

/// Gives its own question up when the asking call is over, however it ended. Other questions stay as they are.
struct Asking(Arc<Asked>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.give_up();
    }
}

/// The person at the terminal. The thread that asks starts with the first question; questions queue.
pub(super) struct AtTerminal {
    queue: OnceLock<mpsc::Sender<Queued>>,
    desk: Desk,
}

impl AtTerminal {
    /// The person, until `ended` becomes readable.
    pub(super) fn new(ended: io::PipeReader, outlet: Arc<Outlet>) -> AtTerminal {
        AtTerminal {
            queue: OnceLock::new(),
            desk: Desk::new(ended, outlet),
        }
    }

    fn queue(&self) -> &mpsc::Sender<Queued> {
        self.queue.get_or_init(|| {
            let (sender, questions) = mpsc::channel::<Queued>();
            let desk = self.desk.clone();
            let thread = std::thread::Builder::new().name("terminal".to_owned());
            let _ = thread.spawn(move || {
                for asked in questions {
                    asked(&desk);
                }
            });
            sender
        })
    }

    /// Queues a question; `nobody` is the answer where none can be had.
    fn put<T: Send + 'static>(
        &self,
        nobody: T,
        ask: impl FnOnce(&Desk, &Asked) -> T + Send + 'static,
    ) -> BoxFuture<'static, T> {
        let (reply, answer) = oneshot::channel();
        let asked = Arc::new(Asked::new());
        let asking = Asking(Arc::clone(&asked));
        let queued: Queued = Box::new(move |desk| {
            desk.settle(&asked);
            // A call that was ended while it waited in the queue needs no answer.
            if !reply.is_closed() {
                let _ = reply.send(ask(desk, &asked));
                desk.answered();
            }
        });
        let sent = self.queue().send(queued).is_ok();
        Box::pin(async move {
            let _asking = asking;
            match sent {
                true => answer.await.unwrap_or(nobody),
                false => nobody,
            }
        })
    }
}

impl Human for AtTerminal {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        self.put(Answer::Nobody, move |desk, asked| {
            desk.ask(&question, asked)
        })
    }

    fn prompt(&self, prompt: Prompt) -> BoxFuture<'static, Said> {
        self.put(Said::Nobody, move |desk, asked| desk.prompt(&prompt, asked))
    }
}
