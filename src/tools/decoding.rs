//! The text of a file that was read whole, as `read` shows it and as the tools that change it take it.
//!
//! Both decode in the same way; who changes a file insists besides that no byte was lost.

use crate::error::ToolError;
use crate::files::{Place, Snapshot, not_text};
use crate::text::encoding::{self, DecodeError, Decoded, Encoding};

/// The text of a file, and the encoding it is in.
///
/// # Errors
/// `argument` where it is no text, or `label` is no encoding.
pub(super) fn shown(
    snapshot: &Snapshot,
    place: &Place,
    label: Option<&str>,
) -> Result<(String, Encoding), ToolError> {
    let decoded = decoded(snapshot, place, label)?.ok_or_else(|| not_text(place))?;
    Ok((decoded.text, decoded.encoding))
}

/// The same of a file that is to be changed; `None` where it is no text.
///
/// # Errors
/// `argument` where bytes of it do not fit its encoding.
pub(super) fn exact(
    snapshot: &Snapshot,
    place: &Place,
    label: Option<&str>,
) -> Result<Option<(String, Encoding)>, ToolError> {
    let Some(decoded) = decoded(snapshot, place, label)? else {
        return Ok(None);
    };
    if decoded.exact {
        return Ok(Some((decoded.text, decoded.encoding)));
    }
    let message = format!("{} is not wholly in {}", place.display, decoded.encoding);
    Err(ToolError::argument(message).with_hint("read it with the encoding it really has"))
}

fn decoded(
    snapshot: &Snapshot,
    place: &Place,
    label: Option<&str>,
) -> Result<Option<Decoded>, ToolError> {
    if label.is_none() && encoding::is_binary(&snapshot.bytes) {
        return Ok(None);
    }
    let decoded = encoding::decode(&snapshot.bytes, label);
    decoded.map(Some).map_err(|error| wrong(place, &error))
}

/// The failure of a name that is no encoding.
pub(super) fn wrong(place: &Place, error: &DecodeError) -> ToolError {
    ToolError::argument(format!("{}: {error}", place.display))
        .with_hint("leave `encoding` out: the content usually shows it")
}
