//! Typography folded away: quotes, dashes and spaces that look alike become the plain ones.
//!
//! Only for comparing. Positions lead back to the text as it was, whose own characters are kept.

use super::Span;

/// The plain character that `letter` is a typographic form of, or `letter` itself.
pub(super) fn plain(letter: char) -> char {
    match letter {
        '\u{2018}'..='\u{201B}' | '\u{2032}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
        other => other,
    }
}

/// Whether `letter` is space between words. A lone `\r` is a character like any other.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() && letter != '\r'
}

/// A text without typography, and the way back.
pub(super) struct Folded {
    /// The text with plain quotes, dashes and spaces.
    pub(super) text: String,
    /// Behind each character that became shorter: its end in `text`, and how much was lost so far.
    shorter: Vec<(usize, usize)>,
}

impl Folded {
    pub(super) fn of(text: &str) -> Folded {
        let mut folded = String::with_capacity(text.len());
        let (mut shorter, mut lost) = (Vec::new(), 0);
        for letter in text.chars() {
            let plain = plain(letter);
            folded.push(plain);
            if plain != letter {
                lost += letter.len_utf8() - plain.len_utf8();
                shorter.push((folded.len(), lost));
            }
        }
        Folded {
            text: folded,
            shorter,
        }
    }

    /// The span in the text as it was.
    pub(super) fn original(&self, span: &Span) -> Span {
        let back = |at: usize| {
            let before = self.shorter.partition_point(|(end, _)| *end <= at);
            let lost = before.checked_sub(1).map(|last| self.shorter[last].1);
            at + lost.unwrap_or(0)
        };
        back(span.start)..back(span.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_back_to_the_characters_of_the_text() {
        let text = "say “hi” – ok";
        let folded = Folded::of(text);
        assert_eq!(folded.text, "say \"hi\" - ok");
        for part in ["say", "\"hi\"", "hi", "- ok", "\" -"] {
            let at = folded.text.find(part).unwrap();
            let back = folded.original(&(at..at + part.len()));
            assert_eq!(Folded::of(&text[back]).text, part);
        }
    }
}
