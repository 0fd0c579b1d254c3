//! One edit: find the place, refuse what is uncertain, put the new text there.
//!
//! Bytes outside the spans come out as they went in.

use super::line_ends::{LineEnds, Unified};
use super::{Span, simple};

/// A text after an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// The replacer that found the places.
    pub replacer: &'static str,
    /// How like the places are to what was asked for, from 0 to 1.
    pub score: f64,
    /// What was replaced: spans of the text before.
    pub spans: Vec<Span>,
}

/// Why an edit was not applied. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
pub enum NotApplied {
    /// There is nothing to look for.
    Empty,
    /// Old and new are the same but for line ends.
    NoChange,
    /// The text is not there.
    NotFound,
    /// It is there more than once; the spans in the text.
    Ambiguous(Vec<Span>),
}

/// Puts `new` in the one place of `content` where `old` stands, or with `all` in every such place.
/// `new` is literal. Line ends in it become those of the lines it replaces.
///
/// # Errors
/// [`NotApplied`].
pub fn replace(content: &str, old: &str, new: &str, all: bool) -> Result<Edited, NotApplied> {
    let (unified, wanted) = (Unified::of(content), Unified::of(old).text);
    if wanted.is_empty() {
        return Err(NotApplied::Empty);
    }
    let new = Unified::of(new).text;
    if wanted == new {
        return Err(NotApplied::NoChange);
    }
    let found = match all {
        true => simple::find(&unified.text, &wanted),
        false => simple::find_overlapping(&unified.text, &wanted),
    };
    let spans: Vec<Span> = found.iter().map(|span| unified.original(span)).collect();
    match spans.len() {
        0 => Err(NotApplied::NotFound),
        1 => Ok(splice(content, &new, spans)),
        _ if all => Ok(splice(content, &new, spans)),
        _ => Err(NotApplied::Ambiguous(spans)),
    }
}

/// `new` has plain line ends.
fn splice(content: &str, new: &str, spans: Vec<Span>) -> Edited {
    let mut text = String::with_capacity(content.len() + new.len() * spans.len());
    let (lines, mut ends) = (Vec::from_iter(new.split('\n')), LineEnds::of(content));
    let mut kept = 0;
    for span in &spans {
        text.push_str(&content[kept..span.start]);
        ends.write(&mut text, &lines, span);
        kept = span.end;
    }
    text.push_str(&content[kept..]);
    Edited {
        text,
        replacer: "simple",
        score: 1.0,
        spans,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edited(content: &str, old: &str, new: &str) -> String {
        replace(content, old, new, false).unwrap().text
    }

    #[test]
    fn replaces_to_the_letter() {
        assert_eq!(
            edited("let a = 1;\n", "a", "$&$1${y}%1\\1\\n"),
            "let $&$1${y}%1\\1\\n = 1;\n"
        );
        let all = replace("a=1;a=2;", "a", "$&$$x", true).unwrap();
        assert_eq!(
            (all.text.as_str(), all.spans.len()),
            ("$&$$x=1;$&$$x=2;", 2)
        );
    }

    #[test]
    fn keeps_the_line_ends_of_the_file() {
        assert_eq!(
            edited("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz"),
            "x\r\ny\r\nz\r\nc\r\n"
        );
        assert_eq!(edited("a\r\nb\nc", "a\r\nb\r\n", "x\r\ny\r\n"), "x\r\ny\nc");
        assert_eq!(
            replace("a\r\nb", "a\r\nb", "a\nb", false),
            Err(NotApplied::NoChange)
        );
    }

    /// The work is one pass over the text, however many places there are.
    #[test]
    fn replaces_fifty_thousand_places() {
        let places = 50_000;
        let one_line = replace(&"ab".repeat(places), "a", "x\ny", true).unwrap();
        assert_eq!(one_line.text, "x\nyb".repeat(places));
        let lines = replace(&"a\r\n".repeat(places), "a\n", "x\ny\n", true).unwrap();
        assert_eq!(lines.text, "x\r\ny\r\n".repeat(places));
        let plain = replace(&"a b\n".repeat(places), "a", "x", true).unwrap();
        assert_eq!(
            (plain.text, plain.spans.len()),
            ("x b\n".repeat(places), places)
        );
    }

    #[test]
    fn refuses_what_is_uncertain() {
        assert_eq!(replace("abc", "x", "y", false), Err(NotApplied::NotFound));
        assert_eq!(replace("abc", "", "y", false), Err(NotApplied::Empty));
        assert_eq!(
            replace("aXbX", "X", "y", false),
            Err(NotApplied::Ambiguous(vec![1..2, 3..4]))
        );
    }

    #[test]
    fn places_that_overlap_are_two_places() {
        let twice = NotApplied::Ambiguous(vec![0..2, 1..3]);
        assert_eq!(replace("aaa", "aa", "b", false), Err(twice));
        assert!(replace("}\n}\n}\n", "}\n}\n", "Z", false).is_err());
        assert_eq!(replace("aaa", "aa", "b", true).unwrap().text, "ba");
    }

    proptest! {
        #[test]
        fn changes_nothing_outside_the_span(
            before in "[a-cé\r\n]{0,20}", after in "[a-cé\r\n]{0,20}", new in "[a-c\r\n]{0,8}",
        ) {
            let content = format!("{before}<old>{after}");
            let text = edited(&content, "<old>", &new);
            prop_assert!(text.starts_with(&before) && text.ends_with(&after));
        }
    }
}
