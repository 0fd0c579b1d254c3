//! Secrets of several lines: what follows the line that a rule finds, a line at a time.
//!
//! A key of which only the end is there is found from its end, upwards: the line that ends one, and base64 above it.
//! Each line becomes a tag of its own, so that lines keep their numbers and any part of the text can be shown.

use std::ops::Range;
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

/// The line that ends a key.
static END: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----").ok());

/// A line of nothing but base64, once or in two columns beside each other, whatever stands around it.
static BODY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^(?:[\s>+|"'-]{0,40}[0-9]{1,9}[\s:|>-]{1,20})?[\s>+|:"'-]{0,40}(?<one>[A-Za-z0-9+/]{2,}={0,2})(?:[\s|<>()]{1,40}(?<other>[A-Za-z0-9+/]{2,}={0,2})?)?(?:\\[rn])*["',;+\\\s$]{0,8}$"#).ok()
});

/// From this width on a line of base64 is one of a key where a key ends below it.
const WIDE: usize = 40;

/// How much narrower a line may seem: what stands around it may be a part of it.
const NEAR: usize = 3;

/// Whether a key ends in `line`.
pub(super) fn ends(line: &str) -> bool {
    END.as_ref().is_some_and(|end| end.is_match(line))
}

/// Where base64 stands in a line that holds nothing else.
fn columns(line: &str) -> Option<(Range<usize>, Option<Range<usize>>)> {
    let found = BODY.as_ref()?.captures(line)?;
    let other = found.name("other").map(|other| other.range());
    Some((found.name("one")?.range(), other))
}

/// The columns of `line` where there are two.
pub(super) fn beside(line: &str) -> impl Iterator<Item = Range<usize>> {
    let both = columns(line).and_then(|(one, other)| Some([one, other?]));
    both.into_iter().flatten()
}

/// Whether a key may be what this line is a part of.
pub(super) fn may_be_of_a_key(line: &str) -> bool {
    columns(line).is_some_and(|(one, _)| one.len() >= WIDE)
}

/// The lines of a key that ends at `end`, where the line begins that says so: the last one, which may be short, and
/// those above it of one width.
pub(super) fn above(text: &str, end: usize) -> Vec<Range<usize>> {
    let (mut found, mut last) = (Vec::new(), Vec::new());
    let (mut width, mut is_key) = (None, false);
    let mut start = end;
    let Some(before) = text[..end].strip_suffix('\n') else {
        return found;
    };
    for line in before.rsplit('\n') {
        start -= line.len() + 1;
        let Some((one, other)) = columns(line.trim_end_matches('\r')) else {
            break;
        };
        let length = one.len();
        let places = [Some(one), other].into_iter().flatten();
        let places = places.map(|place| start + place.start..start + place.end);
        if start + line.len() + 1 == end {
            is_key = length >= WIDE;
            last.extend(places);
        } else if length >= WIDE && width.is_none_or(|width: usize| width.abs_diff(length) <= NEAR)
        {
            width = Some(length);
            found.extend(places);
        } else {
            break;
        }
    }
    if is_key || width.is_some() {
        found.extend(last);
    }
    found
}
