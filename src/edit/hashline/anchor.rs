//! What a line is called: its number and three letters of a hash, as in `12#kfd`.
//!
//! 4,096 hashes cannot tell all lines apart, so an anchor is the number and the hash together. A line
//! without a letter or digit looks like many others: its hash also covers the nearest lines around it that
//! have one, so that a brace that moved is not taken for the brace that stood there.

/// Letters that no two fonts, and no two words, confuse.
const LETTERS: [u8; 16] = *b"bcdfghjkmnprtvwx";

/// The letters of a line's hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark([u8; 3]);

impl Mark {
    fn of(parts: [&str; 3]) -> Mark {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325; // FNV-1a
        for part in parts {
            for byte in part.bytes().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        // Mixed once more: short lines differ in few bits.
        hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let letter = |shift: u32| LETTERS[(hash >> shift) as usize & 15];
        Mark([letter(60), letter(56), letter(52)])
    }

    /// The mark that `text` is, in whatever case.
    pub(super) fn read(text: &str) -> Option<Mark> {
        let letters: [u8; 3] = text.as_bytes().try_into().ok()?;
        let mark = Mark(letters.map(|letter| letter.to_ascii_lowercase()));
        mark.0
            .iter()
            .all(|letter| LETTERS.contains(letter))
            .then_some(mark)
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0
            .iter()
            .try_for_each(|letter| write!(f, "{}", char::from(*letter)))
    }
}

/// The anchor of line `number` (from 1).
pub fn anchor(number: usize, mark: Mark) -> String {
    format!("{number}#{mark}")
}

/// The mark of every line of `text`, in order.
pub fn marks(text: &str) -> Vec<Mark> {
    let bodies: Vec<&str> = super::written::bodies(text);
    let mut below = vec![""; bodies.len()];
    let mut next = "";
    for (at, body) in bodies.iter().enumerate().rev() {
        below[at] = next;
        if says_something(body) {
            next = body;
        }
    }
    let mut above = "";
    let mut marks = Vec::with_capacity(bodies.len());
    for (body, below) in bodies.into_iter().zip(below) {
        marks.push(match says_something(body) {
            true => Mark::of([body, "", ""]),
            false => Mark::of([body, above, below]),
        });
        if says_something(body) {
            above = body;
        }
    }
    marks
}

/// Whether a line has a letter or a digit.
pub(super) fn says_something(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

/// What a reference says: a line's number and mark. Forgives the sign before the anchor of a list or a diff,
/// spaces, and the line's text behind it.
pub(super) fn read(reference: &str) -> Option<(usize, Mark)> {
    let text = reference.trim().trim_start_matches(">>>").trim_start();
    let text = text.strip_prefix(['+', '-']).unwrap_or(text).trim_start();
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let number = text[..digits].parse().ok()?;
    let rest = text[digits..].trim_start().strip_prefix('#')?.trim_start();
    let mark = Mark::read(rest.get(..3)?)?;
    let behind = rest[3..].trim_start();
    (behind.is_empty() || behind.starts_with('|')).then_some((number, mark))
}

/// The mark that stands somewhere in a reference that is none.
pub(super) fn mark_in(reference: &str) -> Option<Mark> {
    let mut words = reference.split(|letter: char| !letter.is_ascii_alphabetic());
    words.find_map(Mark::read)
}

/// Behind the anchor that a line of text begins with, as a reading shows it; and whether a `-` stands before it.
pub(super) fn behind_anchor(line: &str) -> Option<(&str, bool)> {
    let text = line.trim_start().trim_start_matches(">>>").trim_start();
    let is_minus = text.starts_with('-');
    let text = text.strip_prefix(['+', '-']).unwrap_or(text).trim_start();
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let rest = text[digits..].strip_prefix('#').filter(|_| digits > 0)?;
    Mark::read(rest.get(..3)?)?;
    Some((rest[3..].strip_prefix('|')?, is_minus))
}
