//! One question at a time, put to the person at the terminal: shown whole, answered by a line.
//!
//! What was typed before the question was shown is thrown away, and control characters in it are visible.
//! What is secret is not echoed, and the terminal is as before afterwards, however the question ends.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr,
};

use super::outlet::Outlet;
use super::screen::Piece;
use crate::text::visible;
use crate::tool::{Answer, Prompt, Question, Said, Wants};

/// What the answers mean, for who answers `?`.
const ANSWERS: &str = "  y             do it, this once
  n             do not; the call fails as `rejected`
  n and words   do not, and the caller gets the words
  Ctrl-D        as n
  Ctrl-C        ends the whole run
";

/// Where one question is put: the way out, and the keyboard.
#[derive(Clone)]
pub(super) struct Desk {
    outlet: Arc<Outlet>,
    /// Becomes readable when the program is ending, and every prompt is given up.
    ended: Arc<io::PipeReader>,
    /// How the terminal was before something secret was asked.
    before: Arc<Mutex<Option<Termios>>>,
}

/// Becomes readable when nobody wants the answer any more.
pub(super) struct Gone(Option<OwnedFd>);

impl Gone {
    pub(super) fn new() -> Gone {
        Gone(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok())
    }

    pub(super) fn tell(&self) {
        if let Some(event) = &self.0 {
            let _ = rustix::io::write(event, &1_u64.to_ne_bytes());
        }
    }
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
    /// A desk that is left when `ended` becomes readable.
    pub(super) fn new(ended: io::PipeReader, outlet: Arc<Outlet>) -> Desk {
        Desk {
            outlet,
            ended: Arc::new(ended),
            before: Arc::default(),
        }
    }

    /// Asks about a call and waits for the answer, the end of the call or the end of the program.
    pub(super) fn ask(&self, question: &Question, gone: &Gone) -> Answer {
        self.clear();
        self.show(question);
        loop {
            self.line("run it? [y]es, [n]o, n and a reason, or ?: ");
            let line = match self.read_line(gone) {
                Typed::Line(line) => line,
                Typed::End => return Answer::Reject(None),
                Typed::Nothing => return Answer::Nobody,
            };
            let line = line.trim();
            match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
                ("y" | "yes", "") => return Answer::Once,
                ("n" | "no", "") => return Answer::Reject(None),
                ("n" | "no", words) => return Answer::Reject(Some(words.trim().to_owned())),
                ("?", _) => self.outlet.write(Piece::Err, ANSWERS.as_bytes()),
                _ => {}
            }
        }
    }

    /// Asks in words of a script, again and again until the answer is one.
    pub(super) fn prompt(&self, prompt: &Prompt, gone: &Gone) -> Said {
        self.clear();
        let line = self.show_prompt(prompt);
        let is_secret = matches!(prompt.wants, Wants::Line { is_secret, .. } if is_secret);
        if is_secret {
            self.hide();
        }
        let said = loop {
            self.line(&line);
            match self.read_line(gone) {
                Typed::Line(typed) => {
                    if let Some(said) = understood(&typed, &prompt.wants) {
                        break said;
                    }
                }
                Typed::End => break Said::End,
                Typed::Nothing => break Said::Nobody,
            }
        };
        if is_secret {
            self.restore();
            // The person's own line end was not shown.
            self.outlet.write(Piece::Err, b"\n");
        }
        said
    }

    /// Sets the terminal as it was before something secret was asked.
    pub(super) fn restore(&self) {
        if let Some(before) = self.before().take() {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
        }
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

    fn before(&self) -> MutexGuard<'_, Option<Termios>> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is waiting, and forgets what was typed.
    fn clear(&self) {
        self.outlet.drain();
        let _ = tcflush(io::stdin().as_fd(), QueueSelector::IFlush);
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
    }

    /// Shows a prompt but for its last line, which is returned: the answer is typed behind it.
    fn show_prompt(&self, prompt: &Prompt) -> String {
        let text = visible(prompt.text.trim_end());
        let (above, last) = match (&prompt.wants, text.rsplit_once('\n')) {
            (Wants::Choice { choices, .. }, _) => {
                let numbered = choices.iter().enumerate();
                let list: String = numbered
                    .map(|(at, choice)| format!("{:>4}  {}\n", at + 1, one_line(choice)))
                    .collect();
                (format!("{text}\n{list}"), format!("1-{}", choices.len()))
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
            Wants::Line { .. } | Wants::Choice { .. } => {
                format!("{}: ", last.trim_end_matches(':'))
            }
        }
    }

    fn line(&self, text: &str) {
        self.outlet.write(Piece::Prompt, text.as_bytes());
    }

    /// One line from the terminal, without its end.
    fn read_line(&self, gone: &Gone) -> Typed {
        let (stdin, mut line) = (io::stdin(), Vec::new());
        loop {
            let mut fds = vec![
                PollFd::new(&stdin, PollFlags::IN),
                PollFd::new(&*self.ended, PollFlags::IN),
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
            match rustix::io::read(&stdin, &mut bytes) {
                Ok(0) => return Typed::End,
                Ok(count) => line.extend_from_slice(&bytes[..count]),
                Err(_) => return Typed::Nothing,
            }
            if line.contains(&b'\n') {
                self.outlet.write(Piece::Answered, b"");
                let line = String::from_utf8_lossy(&line);
                let line = line.lines().next().unwrap_or_default();
                return Typed::Line(line.to_owned());
            }
        }
    }
}

/// A text as it stands inside of a line.
fn one_line(text: &str) -> String {
    visible(text).replace('\n', " ")
}

/// What a typed line says, if it is an answer.
fn understood(typed: &str, wants: &Wants) -> Option<Said> {
    let word = typed.trim();
    match wants {
        Wants::YesNo(default) => match word.to_lowercase().as_str() {
            "" => default.map(Said::YesNo),
            "y" | "yes" => Some(Said::YesNo(true)),
            "n" | "no" => Some(Said::YesNo(false)),
            _ => None,
        },
        Wants::Line { default, .. } => {
            let default = default.clone().filter(|_| typed.is_empty());
            Some(Said::Line(default.unwrap_or_else(|| typed.to_owned())))
        }
        Wants::Choice { default, .. } if word.is_empty() => default.map(Said::Choice),
        Wants::Choice { choices, .. } => {
            let by_text = choices.iter().position(|choice| choice.trim() == word);
            let number = word.parse::<usize>().ok();
            let by_number = number.and_then(|number| number.checked_sub(1));
            let place = by_text.or(by_number.filter(|at| *at < choices.len()));
            place.map(Said::Choice)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_yes_a_number_or_a_text_and_nothing_is_the_default() {
        let yes_no = Wants::YesNo(None);
        assert_eq!(understood(" Yes ", &yes_no), Some(Said::YesNo(true)));
        assert_eq!(understood("n", &yes_no), Some(Said::YesNo(false)));
        assert_eq!(understood("", &yes_no), None);
        assert_eq!(understood("perhaps", &yes_no), None);
        let default = Wants::YesNo(Some(false));
        assert_eq!(understood("", &default), Some(Said::YesNo(false)));
        let line = Wants::Line {
            default: Some("d".to_owned()),
            is_secret: false,
        };
        assert_eq!(understood("", &line), Some(Said::Line("d".to_owned())));
        assert_eq!(understood(" a ", &line), Some(Said::Line(" a ".to_owned())));
        let choice = Wants::Choice {
            choices: vec!["red".to_owned(), "2".to_owned(), "blue".to_owned()],
            default: Some(2),
        };
        for (typed, place) in [("1", 0), ("red", 0), ("2", 1), ("3", 2), ("", 2)] {
            assert_eq!(understood(typed, &choice), Some(Said::Choice(place)));
        }
        for typed in ["0", "4", "rde", "-1"] {
            assert_eq!(understood(typed, &choice), None);
        }
    }
}
