//! Braces in a word, where it is certain what bash puts in its place: `{a,b}`, `{1..9}`, one inside of the other.
//!
//! Only a word of plain letters without quotes is expanded, and only where it stands for a few words.

/// How many words one may stand for.
const MOST: usize = 64;

/// How many braces may be in one, and how many words of a command may have some.
const MOST_BRACES: usize = 16;

/// Whether it may stand in a word that is expanded here.
pub(super) fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_./,-+=@:%{}".contains(&byte)
}

/// What each word of a command stands for that has braces in it, where that is certain. Not its name.
pub(super) fn choices<'a>(words: impl Iterator<Item = &'a str>) -> Vec<Option<Vec<String>>> {
    let mut left = MOST_BRACES;
    let choice = |(at, raw): (usize, &str)| {
        let is_one = at > 0 && left > 0 && raw.contains('{');
        left -= usize::from(is_one);
        is_one.then(|| expanded(raw)).flatten()
    };
    words.enumerate().map(choice).collect()
}

/// The words that `raw` stands for, in their order; `None` where that is not certain.
fn expanded(raw: &str) -> Option<Vec<String>> {
    let is_small = raw.matches('{').count() <= MOST_BRACES && raw.bytes().all(is_plain);
    let words = is_small.then(|| chosen(raw))??;
    words.iter().all(|word| !word.is_empty()).then_some(words)
}

fn chosen(raw: &str) -> Option<Vec<String>> {
    let Some((head, rest)) = raw.split_once('{') else {
        return (!raw.contains('}')).then(|| vec![raw.to_owned()]);
    };
    if head.contains('}') {
        return None;
    }
    let (parts, tail) = divided(rest)?;
    let choices: Vec<String> = match parts.as_slice() {
        [one] => range(one)?,
        parts => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| chosen(part)).collect();
            parts?.concat()
        }
    };
    let tails = chosen(tail)?;
    if choices.len() * tails.len() > MOST {
        return None;
    }
    let each = |choice: &String| {
        let whole = |tail: &String| format!("{head}{choice}{tail}");
        tails.iter().map(whole).collect::<Vec<_>>()
    };
    Some(choices.iter().flat_map(each).collect())
}

/// What stands between the commas up to the brace that closes, and what is behind that.
fn divided(rest: &str) -> Option<(Vec<&str>, &str)> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => {
                parts.push(&rest[start..at]);
                return Some((parts, &rest[at + 1..]));
            }
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&rest[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if parts.len() > MOST {
            return None;
        }
    }
    None
}

/// `1..9`, `a..f`, in either direction.
fn range(text: &str) -> Option<Vec<String>> {
    let (first, last) = text.split_once("..")?;
    let number = |text: &str| {
        let number = text.parse::<i32>().ok()?;
        (number.to_string() == text).then_some(number)
    };
    let letter = |text: &str| match text.as_bytes() {
        [byte] if byte.is_ascii_lowercase() => Some(i32::from(*byte)),
        _ => None,
    };
    let (ends, is_letters) = match (number(first), number(last)) {
        (Some(first), Some(last)) => ((first, last), false),
        _ => ((letter(first)?, letter(last)?), true),
    };
    if ends.0.abs_diff(ends.1) as usize >= MOST {
        return None;
    }
    let shown = |at: i32| match u8::try_from(at) {
        Ok(byte) if is_letters => char::from(byte).to_string(),
        _ => at.to_string(),
    };
    match ends.0 <= ends.1 {
        true => Some((ends.0..=ends.1).map(shown).collect()),
        false => Some((ends.1..=ends.0).rev().map(shown).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What bash makes of the word.
    fn told(raw: &str) -> Vec<String> {
        let script = format!("printf '%s\\n' {raw}");
        let told = std::process::Command::new("/bin/bash")
            .args(["--norc", "--noprofile", "-c", &script])
            .output()
            .unwrap();
        let text = String::from_utf8(told.stdout).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_word_stands_for_what_bash_puts_in_its_place() {
        for raw in [
            "{a,b}",
            "src/{a,b}/c",
            "x{,.bak}",
            "{a,b}{c,d}",
            "{a,{b,c}d,e}",
            "a,b{c,d}",
            "x{1..3}y",
            "{3..1}",
            "{-1..2}",
            "{a..e}",
            "{e..a}.rs",
            "--x={a,b}",
            "{a,b{1..3}}",
            "{1..64}",
            "plain",
        ] {
            assert_eq!(
                expanded(raw).as_deref(),
                Some(told(raw).as_slice()),
                "{raw}"
            );
        }
    }

    #[test]
    fn what_is_not_certain_or_much_is_not_expanded() {
        for raw in [
            "{a",
            "a}",
            "{a}",
            "{}",
            "{a,b",
            "{a,b}}",
            "}{a,b}",
            "{,a}",
            "{01..3}",
            "{1..9..2}",
            "{a..C}",
            "{1..a}",
            "{1..65}",
            "{1..9}{1..9}",
            "{a,$b}",
            "{a,'b'}",
            "{a,b*}",
            "~{a,b}",
            "{1..99999999999999}",
        ] {
            assert_eq!(expanded(raw), None, "{raw}");
        }
        assert_eq!(expanded(&"{a,b}".repeat(10_000)), None);
        assert_eq!(expanded(&"{".repeat(60_000)), None);
    }
}
