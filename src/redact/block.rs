//! Secrets of several lines: what follows the line that a rule finds, a line at a time.
//!
//! Each line becomes a tag of its own, so that lines keep their numbers and any part of the text can be shown.

use std::sync::LazyLock;

use regex::Regex;

/// A block that the lines before have begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Open {
    /// The rule, if a block is open.
    pub(super) rule: Option<usize>,
    /// Whether a line of it has been found: then a short one is its end.
    pub(super) has_begun: bool,
}

/// The short last line of a block, whatever stands around it.
static LAST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^[\s+>|"'-]{0,40}(?<secret>[A-Za-z0-9+/=]{1,40})(?:\\[rn])*["',;\s]{0,8}$"#).ok()
});

/// What is found in a line of an open block.
pub(super) enum Line {
    /// A secret, at these bytes of it.
    Secret(usize, usize),
    /// Nothing; the block goes on.
    Empty,
    /// Nothing; it is over.
    Over,
}

/// What `line` holds of the block that `follow` describes.
pub(super) fn line(follow: &Regex, line: &str, has_begun: bool) -> Line {
    let last = LAST.as_ref().filter(|_| has_begun);
    for regex in [Some(follow), last].into_iter().flatten() {
        if let Some(found) = regex.captures(line) {
            return match found.name("secret") {
                Some(secret) => Line::Secret(secret.start(), secret.end()),
                None => Line::Empty,
            };
        }
    }
    Line::Over
}
