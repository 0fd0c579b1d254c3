//! Standard output and standard error as they are, and the one line that may stand unfinished.
//!
//! Progress is wiped and the line of a question is ended before anything else is written there. A
//! reader that went away is no error of ours: writing goes on quietly.

use std::io::{self, IsTerminal as _};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

/// Wipes the line that the cursor stands on.
const WIPE: &[u8] = b"\r\x1b[K";

/// What is written, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The answer, to stdout.
    Out,
    /// What is said on the way, to stderr.
    Err,
    /// The progress line on the terminal; what comes next takes its place.
    Progress,
    /// A question on the terminal, whose line the person ends.
    Prompt,
    /// Nothing: the person has ended that line.
    Answered,
    /// Nothing: a line that stands unfinished is settled.
    Settled,
}

impl Piece {
    /// Whether two in a row are as good as one.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Piece::Out | Piece::Err)
    }
}

/// What stands on the last line of the terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Nothing,
    Text,
    Progress,
    Prompt,
}

/// Both streams, and what stands there.
pub(super) struct Screen {
    line: Line,
    shows_out: bool,
    shows_err: bool,
    trouble: Option<io::Error>,
}

impl Default for Screen {
    fn default() -> Screen {
        Screen {
            line: Line::Nothing,
            shows_out: io::stdout().is_terminal(),
            shows_err: io::stderr().is_terminal(),
            trouble: None,
        }
    }
}

impl Screen {
    /// Writes one piece and waits until it is out.
    pub(super) fn write(&mut self, piece: Piece, bytes: &[u8]) {
        match piece {
            Piece::Progress if matches!(self.line, Line::Text | Line::Prompt) => {}
            Piece::Progress => {
                self.err(&[WIPE, bytes].concat());
                self.line = Line::Progress;
            }
            Piece::Prompt => {
                self.settle();
                self.err(bytes);
                self.line = Line::Prompt;
            }
            Piece::Answered if self.line == Line::Prompt => self.line = Line::Nothing,
            Piece::Answered => {}
            Piece::Settled => self.settle(),
            Piece::Out => {
                if self.shows_out {
                    self.settle();
                    self.follow(bytes);
                }
                self.out(bytes);
            }
            Piece::Err => {
                if self.shows_err {
                    self.settle();
                    self.follow(bytes);
                }
                self.err(bytes);
            }
        }
    }

    /// The first failure to write the answer, once.
    pub(super) fn take_trouble(&mut self) -> Option<io::Error> {
        self.trouble.take()
    }

    fn settle(&mut self) {
        match self.line {
            Line::Progress => self.err(WIPE),
            Line::Prompt => self.err(b"\n"),
            Line::Nothing | Line::Text => return,
        }
        self.line = Line::Nothing;
    }

    fn follow(&mut self, bytes: &[u8]) {
        self.line = match bytes.last() {
            None => self.line,
            Some(b'\n') => Line::Nothing,
            Some(_) => Line::Text,
        };
    }

    fn out(&mut self, bytes: &[u8]) {
        if let Err(error) = write_all(io::stdout().as_fd(), bytes)
            && error != Errno::PIPE
        {
            self.trouble.get_or_insert(error.into());
        }
    }

    fn err(&mut self, bytes: &[u8]) {
        // There is no other place to say that this one fails.
        let _ = write_all(io::stderr().as_fd(), bytes);
    }
}

/// Writes all of `bytes`, also to a stream that somebody else has set not to block.
fn write_all(stream: BorrowedFd<'_>, mut bytes: &[u8]) -> rustix::io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(stream, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::new(&stream, PollFlags::OUT)], None);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
