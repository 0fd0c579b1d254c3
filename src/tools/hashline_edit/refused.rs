//! Why edits by anchors were refused, said to their reader: which edit, what stands there now, what to try.
//!
//! Lines are shown only of a file that this session may know: to a model, of one it has read before.

use std::collections::BTreeSet;

use super::{hidden, shown};
use crate::edit::hashline::{self, Edit, Refused, Stale};
use crate::error::{Kind, ToolError};
use crate::files::{HELD, Place};
use crate::redact::Known;
use crate::store::Seen;
use crate::text::counted;
use crate::tool::Context;
use crate::tools::decoding;

/// How many anchors are named in one line.
const NAMED: usize = 20;

/// The failure of edits of `text`.
pub(super) fn refused(why: Refused, text: &str, place: &Place, context: &Context) -> ToolError {
    let name = &place.display;
    match why {
        Refused::Wrong { edit, what } => ToolError::argument(format!("edit {edit}: {what}"))
            .with_hint("mend that edit and send all of them again; nothing was changed"),
        Refused::Malformed { edit, given, meant } => {
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            let message = format!("edit {edit}: `{given}` is no anchor{meant}");
            ToolError::argument(message).with_hint(
                "copy it from `read` with `hashes`: number, `#` and three letters, as in `12#kfd`",
            )
        }
        Refused::Past { edit, line, total } => {
            let message = format!(
                "edit {edit}: {name} has {}; there is no line {line}",
                counted(total, "line")
            );
            ToolError::argument(message).with_hint("read it again with `hashes`")
        }
        Refused::Stale(stale) => {
            let hidden = hidden::secrets(text, context);
            stale_anchors(&stale, text, name, hidden.as_ref())
        }
        Refused::Overlap {
            edits: [(one, from, to), (other, start, end)],
        } => {
            let message = format!(
                "edits {one} and {other} overlap: lines {from}-{to} and {start}-{end} of {name}"
            );
            ToolError::argument(message)
                .with_hint("make one edit of the two; anchors are those of the file as it was read")
                .with_detail("edits", vec![one, other])
        }
        Refused::NoChange => {
            let message = format!("nothing would change: {name} holds these lines already");
            ToolError::argument(message).with_hint("read it again with `hashes`")
        }
    }
}

fn stale_anchors(stale: &[Stale], text: &str, name: &str, hidden: Option<&Known>) -> ToolError {
    let lines: BTreeSet<usize> = stale.iter().map(|one| one.line).collect();
    let named = stale.iter().take(NAMED).map(|one| {
        let now = one.now.map_or(String::new(), |now| {
            format!(", whose hash line {now} has now")
        });
        format!("line {} (edit {}){now}", one.line, one.edit)
    });
    let more = if stale.len() > NAMED { "; …" } else { "" };
    let message = format!(
        "{name} has changed at {}: {}{more}. What stands there now:\n{}",
        counted(stale.len(), "anchor"),
        Vec::from_iter(named).join("; "),
        shown::pointed(text, &lines, hidden).trim_end()
    );
    ToolError::conflict(message)
        .with_hint("nothing was changed; take the anchors shown here and send all edits again")
        .with_detail("lines", lines.into_iter().collect::<Vec<_>>())
}

/// The failure of a file that is not as this session knows it. Where it was read before, what stands at the anchors
/// now is shown, and counts as read: the edits can be sent again as they are to be.
pub(super) fn changed(
    error: ToolError,
    place: &Place,
    edits: &[Edit],
    context: &Context,
) -> ToolError {
    let services = &context.services;
    let Some(seen) = services.ledger.get(&place.real) else {
        return match error.kind {
            Kind::Conflict => error.with_hint("read it with `hashes` first, then change it"),
            _ => error,
        };
    };
    let Ok(snapshot) = services.files.read(place, HELD) else {
        return error;
    };
    let Ok(Some((text, _))) = decoding::exact(&snapshot, place, seen.encoding.as_deref()) else {
        return error;
    };
    if snapshot.hash == seen.hash {
        return error; // it failed for another reason
    }
    let told = match hashline::apply(&text, edits) {
        Err(why @ (Refused::Stale(_) | Refused::Past { .. })) => {
            refused(why, &text, place, context)
        }
        _ => {
            let hint = "the lines of your anchors are as they were: if the edits are still right, send them again";
            error.with_hint(hint)
        }
    };
    let hash = snapshot.hash;
    services
        .ledger
        .note(place.real.clone(), Seen { hash, ..seen });
    told
}
