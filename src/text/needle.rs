//! What a person looks for in a text: exactly these words, in any case unless they have a capital.
//!
//! Nothing in the words has a meaning of its own.

use regex::{Regex, RegexBuilder};

use super::{visible, within};

/// How many columns of a line stand before what was found in it.
const BEFORE: usize = 30;

/// What is looked for.
#[derive(Debug)]
pub struct Needle(Regex);

impl Needle {
    /// A needle of these words; `None` where there are none, or far too many.
    pub fn new(words: &str) -> Option<Needle> {
        let ignores_case = !words.chars().any(char::is_uppercase);
        let built = RegexBuilder::new(&regex::escape(words))
            .case_insensitive(ignores_case)
            .build();
        built.ok().filter(|_| !words.is_empty()).map(Needle)
    }

    /// The line of each place where `text` has it, the lines once each; a line that is long is shown around the place,
    /// at most `columns` wide, on one line and with control characters visible.
    pub fn lines(&self, text: &str, columns: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut shown = 0;
        for found in self.0.find_iter(text) {
            if found.start() < shown {
                continue;
            }
            let start = text[..found.start()].rfind('\n').map_or(0, |at| at + 1);
            let end = text[found.start()..].find('\n');
            let end = end.map_or(text.len(), |at| found.start() + at);
            shown = end.max(found.end());
            let (before, rest) = text[start..end].split_at(found.start() - start);
            lines.push(around(before, rest, columns));
        }
        lines
    }
}

/// The end of `before` and the start of `rest`, which begins with what was found.
fn around(before: &str, rest: &str, columns: usize) -> String {
    let before = before.trim_start();
    let skipped = before.chars().count().saturating_sub(BEFORE);
    let kept: String = before.chars().skip(skipped).collect();
    let mark = if skipped > 0 { "…" } else { "" };
    let line = visible(&format!("{mark}{kept}{rest}")).replace('\t', " ");
    within(line.trim_end(), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(words: &str, text: &str) -> Vec<String> {
        Needle::new(words).unwrap().lines(text, 80)
    }

    #[test]
    fn a_capital_makes_case_count() {
        let text = "an Apple\nan apple\nÄPFEL\n";
        assert_eq!(lines("apple", text), ["an Apple", "an apple"]);
        assert_eq!(lines("Apple", text), ["an Apple"]);
        assert_eq!(lines("äpfel", text), ["ÄPFEL"]);
    }

    #[test]
    fn words_are_no_pattern() {
        assert_eq!(lines("a.c(", "abc( a.c(\nabc("), ["abc( a.c("]);
        assert_eq!(lines("a\nb", "x a\nb y\nab"), ["x a"]);
        assert!(Needle::new("").is_none());
    }

    #[test]
    fn a_line_is_named_once_and_shown_around_what_was_found() {
        assert_eq!(lines("x", "x x x\ny\n  x\n"), ["x x x", "x"]);
        let long = format!("{}needle{}", "漢".repeat(300), "b".repeat(300));
        let shown = Needle::new("needle").unwrap().lines(&long, 80);
        let start = format!("…{}needle", "漢".repeat(BEFORE));
        assert!(shown[0].starts_with(&start[..start.len() - 6]), "{shown:?}");
        assert!(lines("c", "a\u{1b}[2Jc")[0].contains("\\x1b[2Jc"));
    }
}
