//! Foreign text made safe for a terminal: control and direction characters become visible.
//! Nothing is removed, so that a reader sees what was sent.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with every control character but newline and tab, and every character that reorders or
/// hides text, written as an escape such as `\x1b` or `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if !is_hidden(character) {
            shown.push(character);
        } else if character == '\r' {
            shown.push_str("\\r");
        } else if (character as u32) < 0x100 {
            let _ = write!(shown, "\\x{:02x}", character as u32);
        } else {
            let _ = write!(shown, "\\u{{{:x}}}", character as u32);
        }
    }
    Cow::Owned(shown)
}

/// `text` on one line, with everything that a terminal would obey written as an escape.
pub fn one_line(text: &str) -> String {
    let text = text.replace('\n', "\\n").replace('\t', "\\t");
    visible(&text).into_owned()
}

/// Control characters, and the format characters that reorder or hide what stands beside them
/// (Unicode bidirectional controls, zero-width characters, tag characters, line separators).
fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
        | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
        || (character.is_control() && character != '\n' && character != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_what_a_terminal_would_obey() {
        assert_eq!(visible("plain\n\ttext é漢"), "plain\n\ttext é漢");
        assert_eq!(
            visible("\u{1b}[2Jx\r\u{202e}y\u{9b}"),
            "\\x1b[2Jx\\r\\u{202e}y\\x9b"
        );
    }
}
