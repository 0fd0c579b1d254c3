//! Planning one change: what is there now is read, what would be there is computed, nothing is done.
//!
//! A plan that cannot be carried out is refused here already, with the reason: a folder in the place
//! of a file, something at the end of a move, a file that changed since it was read.

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use super::change::{Action, Change, Form, Image};
use super::snapshot::{is_a_folder, not_regular, open_real};
use super::{Entry, Files, Place};
use crate::error::{Kind, ToolError};
use crate::store::Hash;

/// Files with more bytes than this are not held in memory: they are known by their hash.
pub const HELD: u64 = 64 << 20;

/// A folder with more entries than this is not deleted in one call.
pub const DELETED: usize = 10_000;

impl Files {
    /// Plans that the file at `place` gets these bytes; folders on the way are made by the commit.
    /// `expected` is the hash that the caller believes is there.
    ///
    /// # Errors
    /// `conflict` where something else is there than expected, `argument` for what is no file.
    pub fn plan_write(
        &self,
        place: &Place,
        bytes: impl Into<Arc<[u8]>>,
        expected: Option<Hash>,
    ) -> Result<Change, ToolError> {
        let before = match place.entry {
            Entry::Missing => None,
            Entry::Folder => return Err(is_a_folder(place)),
            Entry::File | Entry::Unreachable => Some(self.image(place)?),
            Entry::Link | Entry::Other(_) => return Err(not_regular(place, place.entry)),
        };
        let found = before.as_ref().map(|image| image.hash);
        if expected.is_some() && expected != found {
            return Err(stale(place, found.is_some()));
        }
        if before.is_none() {
            folder_above(place)?;
        }
        let action = if before.is_some() {
            Action::Update
        } else {
            Action::Create
        };
        let mode = before.as_ref().and_then(|image| image.mode);
        Ok(Change {
            place: place.clone(),
            action,
            before,
            after: Some(Image::file(bytes, mode)),
            inner: Vec::new(),
        })
    }

    /// Plans that what stands at `place` goes away: a file, a link (never what it leads to), a folder
    /// with everything in it. `place` comes from [`Files::resolve_entry`].
    ///
    /// # Errors
    /// `not_found`, `argument` for a device or the like, `resource` for a folder too large.
    pub fn plan_delete(&self, place: &Place) -> Result<Change, ToolError> {
        let before = self.image(place)?;
        let mut inner = Vec::new();
        if before.form == Form::Folder {
            self.plan_inner(place, &mut inner, place)?;
        }
        Ok(Change {
            place: place.clone(),
            action: Action::Delete,
            before: Some(before),
            after: None,
            inner,
        })
    }

    fn plan_inner(
        &self,
        folder: &Place,
        inner: &mut Vec<Change>,
        top: &Place,
    ) -> Result<(), ToolError> {
        for name in names(&folder.real)
            .map_err(|error| ToolError::from_io(&error, "list", &folder.display))?
        {
            if inner.len() >= DELETED {
                let message = format!("{} holds more than {DELETED} entries", top.display);
                return Err(ToolError::new(Kind::Resource, message)
                    .with_hint("delete its parts one by one, or with a command"));
            }
            let path = folder.path.join(name);
            let place = self.resolve_entry_os(path.as_os_str())?;
            let before = self.image(&place)?;
            let is_folder = before.form == Form::Folder;
            inner.push(Change {
                place: place.clone(),
                action: Action::Delete,
                before: Some(before),
                after: None,
                inner: Vec::new(),
            });
            if is_folder {
                self.plan_inner(&place, inner, top)?;
            }
        }
        Ok(())
    }

    /// Plans that what stands at `from` (a file, a link, a folder) goes to `to`; with `bytes`, a file
    /// gets new content on the way. Both places come from [`Files::resolve_entry`].
    ///
    /// # Errors
    /// `not_found`; `conflict` where something stands at `to`; `argument` for a move onto or into
    /// itself.
    pub fn plan_move(
        &self,
        from: &Place,
        to: &Place,
        bytes: Option<Arc<[u8]>>,
    ) -> Result<Change, ToolError> {
        let before = self.image(from)?;
        if to.real == from.real {
            return Err(
                ToolError::argument(format!("{} is moved onto itself", from.display))
                    .with_hint("give another name as the target"),
            );
        }
        if to.real.starts_with(&from.real) {
            return Err(ToolError::argument(format!(
                "{} is moved into itself ({})",
                from.display, to.display
            )));
        }
        if to.entry != Entry::Missing {
            return Err(occupied(to));
        }
        folder_above(to)?;
        let after = match bytes {
            Some(_) if before.form != Form::File => return Err(not_regular(from, from.entry)),
            Some(bytes) => Image::file(bytes, before.mode),
            None => before.clone(),
        };
        Ok(Change {
            place: from.clone(),
            action: Action::Move { to: to.clone() },
            before: Some(before),
            after: Some(after),
            inner: Vec::new(),
        })
    }

    /// What stands at `place` now.
    fn image(&self, place: &Place) -> Result<Image, ToolError> {
        match place.entry {
            Entry::Folder => Ok(Image::of(Form::Folder, Arc::default(), None)),
            Entry::Link => {
                let target = std::fs::read_link(&place.real)
                    .map_err(|error| ToolError::from_io(&error, "read the link", &place.display))?;
                let target: Arc<[u8]> = target.into_os_string().into_vec().into();
                Ok(Image::of(Form::Link, target, None))
            }
            _ => self.file_image(place),
        }
    }

    fn file_image(&self, place: &Place) -> Result<Image, ToolError> {
        let (file, metadata) = self.open(place)?;
        if metadata.len() <= HELD {
            let snapshot = self.read(place, HELD)?;
            return Ok(Image::file(snapshot.bytes, Some(snapshot.mode)));
        }
        let hash = Hash::of_reader(file)
            .map_err(|error| ToolError::from_io(&error, "read", &place.display))?;
        Ok(Image {
            form: Form::File,
            hash,
            bytes: None,
            size: metadata.len(),
            mode: Some(metadata.mode() & 0o7777),
        })
    }
}

/// The names in the real folder `folder`, sorted.
pub(super) fn names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let handle: File = open_real(folder)?;
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::new(handle)? {
        let name = entry?.file_name().to_bytes().to_owned();
        if name != b"." && name != b".." {
            names.push(std::ffi::OsString::from_vec(name));
        }
    }
    names.sort();
    Ok(names)
}

/// Where something new shall stand, what exists above it must be a folder.
fn folder_above(place: &Place) -> Result<(), ToolError> {
    let above = place
        .real
        .ancestors()
        .skip(1)
        .find_map(|path| path.symlink_metadata().ok());
    if above.is_none_or(|metadata| metadata.is_dir()) {
        return Ok(());
    }
    let message = format!(
        "{} cannot exist: a file stands where its folder would be",
        place.display
    );
    Err(ToolError::argument(message))
}

/// The failure of a plan whose file is not what the caller believes.
fn stale(place: &Place, exists: bool) -> ToolError {
    let what = if exists { "changed" } else { "was deleted" };
    ToolError::conflict(format!("{} {what} since it was read", place.display))
}

/// The failure of a move or a new file where something stands already.
pub(super) fn occupied(place: &Place) -> ToolError {
    ToolError::conflict(format!("{} exists already", place.display))
        .with_hint("choose another name, or move or delete what stands there first")
}
