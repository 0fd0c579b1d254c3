//! The difference between two texts as a unified diff, with the numbers of lines added and deleted.
//!
//! Equal texts give an empty diff. Lines are compared and written to the byte, `\r` included; making
//! them safe for a terminal is left to whoever shows them. The work is bounded: a changed region of
//! more than [`FINE_LINES`] lines is reported as replaced whole.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use super::lines::lines;

/// How many lines of context a diff has when nobody says otherwise.
pub const CONTEXT: usize = 3;

/// A changed region with more lines than this, old and new together, is not compared line by line.
pub const FINE_LINES: usize = 200_000;

/// What changed between two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The unified diff; empty when nothing changed.
    pub text: String,
    /// Lines that only the new text has.
    pub additions: usize,
    /// Lines that only the old text has.
    pub deletions: usize,
}

/// What the two sides are called; a side without a name does not exist (`/dev/null`).
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The name of the old side.
    pub old: Option<&'a str>,
    /// The name of the new side.
    pub new: Option<&'a str>,
}

impl<'a> From<&'a str> for Names<'a> {
    /// Both sides bear the same name.
    fn from(name: &'a str) -> Names<'a> {
        Names {
            old: Some(name),
            new: Some(name),
        }
    }
}

/// The unified diff from `old` to `new` with `context` unchanged lines around each change.
///
/// A text that appears or disappears without a line in it still gets its two header lines.
pub fn unified<'a>(old: &str, new: &str, names: impl Into<Names<'a>>, context: usize) -> Diff {
    let names = names.into();
    let mut diff = Diff::default();
    if old == new && names.old.is_some() == names.new.is_some() {
        return diff;
    }
    write_names(&mut diff.text, names);
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old).collect(), lines(new).collect());
    for hunk in group_diff_ops(changes(&old, &new), context) {
        write_hunk(&mut diff, &hunk, &old, &new);
    }
    diff
}

fn write_names(text: &mut String, names: Names<'_>) {
    for (mark, name) in [("---", names.old), ("+++", names.new)] {
        let name = name.unwrap_or("/dev/null").replace('\n', "\\n");
        let _ = writeln!(text, "{mark} {name}");
    }
}

/// The edit script, common lines at both ends taken off first.
fn changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let head = common(old.iter().zip(new));
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = common(old_rest.iter().rev().zip(new_rest.iter().rev()));
    let (old_len, new_len) = (old_rest.len() - tail, new_rest.len() - tail);

    let mut ops = Vec::new();
    push_equal(&mut ops, 0, 0, head);
    let pairs = match old_len + new_len {
        few if few <= FINE_LINES => matched(&old_rest[..old_len], &new_rest[..new_len]),
        _ => Vec::new(),
    };
    let (mut from, mut to) = (head, head);
    for (old_at, new_at) in pairs {
        push_replaced(&mut ops, from..head + old_at, to..head + new_at);
        push_equal(&mut ops, head + old_at, head + new_at, 1);
        (from, to) = (head + old_at + 1, head + new_at + 1);
    }
    push_replaced(&mut ops, from..head + old_len, to..head + new_len);
    push_equal(&mut ops, head + old_len, head + new_len, tail);
    ops
}

fn common<'a>(pairs: impl Iterator<Item = (&'a &'a str, &'a &'a str)>) -> usize {
    pairs.take_while(|(old, new)| old == new).count()
}

fn push_equal(ops: &mut Vec<DiffOp>, old_index: usize, new_index: usize, more: usize) {
    match ops.last_mut() {
        Some(DiffOp::Equal { len, .. }) => *len += more,
        _ if more > 0 => ops.push(DiffOp::Equal {
            old_index,
            new_index,
            len: more,
        }),
        _ => {}
    }
}

fn push_replaced(ops: &mut Vec<DiffOp>, old: Range<usize>, new: Range<usize>) {
    if !old.is_empty() || !new.is_empty() {
        ops.push(DiffOp::Replace {
            old_index: old.start,
            old_len: old.len(),
            new_index: new.start,
            new_len: new.len(),
        });
    }
}

/// The lines of two texts that match, as pairs of numbers. Lines that only one side has match nothing
/// and are left out of the comparison: a text in which every line changed costs no more than reading it.
fn matched(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let (in_old, in_new) = (shared(old, new), shared(new, old));
    let kept_old: Vec<&str> = in_old.iter().map(|at| old[*at]).collect();
    let kept_new: Vec<&str> = in_new.iter().map(|at| new[*at]).collect();
    let script = capture_diff_slices(Algorithm::Myers, &kept_old, &kept_new);
    let equal = script
        .iter()
        .filter(|op| matches!(op, DiffOp::Equal { .. }));
    let pairs = equal.flat_map(|op| op.old_range().zip(op.new_range()));
    pairs.map(|(from, to)| (in_old[from], in_new[to])).collect()
}

/// The numbers of those `lines` that the other side has too.
fn shared(lines: &[&str], others: &[&str]) -> Vec<usize> {
    let others: HashSet<&str> = others.iter().copied().collect();
    let shared = |at: &usize| others.contains(lines[*at]);
    (0..lines.len()).filter(shared).collect()
}

fn write_hunk(diff: &mut Diff, hunk: &[DiffOp], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let from = span(first.old_range().start, last.old_range().end);
    let to = span(first.new_range().start, last.new_range().end);
    let _ = writeln!(diff.text, "@@ -{from} +{to} @@");
    for op in hunk {
        if let DiffOp::Equal { .. } = op {
            write_lines(&mut diff.text, ' ', &old[op.old_range()]);
            continue;
        }
        write_lines(&mut diff.text, '-', &old[op.old_range()]);
        write_lines(&mut diff.text, '+', &new[op.new_range()]);
        diff.deletions += op.old_range().len();
        diff.additions += op.new_range().len();
    }
}

/// `start,length` of a hunk's side: the length is left out when it is 1, and an empty side names the
/// line before it.
fn span(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        length => format!("{},{length}", start + 1),
    }
}

fn write_lines(text: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        text.push(mark);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests;
