//! Tags: `[redacted:aws-key:3f9a12c4]` stands for one secret, the same one in all of a session.
//!
//! The digits are a keyed hash of the secret's bytes. The key is random and leaves the process in no form, so
//! nobody can try out guesses against a tag.

use std::ops::Range;

/// How a tag begins.
const START: &str = "[redacted:";

/// How many hexadecimal digits tell secrets apart.
const DIGITS: usize = 8;

/// How long a name may be.
const LONGEST: usize = 64;

/// What the tags of one session are made with.
#[derive(Clone, Default)]
pub struct Key([u8; 32]);

impl Key {
    /// The key that grows from `seed`, which must be random and secret.
    pub fn of(seed: &str) -> Key {
        Key(*blake3::hash(seed.as_bytes()).as_bytes())
    }

    /// The tag of `secret`, which is a `name`.
    pub(super) fn tag(&self, name: &str, secret: &str) -> String {
        let hash = blake3::keyed_hash(&self.0, secret.as_bytes()).to_hex();
        format!("{START}{name}:{}]", &hash[..DIGITS])
    }
}

/// Where in `text` something stands that looks like a tag.
pub fn tags(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let starts = text.match_indices(START);
    starts.filter_map(|(start, _)| Some(start..start + length(&text[start..])?))
}

/// How long the tag is that `text` begins with.
fn length(text: &str) -> Option<usize> {
    let name = text[START.len()..].find(':')?;
    let digits = START.len() + name + 1;
    let end = digits + DIGITS;
    let is_named = (1..=LONGEST).contains(&name) && is_name(&text[START.len()..][..name]);
    let is_hex = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let bytes = text.as_bytes();
    let is_tag = is_named && bytes.get(end) == Some(&b']') && bytes[digits..end].iter().all(is_hex);
    is_tag.then_some(end + 1)
}

fn is_name(name: &str) -> bool {
    let is_word = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_word)
}

/// `word` as a name that a tag can hold: lowercase letters, digits and `-`.
pub fn as_name(word: &str) -> String {
    let letter = |letter: char| match letter.to_ascii_lowercase() {
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '-',
    };
    let name: String = word.chars().take(LONGEST).map(letter).collect();
    match name.is_empty() {
        true => "secret".to_owned(),
        false => name,
    }
}
