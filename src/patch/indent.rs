//! New lines indented as the file is, where the patch indents otherwise.
//!
//! What a line of the patch and the line of the file it was found at have in front of their first word says
//! how; a new line that stands deeper gets as much more, in the file's own tabs or spaces.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::text::{TooMuch, Work};

/// One step of the patch and the same step of the file.
type Unit<'a> = (&'a str, &'a str);

/// The indents of the lines of a hunk in the patch and in the file.
#[derive(Default)]
pub(super) struct Indents<'a> {
    pairs: Vec<(&'a str, &'a str)>,
    /// Whether any differs.
    differ: bool,
    unit: OnceCell<Option<Unit<'a>>>,
}

impl<'a> Indents<'a> {
    /// A line of the patch was found at this line of the file.
    pub(super) fn note(&mut self, patch: &'a str, file: &'a str) {
        if !patch.trim().is_empty() {
            let (patch, file) = (indent(patch), indent(file));
            self.differ |= patch != file;
            self.pairs.push((patch, file));
        }
    }

    /// A new line of the patch, which follows `after` of the noted lines, as the file would have it.
    ///
    /// # Errors
    /// [`TooMuch`] to compare.
    pub(super) fn like_the_file(
        &self,
        line: &str,
        after: usize,
        work: &Work,
    ) -> Result<String, TooMuch> {
        let own = indent(line);
        if line.trim().is_empty() || !self.differ {
            return Ok(line.to_owned());
        }
        let bare = &line[own.len()..];
        // The nearest line above first, then the others above, then those below.
        let (above, below) = self.pairs.split_at(after.min(self.pairs.len()));
        let near = || above.iter().rev().chain(below);
        let same = near().position(|(patch, _)| *patch == own);
        work.take(2 * same.unwrap_or(self.pairs.len()))?;
        if let Some((_, file)) = same.and_then(|at| near().nth(at)) {
            return Ok(format!("{file}{bare}"));
        }
        work.take(10 * self.pairs.len())?;
        let deeper = near().filter(|(patch, _)| own.starts_with(patch));
        Ok(match deeper.max_by_key(|(patch, _)| patch.len()) {
            Some((patch, file)) => {
                let more = self.more(&own[patch.len()..], work)?;
                format!("{file}{more}{bare}")
            }
            None => match near().find(|(patch, _)| patch.starts_with(own)) {
                Some((patch, file)) => {
                    let less = self.less(file, &patch[own.len()..], work)?;
                    format!("{less}{bare}")
                }
                None => line.to_owned(),
            },
        })
    }

    /// What a further indent of the patch is in the file.
    fn more(&self, indent: &str, work: &Work) -> Result<String, TooMuch> {
        Ok(match self.known_unit(work)? {
            Some((patch, file))
                if indent.len().is_multiple_of(patch.len()) && is_made_of(indent, patch) =>
            {
                file.repeat(indent.len() / patch.len())
            }
            _ => indent.to_owned(),
        })
    }

    /// The indent of the file without what `indent` is in it.
    fn less<'f>(&self, file: &'f str, indent: &str, work: &Work) -> Result<&'f str, TooMuch> {
        let fewer = self.more(indent, work)?;
        Ok(file.strip_suffix(fewer.as_str()).unwrap_or(""))
    }

    /// The unit, worked out once.
    fn known_unit(&self, work: &Work) -> Result<Option<Unit<'a>>, TooMuch> {
        if let Some(known) = self.unit.get() {
            return Ok(*known);
        }
        let mut seen = HashSet::new();
        let mut pairs = self.pairs.clone();
        pairs.retain(|pair| seen.insert(*pair));
        pairs.push(("", ""));
        work.take(pairs.len().saturating_pow(2).saturating_mul(10))?;
        Ok(*self.unit.get_or_init(|| unit(&pairs)))
    }
}

/// One step of the patch and the same step of the file, by the difference of two lines.
fn unit<'a>(pairs: &[Unit<'a>]) -> Option<Unit<'a>> {
    let all = || pairs.iter().copied();
    let steps = all().flat_map(|inner| all().map(move |outer| (inner, outer)));
    let steps = steps.filter_map(|(inner, outer)| {
        let (patch, file) = (
            inner.0.strip_prefix(outer.0)?,
            inner.1.strip_prefix(outer.1)?,
        );
        (!patch.is_empty() && !file.is_empty()).then_some((patch, file))
    });
    let (patch, file) = steps.min_by_key(|(patch, _)| patch.len())?;
    let shared = (1..=file.len()).rev().find(|n| {
        file.len().is_multiple_of(*n)
            && patch.len().is_multiple_of(*n)
            && is_made_of(file, &file[..file.len() / *n])
    })?;
    Some((&patch[..patch.len() / shared], &file[..file.len() / shared]))
}

/// Whether `text` is `part` over and over.
fn is_made_of(text: &str, part: &str) -> bool {
    !part.is_empty()
        && text.len().is_multiple_of(part.len())
        && part.repeat(text.len() / part.len()) == text
}

/// The tabs and spaces that a line begins with.
fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indents(pairs: &[(&'static str, &'static str)]) -> Indents<'static> {
        let mut indents = Indents::default();
        for (patch, file) in pairs {
            let [patch, file] = [patch, file].map(|indent| format!("{indent}x").leak());
            indents.note(patch, file);
        }
        indents
    }

    fn made(indents: &Indents<'_>, line: &str, after: usize) -> String {
        indents
            .like_the_file(line, after, &Work::of(10_000))
            .unwrap()
    }

    #[test]
    fn spaces_of_the_patch_become_tabs_of_the_file() {
        let tabs = indents(&[("    ", "\t"), ("        ", "\t\t")]);
        for (line, like) in [
            ("    a", "\ta"),
            ("        a", "\t\ta"),
            ("            a", "\t\t\ta"),
            ("a", "a"),
            ("", ""),
        ] {
            assert_eq!(made(&tabs, line, 2), like);
        }
        assert_eq!(made(&indents(&[("    ", "\t")]), "        a", 1), "\t\ta");
    }

    #[test]
    fn a_block_that_the_patch_wrote_at_the_margin_stands_where_it_stood() {
        let margin = indents(&[("", "    "), ("  ", "      ")]);
        assert_eq!(made(&margin, "a", 1), "    a");
        assert_eq!(made(&margin, "    a", 1), "        a");
        let deep = indents(&[("    ", "  "), ("        ", "    ")]);
        assert_eq!(made(&deep, "            a", 2), "      a");
    }

    #[test]
    fn a_line_that_goes_back_out_loses_as_much() {
        let tabs = indents(&[("        ", "\t\t")]);
        assert_eq!(made(&tabs, "    }", 1), "\t}");
    }

    #[test]
    fn where_the_indents_agree_a_line_stays_to_the_letter() {
        let same = indents(&[("  ", "  ")]);
        assert_eq!(made(&same, "\t odd", 1), "\t odd");
    }
}
