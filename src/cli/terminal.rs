//! The person at the terminal: questions are asked on one thread of their own, one after the other.
//!
//! Attended means that stdin and stderr are terminals. What was typed before the question was shown
//! is thrown away, and the question shows exactly what would happen, control characters visible.

use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::AsFd as _;
use std::sync::{Arc, OnceLock, mpsc};

use futures_util::future::BoxFuture;
use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::oneshot;

use crate::text::visible;
use crate::tool::{Answer, Human, Question};

/// Whether somebody sits there: stdin and stderr are terminals.
pub(super) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

type Queued = (Question, oneshot::Sender<Answer>);

/// The person at the terminal. The thread that asks starts with the first question; questions queue.
pub(super) struct AtTerminal {
    queue: OnceLock<mpsc::Sender<Queued>>,
    /// Becomes readable when the program is ending, and every prompt is given up.
    ended: Arc<io::PipeReader>,
}

impl AtTerminal {
    /// The person, until `ended` becomes readable.
    pub(super) fn new(ended: io::PipeReader) -> AtTerminal {
        AtTerminal {
            queue: OnceLock::new(),
            ended: Arc::new(ended),
        }
    }

    fn queue(&self) -> &mpsc::Sender<Queued> {
        self.queue.get_or_init(|| {
            let (sender, questions) = mpsc::channel::<Queued>();
            let ended = Arc::clone(&self.ended);
            let _ = std::thread::Builder::new()
                .name("terminal".to_owned())
                .spawn(move || {
                    for (question, reply) in questions {
                        let _ = reply.send(ask(&question, &ended));
                    }
                });
            sender
        })
    }
}

impl Human for AtTerminal {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        let (reply, answer) = oneshot::channel();
        let sent = self.queue().send((question, reply)).is_ok();
        Box::pin(async move {
            if sent {
                answer.await.unwrap_or(Answer::Nobody)
            } else {
                Answer::Nobody
            }
        })
    }
}

/// Asks one question and waits for the answer, or for `ended` to become readable.
fn ask(question: &Question, ended: &io::PipeReader) -> Answer {
    let stdin = io::stdin();
    let _ = rustix::termios::tcflush(stdin.as_fd(), rustix::termios::QueueSelector::IFlush);
    show(question);
    loop {
        let Some(line) = read_line(&stdin, ended) else {
            return Answer::Nobody;
        };
        let line = line.trim();
        match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
            ("y" | "yes", "") => return Answer::Once,
            ("n" | "no", "") => return Answer::Reject(None),
            ("n" | "no", words) => return Answer::Reject(Some(words.trim().to_owned())),
            _ => prompt(),
        }
    }
}

fn show(question: &Question) {
    let mut stderr = io::stderr().lock();
    let reason = match &question.warning {
        Some(warning) => {
            let _ = writeln!(stderr, "warning: {}", visible(warning));
            "this is critical".into()
        }
        None => visible(&question.reason),
    };
    let _ = writeln!(stderr, "{} asks: {reason}", question.tool);
    for line in visible(&question.shows).lines() {
        let _ = writeln!(stderr, "  {line}");
    }
    drop(stderr);
    prompt();
}

fn prompt() {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "run it? [y]es, [n]o, or n and a reason: ");
    let _ = stderr.flush();
}

/// One line from the terminal; `None` at its end or when the program is ending.
fn read_line(stdin: &io::Stdin, ended: &io::PipeReader) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let mut fds = [
            PollFd::new(stdin, PollFlags::IN),
            PollFd::new(ended, PollFlags::IN),
        ];
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return None,
            Ok(_) => {}
        }
        if !fds[1].revents().is_empty() {
            return None;
        }
        let mut bytes = [0; 1024];
        let count = rustix::io::read(stdin, &mut bytes)
            .ok()
            .filter(|&count| count > 0)?;
        line.extend_from_slice(&bytes[..count]);
        if line.contains(&b'\n') {
            return Some(String::from_utf8_lossy(&line).into_owned());
        }
    }
}
