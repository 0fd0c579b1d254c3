//! One question at a time, put to the person at the terminal, answered by a line. No yes to what was not shown whole,
//! but in so many words.
//!
//! What was typed before the question was shown is thrown away, and control characters in it are visible.
//! What is secret is not echoed, and the terminal is as before afterwards, however the question ends.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr,
};

use super::outlet::Outlet;
use super::screen::Piece;
use super::sheet::Sheet;
use super::understood::understood;
use crate::permission::Reach;
use crate::text::visible;
use crate::tool::{Always, Answer, Offer, Prompt, Question, Said, Wants};

/// What the answers mean, for who answers `?`.
const ANSWERS: &str = "  y             do it, this once
  a             do it, and what the rules allow that are shown, until this session ends
  p             the same, in this project from now on
  u             the same, everywhere from now on
  n             do not; the call fails as `rejected`, and so does all that waits for an answer
  n and words   do not, and the caller gets the words
  v             show all of it, page by page, where it is taller than the screen; then y, a, p and u are answers
  y!            do it, this once, though it was not all shown
  Ctrl-D        as n
  Ctrl-C        ends the whole run
  `a`, `p` and `u` are answers only where a rule is shown. `agent permissions revoke` takes one back.
";

/// Behind which the answer is typed to what was not shown whole.
const UNSEEN: &str =
    "run it? it was not all shown: [v]iew all of it, [y!] yes unseen, [n]o, n and a reason, or ?: ";

/// Where one question is put: the way out, and the keyboard.
#[derive(Clone)]
pub(super) struct Desk {
    outlet: Arc<Outlet>,
    /// Becomes readable when the program is ending, and every prompt is given up.
    ended: Arc<io::PipeReader>,
    /// When a question was answered last.
    answered: Arc<Mutex<Option<Instant>>>,
}

/// How long an answer may take to settle other questions that wait, before the next one is put.
const SETTLING: Duration = Duration::from_millis(100);

/// What the asking call and the desk share about one question.
pub(super) struct Asked {
    /// Becomes readable when nobody wants the answer any more.
    gone: Option<OwnedFd>,
    /// How the terminal was before this question hid what is typed.
    before: Mutex<Option<Termios>>,
}

impl Asked {
    pub(super) fn new() -> Asked {
        Asked {
            gone: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok(),
            before: Mutex::default(),
        }
    }

    /// Gives the question up, and sets the terminal as it was if this question hid what is typed.
    pub(super) fn give_up(&self) {
        if let Some(event) = &self.gone {
            let _ = rustix::io::write(event, &1_u64.to_ne_bytes());
        }
        self.restore();
    }

    fn hide(&self) {
        let mut before = self.before();
        let Ok(now) = tcgetattr(io::stdin()) else {
            return;
        };
        let mut hidden = now.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        if tcsetattr(io::stdin(), OptionalActions::Now, &hidden).is_ok() {
            before.get_or_insert(now);
        }
    }

    /// Held to its end, so that the next question hides only after this one has restored.
    fn restore(&self) {
        let mut before = self.before();
        if let Some(before) = before.take() {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
        }
    }

    fn before(&self) -> MutexGuard<'_, Option<Termios>> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came from the keyboard.
pub(super) enum Typed {
    Line(String),
    /// Ctrl-D.
    End,
    /// Nothing any more: the call or the program is ending, or the terminal went away.
    Nothing,
    /// Nothing in time.
    Late,
}

impl Desk {
    /// A desk that is left when `ended` becomes readable.
    pub(super) fn new(ended: io::PipeReader, outlet: Arc<Outlet>) -> Desk {
        Desk {
            outlet,
            ended: Arc::new(ended),
            answered: Arc::default(),
        }
    }

    /// Gives the last answer its time to settle this question too, so that it is not put in vain.
    pub(super) fn settle(&self, asked: &Asked) {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let left = answered.map(|at| SETTLING.saturating_sub(at.elapsed()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        if let (Some(left), Some(gone)) = (left, &asked.gone) {
            let _ = poll(&mut [PollFd::new(gone, PollFlags::IN)], Some(&left));
        }
    }

    /// Notes that a question was answered just now.
    pub(super) fn answered(&self) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        *answered = Some(Instant::now());
    }

    /// Asks about a call and waits for the answer, the end of the call or the end of the program.
    pub(super) fn ask(&self, question: &Question, asked: &Asked) -> Answer {
        self.clear();
        let sheet = Sheet::of(question);
        self.outlet.write(Piece::Err, sheet.first().as_bytes());
        let mut is_seen = sheet.fits();
        loop {
            self.line(match is_seen {
                true => line_of(&question.always),
                false => UNSEEN,
            });
            let line = match self.read_line(asked) {
                Typed::Line(line) => line,
                Typed::End => return Answer::Reject(None),
                Typed::Nothing | Typed::Late => return Answer::Nobody,
            };
            let line = line.trim();
            match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
                ("y" | "yes", "") if is_seen => return Answer::Once,
                ("y!", "") => return Answer::Once,
                ("v" | "view", "") if !sheet.fits() => match self.page(&sheet, asked) {
                    Ok(is_whole) => is_seen |= is_whole,
                    Err(answer) => return answer,
                },
                (word, "") if is_seen && reach(word, &question.always).is_some() => {
                    return reach(word, &question.always).map_or(Answer::Once, Answer::Always);
                }
                ("n" | "no", "") => return Answer::Reject(None),
                ("n" | "no", words) => return Answer::Reject(Some(words.trim().to_owned())),
                ("?", _) => self.outlet.write(Piece::Err, ANSWERS.as_bytes()),
                _ => {}
            }
        }
    }

    /// Asks in words of a script, again and again until the answer is one.
    pub(super) fn prompt(&self, prompt: &Prompt, asked: &Asked) -> Said {
        self.clear();
        let line = self.show_prompt(prompt);
        let is_secret = matches!(prompt.wants, Wants::Line { is_secret, .. } if is_secret);
        if is_secret {
            asked.hide();
        }
        let said = loop {
            self.line(&line);
            match self.read_line(asked) {
                Typed::Line(typed) => {
                    if let Some(said) = understood(&typed, &prompt.wants) {
                        break said;
                    }
                }
                Typed::End => break Said::End,
                Typed::Nothing | Typed::Late => break Said::Nobody,
            }
        };
        if is_secret {
            asked.restore();
            // The person's own line end was not shown.
            self.outlet.write(Piece::Err, b"\n");
        }
        said
    }

    /// Writes what is waiting, and forgets what was typed.
    fn clear(&self) {
        self.outlet.drain();
        let _ = tcflush(io::stdin().as_fd(), QueueSelector::IFlush);
    }

    /// Shows all of a question page by page; whether the person went to its end, or nothing more is typed.
    fn page(&self, sheet: &Sheet, asked: &Asked) -> Result<bool, Answer> {
        for (page, left) in sheet.pages() {
            self.outlet.write(Piece::Err, page.as_bytes());
            if left == 0 {
                break;
            }
            self.line(&format!("… {left} more lines; Enter goes on, q stops: "));
            match self.read_line(asked) {
                Typed::Line(line) if line.trim().is_empty() => {}
                Typed::Line(_) => return Ok(false),
                Typed::End => return Err(Answer::Reject(None)),
                Typed::Nothing | Typed::Late => return Err(Answer::Nobody),
            }
        }
        Ok(true)
    }

    /// Shows a prompt but for its last line, which is returned: the answer is typed behind it.
    fn show_prompt(&self, prompt: &Prompt) -> String {
        let text = visible(prompt.text.trim_end());
        let (above, last) = match (&prompt.wants, text.rsplit_once('\n')) {
            (Wants::Choice { choices, .. }, _) => {
                let list = numbered(choices.iter().map(|choice| one_line(choice)));
                (format!("{text}\n{list}"), format!("1-{}", choices.len()))
            }
            (Wants::Open { choices, several }, _) => {
                let list = numbered(choices.iter().map(offered));
                let several = if *several {
                    ", several parted by commas"
                } else {
                    ""
                };
                let last = format!("1-{}{several}, or your own words", choices.len());
                (format!("{text}\n{list}"), last)
            }
            (_, Some((above, last))) => (format!("{above}\n"), last.to_owned()),
            (_, None) => (String::new(), text.into_owned()),
        };
        self.outlet.write(Piece::Err, above.as_bytes());
        match &prompt.wants {
            Wants::YesNo(None) => format!("{last} [y/n] "),
            Wants::YesNo(Some(true)) => format!("{last} [Y/n] "),
            Wants::YesNo(Some(false)) => format!("{last} [y/N] "),
            Wants::Line {
                default: Some(default),
                is_secret: false,
            } => format!("{} [{}]: ", last.trim_end_matches(':'), one_line(default)),
            Wants::Choice {
                default: Some(default),
                ..
            } => format!("{last} [{}]: ", default + 1),
            Wants::Line { .. } | Wants::Choice { .. } | Wants::Open { .. } => {
                format!("{}: ", last.trim_end_matches(':'))
            }
        }
    }

    fn line(&self, text: &str) {
        self.outlet.write(Piece::Prompt, text.as_bytes());
    }

    fn read_line(&self, asked: &Asked) -> Typed {
        let gone = asked.gone.iter().map(AsFd::as_fd);
        let ends: Vec<BorrowedFd<'_>> = gone.chain([self.ended.as_fd()]).collect();
        let typed = typed(&ends, None);
        if matches!(typed, Typed::Line(_)) {
            self.outlet.write(Piece::Answered, b"");
        }
        typed
    }
}

/// One line from the terminal, without its end. It waits no longer than `limit`, and only until one of
/// `ends` becomes readable.
pub(super) fn typed(ends: &[BorrowedFd<'_>], limit: Option<Duration>) -> Typed {
    let (stdin, start, mut line) = (io::stdin(), Instant::now(), Vec::new());
    loop {
        let fds = [stdin.as_fd()].into_iter().chain(ends.iter().copied());
        let mut fds: Vec<PollFd<'_>> = fds
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        let left = limit.map(|limit| limit.saturating_sub(start.elapsed()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut fds, left.as_ref()) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return Typed::Nothing,
            Ok(0) => return Typed::Late,
            Ok(_) => {}
        }
        if fds[1..].iter().any(|fd| !fd.revents().is_empty()) {
            return Typed::Nothing;
        }
        let mut bytes = [0; 1024];
        match rustix::io::read(&stdin, &mut bytes) {
            Ok(0) => return Typed::End,
            Ok(count) => line.extend_from_slice(&bytes[..count]),
            Err(_) => return Typed::Nothing,
        }
        if line.contains(&b'\n') {
            let line = String::from_utf8_lossy(&line);
            let line = line.lines().next().unwrap_or_default();
            return Typed::Line(line.to_owned());
        }
    }
}

/// Lines with their numbers, from 1.
fn numbered(lines: impl Iterator<Item = String>) -> String {
    let numbered = lines.enumerate();
    numbered
        .map(|(at, line)| format!("{:>4}  {line}\n", at + 1))
        .collect()
}

/// A choice and what it means, on one line.
fn offered(offer: &Offer) -> String {
    let label = one_line(&offer.label);
    match &offer.about {
        Some(about) => format!("{label}: {}", one_line(about)),
        None => label,
    }
}

/// A text as it stands inside of a line.
fn one_line(text: &str) -> String {
    visible(text).replace('\n', " ")
}

/// The line behind which the answer to a question is typed.
fn line_of(always: &Always) -> &'static str {
    match (always.rules.is_empty(), always.can_save) {
        (true, _) => "run it? [y]es, [n]o, n and a reason, or ?: ",
        (false, false) => "run it? [y]es, [a]lways, [n]o, n and a reason, or ?: ",
        (false, true) => {
            "run it? [y]es, always in this session [a], [p]roject or for [u]ser, [n]o, n and a reason, or ?: "
        }
    }
}

/// How long a yes for good is to hold that was typed as `word`, if it was offered.
fn reach(word: &str, always: &Always) -> Option<Reach> {
    if always.rules.is_empty() {
        return None;
    }
    match word {
        "a" | "always" => Some(Reach::Session),
        "p" if always.can_save => Some(Reach::Project),
        "u" if always.can_save => Some(Reach::User),
        _ => None,
    }
}
