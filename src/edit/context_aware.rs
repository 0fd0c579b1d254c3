//! The replacer `context_aware`: a block of the same size between the same first and last line, of whose
//! middle enough lines are the same.
//!
//! Space inside a line does not count. It is asked for likeness in the middle as `block_anchor` is.

use super::block_anchor::{anchored, likeness};
use super::lines::Lines;
use super::{Found, Thresholds};
use crate::text::{TooMuch, Work};

/// Every such block of `content`.
///
/// # Errors
/// [`TooMuch`] when there are too many to be compared.
pub(super) fn find(
    content: &str,
    old: &str,
    least: &Thresholds,
    work: &Work,
) -> Result<Vec<Found>, TooMuch> {
    let joined = |line: &str| Vec::from_iter(line.split_whitespace()).join(" ");
    let (lines, wanted) = (Lines::of(content), Lines::quoted(old));
    let (all, block) = (lines.forms(joined), wanted.forms(joined));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let block: Vec<&str> = block.iter().map(String::as_str).collect();
    let Some((first, middle, last)) = anchored(&block) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for (start, window) in all.windows(block.len()).enumerate() {
        if window.first() != Some(&first) || window.last() != Some(&last) {
            continue;
        }
        let inner = &window[1..window.len() - 1];
        let equal = equal(inner, middle, work)?;
        if equal.is_none_or(|equal| equal < least.context_aware) {
            continue;
        }
        let score = likeness(inner, middle, work)?;
        if score >= least.block_anchor {
            found.push(Found::new(lines.block(start, block.len()), score));
        }
    }
    Ok(found)
}

/// As the classic chain has it: the first block that is the same in half of its lines.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn classic(
    content: &str,
    old: &str,
    least: &Thresholds,
    work: &Work,
) -> Result<Vec<Found>, TooMuch> {
    if old.split('\n').count() < 3 {
        return Ok(Vec::new());
    }
    let (lines, wanted) = (Lines::of(content), Lines::quoted(old));
    let (all, block) = (lines.forms(str::trim), wanted.forms(str::trim));
    let [first, middle @ .., last] = block.as_slice() else {
        return Ok(Vec::new());
    };
    let size = block.len();
    let mut ends = (0..all.len()).filter(|&at| all[at] == *last).peekable();
    let mut found = Vec::new();
    for start in (0..all.len()).filter(|&at| all[at] == *first) {
        while ends.next_if(|&end| end < start + 2).is_some() {}
        if ends.peek() != Some(&(start + size - 1)) {
            continue;
        }
        let inner = &all[start + 1..start + size - 1];
        let score = equal(inner, middle, work)?.unwrap_or(1.0);
        if score >= least.context_aware {
            found.push(Found::new(lines.block(start, size), score));
        }
    }
    Ok(found)
}

/// The part of the lines that are the same, of those that are not blank in both. `None` where all are.
fn equal(a: &[&str], b: &[&str], work: &Work) -> Result<Option<f64>, TooMuch> {
    let pairs = a
        .iter()
        .zip(b)
        .filter(|(a, b)| !(a.is_empty() && b.is_empty()));
    let (mut all, mut equal) = (0_u32, 0_u32);
    for (a, b) in pairs {
        work.look(a.len())?;
        all += 1;
        equal += u32::from(a == b);
    }
    Ok((all > 0).then(|| f64::from(equal) / f64::from(all)))
}
