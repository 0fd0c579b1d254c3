//! Typographic characters and their plain forms: quotes, dashes, spaces, the ellipsis.
//!
//! A line that was found by its plain form keeps the characters of the file wherever the patch leaves it alone.

/// `line` with its typographic characters in their plain form.
pub(super) fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for character in line.chars() {
        match form(character) {
            Some(form) => plain.push_str(form),
            None => plain.push(character),
        }
    }
    plain
}

/// The plain form of a typographic character.
fn form(character: char) -> Option<&'static str> {
    match character {
        '\u{2018}'..='\u{201b}' => Some("'"),
        '\u{201c}'..='\u{201f}' => Some("\""),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some("-"),
        '\u{2026}' => Some("..."),
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(" "),
        _ => None,
    }
}

/// `new` with the characters of `file` at its start and its end, as far as it is like `old` there. `old` and
/// `file` are one line, in the patch and as it stands; none of the three is indented.
pub(super) fn kept(old: &str, file: &str, new: &str) -> String {
    let (was, comes) = (plain(old), plain(new));
    let like = |(a, b): &(char, char)| a == b;
    let start = was.chars().zip(comes.chars()).take_while(like);
    let start: usize = start.map(|(a, _)| a.len_utf8()).sum();
    let (rest_was, rest_comes) = (&was[start..], &comes[start..]);
    let end = rest_was.chars().rev().zip(rest_comes.chars().rev());
    let end: usize = end.take_while(like).map(|(a, _)| a.len_utf8()).sum();
    let (head, from) = (at(file, start), at(new, start));
    let (tail, to) = (at(file, was.len() - end), at(new, comes.len() - end));
    match (head, from, tail, to) {
        (Some(head), Some(from), Some(tail), Some(to)) if from <= to => {
            format!("{}{}{}", &file[..head], &new[from..to], &file[tail..])
        }
        _ => new.to_owned(),
    }
}

/// The byte of `text` at which this many bytes of its plain form have passed; `None` inside a character.
fn at(text: &str, passed: usize) -> Option<usize> {
    let mut so_far = 0;
    for (byte, character) in text.char_indices() {
        if so_far >= passed {
            return (so_far == passed).then_some(byte);
        }
        so_far += form(character).map_or(character.len_utf8(), str::len);
    }
    (so_far == passed).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_characters_of_the_file_stay_where_the_patch_leaves_them_alone() {
        for (old, file, new, result) in [
            (
                "say \"hi\"",
                "say \u{201c}hi\u{201d}",
                "say \"ho\"",
                "say \u{201c}ho\u{201d}",
            ),
            (
                "a - b...",
                "a \u{2013} b\u{2026}",
                "a - b... c",
                "a \u{2013} b\u{2026} c",
            ),
            ("a - b...", "a \u{2013} b\u{2026}", "x", "x"),
            ("a...b", "a\u{2026}b", "a..b", "a..b"),
            (
                "\u{e9} - x",
                "\u{e9} \u{2014} x",
                "\u{e9} - y",
                "\u{e9} \u{2014} y",
            ),
        ] {
            assert_eq!(kept(old, file, new), result);
        }
    }
}
