//! The person at the terminal: questions are asked on one thread of their own, one after the other.
//!
//! Attended means that stdin and stderr are terminals. What was typed before the question was shown
//! is thrown away, and the question shows exactly what would happen, control characters visible.

use std::io::{self, IsTerminal as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::{Arc, OnceLock, mpsc};

use futures_util::future::BoxFuture;
use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::termios::{QueueSelector, tcflush};
use tokio::sync::oneshot;

use super::outlet::Outlet;
use super::screen::Piece;
use crate::text::visible;
use crate::tool::{Answer, Human, Question};

/// What the answers mean, for who answers `?`.
const ANSWERS: &str = "  y             do it, this once
  n             do not; the call fails as `rejected`
  n and words   do not, and the caller gets the words
  Ctrl-D        as n
  Ctrl-C        ends the whole run
";

/// Whether somebody sits there: stdin and stderr are terminals.
pub(super) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// A question on its way, and where its answer goes.
struct Queued {
    question: Question,
    reply: oneshot::Sender<Answer>,
    gone: Arc<Gone>,
}

/// Becomes readable when nobody wants the answer any more.
struct Gone(Option<OwnedFd>);

impl Gone {
    fn new() -> Gone {
        Gone(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok())
    }

    fn tell(&self) {
        if let Some(event) = &self.0 {
            let _ = rustix::io::write(event, &1_u64.to_ne_bytes());
        }
    }
}

/// Tells of it when the asking call is over, however it ended.
struct Asking(Arc<Gone>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.tell();
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
        let ended = Arc::new(ended);
        AtTerminal {
            queue: OnceLock::new(),
            desk: Desk { outlet, ended },
        }
    }

    fn queue(&self) -> &mpsc::Sender<Queued> {
        self.queue.get_or_init(|| {
            let (sender, questions) = mpsc::channel::<Queued>();
            let desk = self.desk.clone();
            let thread = std::thread::Builder::new().name("terminal".to_owned());
            let _ = thread.spawn(move || {
                for asked in questions {
                    // A call that was ended while it waited in the queue needs no answer.
                    if !asked.reply.is_closed() {
                        let answer = desk.ask(&asked.question, &asked.gone);
                        let _ = asked.reply.send(answer);
                    }
                }
            });
            sender
        })
    }
}

impl Human for AtTerminal {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        let (reply, answer) = oneshot::channel();
        let gone = Arc::new(Gone::new());
        let asking = Asking(Arc::clone(&gone));
        let asked = Queued {
            question,
            reply,
            gone,
        };
        let sent = self.queue().send(asked).is_ok();
        Box::pin(async move {
            let _asking = asking;
            if sent {
                answer.await.unwrap_or(Answer::Nobody)
            } else {
                Answer::Nobody
            }
        })
    }
}

/// Where one question is put: the way out, and the keyboard.
#[derive(Clone)]
struct Desk {
    outlet: Arc<Outlet>,
    /// Becomes readable when the program is ending, and every prompt is given up.
    ended: Arc<io::PipeReader>,
}

/// What came from the keyboard.
enum Typed {
    Line(String),
    /// Ctrl-D.
    End,
    /// Nothing any more: the call or the program is ending, or the terminal went away.
    Nothing,
}

impl Desk {
    /// Asks one question and waits for the answer, the end of the call or the end of the program.
    fn ask(&self, question: &Question, gone: &Gone) -> Answer {
        self.outlet.drain();
        let stdin = io::stdin();
        let _ = tcflush(stdin.as_fd(), QueueSelector::IFlush);
        self.show(question);
        loop {
            let line = match read_line(&stdin, &self.ended, gone) {
                Typed::Line(line) => line,
                Typed::End => return Answer::Reject(None),
                Typed::Nothing => return Answer::Nobody,
            };
            self.outlet.write(Piece::Answered, b"");
            let line = line.trim();
            match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
                ("y" | "yes", "") => return Answer::Once,
                ("n" | "no", "") => return Answer::Reject(None),
                ("n" | "no", words) => return Answer::Reject(Some(words.trim().to_owned())),
                ("?", _) => self.outlet.write(Piece::Err, ANSWERS.as_bytes()),
                _ => {}
            }
            self.prompt();
        }
    }

    fn show(&self, question: &Question) {
        let mut text = String::new();
        let reason = match &question.warning {
            Some(warning) => {
                text.push_str(&format!("warning: {}\n", visible(warning)));
                "this is critical".into()
            }
            None => visible(&question.reason),
        };
        text.push_str(&format!("{} asks: {reason}\n", question.tool));
        for line in visible(&question.shows).lines() {
            text.push_str(&format!("  {line}\n"));
        }
        self.outlet.write(Piece::Err, text.as_bytes());
        self.prompt();
    }

    fn prompt(&self) {
        let text = "run it? [y]es, [n]o, n and a reason, or ?: ";
        self.outlet.write(Piece::Prompt, text.as_bytes());
    }
}

/// One line from the terminal.
fn read_line(stdin: &io::Stdin, ended: &io::PipeReader, gone: &Gone) -> Typed {
    let mut line = Vec::new();
    loop {
        let mut fds = vec![
            PollFd::new(stdin, PollFlags::IN),
            PollFd::new(ended, PollFlags::IN),
        ];
        fds.extend(gone.0.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return Typed::Nothing,
            Ok(_) => {}
        }
        if fds[1..].iter().any(|fd| !fd.revents().is_empty()) {
            return Typed::Nothing;
        }
        let mut bytes = [0; 1024];
        match rustix::io::read(stdin, &mut bytes) {
            Ok(0) => return Typed::End,
            Ok(count) => line.extend_from_slice(&bytes[..count]),
            Err(_) => return Typed::Nothing,
        }
        if line.contains(&b'\n') {
            return Typed::Line(String::from_utf8_lossy(&line).into_owned());
        }
    }
}
