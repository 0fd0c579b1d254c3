//! Cutting text at a byte limit.
//! A character is never broken: the cut moves towards the kept side.

/// The longest start of `text` that has at most `bytes` bytes.
pub fn head_bytes(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// The longest end of `text` that has at most `bytes` bytes.
pub fn tail_bytes(text: &str, bytes: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(bytes))..]
}

#[cfg(test)]
mod tests {
    use super::*;

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
