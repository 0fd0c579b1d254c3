//! Texts that differ only in their line ends: compared as one, written back each in its own.
//!
//! Positions lead back to the text as it was, so that nothing outside a place is ever rewritten.

use std::iter::Peekable;
use std::str::MatchIndices;

use super::Span;

/// A text whose line ends are all `\n`, and the way back to where its bytes stood.
pub(super) struct Unified {
    /// The text with `\n` for `\r\n`.
    pub(super) text: String,
    /// For every `\r` that was taken out, the position in `text` of the `\n` that followed it.
    taken: Vec<usize>,
}

impl Unified {
    pub(super) fn of(text: &str) -> Unified {
        let mut unified = String::with_capacity(text.len());
        let mut taken = Vec::new();
        for (at, piece) in text.split("\r\n").enumerate() {
            if at > 0 {
                taken.push(unified.len());
                unified.push('\n');
            }
            unified.push_str(piece);
        }
        Unified {
            text: unified,
            taken,
        }
    }

    /// The span in the text as it was. A `\r` belongs to the `\n` behind it.
    pub(super) fn original(&self, span: &Span) -> Span {
        let back = |at: usize| at + self.taken.partition_point(|&taken| taken < at);
        back(span.start)..back(span.end)
    }
}

/// The line ends of a text, met in one pass while its places are replaced in order.
pub(super) struct LineEnds<'a> {
    content: &'a str,
    ahead: Peekable<MatchIndices<'a, char>>,
    /// The last line end in front of the place.
    behind: Option<usize>,
}

impl<'a> LineEnds<'a> {
    pub(super) fn of(content: &'a str) -> LineEnds<'a> {
        LineEnds {
            content,
            ahead: content.match_indices('\n').peekable(),
            behind: None,
        }
    }

    /// Writes `lines` with the line ends of the lines that they replace at `span`, one after the other;
    /// where there are more lines than before, with the last of those, else with that of the nearest line.
    /// Spans come in order.
    pub(super) fn write(&mut self, written: &mut String, lines: &[&str], span: &Span) {
        let [first, rest @ ..] = lines else {
            return;
        };
        written.push_str(first);
        if rest.is_empty() {
            return;
        }
        while let Some((at, _)) = self.ahead.next_if(|(at, _)| *at < span.start) {
            self.behind = Some(at);
        }
        let mut last = None;
        for line in rest {
            if let Some((at, _)) = self.ahead.next_if(|(at, _)| *at < span.end) {
                (last, self.behind) = (Some(at), Some(at));
            }
            let next = self.ahead.peek().map(|(at, _)| *at);
            let like = last.or(next).or(self.behind);
            written.push_str(like.map_or("\n", |at| self.end_at(at)));
            written.push_str(line);
        }
    }

    /// The line end whose `\n` stands at `at`.
    fn end_at(&self, at: usize) -> &'a str {
        let is_pair = self.content[..at].ends_with('\r');
        &self.content[at - usize::from(is_pair)..=at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_way_back_around_line_ends() {
        let text = "a\r\nb\nc\r\nd";
        let unified = Unified::of(text);
        assert_eq!(unified.text, "a\nb\nc\nd");
        for (span, original) in [
            (0..1, "a"),
            (0..2, "a\r\n"),
            (1..3, "\r\nb"),
            (4..7, "c\r\nd"),
        ] {
            assert_eq!(&text[unified.original(&span)], original);
        }
    }

    #[test]
    fn gives_new_lines_the_ends_of_the_old_ones() {
        let like = |lines: &[&str], content: &str, span: Span| {
            let mut written = String::new();
            LineEnds::of(content).write(&mut written, lines, &span);
            written
        };
        let text = "a\r\nb\nc\r\n";
        assert_eq!(like(&["x", "y", "z", ""], text, 0..5), "x\r\ny\nz\n");
        assert_eq!(like(&["x", "y"], text, 5..6), "x\r\ny");
        assert_eq!(like(&["x", "y"], text, 3..4), "x\ny");
        assert_eq!(like(&["x", "y"], "one line", 0..3), "x\ny");
        assert_eq!(like(&["x", "y"], "a\r\nend", 3..6), "x\r\ny");
    }
}
