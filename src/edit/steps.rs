//! From the old lines to the new ones: which stay or change, which go, which come.
//!
//! A line is never split here, and a blank line is only ever the same as a blank line.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::fold::is_space;
use super::lines::trimmed;
use super::similar::similarity;
use crate::text::{TooMuch, Work};

/// How many pairs of changed lines are compared to find which belong together.
const COMPARED: usize = 1 << 10;
/// How like two lines must be to be one line that changed.
const ALIKE: f64 = 0.5;

/// A step on the way, with the numbers of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The old line becomes the new one; they may be the same.
    Both(usize, usize),
    /// The old line goes.
    Old(usize),
    /// The new line comes.
    New(usize),
}

/// The line but for the space at its end: what tells whether it stays.
pub(super) fn kept(line: &str) -> &str {
    line.trim_end_matches(is_space)
}

/// The steps from `old` to `new`. Of the old lines that are `odd` it matters which new line they become.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn steps(
    old: &[&str],
    new: &[&str],
    odd: impl Fn(usize) -> bool,
    work: &Work,
) -> Result<Vec<Step>, TooMuch> {
    let (from, to): (Vec<&str>, Vec<&str>) = (
        old.iter().map(|line| kept(line)).collect(),
        new.iter().map(|line| kept(line)).collect(),
    );
    let start = common(from.iter().zip(&to));
    let end = common(from[start..].iter().rev().zip(to[start..].iter().rev()));
    let (old_end, new_end) = (from.len() - end, to.len() - end);
    work.align(old_end - start, new_end - start)?;
    let changes = Changes {
        old,
        new,
        odd,
        work,
    };
    let mut steps: Vec<Step> = (0..start).map(|at| Step::Both(at, at)).collect();
    let (mut was, mut is) = (start, start);
    for op in capture_diff_slices(Algorithm::Myers, &from[start..old_end], &to[start..new_end]) {
        let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        else {
            continue;
        };
        let (old_index, new_index) = (start + old_index, start + new_index);
        changes.steps(was..old_index, is..new_index, &mut steps)?;
        steps.extend((0..len).map(|at| Step::Both(old_index + at, new_index + at)));
        (was, is) = (old_index + len, new_index + len);
    }
    changes.steps(was..old_end, is..new_end, &mut steps)?;
    steps.extend((0..end).map(|at| Step::Both(old_end + at, new_end + at)));
    Ok(steps)
}

fn common<'a>(pairs: impl Iterator<Item = (&'a &'a str, &'a &'a str)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

struct Changes<'a, F> {
    old: &'a [&'a str],
    new: &'a [&'a str],
    odd: F,
    work: &'a Work,
}

impl<F: Fn(usize) -> bool> Changes<'_, F> {
    /// The steps from lines to lines that have none in common.
    fn steps(
        &self,
        old: Range<usize>,
        new: Range<usize>,
        steps: &mut Vec<Step>,
    ) -> Result<(), TooMuch> {
        let (mut was, mut is) = (old.start, new.start);
        for (one, other) in self.pairs(old.clone(), new.clone())? {
            steps.extend((was..one).map(Step::Old));
            steps.extend((is..other).map(Step::New));
            steps.push(Step::Both(one, other));
            (was, is) = (one + 1, other + 1);
        }
        steps.extend((was..old.end).map(Step::Old));
        steps.extend((is..new.end).map(Step::New));
        Ok(())
    }

    /// Which lines belong together, none of them blank.
    fn pairs(&self, old: Range<usize>, new: Range<usize>) -> Result<Vec<(usize, usize)>, TooMuch> {
        let filled = |all: &[&str], range: Range<usize>| -> Vec<usize> {
            range.filter(|&at| !trimmed(all[at]).is_empty()).collect()
        };
        let (old, new) = (filled(self.old, old), filled(self.new, new));
        let is_close = old.len().saturating_mul(new.len()) <= COMPARED;
        if is_close && old.iter().any(|&at| (self.odd)(at)) {
            return self.alike(&old, &new);
        }
        match old.len() == new.len() {
            true => Ok(old.into_iter().zip(new).collect()),
            false => Ok(Vec::new()),
        }
    }

    /// The pairs, in order, that are most alike together.
    fn alike(&self, old: &[usize], new: &[usize]) -> Result<Vec<(usize, usize)>, TooMuch> {
        let wide = new.len() + 1;
        let mut best = vec![0.0_f64; (old.len() + 1) * wide];
        let mut likeness = vec![0.0; best.len()];
        for (one, &was) in old.iter().enumerate().rev() {
            for (other, &is) in new.iter().enumerate().rev() {
                let (was, is) = (trimmed(self.old[was]), trimmed(self.new[is]));
                let alike = similarity(was, is, self.work)?;
                let at = one * wide + other;
                likeness[at] = if alike >= ALIKE { alike } else { 0.0 };
                let skipped = best[at + 1].max(best[at + wide]);
                best[at] = skipped.max(likeness[at] + best[at + wide + 1]);
            }
        }
        let (mut pairs, mut one, mut other) = (Vec::new(), 0, 0);
        while one < old.len() && other < new.len() {
            let at = one * wide + other;
            if likeness[at] > 0.0 && best[at] <= likeness[at] + best[at + wide + 1] {
                pairs.push((old[one], new[other]));
                (one, other) = (one + 1, other + 1);
            } else if best[at + wide] >= best[at + 1] {
                one += 1;
            } else {
                other += 1;
            }
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::Step::{Both, New, Old};
    use super::*;

    #[test]
    fn takes_lines_whole_and_blank_ones_for_nothing_else() {
        let of = |old: &str, new: &str, odd: bool| {
            let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
            steps(&old, &new, |_| odd, &Work::of(100_000)).unwrap()
        };
        assert_eq!(
            of("z\n  \n  g", "z\n  new()", false),
            [Both(0, 0), Old(1), Both(2, 1)]
        );
        assert_eq!(
            of("a = 1\nb = 2", "x()\nb = 3", true),
            [Old(0), New(0), Both(1, 1)]
        );
        assert_eq!(
            of("a\n \nb", "a\n\nb", false),
            [Both(0, 0), Both(1, 1), Both(2, 2)]
        );
    }
}
