//! Lines that a model gives with tags in the place of secrets: the secrets again, where they stood in the very lines
//! that are replaced.

use crate::edit::hashline::{Edit, replaced};
use crate::error::ToolError;
use crate::files::Place;
use crate::permission::Caller;
use crate::redact::{Known, tags};
use crate::tool::Context;
use crate::tools::changes;

/// Puts the secrets of `text` into the lines of `edits`.
///
/// # Errors
/// `conflict` for a tag whose secret is not in the lines that its edit replaces.
pub(super) fn restore(
    edits: &mut [Edit],
    text: &str,
    place: &Place,
    context: &Context,
) -> Result<(), ToolError> {
    let is_tagged = |line: &String| tags(line).next().is_some();
    let has_tags = edits.iter().flat_map(|edit| edit.lines.iter().flatten());
    if context.caller() == Caller::User || !has_tags.into_iter().any(is_tagged) {
        return Ok(());
    }
    let known = changes::stands_for(text, context);
    for edit in edits {
        let there = replaced(text, edit).to_owned();
        for line in edit.lines.iter_mut().flatten() {
            let held = known.held_in(line, [there.as_str()]);
            held.map_err(|tag| changes::lost(&tag, place))?;
            let whole = known.restore(line);
            *line = whole
                .map_err(|tag| changes::lost(&tag, place))?
                .into_owned();
        }
    }
    Ok(())
}

/// The secrets of `text`, where they are hidden from who reads the result. The door knows a line of a key only where
/// the whole key stands.
pub(super) fn secrets(text: &str, context: &Context) -> Option<Known> {
    Some(context.redactor()?.known(text))
}
