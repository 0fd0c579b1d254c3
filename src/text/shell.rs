//! Words of a command line: a text written as one that people and models copy, and a typed line read as such.
//! Commands are run with their arguments apart; nothing here expands anything.

use std::borrow::Cow;

/// `text` as POSIX shells read it back, in single quotes where it needs any.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let plain =
        |character: char| character.is_ascii_alphanumeric() || "_./+:@%,=".contains(character);
    if !text.is_empty()
        && text.chars().all(|one| plain(one) || one == '-')
        && !text.starts_with('-')
    {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

/// The words of a typed line: separated by blanks, kept together by quotes and backslashes as POSIX shells do.
///
/// # Errors
/// The sentence that says which quote does not end.
pub fn shell_words(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match character {
            blank if blank.is_whitespace() => words.extend(word.take()),
            quote @ ('\'' | '"') => {
                let inner = quoted(&mut rest, quote)?;
                word.get_or_insert_default().push_str(&inner);
            }
            '\\' => word.get_or_insert_default().extend(rest.next()),
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Ok(words)
}

/// What stands before the `quote` that ends it.
fn quoted(rest: &mut std::str::Chars<'_>, quote: char) -> Result<String, String> {
    let mut inner = String::new();
    while let Some(character) = rest.next() {
        match character {
            end if end == quote => return Ok(inner),
            '\\' if quote == '"' => match rest.next() {
                Some(escaped @ ('"' | '\\' | '$' | '`')) => inner.push(escaped),
                Some(other) => inner.extend(['\\', other]),
                None => {}
            },
            plain => inner.push(plain),
        }
    }
    Err(format!("the quote {quote} does not end"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_is_read_as_words() {
        for (line, words) in [
            ("", vec![]),
            ("  a  b\tc ", vec!["a", "b", "c"]),
            ("'a b' \"c d\" e\\ f", vec!["a b", "c d", "e f"]),
            (r#"x'y z'"w" '' ""#, vec![]),
            (r#"x'y z'"w" ''"#, vec!["xy zw", ""]),
            (r#""a\"b\n" '\n'"#, vec!["a\"b\\n", "\\n"]),
        ] {
            match shell_words(line) {
                Ok(read) => assert_eq!(read, words, "{line}"),
                Err(why) => assert_eq!(why, "the quote \" does not end", "{line}"),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

        #[test]
        fn what_is_written_as_a_word_is_read_back(words in prop::collection::vec("[^\\x00]{0,20}", 0..6)) {
            let line: Vec<_> = words.iter().map(|word| shell_word(word)).collect();
            prop_assert_eq!(shell_words(&line.join(" ")), Ok(words));
        }
    }

    #[test]
    fn is_read_back_as_it_was() {
        for (text, word) in [
            ("src/a-b.rs", "src/a-b.rs"),
            ("", "''"),
            ("-n", "'-n'"),
            ("it's $HOME", r"'it'\''s $HOME'"),
            ("~", "'~'"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }
}
