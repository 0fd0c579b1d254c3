//! What a session is about, for a list: its first words, how many turns and calls it has, when it ended.
//!
//! It reads every line, and keeps none.

use super::record::{Head, Line};
use crate::chat::{Message, Role};
use crate::error::Kind;
use crate::text::{visible, within};

/// How many columns of the first words a title has.
const WIDE: usize = 72;

/// One session, in short.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// How it began; `None` where that cannot be read.
    pub head: Option<Head>,
    /// The first words of whoever asked, on one line; empty where nobody did.
    pub title: String,
    /// How often somebody asked.
    pub turns: usize,
    /// How many calls were begun.
    pub calls: usize,
    /// How many of them were denied or rejected.
    pub refused: usize,
    /// When its last line was written, as the lines say; empty where none does.
    pub end: String,
}

impl Summary {
    /// Reads lines, the oldest first. Those that cannot be read are passed over.
    pub fn read<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Summary {
        let mut summary = Summary::default();
        for line in lines {
            if let Ok(line) = serde_json::from_slice(line) {
                summary.take(line);
            }
        }
        summary
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Session(head) => {
                self.end.clone_from(&head.time);
                self.head = Some(head);
            }
            Line::Message { time, message } => {
                self.end = time;
                if message.role == Role::User {
                    self.turns += 1;
                }
                if self.title.is_empty() {
                    self.title = title(&[message]);
                }
            }
            Line::Call { time, .. } => {
                self.end = time;
                self.calls += 1;
            }
            Line::Result { time, kind, .. } => {
                self.end = time;
                let is_refusal = |kind: &String| {
                    [Kind::Denied, Kind::Rejected]
                        .map(Kind::as_str)
                        .contains(&&**kind)
                };
                self.refused += usize::from(kind.as_ref().is_some_and(is_refusal));
            }
            Line::Turn { time, .. } | Line::Compaction { time, .. } => self.end = time,
            _ => {}
        }
    }
}

/// The first words that somebody said to the model, on one line; empty where nobody did.
pub fn title(messages: &[Message]) -> String {
    let said = messages
        .iter()
        .filter(|message| message.role == Role::User)
        .map(Message::said)
        .find(|said| !said.trim().is_empty())
        .unwrap_or_default();
    // Enough words for any title, however long the rest is.
    let words: Vec<&str> = said.split_whitespace().take(WIDE).collect();
    within(&visible(&words.join(" ")), WIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_of_the_first_words() {
        let said = |text: &str| Message::text(Role::User, text);
        let told = Message::text(Role::System, "told");
        assert_eq!(
            title(&[told, said(" \n"), said(" make\n\tit \u{1b}[2J pass ")]),
            "make it \\x1b[2J pass"
        );
        assert_eq!(title(&[]), "");
        let long = title(&[said(&"漢".repeat(500))]);
        assert_eq!(long, format!("{}…", "漢".repeat(35)));
    }

    #[test]
    fn lines_are_counted_and_those_that_cannot_be_read_are_passed_over() {
        let lines: [&[u8]; 6] = [
            b"{\"type\":\"session\",\"id\":\"x\",\"time\":\"1\"}",
            b"{\"type\":\"message\",\"time\":\"2\",\"message\":{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"hi\"}]}}",
            b"{\"type\":\"call\",\"time\":\"3\",\"call\":{\"id\":\"a\",\"tool\":\"t\",\"arguments\":\"{}\"},\"may_change\":true}",
            b"{\"type\":\"result\",\"time\":\"4\",\"result\":{\"id\":\"a\",\"tool\":\"t\",\"text\":\"\"},\"kind\":\"denied\"}",
            b"{\"type\":\"later\"}",
            b"torn",
        ];
        let summary = Summary::read(lines);
        let counts = (summary.turns, summary.calls, summary.refused);
        assert_eq!(
            (counts, &*summary.end, &*summary.title),
            ((1, 1, 1), "4", "hi")
        );
        assert_eq!(summary.head.unwrap().id, "x");
    }
}
