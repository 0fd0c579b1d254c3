//! Taking back a change that was made: what stood there before stands there again, byte for byte.
//!
//! It is a commit like any other, so what somebody else has changed since is not overwritten: that is a
//! `conflict`. A folder that was deleted comes back with what was in it; nothing else is merged into.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use super::change::{Action, Change, ChangeSet, Form, Image};
use super::refusal::{failed, gone, occupied};
use super::{CommittedChange, Files, Place, Root};
use crate::error::ToolError;

impl Files {
    /// Takes back `change`, which was committed, and tells `note` of it as a commit does.
    ///
    /// # Errors
    /// `conflict` where the place is not as the change left it; `resource` where the system refuses, or
    /// the old content was never held.
    pub fn put_back(
        &self,
        change: &Change,
        note: impl FnOnce(&[CommittedChange]),
    ) -> Result<(), ToolError> {
        if !is_raised(change) {
            let set = ChangeSet::new(vec![inverse(change)])?;
            return self.commit(&set, note).map(|_| ());
        }
        raise(&change.place, change.before.as_ref())?;
        for inner in &change.inner {
            match is_raised(inner) {
                true => raise(&inner.place, inner.before.as_ref())?,
                false => {
                    let set = ChangeSet::new(vec![inverse(inner)])?;
                    self.commit(&set, |_| {})?;
                }
            }
        }
        // A folder that may not be written gets its bits when all is in it again.
        for folder in change.inner.iter().rev().chain([change]) {
            settle(&folder.place, folder.before.as_ref())?;
        }
        note(&[]);
        Ok(())
    }

    /// Removes the folder at `path`, which a commit made on its way, unless something is in it.
    pub fn take_back_folder(&self, path: &Path) {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            return;
        };
        if let Ok(above) = Root::open(above) {
            let _kept = rustix::fs::unlinkat(&above, name, AtFlags::REMOVEDIR);
        }
    }
}

/// Whether what was deleted is no file: commits put files only.
fn is_raised(change: &Change) -> bool {
    let form = change.before.as_ref().map(|image| image.form);
    change.action == Action::Delete && matches!(form, Some(Form::Folder | Form::Link))
}

/// The change that undoes `change`.
fn inverse(change: &Change) -> Change {
    let (place, action) = match &change.action {
        Action::Create => (change.place.clone(), Action::Delete),
        Action::Update => (change.place.clone(), Action::Update),
        Action::Delete => (change.place.clone(), Action::Create),
        Action::Move { to } => {
            let to = to.clone();
            (
                to,
                Action::Move {
                    to: change.place.clone(),
                },
            )
        }
    };
    Change {
        place,
        action,
        before: change.after.clone(),
        after: change.before.clone(),
        inner: Vec::new(),
    }
}

/// Makes the folder or the link at `place` anew, where nothing may stand.
fn raise(place: &Place, image: Option<&Image>) -> Result<(), ToolError> {
    let (above, name) = above(place)?;
    let made = match image {
        Some(image) if image.form == Form::Link => {
            let target = image.bytes.as_deref().unwrap_or_default().to_vec();
            rustix::fs::symlinkat(OsString::from_vec(target), &above, name)
        }
        _ => rustix::fs::mkdirat(&above, name, Mode::RWXU),
    };
    made.map_err(|errno| match errno {
        Errno::EXIST => occupied(place),
        errno => failed(&errno.into(), place),
    })
}

/// Gives the folder at `place` the permission bits that it had.
fn settle(place: &Place, image: Option<&Image>) -> Result<(), ToolError> {
    let folder = image.filter(|image| image.form == Form::Folder);
    let Some(mode) = folder.and_then(|image| image.mode) else {
        return Ok(());
    };
    let (above, name) = above(place)?;
    rustix::fs::chmodat(
        &above,
        name,
        Mode::from_bits_truncate(mode),
        AtFlags::empty(),
    )
    .map_err(|errno| failed(&errno.into(), place))
}

fn above(place: &Place) -> Result<(Root, &OsStr), ToolError> {
    let (Some(above), Some(name)) = (place.real.parent(), place.real.file_name()) else {
        return Err(gone(place));
    };
    let root = Root::open(above).map_err(|error| failed(&error, place))?;
    Ok((root, name))
}

#[cfg(test)]
mod tests;
