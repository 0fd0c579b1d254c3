//! Hunks that quote what is hidden: their tags become the secrets of the file they are for.
//!
//! A line that comes may hold a tag only where a line of its own hunk that is there before holds it too.

use std::borrow::Cow;

use crate::error::ToolError;
use crate::files::Place;
use crate::patch::{Hunk, Line};
use crate::permission::Caller;
use crate::redact::{Known, tags};
use crate::tool::Context;
use crate::tools::changes;

/// `hunks` as they are meant for `text`.
///
/// # Errors
/// `conflict` for a tag whose secret is not in the lines that the hunk replaces.
pub(super) fn restored<'h>(
    text: &str,
    hunks: &'h [Hunk],
    place: &Place,
    context: &Context,
) -> Result<Cow<'h, [Hunk]>, ToolError> {
    let lines = || hunks.iter().flat_map(|hunk| &hunk.lines);
    let is_tagged = |line: &Line| tags(said(line)).next().is_some();
    let scopes = || hunks.iter().flat_map(|hunk| &hunk.scopes);
    let has_tags = lines().any(is_tagged) || scopes().any(|scope| tags(scope).next().is_some());
    if context.caller() == Caller::User || !has_tags {
        return Ok(Cow::Borrowed(hunks));
    }
    let known = changes::stands_for(text, context);
    let hunks = hunks.iter().map(|hunk| restored_hunk(hunk, &known, place));
    Ok(Cow::Owned(hunks.collect::<Result<_, _>>()?))
}

fn restored_hunk(hunk: &Hunk, known: &Known, place: &Place) -> Result<Hunk, ToolError> {
    let whole = |text: &str| match known.restore(text) {
        Ok(text) => Ok(text.into_owned()),
        Err(tag) => Err(changes::lost(&tag, place)),
    };
    let mut before = String::new();
    let mut lines = Vec::with_capacity(hunk.lines.len());
    for line in &hunk.lines {
        lines.push(match line {
            Line::Keep(text) => Line::Keep(whole(text)?),
            Line::Drop(text) => Line::Drop(whole(text)?),
            Line::Put(text) => Line::Put(whole(text)?),
        });
        if let Some(Line::Keep(text) | Line::Drop(text)) = lines.last() {
            before.push_str(text);
            before.push('\n');
        }
    }
    for line in hunk
        .lines
        .iter()
        .filter(|line| matches!(line, Line::Put(_)))
    {
        let held = known.held_in(said(line), [before.as_str()]);
        held.map_err(|tag| changes::lost(&tag, place))?;
    }
    let scopes = hunk.scopes.iter().map(|scope| whole(scope));
    Ok(Hunk {
        scopes: scopes.collect::<Result<_, _>>()?,
        lines,
        ..hunk.clone()
    })
}

fn said(line: &Line) -> &str {
    match line {
        Line::Keep(text) | Line::Drop(text) | Line::Put(text) => text,
    }
}
