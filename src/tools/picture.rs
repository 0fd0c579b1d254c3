//! What `read` returns of an image: one line of facts, and the image itself for whoever can look at it.
//! The bytes go as they are: no model is shown another picture than the one that is there.

use crate::chat::Image;
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::files::{Place, Snapshot};
use crate::text::counted;
use crate::tool::{Attachment, Context, Destination, Outcome, Output};

/// The image that a file is; `None` where it is none.
pub(super) fn read(snapshot: &Snapshot, place: &Place, context: &Context) -> Option<Outcome> {
    let kind = Image::kind_of(&snapshot.bytes)?;
    let (name, size) = (place.display.as_str(), snapshot.bytes.len());
    if context.destination == Destination::Model
        && let Some(excess) = Image::excess(size)
    {
        let message = format!("{name} {excess}");
        let hint = "make a smaller copy of it with a command, and read that";
        return Some(Err(ToolError::new(Kind::Resource, message).with_hint(hint)));
    }
    let mut output = Output::new(
        name,
        format!("{name}: {kind}, {}", counted(size, "byte")),
        [
            ("path", name.into()),
            ("hash", snapshot.hash.to_string().into()),
            ("media_type", Data::from(kind)),
        ],
    );
    output.attachments.push(Attachment {
        mime: kind.to_owned(),
        bytes: snapshot.bytes.to_vec(),
    });
    Some(Ok(output))
}
