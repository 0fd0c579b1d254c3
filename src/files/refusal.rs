//! Why a place could not be read or changed, said once for all who meet the same wall.
//! It decides nothing: who calls has found out what stands there.

use std::io;

use rustix::io::Errno;

use super::{Entry, Place};
use crate::error::{Kind, ToolError};

/// The failure of reading or writing a folder as a file.
pub(super) fn is_a_folder(place: &Place) -> ToolError {
    ToolError::argument(format!("{} is a folder, not a file", place.display))
        .with_hint("see what is in it with `list`, then name a file")
}

/// The failure of reading or writing what is neither a file nor a folder.
pub(super) fn not_regular(place: &Place, entry: Entry) -> ToolError {
    let message = format!("{} is {entry}, not a regular file", place.display);
    ToolError::argument(message)
        .with_hint("name a regular file; a command can read this with `shell`")
}

/// The failure of a place whose links changed after it was resolved.
pub(super) fn moved_meanwhile(place: &Place) -> ToolError {
    ToolError::conflict(format!(
        "{} leads elsewhere than a moment ago: a link was put in its way",
        place.display
    ))
}

/// The failure of a move or a new file where something stands already.
pub(super) fn occupied(place: &Place) -> ToolError {
    ToolError::conflict(format!("{} exists already", place.display))
        .with_hint("choose another name, or move or delete what stands there first")
}

/// The failure of a change whose file is not there any more.
pub(super) fn gone(place: &Place) -> ToolError {
    ToolError::conflict(format!("{} was deleted meanwhile", place.display))
}

/// What the system said while changing `place`, as the kind it belongs to.
pub(super) fn failed(error: &io::Error, place: &Place) -> ToolError {
    let mut failure = ToolError::from_io(error, "change", &place.display);
    match Errno::from_io_error(error) {
        Some(Errno::NOENT) => failure.kind = Kind::Conflict,
        Some(Errno::NAMETOOLONG) => failure.kind = Kind::Argument,
        Some(Errno::NOTDIR) => failure.kind = Kind::Argument,
        _ => {}
    }
    failure
}
