//! Cutting text at a limit of bytes, of columns on a terminal, or behind its first sentence.
//! A character is never broken: the cut moves towards the kept side.

use unicode_width::UnicodeWidthChar as _;

/// The longest start of `text` that has at most `bytes` bytes.
pub fn head_bytes(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// The longest end of `text` that has at most `bytes` bytes.
pub fn tail_bytes(text: &str, bytes: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(bytes))..]
}

/// The first sentence of a text, if its first line holds more than one; else that line.
pub fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |end| &line[..=end])
}

/// The longest start of `text` that is at most `columns` wide, and whether that is all of it. A control character counts
/// as one column.
pub fn head_columns(text: &str, columns: usize) -> (&str, bool) {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += character.width().unwrap_or(1);
        if used > columns {
            return (&text[..at], false);
        }
    }
    (text, true)
}

/// `text`, or the start of it and `…` where it is wider than `columns`.
pub fn within(text: &str, columns: usize) -> String {
    match head_columns(text, columns) {
        (all, true) => all.to_owned(),
        _ => format!("{}…", head_columns(text, columns.saturating_sub(1)).0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_before_the_next_or_with_the_line() {
        assert_eq!(first_sentence("Finds a. b. More."), "Finds a.");
        assert_eq!(
            first_sentence("Version 1.2 of it\nmore. yes"),
            "Version 1.2 of it"
        );
        assert_eq!(first_sentence(""), "");
    }

    #[test]
    fn never_breaks_a_character() {
        let text = "aé漢🦀z";
        for bytes in 0..=text.len() + 2 {
            let (head, tail) = (head_bytes(text, bytes), tail_bytes(text, bytes));
            assert!(head.len() <= bytes && tail.len() <= bytes);
            assert!(text.starts_with(head) && text.ends_with(tail));
            assert!(
                bytes.min(text.len()) - head.len() < 4 && bytes.min(text.len()) - tail.len() < 4
            );
        }
    }

    #[test]
    fn a_wide_character_takes_two_columns_and_a_combining_one_none() {
        assert_eq!(head_columns("漢字ab", 5), ("漢字a", false));
        assert_eq!(head_columns("漢字ab", 3), ("漢", false));
        assert_eq!(head_columns("e\u{301}a", 2), ("e\u{301}a", true));
        assert_eq!(within("漢字ab", 6), "漢字ab");
        assert_eq!(within("漢字ab", 5), "漢字…");
        assert_eq!(within("漢字ab", 4), "漢…");
    }
}
