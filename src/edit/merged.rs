//! The new text laid over what was found: what the edit does not touch stays as the file has it.
//!
//! Lines of the old text that the new one keeps are the file's own lines; inside lines that change, the
//! characters that stay are the file's own too.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::block_anchor::aligned;
use super::fold::{Folded, is_space};
use super::indent::{Habit, Indents, indent_of};
use super::lines::trimmed;
use super::units::{Meaning, Unit, mean_the_same, units};
use crate::text::{TooMuch, Work, aligning};

/// How many steps one comparison of units may take.
const WORK: usize = 8 << 20;

/// A place and its edit: what the file has there, what was quoted, what is to be there. Each begins at the
/// start of a line; in the file and the quote that is its indent.
pub(super) struct Merge<'a> {
    pub(super) file: Vec<&'a str>,
    pub(super) old: Vec<&'a str>,
    pub(super) new: Vec<&'a str>,
    /// Whether escapes stand for what they mean.
    pub(super) escapes: bool,
    /// What is left to do it with.
    pub(super) work: &'a Work,
}

impl<'a> Merge<'a> {
    /// The text for the place. `habit` is how the file indents.
    ///
    /// # Errors
    /// [`TooMuch`] to compare.
    pub(super) fn text(&self, habit: &Habit) -> Result<String, TooMuch> {
        let owners = self.owners()?;
        let indents = self.indents(&owners, habit);
        // Each new line may ask all that is known of indents.
        let asked = self.new.len().saturating_mul(self.old.len());
        self.work.take(asked)?;
        if self.escapes {
            return self.region(&self.file, 0..self.old.len(), &self.new, &indents);
        }
        let mut written: Vec<String> = Vec::new();
        let mut next = 0;
        let keep = |next: &mut usize, written: &mut Vec<String>, before: usize| {
            while *next < owners.len() && owners[*next].is_none_or(|owner| owner < before) {
                written.push(self.file[*next].to_owned());
                *next += 1;
            }
        };
        self.work.align(self.old.len(), self.new.len())?;
        for op in capture_diff_slices(Algorithm::Myers, &self.old, &self.new) {
            let (old, new) = (op.old_range(), op.new_range());
            if matches!(op, DiffOp::Equal { .. }) {
                keep(&mut next, &mut written, old.end);
                continue;
            }
            keep(&mut next, &mut written, old.start);
            let changed = |owner: &Option<usize>| owner.is_some_and(|owner| old.contains(&owner));
            let last = owners
                .iter()
                .rposition(changed)
                .map_or(next, |last| last + 1);
            if !new.is_empty() {
                let file = &self.file[next..last];
                written.push(self.region(file, old, &self.new[new], &indents)?);
            }
            next = last;
        }
        keep(&mut next, &mut written, usize::MAX);
        Ok(written.join("\n"))
    }

    /// For each line of the file the quoted line it belongs to. `None`: nobody quoted it.
    fn owners(&self) -> Result<Vec<Option<usize>>, TooMuch> {
        if self.file.len() == self.old.len() {
            return Ok((0..self.old.len()).map(Some).collect());
        }
        let mut owners = vec![None; self.file.len()];
        let folded = |lines: &[&str]| -> Vec<String> {
            lines
                .iter()
                .map(|line| Folded::of(trimmed(line)).text)
                .collect()
        };
        let (file, old) = (folded(&self.file), folded(&self.old));
        let file: Vec<&str> = file.iter().map(String::as_str).collect();
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        for (file, old) in aligned(&file, &old, self.work)? {
            owners[file] = Some(old);
        }
        Ok(owners)
    }

    fn indents(&self, owners: &[Option<usize>], habit: &Habit) -> Indents<'a> {
        let filled = |line: &str| !trimmed(line).is_empty();
        let pairs = owners.iter().zip(&self.file).filter_map(|(owner, file)| {
            let (number, old) = ((*owner)?, self.old[(*owner)?]);
            (filled(file) && filled(old)).then(|| (number, indent_of(old), indent_of(file)))
        });
        let quoted = self.old.iter().chain(&self.new).copied();
        Indents::learn(pairs.collect(), quoted.filter(|line| filled(line)), habit)
    }

    /// Lines that change: `new`, with the characters that stay as the file has them where the old lines
    /// mean what the file says.
    fn region(
        &self,
        file: &[&str],
        old: std::ops::Range<usize>,
        new: &[&str],
        indents: &Indents<'_>,
    ) -> Result<String, TooMuch> {
        let near = old.start;
        let Some((first_file, first_old)) = file.first().zip(self.old[old.clone()].first()) else {
            return Ok(reindented(new, near, indents));
        };
        let (file_text, old_text) = (file.join("\n"), self.old[old].join("\n"));
        let new_text = new.join("\n");
        let body = |text: &'_ str, first: &str| -> String {
            let is_flat = |letter: char| is_space(letter) && letter != '\n';
            text[indent_of(first).len()..]
                .trim_end_matches(is_flat)
                .to_owned()
        };
        let first_new = new.first().copied().unwrap_or_default();
        let (f, o) = (body(&file_text, first_file), body(&old_text, first_old));
        let n = body(&new_text, first_new);
        let (f, o, n) = (
            units(&f, self.escapes),
            units(&o, self.escapes),
            units(&n, self.escapes),
        );
        let (o, n) = without_end(&f, o, n);
        let steps = aligning(o.len(), n.len());
        if !mean_the_same(&f, &o) || steps > WORK {
            return Ok(reindented(new, near, indents));
        }
        self.work.take(4 * steps)?;
        let indent = match indent_of(first_new) == indent_of(first_old) {
            true => indent_of(first_file).to_owned(),
            false => indents.in_file(indent_of(first_new), near),
        };
        Ok(indent + &by_unit(&f, &o, &n, near, indents))
    }
}

/// Old and new without a line end at their end that the file's text does not have there.
fn without_end<'a>(
    file: &[Unit<'_>],
    mut old: Vec<Unit<'a>>,
    mut new: Vec<Unit<'a>>,
) -> (Vec<Unit<'a>>, Vec<Unit<'a>>) {
    let is_end = |units: &[Unit<'_>]| {
        let last = units.last().map(|unit| unit.meaning);
        matches!(last, Some(Meaning::Space(_)))
    };
    if is_end(&old) && !is_end(file) {
        old.pop();
        if is_end(&new) {
            new.pop();
        }
    }
    (old, new)
}

fn by_unit(
    file: &[Unit<'_>],
    old: &[Unit<'_>],
    new: &[Unit<'_>],
    near: usize,
    indents: &Indents<'_>,
) -> String {
    let texts = |units: &[Unit<'_>]| {
        units
            .iter()
            .map(|unit| unit.text.to_owned())
            .collect::<Vec<_>>()
    };
    let mut written = String::new();
    for op in capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new)) {
        if matches!(op, DiffOp::Equal { .. }) {
            written.extend(file[op.old_range()].iter().map(|unit| unit.text));
            continue;
        }
        let before = old[..op.old_range().start].iter();
        let ends = before.filter(|unit| matches!(unit.meaning, Meaning::Space(ends) if ends > 0));
        let line = near + ends.count();
        for unit in &new[op.new_range()] {
            match unit.text.rfind('\n') {
                Some(end) => {
                    let (ends, indent) = unit.text.split_at(end + 1);
                    written.push_str(ends);
                    written.push_str(&indents.in_file(indent, line + 1));
                }
                None => written.push_str(unit.text),
            }
        }
    }
    written
}

/// Lines with the indents of the file.
fn reindented(lines: &[&str], near: usize, indents: &Indents<'_>) -> String {
    let line = |(at, line): (usize, &&str)| {
        let indent = indent_of(line);
        match indent.len() == line.len() {
            true => String::new(),
            false => indents.in_file(indent, near + at) + &line[indent.len()..],
        }
    };
    Vec::from_iter(lines.iter().enumerate().map(line)).join("\n")
}
