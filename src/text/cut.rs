//! Cutting text at a byte limit, or behind its first sentence.
//! A character is never broken: the cut moves towards the kept side.

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
}
