//! The text after the edits: lines that no edit names come out byte for byte.
//!
//! New lines take the ends of the lines they replace, else of the nearest. A file whose last line has no end
//! still has none.

use super::super::line_ends::LineEnds;
use super::batch::{Edit, Op, Refused, Step, Where, steps};
use super::{anchor, echo, marks, shape};
use crate::text::lines::{LineIndex, lines, split_ending};

/// Lines of the new text that an edit made: the first, from 1, and how many; none where lines went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first line, or the one that stands where lines went.
    pub first: usize,
    /// How many lines.
    pub count: usize,
}

/// A text after the edits of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The whole text.
    pub text: String,
    /// Where it changed, from top to bottom.
    pub regions: Vec<Region>,
    /// The first line of the text before that changed, or before which lines came; from 1.
    pub first_line: usize,
    /// What was mended in the lines that were given: the edit, from 1, and what.
    pub mended: Vec<(usize, &'static str)>,
    /// How many edits were the same as another one.
    pub repeated: usize,
    /// How many edits give lines that stand there already.
    pub unchanged: usize,
}

/// The lines of `text` without their ends.
pub(super) fn bodies(text: &str) -> Vec<&str> {
    lines(text).map(|line| split_ending(line).0).collect()
}

/// `text` after `edits`, all of them or none.
///
/// # Errors
/// The first thing that is wrong; of stale anchors all.
pub fn apply(text: &str, edits: &[Edit]) -> Result<Applied, Refused> {
    let (mut steps, repeated) = steps(edits, &anchor::marks(text))?;
    let old = bodies(text);
    let mut mended = Vec::new();
    for step in &mut steps {
        let notes = mend(step, &old)?;
        mended.extend(notes.into_iter().map(|note| (step.edit, note)));
    }
    let all = steps.len();
    steps.retain(|step| match &step.place {
        Where::Lines(range) => old[range.clone()] != step.lines[..],
        Where::Gap(_) => true,
    });
    let unchanged = all - steps.len();
    if steps.is_empty() {
        return Err(Refused::NoChange);
    }
    // At one gap: the file's start, behind the line above, before the line below, that line itself, the end.
    steps.sort_by_key(|step| match (&step.place, step.op, step.is_anchored) {
        (Where::Gap(gap), Op::Prepend, false) => (*gap, 0),
        (Where::Gap(gap), Op::Append, true) => (*gap, 1),
        (Where::Gap(gap), _, true) => (*gap, 2),
        (Where::Lines(range), _, _) => (range.start, 3),
        (Where::Gap(gap), _, false) => (*gap, 4),
    });
    let first_line = steps.first().map_or(1, |step| match &step.place {
        Where::Lines(range) => range.start + 1,
        Where::Gap(gap) => gap + 1,
    });
    let (written, regions) = write(text, &steps);
    if written == text {
        return Err(Refused::NoChange);
    }
    Ok(Applied {
        text: written,
        regions,
        first_line,
        mended,
        repeated,
        unchanged,
    })
}

/// Mends the lines of one step, and says how.
fn mend(step: &mut Step, old: &[&str]) -> Result<Vec<&'static str>, Refused> {
    let near = match &step.place {
        Where::Lines(range) => &old[range.clone()],
        Where::Gap(gap) => &old[gap.saturating_sub(1)..old.len().min(gap + 1)],
    };
    let edit = step.edit;
    let marks = marks::off(&mut step.lines, near).map_err(|what| Refused::Wrong {
        edit,
        what: what.to_owned(),
    })?;
    let echo = echo::off(step, old);
    let mut notes: Vec<&'static str> = marks.into_iter().chain(echo).collect();
    if let Where::Lines(range) = &step.place {
        notes.extend(shape::restored(&mut step.lines, &old[range.clone()]));
    }
    Ok(notes)
}

/// The lines of `text` that `edit` would replace, whether its anchors are current or not.
pub fn replaced<'t>(text: &'t str, edit: &Edit) -> &'t str {
    let line = |reference: &Option<String>| Some(anchor::read(reference.as_deref()?)?.0);
    let (pos, end) = (line(&edit.pos), line(&edit.end));
    match (edit.op, pos.or(end)) {
        (Op::Replace, Some(first)) => {
            &text[LineIndex::new(text).range(first, end.unwrap_or(first))]
        }
        _ => "",
    }
}

fn write(text: &str, steps: &[Step]) -> (String, Vec<Region>) {
    let index = LineIndex::new(text);
    let start = |line: usize| index.line(line + 1).map_or(text.len(), |line| line.start);
    let mut ends = LineEnds::of(text);
    let mut written = String::with_capacity(text.len());
    let (mut at, mut regions) = (0, Vec::new());
    let (mut come, mut gone) = (0, 0);
    for step in steps {
        let mut new: Vec<&str> = step.lines.iter().map(String::as_str).collect();
        let line = match &step.place {
            Where::Lines(range) => range.start,
            Where::Gap(gap) => *gap,
        };
        let first = start(line);
        written.push_str(&text[at..first]);
        match &step.place {
            Where::Lines(range) => {
                at = start(range.end);
                if !new.is_empty() && text[..at].ends_with('\n') {
                    new.push("");
                }
                ends.write(&mut written, &new, &(first..at));
                gone += range.len();
            }
            Where::Gap(_) => {
                let is_unended = first == text.len() && !text.is_empty() && !text.ends_with('\n');
                match is_unended {
                    false => new.push(""),
                    true if written.is_empty() || written.ends_with('\n') => {}
                    true => new.insert(0, ""),
                }
                ends.write(&mut written, &new, &(first..first));
                at = first;
            }
        }
        regions.push(Region {
            first: line + 1 + come - (gone - range_len(step)),
            count: step.lines.len(),
        });
        come += step.lines.len();
    }
    written.push_str(&text[at..]);
    (written, regions)
}

fn range_len(step: &Step) -> usize {
    match &step.place {
        Where::Lines(range) => range.len(),
        Where::Gap(_) => 0,
    }
}
