//! The lines of a text as replacers compare them: where each lies, and where a run of lines stands again.
//!
//! The search is one pass, however alike the lines are.

use std::collections::HashMap;
use std::hash::Hash;

use super::Span;
use super::fold::is_space;

/// The lines of a text, split at `\n`; behind the last `\n` there is one more, which may be empty.
pub(super) struct Lines<'a> {
    text: &'a str,
    spans: Vec<Span>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Lines<'a> {
        let mut from = 0;
        let spans = text.split('\n').map(|line| {
            let span = from..from + line.len();
            from = span.end + 1;
            span
        });
        Lines {
            text,
            spans: spans.collect(),
        }
    }

    /// The lines without the empty one behind the last `\n`.
    pub(super) fn quoted(text: &'a str) -> Lines<'a> {
        let mut lines = Lines::of(text);
        if lines.len() > 1 && lines.spans.last().is_some_and(|last| last.is_empty()) {
            lines.spans.pop();
        }
        lines
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    pub(super) fn get(&self, at: usize) -> &'a str {
        &self.text[self.spans[at].clone()]
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &'a str> + '_ {
        self.spans.iter().map(|span| &self.text[span.clone()])
    }

    /// Where the `count` lines from `first` (counted from 0) lie, without the end of the last.
    pub(super) fn block(&self, first: usize, count: usize) -> Span {
        self.spans[first].start..self.spans[first + count - 1].end
    }

    /// The lines, each as `form` makes it.
    pub(super) fn forms<T>(&self, form: impl Fn(&'a str) -> T) -> Vec<T> {
        self.iter().map(form).collect()
    }
}

/// A line without the space around it.
pub(super) fn trimmed(line: &str) -> &str {
    line.trim_matches(is_space)
}

/// Every position where `wanted` stands in `all`, those that overlap too.
pub(super) fn positions<T: Eq + Hash>(all: &[T], wanted: &[T]) -> Vec<usize> {
    if wanted.is_empty() || wanted.len() > all.len() {
        return Vec::new();
    }
    let mut numbers = HashMap::new();
    let wanted: Vec<usize> = wanted
        .iter()
        .map(|item| {
            let next = numbers.len() + 1;
            *numbers.entry(item).or_insert(next)
        })
        .collect();
    let falls = falls(&wanted);
    let (mut found, mut matched) = (Vec::new(), 0);
    for (at, item) in all.iter().enumerate() {
        let item = numbers.get(item).copied().unwrap_or(0);
        while matched > 0 && (matched == wanted.len() || wanted[matched] != item) {
            matched = falls[matched - 1];
        }
        matched += usize::from(wanted[matched] == item);
        if matched == wanted.len() {
            found.push(at + 1 - matched);
        }
    }
    found
}

/// For every length of a beginning of `wanted`: how long its longest beginning is that also ends it.
pub(super) fn falls<T: PartialEq>(wanted: &[T]) -> Vec<usize> {
    let mut falls = vec![0; wanted.len()];
    let mut length = 0;
    for at in 1..wanted.len() {
        while length > 0 && wanted[at] != wanted[length] {
            length = falls[length - 1];
        }
        length += usize::from(wanted[at] == wanted[length]);
        falls[at] = length;
    }
    falls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_run() {
        let find = |all: &str, wanted: &str| {
            let list = |text: &str| text.chars().collect::<Vec<char>>();
            positions(&list(all), &list(wanted))
        };
        assert_eq!(find("aabaabaa", "aabaa"), [0, 3]);
        assert_eq!(find("aaaa", "aa"), [0, 1, 2]);
        assert!(find("abc", "d").is_empty());
        assert_eq!(find("abababc", "ababc"), [2]);
    }
}
