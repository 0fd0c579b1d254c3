//! What replaces a place that was found tolerantly: the new text, as this file would have it.
//!
//! Space around the place is the file's: no blank line comes or goes, no indent is lost.

use std::borrow::Cow;

use super::Span;
use super::escape_normalized::Spelling;
use super::fold::is_space;
use super::indent::{Habit, indent_of};
use super::merged::Merge;
use super::unfit::Unfit;
use crate::text::Work;

/// What a place costs beyond its text, in steps.
const PLACE: usize = 300;

/// A place, and the text that is to be there.
pub(super) struct Adapted<'a> {
    pub(super) span: Span,
    pub(super) text: Cow<'a, str>,
}

/// A text in three parts: the space before, what is in it, the space behind.
struct Parts<'a> {
    lead: &'a str,
    core: &'a str,
    trail: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Parts<'a> {
        let core = text.trim_start_matches(is_space);
        let lead = &text[..text.len() - core.len()];
        let core = core.trim_end_matches(is_space);
        Parts {
            lead,
            core,
            trail: &text[lead.len() + core.len()..],
        }
    }

    /// The core with the indent of its first line.
    fn lines(&self, text: &'a str) -> Vec<&'a str> {
        let indent = self.lead.len() - self.lead.rfind('\n').map_or(0, |at| at + 1);
        let from = self.lead.len() - indent;
        text[from..self.lead.len() + self.core.len()]
            .split('\n')
            .collect()
    }
}

/// An edit whose places were found tolerantly.
pub(super) struct Edit<'a> {
    /// The text, and how it indents.
    pub(super) content: &'a str,
    pub(super) habit: Habit,
    pub(super) old: &'a str,
    pub(super) new: Cow<'a, str>,
    /// Whether escapes of the text stand for what they mean.
    pub(super) escapes: bool,
}

/// What becomes of the place `span`, where something like the old text stands.
///
/// # Errors
/// [`Unfit`].
pub(super) fn adapted(
    edit: &Edit<'_>,
    span: &Span,
    work: &Work,
) -> Result<Adapted<'static>, Unfit> {
    let (content, old, new) = (edit.content, edit.old, &*edit.new);
    let found = Parts::of(&content[span.clone()]);
    let (was, is) = (Parts::of(old), Parts::of(new));
    let start = span.start + found.lead.len();
    let end = start + found.core.len();
    let line = content[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = content[end..]
        .find('\n')
        .map_or(content.len(), |at| end + at);
    work.take(PLACE + old.len() + new.len())?;
    work.look(line_end - line)?;
    let begins_line = content[line..start].chars().all(is_space);
    let ends_line = content[end..line_end].chars().all(is_space);
    if is.core.is_empty() {
        let span = match begins_line && ends_line {
            true => line..(line_end + 1).min(content.len()),
            false => start..end,
        };
        return Ok(Adapted {
            span,
            text: "".into(),
        });
    }
    // The indent of the line is looked at even where the place begins behind it.
    let indent = indent_of(&content[line..start]);
    let first = format!("{indent}{}", found.core);
    let mut new_lines = is.lines(new);
    if begins_line {
        let more = ends(is.lead).saturating_sub(ends(was.lead));
        new_lines.splice(0..0, std::iter::repeat_n("", more));
    }
    if ends_line {
        // One line end belongs to the last line itself.
        let more = ends(is.trail).saturating_sub(ends(was.trail).max(1));
        new_lines.extend(std::iter::repeat_n("", more));
    }
    let merge = Merge {
        file: first.split('\n').collect(),
        old: was.lines(old),
        new: new_lines,
        spelling: edit.escapes.then(|| Spelling::in_place(&first)),
        work,
    };
    let text = merge.text(&edit.habit)?;
    let (span, text) = match begins_line {
        true => (line..end, text),
        false => (start..end, text[indent_of(&text).len()..].to_owned()),
    };
    let before = between(was.lead, is.lead, begins_line);
    let behind = between(was.trail, is.trail, ends_line);
    Ok(Adapted {
        span,
        text: format!("{before}{text}{behind}").into(),
    })
}

fn ends(space: &str) -> usize {
    space.matches('\n').count()
}

/// The space at one end, inside a line, that the new text has where the old one had none.
fn between<'a>(old: &str, new: &'a str, is_line: bool) -> &'a str {
    match !is_line && old.is_empty() && !new.contains('\n') {
        true => new,
        false => "",
    }
}
