//! The hunks of one file applied to its text: all of them, or none.
//!
//! Every hunk is placed in the text as it was, so none can meet what another has made. Lines that stay come
//! out byte for byte; the ends of new lines, and whether the last line has one, are the file's.

use std::collections::BTreeMap;

use super::fit::{Likeness, Lines};
use super::indent::Indents;
use super::place::{self, Place};
use super::typography;
use super::{Applied, Hunk, Line, Misfit};
use crate::text::lines::{lines, split_ending};
use crate::text::{TooMuch, Work};

/// Applies the hunks of one section to the text of its file.
///
/// # Errors
/// [`Misfit`]: the first hunk that has no place, several, or changes what another changes.
pub fn apply(text: &str, hunks: &[Hunk]) -> Result<Applied, Misfit> {
    let (bare, ends): (Vec<&str>, Vec<&str>) = lines(text).map(split_ending).unzip();
    let text_lines = Lines::of(bare);
    let mut changes = Changes {
        bare: &text_lines.bare,
        work: &text_lines.work,
        ends: &ends,
        gone: BTreeMap::new(),
        come: BTreeMap::new(),
    };
    let mut tolerated = Vec::new();
    for hunk in hunks {
        let (old, new) = (sides(hunk, Line::before), sides(hunk, Line::after));
        if old == new {
            return Err(Misfit::NoChange { hunk: hunk.line });
        }
        let place = place::find(&text_lines, hunk)?;
        tolerated.extend(place.likeness.differs().map(|what| (hunk.line, what)));
        changes.take(hunk, &place)?;
    }
    changes.check()?;
    Ok(Applied {
        text: changes.text(text.is_empty() || text.ends_with('\n')),
        tolerated,
    })
}

fn sides<'a>(hunk: &'a Hunk, side: impl Fn(&'a Line) -> Option<&'a str>) -> Vec<&'a str> {
    hunk.lines.iter().filter_map(side).collect()
}

/// What becomes of the lines of a text.
struct Changes<'a> {
    bare: &'a [&'a str],
    /// What is left to do it with.
    work: &'a Work,
    ends: &'a [&'a str],
    /// The lines that go, and the hunk that takes each away.
    gone: BTreeMap<usize, usize>,
    /// The lines that come in front of a line, each with its end and its hunk.
    come: BTreeMap<usize, Vec<(String, &'a str, usize)>>,
}

impl<'a> Changes<'a> {
    /// Takes in what a hunk does at its place.
    fn take(&mut self, hunk: &'a Hunk, place: &Place) -> Result<(), Misfit> {
        let found = &hunk.lines[..place.length];
        let old: Vec<&str> = found.iter().filter_map(Line::before).collect();
        let mut indents = Indents::default();
        if place.likeness >= Likeness::Surrounding {
            for (line, file) in old.iter().zip(&self.bare[place.line..]) {
                indents.note(line, file);
            }
        }
        let too_much = |TooMuch| Misfit::TooMuch { hunk: hunk.line };
        let behind = dropped_behind(found);
        // The lines of the file that the new ones take the place of, and how many of them have.
        let (mut at, mut noted, mut run, mut used) = (place.line, 0, at_nothing(), 0);
        for (index, line) in found.iter().enumerate() {
            match line {
                Line::Keep(_) => (at, run, used) = (at + 1, at_nothing(), 0),
                Line::Drop(_) => {
                    self.drop_line(at, hunk.line)?;
                    if run.is_empty() {
                        run = at..at;
                    }
                    (at, run.end) = (at + 1, at + 1);
                }
                Line::Put(text) => {
                    let start = if run.is_empty() { at } else { run.start };
                    let replaced = start..at + behind[index];
                    let end = self.end_like(&replaced, used, at);
                    let same = Some(replaced.start + used).filter(|line| replaced.contains(line));
                    used += 1;
                    let text = indents.like_the_file(text, noted, self.work);
                    let text = text.map_err(too_much)?;
                    let text = match same.filter(|_| place.likeness == Likeness::Typographic) {
                        Some(line) => with_kept(old[line - place.line], self.bare[line], &text),
                        None => text,
                    };
                    self.come
                        .entry(at)
                        .or_default()
                        .push((text, end, hunk.line));
                }
            }
            noted += usize::from(line.before().is_some_and(|line| !line.trim().is_empty()));
        }
        Ok(())
    }

    fn drop_line(&mut self, at: usize, hunk: usize) -> Result<(), Misfit> {
        match self.gone.insert(at, hunk) {
            Some(other) => Err(Misfit::Overlap {
                hunk: other,
                other: hunk,
                line: at + 1,
            }),
            None => Ok(()),
        }
    }

    /// The end of the new line number `used` in place of the lines `replaced`, in front of line `at`: that of
    /// its counterpart, of the last one replaced, else of the nearest line.
    fn end_like(&self, replaced: &std::ops::Range<usize>, used: usize, at: usize) -> &'a str {
        let counterpart = match replaced.is_empty() {
            true => None,
            false => Some((replaced.start + used).min(replaced.end - 1)),
        };
        let above = (0..at).rev().take(1);
        let below = at..self.ends.len().min(at + 1);
        let mut near = counterpart.into_iter().chain(above).chain(below);
        let end = near.find_map(|line| self.ends.get(line).filter(|end| !end.is_empty()));
        end.copied().unwrap_or("\n")
    }

    /// Lines that come between two lines which another hunk takes away have no place any more.
    fn check(&self) -> Result<(), Misfit> {
        for (at, lines) in &self.come {
            let above = at.checked_sub(1).and_then(|line| self.gone.get(&line));
            let (Some(above), Some(below)) = (above, self.gone.get(at)) else {
                continue;
            };
            let strange = |hunk: &usize| hunk != above && hunk != below;
            if let Some(other) = lines.iter().map(|(_, _, hunk)| *hunk).find(strange) {
                return Err(Misfit::Overlap {
                    hunk: *above,
                    other,
                    line: at + 1,
                });
            }
        }
        Ok(())
    }

    /// The text afterwards. `ended`: its last line has an end.
    fn text(&self, ended: bool) -> String {
        let mut lines: Vec<(&str, &str)> = Vec::with_capacity(self.bare.len());
        for at in 0..=self.bare.len() {
            let come = self.come.get(&at).into_iter().flatten();
            lines.extend(come.map(|(text, end, _)| (text.as_str(), *end)));
            if at < self.bare.len() && !self.gone.contains_key(&at) {
                lines.push((self.bare[at], self.ends[at]));
            }
        }
        let mut text = String::new();
        let count = lines.len();
        for (at, (line, end)) in lines.iter().enumerate() {
            text.push_str(line);
            // Without its end an empty line would be none.
            if at + 1 < count || ended || line.is_empty() {
                // What was the last line has no end of its own when others follow it.
                let own = Some(*end).filter(|end| !end.is_empty());
                let above = || at.checked_sub(1).map(|above| lines[above].1);
                let below = || lines.get(at + 1).map(|(_, end)| *end);
                let like = own.or_else(above).or_else(below);
                text.push_str(like.filter(|end| !end.is_empty()).unwrap_or("\n"));
            }
        }
        text
    }
}

/// The line `new`, in place of the line `file`, which the patch has as `old`.
fn with_kept(old: &str, file: &str, new: &str) -> String {
    let bare = new.trim();
    let (indent, end) = new.split_once(bare).unwrap_or_default();
    format!(
        "{indent}{}{end}",
        typography::kept(old.trim(), file.trim(), bare)
    )
}

fn at_nothing() -> std::ops::Range<usize> {
    0..0
}

/// For each line of a hunk how many are dropped from it to the next that stays. New lines stand for those
/// dropped before them, and for these.
fn dropped_behind(lines: &[Line]) -> Vec<usize> {
    let mut dropped = vec![0; lines.len() + 1];
    for (at, line) in lines.iter().enumerate().rev() {
        dropped[at] = match line {
            Line::Keep(_) => 0,
            Line::Drop(_) => dropped[at + 1] + 1,
            Line::Put(_) => dropped[at + 1],
        };
    }
    dropped
}
