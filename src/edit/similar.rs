//! How like two texts are: Levenshtein, from 0 to 1, with a bound on the work.
//!
//! What is too long to be compared as a whole is compared in bands, piece by piece. That can only make
//! two texts less alike than they are, never more.

use crate::text::{TooMuch, Work};

/// How many pairs of characters one comparison may look at.
const WORK: usize = 1 << 20;

/// What a comparison costs beyond its pairs of characters, in steps.
const CALL: usize = 20;

/// How like `a` and `b` are; equal texts are 1.
///
/// # Errors
/// [`TooMuch`]: no work is left for it.
pub(super) fn similarity(a: &str, b: &str, work: &Work) -> Result<f64, TooMuch> {
    work.look(a.len().min(b.len()))?;
    if a == b {
        return Ok(1.0);
    }
    work.take(CALL + a.len() + b.len())?;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let longer = a.len().max(b.len());
    Ok(1.0 - distance(&a, &b, work)? as f64 / longer as f64)
}

/// How many characters have to change, at most.
fn distance(a: &[char], b: &[char], work: &Work) -> Result<usize, TooMuch> {
    let same = |(a, b): &(&char, &char)| a == b;
    let start = a.iter().zip(b).take_while(same).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    if a.is_empty() || b.is_empty() {
        return Ok(a.len().max(b.len()));
    }
    if a.len().saturating_mul(b.len()) <= WORK {
        work.take(a.len() * b.len())?;
        return Ok(levenshtein(a, b));
    }
    let longer = a.len().max(b.len());
    let pieces = longer.pow(2).div_ceil(8 * WORK).clamp(2, longer);
    let cut = |of: &[char], piece: usize| of.len() * piece / pieces;
    let each = (0..pieces).map(|piece| {
        let a = &a[cut(a, piece)..cut(a, piece + 1)];
        let b = &b[cut(b, piece)..cut(b, piece + 1)];
        work.take(CALL + a.len() * b.len())?;
        Ok(levenshtein(a, b))
    });
    each.sum()
}

fn levenshtein(a: &[char], b: &[char]) -> usize {
    strsim::generic_levenshtein(&Letters(a), &Letters(b))
}

/// Characters, as the package takes them.
struct Letters<'a>(&'a [char]);

impl<'a> IntoIterator for &Letters<'a> {
    type Item = &'a char;
    type IntoIter = std::slice::Iter<'a, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::STEPS;
    use super::*;

    fn alike(a: &str, b: &str) -> f64 {
        similarity(a, b, &Work::of(STEPS)).unwrap()
    }

    #[test]
    fn compares_two_megabytes() {
        let long = "let value = 1; ".repeat(140_000);
        let other = long.replacen("value = 1; let", "number = 2; let", 1);
        assert!(alike(&long, &other) > 0.9);
        assert!(alike(&long, &"#".repeat(long.len())) < 0.1);
    }

    proptest! {
        #[test]
        fn bands_are_never_more_alike(a in "[a-c]{0,40}", b in "[a-c]{0,40}") {
            let whole = strsim::normalized_levenshtein(&a, &b);
            prop_assert!((alike(&a, &b) - whole).abs() < 1e-9);
        }
    }
}
