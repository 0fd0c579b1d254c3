//! Indents: how those of a text that was quoted are written in the file.
//!
//! Learned from the lines that belong together; what was not seen is worked out from the next line that was.

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
    /// Of lines that belong together: the number of the quoted one, its indent, and that in the file.
    pairs: Vec<(usize, &'a str, &'a str)>,
    quoted: Unit,
    file: Option<Unit>,
}

/// The space that `line` begins with.
pub(super) fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(is_space).len()]
}

impl<'a> Indents<'a> {
    /// Learns from `pairs`, from the lines that were quoted and are to be written, and from the file.
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
        Indents {
            file: match quoted {
                Unit::Tab => file.or_else(|| unit(near)),
                Unit::Spaces(_) => file.filter(is_told),
            },
            quoted,
            pairs,
        }
    }

    /// How the file writes `indent` of a line that stands near the quoted line `near`.
    pub(super) fn in_file(&self, indent: &str, near: usize) -> String {
        let distance = |(line, _, _): &&(usize, &str, &str)| line.abs_diff(near);
        let same = self.pairs.iter().filter(|(_, quoted, _)| *quoted == indent);
        if let Some((_, _, file)) = same.min_by_key(distance) {
            return (*file).to_owned();
        }
        let inside = self
            .pairs
            .iter()
            .filter(|(_, quoted, _)| indent.starts_with(quoted));
        let inside = inside.min_by_key(|pair| (indent.len() - pair.1.len(), distance(pair)));
        if let Some((_, quoted, file)) = inside {
            return format!("{file}{}", self.written(&indent[quoted.len()..]));
        }
        let nearest = self.pairs.iter();
        match nearest.min_by_key(|pair| (width(pair.1).abs_diff(width(indent)), distance(pair))) {
            Some((_, quoted, file)) => self.further_out(quoted, file, indent),
            None => self.written(indent),
        }
    }

    /// `more`, a piece of a quoted indent, as the file writes it.
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
        let deeper = learn(&[(0, "    ", "        ")], "    a\n        b");
        assert_eq!(deeper.in_file("        ", 1), "            ");
    }
}
