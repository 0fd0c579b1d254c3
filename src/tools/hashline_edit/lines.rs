//! The parameter `lines`: a list of lines, a text of several, or nothing.
//!
//! Line ends are no part of it. An empty text alone is refused: it could mean no line, or a blank one.

use serde::de::{Deserialize, Deserializer, Error};

use crate::data::Data;
use crate::tool::Work;

/// Lines without their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines(pub(super) Vec<String>);

/// The lines that are given, `null` as none; called only where the parameter is there.
pub(super) fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Lines>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged, expecting = "expected a list of lines, a text, or null")]
    enum Given {
        Text(String),
        List(Vec<String>),
        Nothing(()),
    }
    let lines = match Given::deserialize(from)? {
        Given::Text(text) if text.is_empty() => {
            return Err(D::Error::custom(
                "an empty text is unclear: [] is no line, [\"\"] is a blank one",
            ));
        }
        Given::Text(text) => split(&text),
        Given::List(list) => list.iter().flat_map(|line| split(line)).collect(),
        Given::Nothing(()) => Vec::new(),
    };
    Ok(Some(Lines(lines)))
}

/// The lines of a text; of an empty one a blank line.
fn split(text: &str) -> Vec<String> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let line = |line: &str| line.strip_suffix('\r').unwrap_or(line).to_owned();
    text.split('\n').map(line).collect()
}

/// How many lines come and go, as the edits tell it: an anchor says which line of the file it means.
pub(super) fn told(args: &Data) -> Work {
    let (mut additions, mut deletions) = (0, 0);
    for edit in args
        .get("edits")
        .and_then(Data::as_list)
        .unwrap_or_default()
    {
        additions += match edit.get("lines") {
            Some(Data::Text(text)) => split(text).len(),
            Some(Data::List(lines)) => lines.len(),
            _ => 0,
        };
        let op = edit.get("op").and_then(Data::as_str);
        if matches!(op, Some("replace" | "delete")) {
            let number = |name| edit.get(name).and_then(Data::as_str).and_then(number);
            let first = number("pos").or_else(|| number("end"));
            let last = number("end").or(first);
            let span = first
                .zip(last)
                .and_then(|(first, last)| last.checked_sub(first));
            deletions += span.map_or(1, |span| span.saturating_add(1));
        }
    }
    Work::Lines {
        additions,
        deletions,
    }
}

/// The line that an anchor names.
fn number(anchor: &str) -> Option<usize> {
    let (number, _) = anchor.split_once('#')?;
    number.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Vec<String>, String> {
        let read = given(&mut serde_json::Deserializer::from_str(json));
        let lines = read.map_err(|error| error.to_string())?;
        Ok(lines.unwrap().0)
    }

    #[test]
    fn takes_lists_texts_and_nothing() {
        for (json, lines) in [
            ("[]", vec![]),
            ("null", vec![]),
            (r#"[""]"#, vec![""]),
            (r#"["a", "b\r\n", "c\nd"]"#, vec!["a", "b", "c", "d"]),
            (r#""a\r\nb\n""#, vec!["a", "b"]),
            (r#""\n""#, vec![""]),
            (r#""a\n\n""#, vec!["a", ""]),
        ] {
            assert_eq!(read(json).unwrap(), lines, "{json}");
        }
        assert!(read(r#""""#).unwrap_err().contains("unclear"));
        assert!(read("7").unwrap_err().contains("a list of lines"));
    }
}
