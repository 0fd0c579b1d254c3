//! The replacer `block_anchor`: a block whose first and last line are there, and whose middle is alike.
//!
//! Two lines have no middle, so they anchor nothing. Blank lines count for nothing: they are alike everywhere.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::lines::{Lines, trimmed};
use super::similar::similarity;
use super::{Found, Span, Thresholds, TooMuch};

/// How many pairs of characters may be compared before the search is given up, and how many pairs of lines
/// one alignment may look at.
const WORK: usize = 40_000_000;
const ALIGNED: usize = 1 << 20;

/// Every block of `content` with the anchors of `old` and a middle that is alike enough; of the blocks that
/// begin at one line the most alike.
///
/// # Errors
/// [`TooMuch`] when there are too many to be compared.
pub(super) fn find(content: &str, old: &str, least: f64) -> Result<Vec<Found>, TooMuch> {
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
    let letters: usize = middle.iter().map(|line| line.len()).sum();
    let ends: Vec<usize> = (0..all.len()).filter(|&at| all[at] == last).collect();
    let (mut found, mut work) = (Vec::new(), 0);
    for start in (0..all.len()).filter(|&at| all[at] == first) {
        let mut best: Vec<Found> = Vec::new();
        let from = ends.partition_point(|&end| end + 1 < start + sizes.start());
        let near = ends[from..].iter().map(|end| end + 1 - start);
        for size in near.take_while(|size| sizes.contains(size)) {
            let inner = &all[start + 1..start + size - 1];
            work += cost(inner, letters);
            if work > WORK {
                return Err(TooMuch);
            }
            let score = likeness(inner, middle);
            let is_better = best.first().is_none_or(|best| score > best.score);
            let is_equal = best.first().is_some_and(|best| score == best.score);
            if is_better {
                best.clear();
            }
            if score >= least && (is_better || is_equal) {
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

/// What a comparison may cost at most.
fn cost(inner: &[&str], letters: usize) -> usize {
    let own: usize = inner.iter().map(|line| line.len()).sum();
    let lines = inner.len().max(1);
    own.saturating_mul(letters / lines + 1).min(1 << 20) + inner.len()
}

/// How like two middles are, line by line, aligned; the mean over the lines that are not blank in both.
pub(super) fn likeness(a: &[&str], b: &[&str]) -> f64 {
    let filled = |lines: &[&str]| lines.iter().filter(|line| !line.is_empty()).count();
    let pairs = aligned(a, b);
    let alike: f64 = pairs
        .into_iter()
        .map(|(one, other)| match (a[one], b[other]) {
            ("", _) | (_, "") => 0.0,
            (one, other) => similarity(one, other),
        })
        .sum();
    match filled(a).max(filled(b)) {
        0 => 1.0,
        lines => alike / lines as f64,
    }
}

/// Which lines of two blocks belong together, in order: equal lines, and those between them by position.
pub(super) fn aligned(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    if a.len().saturating_mul(b.len()) > ALIGNED {
        return (0..a.len().min(b.len())).map(|at| (at, at)).collect();
    }
    let ops = capture_diff_slices(Algorithm::Myers, a, b);
    let mut pairs = Vec::new();
    for op in ops {
        let (old, new) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. } | DiffOp::Replace { .. }) {
            pairs.extend(old.zip(new));
        }
    }
    pairs
}

/// As the classic chain has it: the first later line that is the last anchor ends a block, whatever its size.
pub(super) fn classic(content: &str, old: &str, least: &Thresholds) -> Vec<Found> {
    if old.split('\n').count() < 3 {
        return Vec::new();
    }
    let (lines, wanted) = (Lines::of(content), Lines::quoted(old));
    let (all, block) = (lines.forms(str::trim), wanted.forms(str::trim));
    let [first, .., last] = block.as_slice() else {
        return Vec::new();
    };
    let candidates = classic_blocks(&all, first, last);
    let middle = &block[1..block.len() - 1];
    let scored = candidates.into_iter().map(|(start, size)| {
        let inner = &all[start + 1..start + size - 1];
        (lines.block(start, size), mean(inner, middle))
    });
    let scored: Vec<(Span, f64)> = scored.collect();
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
    best.into_iter()
        .map(|(span, score)| Found::new(span, score))
        .collect()
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
fn mean(a: &[&str], b: &[&str]) -> f64 {
    let lines = a.len().min(b.len());
    if lines == 0 {
        return 1.0;
    }
    let each = a.iter().zip(b).map(|(one, other)| match (*one, *other) {
        ("", "") => 0.0,
        (one, other) => similarity(one, other),
    });
    each.sum::<f64>() / lines as f64
}
