//! A text as one word of a command line that people and models copy.
//! It is for showing: commands are run with their arguments apart.

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

#[cfg(test)]
mod tests {
    use super::*;

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
