//! The edits of one call, each against the text as it was read: what they mean, and whether all of them can be.
//!
//! Everything is checked before anything counts: first each edit by itself, then every anchor, then whether
//! two edits want the same lines.

use std::ops::Range;

use super::anchor::{self, Mark, anchor};

/// What an edit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Lines take the place of lines.
    Replace,
    /// Lines come behind a line, or at the end.
    Append,
    /// Lines come before a line, or at the start.
    Prepend,
    /// Lines go.
    Delete,
}

impl Op {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Op::Replace => "replace",
            Op::Append => "append",
            Op::Prepend => "prepend",
            Op::Delete => "delete",
        }
    }
}

/// One edit as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What it does.
    pub op: Op,
    /// The anchor of its line, or of the first one.
    pub pos: Option<String>,
    /// The anchor of the last line.
    pub end: Option<String>,
    /// The new lines, without line ends; `None`: not given.
    pub lines: Option<Vec<String>>,
}

/// An anchor that does not name the line any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The edit, from 1.
    pub edit: usize,
    /// The line's number, from 1.
    pub line: usize,
    /// The one line that bears that hash now, if it is one.
    pub now: Option<usize>,
}

/// Why nothing was changed. Edits and lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// An edit lacks something or has too much.
    Wrong {
        /// Which one.
        edit: usize,
        /// What is wrong with it.
        what: String,
    },
    /// What should be an anchor is none.
    Malformed {
        /// Which one.
        edit: usize,
        /// What was given.
        given: String,
        /// The anchor that may have been meant.
        meant: Option<String>,
    },
    /// There is no such line.
    Past {
        /// Which one.
        edit: usize,
        /// The line.
        line: usize,
        /// How many lines there are.
        total: usize,
    },
    /// Lines are not what they were when their anchors were shown.
    Stale(Vec<Stale>),
    /// Two edits want the same lines.
    Overlap {
        /// The two, each with its first and last line; for lines that come between two, those two.
        edits: [(usize, usize, usize); 2],
    },
    /// Every line is as it should be.
    NoChange,
}

/// Where an edit takes place: lines that are replaced, or a gap before a line. From 0, ends exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Where {
    Lines(Range<usize>),
    Gap(usize),
}

/// An edit that is understood.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its number, from 1.
    pub(super) edit: usize,
    pub(super) op: Op,
    pub(super) place: Where,
    /// Whether an anchor says where, not the file's start or end.
    pub(super) is_anchored: bool,
    pub(super) lines: Vec<String>,
}

/// The steps that the edits are, without those that are there twice, and how many those were.
///
/// # Errors
/// All but [`Refused::NoChange`].
pub(super) fn steps(edits: &[Edit], marks: &[Mark]) -> Result<(Vec<Step>, usize), Refused> {
    let mut stale = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut repeated = 0;
    for (at, edit) in edits.iter().enumerate() {
        let step = step(at + 1, edit, marks, &mut stale)?;
        let is_same = |other: &Step| {
            (other.op, &other.place, other.is_anchored, &other.lines)
                == (step.op, &step.place, step.is_anchored, &step.lines)
        };
        match steps.iter().any(is_same) {
            true => repeated += 1,
            false => steps.push(step),
        }
    }
    if !stale.is_empty() {
        return Err(Refused::Stale(stale));
    }
    apart(&steps)?;
    Ok((steps, repeated))
}

fn step(
    number: usize,
    edit: &Edit,
    marks: &[Mark],
    stale: &mut Vec<Stale>,
) -> Result<Step, Refused> {
    let wrong = |what: String| Refused::Wrong { edit: number, what };
    let op = edit.op.as_str();
    let is_insert = matches!(edit.op, Op::Append | Op::Prepend);
    let lines = match (edit.op, &edit.lines) {
        (Op::Delete, Some(lines)) if !lines.is_empty() => {
            return Err(wrong("`delete` takes no `lines`".to_owned()));
        }
        (Op::Delete, _) => Vec::new(),
        (_, None) => return Err(wrong(format!("`{op}` needs `lines`"))),
        (_, Some(lines)) if is_insert && lines.is_empty() => {
            return Err(wrong(format!("`{op}` has no `lines` to put there")));
        }
        (_, Some(lines)) => lines.clone(),
    };
    if is_insert && edit.pos.is_some() && edit.end.is_some() {
        return Err(wrong(format!("`{op}` takes one anchor, not two")));
    }
    let mut line = |reference: &str| line(number, reference, marks, stale);
    let pos = edit.pos.as_deref().map(&mut line).transpose()?;
    let end = edit.end.as_deref().map(&mut line).transpose()?;
    let place = match (edit.op, pos.or(end)) {
        (Op::Replace | Op::Delete, None) => {
            return Err(wrong(format!("`{op}` needs `pos`, the anchor of a line")));
        }
        (Op::Replace | Op::Delete, Some(first)) => {
            let last = end.unwrap_or(first);
            if last < first {
                let what = format!("`end` (line {last}) stands before `pos` (line {first})");
                return Err(wrong(what));
            }
            Where::Lines(first - 1..last)
        }
        (Op::Append, line) => Where::Gap(line.unwrap_or(marks.len())),
        (Op::Prepend, line) => Where::Gap(line.map_or(0, |line| line - 1)),
    };
    Ok(Step {
        edit: number,
        op: edit.op,
        is_anchored: pos.or(end).is_some(),
        place,
        lines,
    })
}

/// The line (from 1) that a reference names; one that is stale is noted.
fn line(
    edit: usize,
    reference: &str,
    marks: &[Mark],
    stale: &mut Vec<Stale>,
) -> Result<usize, Refused> {
    let only = |mark: Mark| {
        let mut found = (1..).zip(marks).filter(|(_, other)| **other == mark);
        match (found.next(), found.next()) {
            (Some((number, _)), None) => Some(number),
            _ => None,
        }
    };
    let Some((line, mark)) = anchor::read(reference) else {
        let meant = anchor::mark_in(reference);
        let meant = meant.and_then(|mark| Some(anchor(only(mark)?, mark)));
        return Err(Refused::Malformed {
            edit,
            given: reference.to_owned(),
            meant,
        });
    };
    match line.checked_sub(1).and_then(|at| marks.get(at)) {
        None => {
            return Err(Refused::Past {
                edit,
                line,
                total: marks.len(),
            });
        }
        Some(now) if *now == mark => {}
        Some(_) => stale.push(Stale {
            edit,
            line,
            now: only(mark),
        }),
    }
    Ok(line)
}

/// Refuses two edits of the same lines, and lines that would come between lines that another edit replaces.
fn apart(steps: &[Step]) -> Result<(), Refused> {
    let mut taken: Vec<(&Range<usize>, usize)> = Vec::new();
    for step in steps {
        if let Where::Lines(range) = &step.place {
            taken.push((range, step.edit));
        }
    }
    taken.sort_by_key(|(range, edit)| (range.start, *edit));
    for pair in taken.windows(2) {
        let [(one, first), (two, second)] = pair else {
            continue;
        };
        if two.start < one.end {
            let mut edits = [
                (*first, one.start + 1, one.end),
                (*second, two.start + 1, two.end),
            ];
            edits.sort_unstable();
            return Err(Refused::Overlap { edits });
        }
    }
    for step in steps {
        let Where::Gap(gap) = step.place else {
            continue;
        };
        let before = taken.partition_point(|(range, _)| range.start < gap);
        let Some((range, other)) = before.checked_sub(1).map(|at| taken[at]) else {
            continue;
        };
        if gap < range.end {
            let mut edits = [
                (step.edit, gap, gap + 1),
                (other, range.start + 1, range.end),
            ];
            edits.sort_unstable();
            return Err(Refused::Overlap { edits });
        }
    }
    Ok(())
}
