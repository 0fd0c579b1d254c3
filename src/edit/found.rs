//! What a replacer gives: places in a text, each with how like it is to what was asked for.
//!
//! Places are spans, never texts to be searched for again.

use super::Span;

/// One place that a replacer found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where it is: bytes from 0 of the text the replacer was given, the end exclusive.
    pub span: Span,
    /// How like it is to what was asked for, from 0 to 1.
    pub score: f64,
}

impl Found {
    pub(super) fn new(span: Span, score: f64) -> Found {
        Found { span, score }
    }
}

/// Puts places in order and holds them to the rules: inside `text`, on the borders of characters, not
/// empty, none over another, scores from 0 to 1.
///
/// # Errors
/// What is wrong with the first that breaks one, with its positions from 1, inclusive.
pub fn in_order(text: &str, mut found: Vec<Found>) -> Result<Vec<Found>, String> {
    found.sort_by_key(|found| (found.span.start, found.span.end));
    let mut end = 0;
    for Found { span, score } in &found {
        let place = format!("{{ {}, {} }}", span.start.saturating_add(1), span.end);
        if span.is_empty() || span.end > text.len() {
            let length = text.len();
            return Err(format!(
                "{place} is no place in a text of {length} bytes: positions count from 1 and include the last byte"
            ));
        }
        if !text.is_char_boundary(span.start) || !text.is_char_boundary(span.end) {
            return Err(format!("{place} begins or ends inside a character"));
        }
        if span.start < end {
            return Err(format!("{place} overlaps the place before it"));
        }
        if !(0.0..=1.0).contains(score) {
            return Err(format!("the score of {place} is {score}: expected 0 to 1"));
        }
        end = span.end;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_places_to_the_rules() {
        let check = |spans: &[(usize, usize)], score: f64| {
            let found = spans
                .iter()
                .map(|&(start, end)| Found::new(start..end, score));
            in_order("aé b", found.collect())
        };
        let ordered = check(&[(4, 5), (0, 1)], 1.0).unwrap();
        assert_eq!(ordered[0].span, 0..1);
        for (spans, score, says) in [
            (vec![(0, 9)], 1.0, "no place in a text of 5 bytes"),
            (vec![(2, 2)], 1.0, "no place"),
            (vec![(0, 2)], 1.0, "inside a character"),
            (vec![(0, 3), (1, 4)], 1.0, "overlaps"),
            (vec![(0, 1)], 1.5, "the score of { 1, 1 } is 1.5"),
        ] {
            let error = check(&spans, score).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
