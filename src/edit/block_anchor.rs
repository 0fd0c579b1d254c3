//! The replacer `block_anchor`: a block whose first and last line are there, and whose middle is alike.
//!
//! Two lines have no middle, so they anchor nothing. Blank lines count for nothing: they are alike everywhere.

use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::lines::{Lines, trimmed};
use super::similar::similarity;
use super::{Found, Span, Thresholds};
use crate::text::{TooMuch, Work};

/// How many pairs of lines one alignment may look at.
const ALIGNED: usize = 1 << 20;
/// What a line costs where it is aligned, beyond its bytes.
const LINE: usize = 16;

/// Every block of `content` with the anchors of `old` and a middle that is alike enough; of the blocks that
/// begin at one line the most alike.
///
/// # Errors
/// [`TooMuch`] when there are too many to be compared.
pub(super) fn find(
    content: &str,
    old: &str,
    least: &Thresholds,
    work: &Work,
) -> Result<Vec<Found>, TooMuch> {
    let (lines, wanted) = (Lines::of(content), Lines::quoted(old));
    let (all, block) = (lines.forms(trimmed), wanted.forms(trimmed));
    let count = block.len();
    let Some((first, middle, last)) = anchored(&block) else {
        return Ok(Vec::new());
    };
    if middle.iter().all(|line| line.is_empty()) {
        return Ok(Vec::new());
    }
    let play = (count / 4).max(1);
    let sizes = (count - play).max(3)..=count + play;
    let ends: Vec<usize> = (0..all.len()).filter(|&at| all[at] == last).collect();
    let mut found = Vec::new();
    for start in (0..all.len()).filter(|&at| all[at] == first) {
        let mut best: Vec<Found> = Vec::new();
        let from = ends.partition_point(|&end| end + 1 < start + sizes.start());
        let near = ends[from..].iter().map(|end| end + 1 - start);
        for size in near.take_while(|size| sizes.contains(size)) {
            let inner = &all[start + 1..start + size - 1];
            let score = likeness(inner, middle, work)?;
            let is_better = best.first().is_none_or(|best| score > best.score);
            let is_equal = best.first().is_some_and(|best| score == best.score);
            if is_better {
                best.clear();
            }
            if score >= least.block_anchor && (is_better || is_equal) {
                best.push(Found::new(lines.block(start, size), score));
            }
        }
        found.append(&mut best);
    }
    Ok(found)
}

/// First line, middle and last line of a block that has all three.
pub(super) fn anchored<'a, 'b>(block: &'b [&'a str]) -> Option<(&'a str, &'b [&'a str], &'a str)> {
    match block {
        [first, middle @ .., last] if !middle.is_empty() => Some((first, middle, last)),
        _ => None,
    }
}

/// How like two middles are, line by line, aligned; the mean over the lines that are not blank in both.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn likeness(a: &[&str], b: &[&str], work: &Work) -> Result<f64, TooMuch> {
    let filled = |lines: &[&str]| lines.iter().filter(|line| !line.is_empty()).count();
    let mut alike = 0.0;
    for (one, other) in aligned(a, b, work)? {
        alike += match (a[one], b[other]) {
            ("", _) | (_, "") => 0.0,
            (one, other) => similarity(one, other, work)?,
        };
    }
    Ok(match filled(a).max(filled(b)) {
        0 => 1.0,
        lines => alike / lines as f64,
    })
}

/// Which lines of two blocks belong together, in order: equal lines, and those between them by position.
///
/// # Errors
/// [`TooMuch`] to compare.
pub(super) fn aligned(a: &[&str], b: &[&str], work: &Work) -> Result<Vec<(usize, usize)>, TooMuch> {
    work.take(LINE * (a.len() + b.len()))?;
    if a.len().saturating_mul(b.len()) > ALIGNED {
        return Ok((0..a.len().min(b.len())).map(|at| (at, at)).collect());
    }
    let mut known = HashMap::new();
    let mut number = |line: &&'_ str| {
        let next = known.len();
        work.look(line.len())?;
        Ok(*known.entry((*line).to_owned()).or_insert(next))
    };
    let a: Vec<usize> = a.iter().map(&mut number).collect::<Result<_, TooMuch>>()?;
    let b: Vec<usize> = b.iter().map(&mut number).collect::<Result<_, TooMuch>>()?;
    let start = common(a.iter().zip(&b));
    let end = common(a[start..].iter().rev().zip(b[start..].iter().rev()));
    work.align(a.len() - start - end, b.len() - start - end)?;
    let ops = capture_diff_slices(Algorithm::Myers, &a, &b);
    let mut pairs = Vec::new();
    for op in ops {
        let (old, new) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. } | DiffOp::Replace { .. }) {
            pairs.extend(old.zip(new));
        }
    }
    Ok(pairs)
}

/// How many pairs are equal before the first that is not.
fn common<'a>(pairs: impl Iterator<Item = (&'a usize, &'a usize)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

/// As the classic chain has it: the first later line that is the last anchor ends a block, whatever its size.
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
    let [first, .., last] = block.as_slice() else {
        return Ok(Vec::new());
    };
    let candidates = classic_blocks(&all, first, last);
    let middle = &block[1..block.len() - 1];
    let scored = candidates.into_iter().map(|(start, size)| {
        let inner = &all[start + 1..start + size - 1];
        Ok((lines.block(start, size), mean(inner, middle, work)?))
    });
    let scored: Vec<(Span, f64)> = scored.collect::<Result<_, TooMuch>>()?;
    let (least, mut best) = match scored.len() {
        1 => (least.block_anchor_single, None::<(Span, f64)>),
        _ => (least.block_anchor_several, None),
    };
    for (span, score) in scored {
        if best.as_ref().is_none_or(|(_, best)| score > *best) {
            best = Some((span, score));
        }
    }
    let best = best.filter(|(_, score)| *score >= least);
    let best = best.map(|(span, score)| Found::new(span, score));
    Ok(best.into_iter().collect())
}

/// Where blocks with these anchors begin, and how many lines they have.
fn classic_blocks(all: &[&str], first: &str, last: &str) -> Vec<(usize, usize)> {
    let mut ends = (0..all.len()).filter(|&at| all[at] == last).peekable();
    let mut blocks = Vec::new();
    for start in (0..all.len()).filter(|&at| all[at] == first) {
        while ends.next_if(|&end| end < start + 2).is_some() {}
        blocks.extend(ends.peek().map(|end| (start, end - start + 1)));
    }
    blocks
}

/// The mean over the lines that both middles have, by position; 1 where one has none.
fn mean(a: &[&str], b: &[&str], work: &Work) -> Result<f64, TooMuch> {
    let lines = a.len().min(b.len());
    if lines == 0 {
        return Ok(1.0);
    }
    let each = a.iter().zip(b).map(|(one, other)| match (*one, *other) {
        ("", "") => work.take(1).map(|()| 0.0),
        (one, other) => similarity(one, other, work),
    });
    Ok(each.sum::<Result<f64, TooMuch>>()? / lines as f64)
}
