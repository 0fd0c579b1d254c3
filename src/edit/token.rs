//! Whether a place begins or ends inside a longer token: a tolerant match never does.
//!
//! A token is a word with what is glued to it (a sign, a sigil, the path to it), or a whole operator. It knows no
//! language: where one of them could read a longer token, the place cuts it.

use super::Span;

/// The characters that operators are made of.
const OPERATORS: &str = "=<>!+-*/%&|^~?:.@#$\\";
/// What belongs to the word or the bracket behind it.
const BEFORE_A_WORD: &str = "!+-*/%&^~?:.@#$\\";
const BEFORE_A_BRACKET: &str = "!-~&*@#$";
/// What belongs to the word before it.
const BEHIND_A_WORD: &str = "!?@#$";

/// What stands around one end of a place.
struct Seam {
    /// Before the seam, the nearest first.
    before: [Option<char>; 2],
    /// Behind it.
    after: [Option<char>; 2],
}

impl Seam {
    fn at(text: &str, at: usize) -> Seam {
        let (mut before, mut after) = (text[..at].chars().rev(), text[at..].chars());
        Seam {
            before: [before.next(), before.next()],
            after: [after.next(), after.next()],
        }
    }

    /// Whether one token goes on over the seam, whichever side the place is on.
    fn is_inside(&self) -> bool {
        let ([Some(before), further], [Some(after), next]) = (self.before, self.after) else {
            return false;
        };
        let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        let word = |letter: Option<char>| letter.is_some_and(is_word);
        let arrow = before == '>' && further == Some('-');
        is_mark(after)
            || is_word(before) && is_word(after)
            || before == '.' && is_digit(Some(after))
            || is_digit(Some(before)) && after == '.' && is_digit(next)
            || is_operator(before) && is_operator(after) && (before, after) != ('>', '<')
            || is_word(after) && (BEFORE_A_WORD.contains(before) || arrow)
            || "([{".contains(after) && BEFORE_A_BRACKET.contains(before)
            || is_quote(after) && "@$".contains(before)
            || is_word(before) && "-/".contains(after) && word(next)
            || is_word(before) && after == '\'' && word(next)
            || word(further) && before == '\'' && is_word(after)
            || is_word(before) && BEHIND_A_WORD.contains(after) && next != Some('=')
    }

    /// Whether the place that begins here leaves the start of its first token out.
    fn cuts_the_first(&self) -> bool {
        let [Some(before), _] = self.before else {
            return false;
        };
        let is_prefix = is_word(before) && self.after[0].is_some_and(is_quote);
        is_prefix || self.is_inside()
    }

    /// Whether the place that ends here leaves the end of its last token out.
    fn cuts_the_last(&self) -> bool {
        let ([Some(before), _], [Some(after), Some(next)]) = (self.before, self.after) else {
            return self.is_inside();
        };
        let path = match after {
            '.' => is_word(next),
            ':' | '+' => next == after,
            '-' => next == '-' || next == '>',
            _ => false,
        };
        is_word(before) && path || is_quote(before) && is_word(after) || self.is_inside()
    }
}

/// Whether the place at `span` begins or ends inside a longer token.
pub(super) fn cuts_a_token(text: &str, span: &Span) -> bool {
    Seam::at(text, span.start).cuts_the_first() || Seam::at(text, span.end).cuts_the_last()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || is_mark(letter)
}

fn is_operator(letter: char) -> bool {
    OPERATORS.contains(letter)
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`')
}

/// Whether `letter` belongs to the character before it.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{20D0}'..='\u{20F0}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part between bars, and whether it cuts a token.
    fn cuts(marked: &str) -> bool {
        let start = marked.find('¦').unwrap();
        let text = marked.replace('¦', "");
        let end = marked.rfind('¦').unwrap() - '¦'.len_utf8();
        cuts_a_token(&text, &(start..end))
    }

    #[test]
    fn knows_the_inside_of_a_token() {
        for marked in [
            "¦foo¦bar()",
            "¦1¦.5",
            "¦e¦\u{301}a",
            "¦a¦é",
            "a =¦= 1¦",
            "¦a =¦= 1",
            "a +¦= 1¦",
            "a >¦= 1;¦ b",
            "foo-¦bar = 1¦",
            "¦x = foo¦-bar",
            "x = -¦1 + y¦",
            "if (!¦a == b¦)",
            "!¦(a == b)¦",
            "x.¦foo = 1¦",
            "¦x = foo¦.bar",
            "a::¦b = 1¦",
            "¦x = a¦::b",
            "p->¦b = 1¦",
            "¦x = p¦->b",
            "$¦a = 1¦",
            "@¦a = 1¦",
            "#¦a = 1¦",
            "¦x = empty¦?",
            "¦x = vec¦![1]",
            "¦x = i¦++",
            "#¦[derive( A )]¦",
            "don'¦t  do¦",
            "f¦\"a  b\"¦",
            "src/¦a = 1¦",
            "¦x = src¦/a",
            "/¦// a¦",
        ] {
            assert!(cuts(marked), "{marked}");
        }
    }

    #[test]
    fn knows_whole_tokens() {
        for marked in [
            "¦foo¦()",
            "(¦foo¦)",
            "x = ¦foo()¦;",
            "foo¦(a, b)¦",
            "said ¦\"no\"¦ twice",
            "\"¦say  hi¦\"",
            "x=¦foo(a)¦,",
            "|x|¦foo( x)¦",
            "<b>¦<i>a  b</i>¦</b>",
            "foo(¦a,  b¦).bar()",
            "¦foo( a)¦.bar()",
            "¦foo( a)¦?;",
            "x¦.foo( a)¦",
            "¦key¦: value",
            "¦a  b¦.",
            "¦a¦ = 1",
            "¦a¦ != b",
        ] {
            assert!(!cuts(marked), "{marked}");
        }
    }
}
