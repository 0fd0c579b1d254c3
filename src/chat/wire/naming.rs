//! Ids and names as every provider takes them: a conversation may have begun with another provider, whose ids
//! this one refuses, or hold the name of a tool that never was.
//!
//! Only what goes out is changed, always in the same way, so that a call and its result stay together.

use std::borrow::Cow;

/// Longest id and name.
const LONGEST: usize = 64;

/// The id of a call or the name of its tool, in letters, digits, `_` and `-`.
pub(super) fn safe(name: &str) -> Cow<'_, str> {
    if name.is_empty() {
        return Cow::Borrowed("unnamed");
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.len() <= LONGEST && name.chars().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let plain = name.chars().map(|c| if is_plain(c) { c } else { '_' });
    if name.len() <= LONGEST {
        return Cow::Owned(plain.collect());
    }
    let kept: String = plain.take(LONGEST - 17).collect();
    Cow::Owned(format!("{kept}_{:016x}", digest(name)))
}

/// FNV-1a in 64 bits: it has to be the same in every run and build, and nothing more.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_provider_takes_stays_and_the_rest_becomes_so() {
        assert_eq!(safe("call_3-1"), "call_3-1");
        assert_eq!(safe("functions.read:0"), "functions_read_0");
        assert_eq!(safe(""), "unnamed");
    }

    #[test]
    fn two_long_ids_stay_two() {
        let long = |end: &str| format!("{}{end}", "é".repeat(80));
        let (one, two) = (long("1"), long("2"));
        assert_ne!(safe(&one), safe(&two));
        assert_eq!(safe(&one), safe(&one.clone()));
        assert!(safe(&one).len() <= LONGEST);
    }
}
