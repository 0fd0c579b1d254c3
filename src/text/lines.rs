//! Where the lines of a text begin and what ends them.
//!
//! `\n` and `\r\n` end a line; a lone `\r` is an ordinary character. A line keeps its ending, so the
//! lines joined are the text. A last line without an ending counts; an empty text has no lines.

use std::fmt;
use std::ops::Range;

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// Every line that ends, ends with `\n`.
    Lf,
    /// Every line that ends, ends with `\r\n`.
    Crlf,
    /// Both occur.
    Mixed,
    /// No line ends: the text is empty or one unfinished line.
    None,
}

impl LineEnding {
    /// The ending of the lines of `text`.
    pub fn of(text: impl AsRef<[u8]>) -> LineEnding {
        let text = text.as_ref();
        let (mut lf, mut crlf) = (false, false);
        for at in memchr::memchr_iter(b'\n', text) {
            if at > 0 && text[at - 1] == b'\r' {
                crlf = true;
            } else {
                lf = true;
            }
            if lf && crlf {
                return LineEnding::Mixed;
            }
        }
        match (lf, crlf) {
            (true, _) => LineEnding::Lf,
            (_, true) => LineEnding::Crlf,
            _ => LineEnding::None,
        }
    }

    /// The word that results carry: `lf`, `crlf`, `mixed`, `none`.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnding::Lf => "lf",
            LineEnding::Crlf => "crlf",
            LineEnding::Mixed => "mixed",
            LineEnding::None => "none",
        }
    }
}

impl fmt::Display for LineEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The byte at which every line of one text begins. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
    length: usize,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: impl AsRef<[u8]>) -> LineIndex {
        let text = text.as_ref();
        let mut starts = Vec::new();
        if !text.is_empty() {
            starts.push(0);
        }
        starts.extend(
            memchr::memchr_iter(b'\n', text)
                .map(|at| at + 1)
                .filter(|start| *start < text.len()),
        );
        LineIndex {
            starts,
            length: text.len(),
        }
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of line `line` (from 1) with its ending; `None` past the end.
    pub fn line(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        Some(start..self.starts.get(line).copied().unwrap_or(self.length))
    }

    /// The bytes of the lines `first..=last` (from 1), cut to what is there; empty when nothing is.
    pub fn range(&self, first: usize, last: usize) -> Range<usize> {
        let last = last.min(self.count());
        match (self.line(first.max(1)), self.line(last)) {
            (Some(from), Some(to)) if from.start < to.end => from.start..to.end,
            _ => self.length..self.length,
        }
    }

    /// The line (from 1) that holds byte `at`; the last one for bytes past the end, 0 without lines.
    pub fn line_at(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// The line of byte `at` and its column in it, both from 1, the column in bytes.
    pub fn position(&self, at: usize) -> (usize, usize) {
        let line = self.line_at(at).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        (line, at.saturating_sub(start) + 1)
    }
}

/// The lines of `text` in order, each with its ending.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
}

/// `line` without its ending, and the ending (`"\n"`, `"\r\n"` or nothing).
pub fn split_ending(line: &str) -> (&str, &str) {
    let body = line
        .strip_suffix('\n')
        .map_or(line, |body| body.strip_suffix('\r').unwrap_or(body));
    line.split_at(body.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_a_last_line_without_an_ending() {
        for (text, count) in [
            ("", 0),
            ("\n", 1),
            ("a", 1),
            ("a\n", 1),
            ("a\nb", 2),
            ("a\n\n", 2),
        ] {
            assert_eq!(LineIndex::new(text).count(), count, "{text:?}");
        }
    }

    #[test]
    fn a_lone_carriage_return_ends_nothing() {
        let index = LineIndex::new("a\rb\r\nc");
        assert_eq!(index.count(), 2);
        assert_eq!(index.line(1), Some(0..5));
        assert_eq!(split_ending("a\rb\r\n"), ("a\rb", "\r\n"));
        assert_eq!(split_ending("a\r"), ("a\r", ""));
    }

    #[test]
    fn names_the_endings() {
        for (text, word) in [
            ("a", "none"),
            ("a\rb", "none"),
            ("a\nb", "lf"),
            ("a\r\nb\r\n", "crlf"),
            ("a\r\nb\n", "mixed"),
        ] {
            assert_eq!(LineEnding::of(text).as_str(), word, "{text:?}");
        }
    }

    #[test]
    fn gives_the_lines_of_a_range_that_reaches_past_the_end() {
        let text = "one\ntwo\r\nthree";
        let index = LineIndex::new(text);
        assert_eq!(&text[index.range(2, 9)], "two\r\nthree");
        assert_eq!(&text[index.range(1, 1)], "one\n");
        assert_eq!(&text[index.range(4, 9)], "");
        assert_eq!(&text[index.range(3, 2)], "");
        assert_eq!(index.position(5), (2, 2));
        assert_eq!(LineIndex::new("").position(0), (1, 1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

        #[test]
        fn the_lines_joined_are_the_text(text in "[a-c\r\n]{0,40}") {
            let index = LineIndex::new(&text);
            let joined: String =
                (1..=index.count()).filter_map(|line| index.line(line)).map(|r| &text[r]).collect();
            prop_assert_eq!(&joined, &text);
            prop_assert_eq!(lines(&text).count(), index.count());
            for at in 0..text.len() {
                let (line, column) = index.position(at);
                let range = index.line(line).unwrap();
                prop_assert!(range.contains(&at));
                prop_assert_eq!(range.start + column - 1, at);
            }
        }
    }
}
