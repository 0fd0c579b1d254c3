//! What a patch amounts to: each path once, from what stands there to what would stand there.
//!
//! A file that goes where nothing stood is a move. Where the places of files cross, as when two files
//! change their names, each path is an update of its own.

use std::path::Path;
use std::sync::Arc;

use super::sections::Touched;
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::files::{Action, Change, Entry, Form, Image, Place};
use crate::text::encoding::Encoding;
use crate::tool::{Context, Payload};
use crate::tools::changes;

/// The changes, and for each path shown the encoding that its text goes to disk in.
///
/// # Errors
/// `argument` for text that its encoding lacks, for a notice of truncation, for a file below a file.
pub(super) fn changes(
    files: Vec<Touched>,
    context: &Context,
) -> Result<(Vec<Change>, Data), ToolError> {
    no_file_below_a_file(&files)?;
    let mut encodings = Vec::new();
    let mut made = Vec::new();
    for (at, file) in files.iter().enumerate() {
        if let (Some(now), Some(encoding)) = (&file.now, encoding(file)) {
            encodings.push((now.display.clone(), Data::from(encoding.to_string())));
        }
        let bytes = bytes(file, context)?;
        made.extend(put(at, bytes, &files, context)?);
        made.extend(left(at, &files));
    }
    Ok((made, Data::Map(encodings.into_iter().collect())))
}

/// What the text of a file goes to disk in; `None` for a new file.
fn encoding(file: &Touched) -> Option<Encoding> {
    let was = file.was.as_ref().filter(|_| !file.anew);
    was.map(|(_, encoding)| *encoding)
}

/// The new bytes of a file; `None` where they are as they were.
fn bytes(file: &Touched, context: &Context) -> Result<Option<Arc<[u8]>>, ToolError> {
    let (Some(now), Some(text)) = (&file.now, &file.text) else {
        return Ok(None);
    };
    let was = file.was.as_ref().map(|(text, _)| text.as_str());
    changes::refuse_notice(&Payload(text.clone().into_bytes()), was, context)?;
    let bytes = match encoding(file) {
        Some(encoding) => changes::encoded(text, encoding, now)?,
        None => text.clone().into_bytes(),
    };
    Ok(Some(bytes.into()))
}

/// The change at the place where a file stands now.
fn put(
    at: usize,
    bytes: Option<Arc<[u8]>>,
    files: &[Touched],
    context: &Context,
) -> Result<Option<Change>, ToolError> {
    let file = &files[at];
    let Some(now) = &file.now else {
        return Ok(None);
    };
    let stood = files.iter().find_map(|file| at_origin(file, &now.real));
    if let Some((from, before)) = &file.origin
        && is_moved(at, files)
    {
        return moved(from, before, now, bytes, context).map(Some);
    }
    let own = file.origin.as_ref().map(|(_, image)| image);
    // A file takes its mode along; one made anew has that of the file it replaces.
    let mode = own.or(stood).and_then(|image| image.mode);
    let after = match (bytes, own) {
        (Some(bytes), _) => Image::file(bytes, mode),
        (None, Some(image)) => image.clone(),
        (None, None) => return Err(ToolError::internal("a new file without text")),
    };
    let Some(before) = stood else {
        let held = held(after, now)?;
        let mut change = context.services.files.plan_write(now, held.0, None)?;
        change.after = Some(held.1);
        return Ok(Some(change));
    };
    if before.hash == after.hash && before.form == after.form {
        return Ok(None);
    }
    Ok(Some(Change {
        place: now.clone(),
        action: Action::Update,
        before: Some(before.clone()),
        after: Some(held(after, now)?.1),
        inner: Vec::new(),
    }))
}

/// The image with its bytes, for what must be written again in another place.
fn held(image: Image, place: &Place) -> Result<(Arc<[u8]>, Image), ToolError> {
    match (&image.bytes, image.form) {
        (Some(bytes), Form::File) => Ok((Arc::clone(bytes), image)),
        _ => {
            let message = format!(
                "what comes to {} cannot be written anew: it is a link or very large",
                place.display
            );
            Err(ToolError::new(Kind::Resource, message).with_hint("move it with `move`, in steps"))
        }
    }
}

/// The removal of a file from the place where it stood, if nothing stands there now and no move says it.
fn left(at: usize, files: &[Touched]) -> Option<Change> {
    let (place, before) = files[at].origin.as_ref()?;
    if is_moved(at, files) || stands(files, &place.real) {
        return None;
    }
    Some(Change {
        place: place.clone(),
        action: Action::Delete,
        before: Some(before.clone()),
        after: None,
        inner: Vec::new(),
    })
}

/// Whether a file simply gets another name: nothing stood there, and nothing takes its place.
fn is_moved(at: usize, files: &[Touched]) -> bool {
    let (Some((from, _)), Some(to)) = (&files[at].origin, &files[at].now) else {
        return false;
    };
    let stood = files.iter().any(|file| at_origin(file, &to.real).is_some());
    from.real != to.real && !stood && !stands(files, &from.real)
}

fn moved(
    from: &Place,
    before: &Image,
    to: &Place,
    bytes: Option<Arc<[u8]>>,
    context: &Context,
) -> Result<Change, ToolError> {
    let change = context.services.files.plan_move(from, to, bytes)?;
    if change.before.as_ref() != Some(before) {
        let message = format!("{} was changed meanwhile by somebody else", from.display);
        return Err(ToolError::conflict(message));
    }
    Ok(change)
}

/// What stood at `real` on disk, if it is this file.
fn at_origin<'f>(file: &'f Touched, real: &Path) -> Option<&'f Image> {
    let origin = file.origin.as_ref();
    origin
        .filter(|(place, _)| place.real == real)
        .map(|(_, image)| image)
}

fn stands(files: &[Touched], real: &Path) -> bool {
    let now = files.iter().filter_map(|file| file.now.as_ref());
    now.into_iter().any(|now| now.real == real)
}

/// Refuses a file whose folder would be a file that this patch puts there or leaves there.
fn no_file_below_a_file(files: &[Touched]) -> Result<(), ToolError> {
    let places = || files.iter().filter_map(|file| file.now.as_ref());
    for place in places().filter(|place| place.entry == Entry::Missing) {
        let above =
            |other: &&Place| other.real != place.real && place.real.starts_with(&other.real);
        if let Some(above) = places().find(above) {
            let message = format!(
                "{} cannot exist: {} is a file",
                place.display, above.display
            );
            return Err(ToolError::argument(message).with_hint("give one of them another name"));
        }
    }
    Ok(())
}
