//! Where a hunk belongs in a text: its lines, narrowed by the lines behind `@@`.
//!
//! The place is the only one, or there is none: several places are refused, and no looser likeness and no
//! wider region is asked to choose among them. A line behind `@@` opens the block below it, which ends
//! where a line is indented as little; without such a block it opens all that follows.

use std::ops::Range;

use super::fit::{LADDER, Likeness, Lines};
use super::{Hunk, Misfit};
use crate::text::TooMuch;

/// Where a hunk belongs.
pub(super) struct Place {
    /// Its first line in the text, from 0; for nothing but new lines, the line they go in front of.
    pub(super) line: usize,
    /// How many lines of the hunk count: those at its end which only part it from the next do not.
    pub(super) length: usize,
    /// How like the lines are.
    pub(super) likeness: Likeness,
}

/// What lies below a line behind `@@`.
struct Region {
    /// The line below it.
    from: usize,
    /// The end of its block.
    block: usize,
}

impl Region {
    /// Its block, or all that follows.
    fn scope(&self, end: usize) -> Range<usize> {
        self.from..if self.block > self.from {
            self.block
        } else {
            end
        }
    }
}

/// # Errors
/// [`Misfit`]: nowhere, or in several places.
pub(super) fn find(text: &Lines<'_>, hunk: &Hunk) -> Result<Place, Misfit> {
    let regions = regions(text, hunk)?;
    let whole = hunk.lines.len();
    let trimmed = whole - hunk.blanks;
    let has_old = |length: usize| {
        hunk.lines[..length]
            .iter()
            .any(|line| line.before().is_some())
    };
    if !has_old(trimmed) {
        let line = new_lines(text, hunk, &regions)?;
        return Ok(Place {
            line,
            length: trimmed,
            likeness: Likeness::Exact,
        });
    }
    let lengths = if trimmed < whole {
        vec![whole, trimmed]
    } else {
        vec![whole]
    };
    for length in lengths {
        if let Some((line, likeness)) = old_lines(text, hunk, length, &regions)? {
            return Ok(Place {
                line,
                length,
                likeness,
            });
        }
    }
    let mut old = hunk.lines.iter().filter_map(|line| line.before());
    Err(Misfit::NotFound {
        hunk: hunk.line,
        missing: old.find(|line| !text.has(line)).map(str::to_owned),
        narrowed: hunk.at_end || !hunk.scopes.is_empty(),
    })
}

/// Where lines go that stand beside no old ones.
fn new_lines(text: &Lines<'_>, hunk: &Hunk, regions: &[Region]) -> Result<usize, Misfit> {
    if !hunk.at_end && !hunk.scopes.is_empty() {
        return match regions {
            [region] => Ok(region.from),
            _ => Err(several(hunk, regions.iter().map(|region| region.from - 1))),
        };
    }
    if hunk.counted && !hunk.at_end && !text.bare.is_empty() {
        return Err(Misfit::Numbers { hunk: hunk.line });
    }
    Ok(text.bare.len())
}

/// Where the old lines among the first `length` of the hunk begin.
fn old_lines(
    text: &Lines<'_>,
    hunk: &Hunk,
    length: usize,
    regions: &[Region],
) -> Result<Option<(usize, Likeness)>, Misfit> {
    let old: Vec<&str> = hunk.lines[..length]
        .iter()
        .filter_map(|line| line.before())
        .collect();
    let end = text.bare.len();
    // The line behind `@@` is often said again as the first line of the hunk.
    let again = |scope: &String| old.first().is_some_and(|line| line.trim() == scope);
    let lead = usize::from(hunk.scopes.last().is_some_and(again));
    let near = |region: &Region| match region.block > region.from {
        true => region.from - lead..region.block,
        false => region.from - lead..end.min(region.from + old.len()),
    };
    let far = |region: &Region| region.from - lead..end;
    for ranges in [
        regions.iter().map(near).collect::<Vec<_>>(),
        regions.iter().map(far).collect(),
    ] {
        for likeness in LADDER {
            let mut places = text.places(&old, likeness).map_err(too_much(hunk))?;
            let looks = text.work.take(places.len().saturating_mul(ranges.len()));
            looks.map_err(too_much(hunk))?;
            places.retain(|at| {
                let stop = at + old.len();
                let lies_in = |range: &Range<usize>| range.start <= *at && stop <= range.end;
                (!hunk.at_end || stop == end) && ranges.iter().any(lies_in)
            });
            match places[..] {
                [] => continue,
                [place] => return Ok(Some((place, likeness))),
                _ => return Err(several(hunk, places.into_iter())),
            }
        }
    }
    Ok(None)
}

fn too_much(hunk: &Hunk) -> impl Fn(TooMuch) -> Misfit + use<> {
    let hunk = hunk.line;
    move |TooMuch| Misfit::TooMuch { hunk }
}

fn several(hunk: &Hunk, lines: impl Iterator<Item = usize>) -> Misfit {
    Misfit::Several {
        hunk: hunk.line,
        lines: lines.map(|line| line + 1).collect(),
    }
}

/// What lies below the lines behind `@@`, each below the one before it. Without such lines: everything.
fn regions(text: &Lines<'_>, hunk: &Hunk) -> Result<Vec<Region>, Misfit> {
    let end = text.bare.len();
    let mut regions = vec![Region {
        from: 0,
        block: end,
    }];
    for scope in &hunk.scopes {
        let ranges: Vec<_> = regions.iter().map(|region| region.scope(end)).collect();
        let mut lines = below(text, scope, &ranges).map_err(too_much(hunk))?;
        lines.dedup();
        if lines.is_empty() {
            return Err(Misfit::NoScope {
                hunk: hunk.line,
                scope: scope.clone(),
            });
        }
        let region = |line: usize| {
            let block = block_end(text, line);
            // A line is looked at more closely here than elsewhere.
            text.work.take(10 * (block - line))?;
            let from = line + 1;
            Ok(Region { from, block })
        };
        let below = lines.into_iter().map(region).collect::<Result<_, _>>();
        regions = below.map_err(too_much(hunk))?;
    }
    Ok(regions)
}

/// The lines in `ranges` that are `scope`, else those that begin with it and go on with another word.
fn below(text: &Lines<'_>, scope: &str, ranges: &[Range<usize>]) -> Result<Vec<usize>, TooMuch> {
    let lies_in = |line: &usize| ranges.iter().any(|range| range.contains(line));
    for likeness in [Likeness::Surrounding, Likeness::Typographic] {
        let mut lines = text.places(&[scope], likeness)?;
        text.work.take(lines.len().saturating_mul(ranges.len()))?;
        lines.retain(lies_in);
        if !lines.is_empty() {
            return Ok(lines);
        }
    }
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let begins = |line: &usize| {
        let rest = text.placed()[*line].1.strip_prefix(scope);
        rest.is_some_and(|rest| !scope.ends_with(is_word) || !rest.starts_with(is_word))
    };
    // To look into a line costs more than to know it.
    let lines = text.bare.len();
    text.work.take(lines.saturating_mul(ranges.len() + 20))?;
    Ok((0..lines).filter(lies_in).filter(begins).collect())
}

/// Where the block below line `at` ends: in front of the first line indented as little that neither opens it
/// (a bracket on its own line, the end of a list of parameters) nor is blank. A closing bracket is its last line.
fn block_end(lines: &Lines<'_>, at: usize) -> usize {
    let lines = lines.placed();
    let (own, _) = lines[at];
    let mut end = at + 1;
    for (line, (width, bare)) in lines.iter().enumerate().skip(at + 1) {
        if bare.is_empty() {
            continue;
        }
        if *width <= own {
            let is_open =
                bare.starts_with('{') || bare.starts_with([')', ']']) && bare.ends_with(['{', ':']);
            let closes = !is_open && bare.starts_with(['}', ')', ']']);
            if !is_open {
                return if closes { line + 1 } else { end };
            }
        }
        end = line + 1;
    }
    end
}
