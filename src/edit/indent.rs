//! Indents: how those of a text that was quoted are written in the file.
//!
//! Learned from the lines that belong together; what was not seen is worked out from the next line that was.

use std::collections::HashMap;

use super::fold::is_space;

/// How far a file's lines are looked at to learn how it indents.
const LOOKED_AT: usize = 2000;

/// One step of indent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Tab,
    Spaces(usize),
}

/// How a file indents, from its first lines.
pub(super) struct Habit {
    /// The step, and that of the lines that do not begin with a tab.
    unit: Option<Unit>,
    unit_of_spaces: Option<Unit>,
    /// How many depths there are.
    depths: usize,
}

impl Habit {
    /// The habit of a whole file.
    pub(super) fn of(file: &str) -> Habit {
        let lines = file.split('\n').take(LOOKED_AT);
        Habit {
            unit: unit(lines.clone()),
            unit_of_spaces: unit(lines.clone().filter(|line| !line.starts_with('\t'))),
            depths: depths(lines).len(),
        }
    }
}

/// What is known of two ways to indent.
pub(super) struct Indents<'a> {
    /// For each quoted indent the lines that have it, in order: their number, and their indent in the file.
    known: HashMap<&'a str, Vec<(usize, &'a str)>>,
    /// One step of the quote and the same step of the file, as two of the lines show it.
    step: Option<(&'a str, &'a str)>,
    quoted: Unit,
    file: Option<Unit>,
}

/// The space that `line` begins with.
pub(super) fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(is_space).len()]
}

impl<'a> Indents<'a> {
    /// Learns from `pairs` (the number of a quoted line, its indent, and that in the file), from the lines that
    /// were quoted and are to be written, and from the file.
    pub(super) fn learn<'b>(
        pairs: Vec<(usize, &'a str, &'a str)>,
        quoted: impl Iterator<Item = &'b str>,
        habit: &Habit,
    ) -> Indents<'a> {
        let near = pairs.iter().map(|(_, _, indent)| *indent);
        let quoted: Vec<&str> = quoted.collect();
        let quoted = unit(quoted.iter().copied()).unwrap_or(Unit::Spaces(4));
        let file = match near.clone().any(|indent| indent.starts_with('\t')) {
            true => Some(Unit::Tab),
            false if near.clone().any(|indent| !indent.is_empty()) => habit.unit_of_spaces,
            false => habit.unit,
        };
        // One depth alone does not tell how many steps it is.
        let is_told = |file: &Unit| match (file, quoted) {
            (Unit::Spaces(_), Unit::Spaces(_)) => habit.depths > 2,
            _ => true,
        };
        let file = match quoted {
            Unit::Tab => file.or_else(|| unit(near)),
            Unit::Spaces(_) => file.filter(is_told),
        };
        let mut known: HashMap<&str, Vec<(usize, &str)>> = HashMap::new();
        for (line, quoted, file) in pairs {
            known.entry(quoted).or_default().push((line, file));
        }
        Indents {
            step: step(&known),
            known,
            quoted,
            file,
        }
    }

    /// What one answer costs at most, in steps.
    pub(super) fn cost(&self) -> usize {
        self.known.len()
    }

    /// Whether all lines with this quoted indent have one and the same in the file.
    pub(super) fn is_regular(&self, quoted: &str) -> bool {
        let lines = self.known.get(quoted).map(Vec::as_slice);
        let [(_, first), rest @ ..] = lines.unwrap_or_default() else {
            return true;
        };
        rest.iter().all(|(_, file)| file == first)
    }

    /// The longest quoted indent that `indent` begins with.
    pub(super) fn base(&self, indent: &str) -> Option<&'a str> {
        let ends = indent.char_indices().map(|(at, _)| at);
        let mut starts = ends.chain([indent.len()]).rev();
        starts.find_map(|end| {
            self.known
                .get_key_value(&indent[..end])
                .map(|known| *known.0)
        })
    }

    /// How the file writes `indent` of a line that stands near the quoted line `near`.
    pub(super) fn in_file(&self, indent: &str, near: usize) -> String {
        if let Some(quoted) = self.base(indent) {
            let file = self.nearest(quoted, near);
            return format!("{file}{}", self.more(&indent[quoted.len()..], file));
        }
        let far = |quoted: &&&str| {
            let lines = &self.known[**quoted];
            let least = lines.iter().map(|(line, _)| line.abs_diff(near)).min();
            (width(quoted).abs_diff(width(indent)), least)
        };
        match self.known.keys().min_by_key(far) {
            Some(quoted) => self.further_out(quoted, self.nearest(quoted, near), indent),
            None => self.written(indent),
        }
    }

    /// The file's indent of the nearest line that has the `quoted` one.
    fn nearest(&self, quoted: &str, near: usize) -> &'a str {
        let lines = self.known.get(quoted).map(Vec::as_slice);
        let lines = lines.unwrap_or_default();
        let behind = lines.partition_point(|(line, _)| *line < near);
        let around = lines[behind.saturating_sub(1)..].iter().take(2);
        let nearest = around.min_by_key(|(line, _)| line.abs_diff(near));
        nearest.map_or("", |(_, file)| *file)
    }

    /// `more`, a piece of a quoted indent, as the file writes it behind the indent `file`.
    fn more(&self, more: &str, file: &str) -> String {
        if let Some(stepped) = self.stepped(more) {
            return stepped;
        }
        let written = self.written(more);
        // A tab never stands behind spaces.
        match file.ends_with(' ') && written.contains('\t') {
            true => more.replace('\t', "    "),
            false => written,
        }
    }

    /// `piece` in the steps that are known.
    fn stepped(&self, piece: &str) -> Option<String> {
        let (quoted, file) = self.step?;
        is_made_of(piece, quoted).then(|| file.repeat(piece.len() / quoted.len()))
    }

    /// `more` in the units that the quote and the file are indented with.
    fn written(&self, more: &str) -> String {
        let Some(file) = self.file.filter(|file| *file != self.quoted) else {
            return more.to_owned();
        };
        let steps = match self.quoted {
            Unit::Tab => more.matches('\t').count(),
            Unit::Spaces(step) if more.len().is_multiple_of(step) && !more.contains('\t') => {
                more.len() / step
            }
            Unit::Spaces(step) if file == Unit::Tab => more.len().div_ceil(step),
            Unit::Spaces(_) => return more.to_owned(),
        };
        match file {
            Unit::Tab => "\t".repeat(steps),
            Unit::Spaces(step) => " ".repeat(step * steps),
        }
    }

    /// The indent of a line that stands further out than a pair of lines that is known.
    fn further_out(&self, quoted: &str, file: &str, indent: &str) -> String {
        let fewer = quoted.strip_prefix(indent);
        let stepped = fewer.and_then(|fewer| file.strip_suffix(&*self.stepped(fewer)?));
        if let Some(kept) = stepped {
            return kept.to_owned();
        }
        let less = width(quoted).saturating_sub(width(indent));
        let steps = match self.quoted {
            Unit::Tab => less / width("\t"),
            Unit::Spaces(step) => less.div_ceil(step),
        };
        let kept = match self.file.unwrap_or(self.quoted) {
            Unit::Tab => file.len().saturating_sub(steps),
            Unit::Spaces(step) => file.len().saturating_sub(steps * step),
        };
        file.get(..kept).unwrap_or_default().to_owned()
    }
}

/// One step of the quote and of the file, if all lines that stand one in the other show the same.
fn step<'a>(known: &HashMap<&'a str, Vec<(usize, &'a str)>>) -> Option<(&'a str, &'a str)> {
    let mut quoted: Vec<&'a str> = known.keys().copied().collect();
    quoted.sort_unstable_by_key(|quoted| quoted.len());
    let steps = quoted.windows(2).filter_map(|pair| {
        let file = |quoted: &str| known[quoted].first().map(|(_, file)| *file);
        let (outer, inner) = (file(pair[0])?, file(pair[1])?);
        let (quoted, file) = (pair[1].strip_prefix(pair[0])?, inner.strip_prefix(outer)?);
        // The smallest piece of the one that is so many of the other.
        let parts = (1..=quoted.len().min(file.len())).rev().find(|&parts| {
            let is_part = |whole: &str| {
                whole.len().is_multiple_of(parts)
                    && is_made_of(whole, &whole[..whole.len() / parts])
            };
            quoted.is_char_boundary(quoted.len() / parts)
                && file.is_char_boundary(file.len() / parts)
                && is_part(quoted)
                && is_part(file)
        })?;
        Some((&quoted[..quoted.len() / parts], &file[..file.len() / parts]))
    });
    let steps: Vec<_> = steps.collect();
    let first = *steps.first()?;
    steps.iter().all(|step| *step == first).then_some(first)
}

/// Whether `text` is `part` over and over.
fn is_made_of(text: &str, part: &str) -> bool {
    !part.is_empty()
        && text.len().is_multiple_of(part.len())
        && part.repeat(text.len() / part.len()) == text
}

/// How wide an indent is; only for comparing.
fn width(indent: &str) -> usize {
    indent
        .chars()
        .map(|letter| if letter == '\t' { 4 } else { 1 })
        .sum()
}

/// The widths of the indents of spaces, from 0.
fn depths<'b>(lines: impl Iterator<Item = &'b str>) -> Vec<usize> {
    let indents = lines.map(indent_of).filter(|indent| !indent.contains('\t'));
    let mut depths: Vec<usize> = indents.map(str::len).chain([0]).collect();
    depths.sort_unstable();
    depths.dedup();
    depths
}

/// The step in which lines are indented, if any is.
fn unit<'b>(lines: impl Iterator<Item = &'b str> + Clone) -> Option<Unit> {
    if lines.clone().any(|line| line.starts_with('\t')) {
        return Some(Unit::Tab);
    }
    let depths = depths(lines);
    let steps = depths.windows(2).map(|pair| pair[1] - pair[0]);
    let step = steps.min()?;
    // A step of one is alignment, not indent.
    Some(Unit::Spaces(if step == 1 {
        depths[1].max(2)
    } else {
        step
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_an_indent_as_the_file_does() {
        let learn = |pairs: &[(usize, &'static str, &'static str)], quoted: &str| {
            Indents::learn(pairs.to_vec(), quoted.lines(), &Habit::of(""))
        };
        let tabs = learn(&[(0, "  ", "\t")], "  a\n    b");
        assert_eq!(tabs.in_file("  ", 0), "\t");
        assert_eq!(tabs.in_file("    ", 1), "\t\t");
        assert_eq!(tabs.in_file("", 1), "");
        let spaces = learn(&[(0, "", "    "), (1, "\t", "        ")], "a\n\tb");
        assert_eq!(spaces.in_file("\t\t", 2), "            ");
        let mixed = learn(&[(0, "", "\t  "), (1, "  ", "\t    ")], "a\n  b\n    c");
        assert_eq!(mixed.in_file("    ", 2), "\t      ");
        let one = learn(&[(0, "", "\t  ")], "a\n  b");
        assert_eq!(one.in_file("  ", 1), "\t    ");
        let deeper = learn(&[(0, "    ", "        ")], "    a\n        b");
        assert_eq!(deeper.in_file("        ", 1), "            ");
    }
}
