//! What the journal tells of a commit, as lines of JSON: what is about to change, and what became of it.
//!
//! Contents are told by their hash and kept as blobs; a name that is no UTF-8 is kept to the byte. It reads and
//! writes no file of the workspace.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::change::{Action, Change, Form, Image};
use super::{Entry, Files, Place};
use crate::error::ToolError;
use crate::store::{Blobs, Hash};

/// One line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Record {
    /// What is about to be done.
    Intent(Intent),
    /// It was done.
    Done {
        /// The number of the intent.
        number: u64,
    },
    /// It was taken back.
    Back {
        /// The number of the intent.
        number: u64,
    },
    /// A transaction is over.
    Closed {
        /// Its number.
        transaction: u64,
        /// Whether it was put back.
        back: bool,
    },
}

impl Record {
    pub(super) fn intent(&self) -> Option<&Intent> {
        match self {
            Record::Intent(intent) => Some(intent),
            _ => None,
        }
    }
}

/// A commit that is about to be made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Intent {
    pub(super) number: u64,
    /// Milliseconds since 1970.
    pub(super) time: u64,
    /// The number of the unit it belongs to, in its session.
    pub(super) unit: u64,
    pub(super) tool: String,
    /// The transaction that it stands or falls with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) transaction: Option<u64>,
    /// The unit that it takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) undoes: Option<String>,
    pub(super) changes: Vec<Told>,
    pub(super) steps: Vec<ToldStep>,
    /// Folders that were made on the way, outer ones first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) folders: Vec<Raw>,
}

/// One step of a commit: where it works, and the temporary name beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ToldStep {
    pub(super) kind: String,
    pub(super) at: Raw,
    pub(super) temp: Raw,
    /// The place of its change in the list.
    pub(super) change: usize,
}

/// A change as it is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Told {
    pub(super) path: Raw,
    pub(super) action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<Raw>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<ToldImage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<ToldImage>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) inner: Vec<Told>,
}

/// A thing on disk as it is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ToldImage {
    form: String,
    hash: String,
    size: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<u32>,
    /// Where a link leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<Raw>,
}

/// Bytes that are text, most of the time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Raw {
    /// As it is.
    Text(String),
    /// Byte by byte.
    Bytes(Vec<u8>),
}

impl Raw {
    pub(super) fn of(bytes: &[u8]) -> Raw {
        match std::str::from_utf8(bytes) {
            Ok(text) => Raw::Text(text.to_owned()),
            Err(_) => Raw::Bytes(bytes.to_vec()),
        }
    }

    pub(super) fn path(path: &Path) -> Raw {
        Raw::of(path.as_os_str().as_bytes())
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Raw::Text(text) => text.clone().into_bytes(),
            Raw::Bytes(bytes) => bytes.clone(),
        }
    }

    pub(super) fn to_path(&self) -> PathBuf {
        std::ffi::OsString::from_vec(self.bytes()).into()
    }
}

/// The failure of a record that cannot be what was written.
pub(super) fn damaged() -> ToolError {
    ToolError::internal("a record of the journal is damaged")
}

impl Told {
    pub(super) fn of(change: &Change) -> Told {
        let to = match &change.action {
            Action::Move { to } => Some(Raw::path(&to.real)),
            _ => None,
        };
        Told {
            path: Raw::path(&change.place.real),
            action: change.action.as_str().to_owned(),
            to,
            before: change.before.as_ref().map(ToldImage::of),
            after: change.after.as_ref().map(ToldImage::of),
            inner: change.inner.iter().map(Told::of).collect(),
        }
    }

    /// The change again, without the contents of files.
    pub(super) fn change(&self, files: &Files) -> Result<Change, ToolError> {
        let action = match (self.action.as_str(), &self.to) {
            ("create", None) => Action::Create,
            ("update", None) => Action::Update,
            ("delete", None) => Action::Delete,
            ("move", Some(to)) => Action::Move {
                to: files.real_place(to.to_path()),
            },
            _ => return Err(damaged()),
        };
        let image = |told: &Option<ToldImage>| told.as_ref().map(ToldImage::image).transpose();
        let inner = self.inner.iter().map(|told| told.change(files));
        Ok(Change {
            place: files.real_place(self.path.to_path()),
            action,
            before: image(&self.before)?,
            after: image(&self.after)?,
            inner: inner.collect::<Result<_, _>>()?,
        })
    }
}

impl ToldImage {
    fn of(image: &Image) -> ToldImage {
        let is_link = image.form == Form::Link;
        ToldImage {
            form: match image.form {
                Form::File => "file",
                Form::Link => "link",
                Form::Folder => "folder",
            }
            .to_owned(),
            hash: image.hash.to_string(),
            size: image.size,
            mode: image.mode,
            target: image.bytes.as_deref().filter(|_| is_link).map(Raw::of),
        }
    }

    fn image(&self) -> Result<Image, ToolError> {
        let (form, bytes) = match (self.form.as_str(), &self.target) {
            ("file", None) => (Form::File, None),
            ("folder", None) => (Form::Folder, Some(Vec::new())),
            ("link", Some(target)) => (Form::Link, Some(target.bytes())),
            _ => return Err(damaged()),
        };
        let hash: Hash = self.hash.parse().map_err(|_| damaged())?;
        if bytes
            .as_deref()
            .is_some_and(|bytes| Hash::of(bytes) != hash)
        {
            return Err(damaged());
        }
        Ok(Image {
            form,
            hash,
            bytes: bytes.map(Into::into),
            size: self.size,
            mode: self.mode,
        })
    }
}

impl Files {
    /// The place at a real path that was resolved before.
    pub(super) fn real_place(&self, real: PathBuf) -> Place {
        let entry = real.symlink_metadata();
        let display = self.show(&real);
        Place {
            asked: display.clone(),
            name: self.name(&real),
            inside: real.starts_with(self.workspace()),
            entry: entry.map_or(Entry::Missing, |found| Entry::of(found.file_type())),
            path: real.clone(),
            display,
            real,
        }
    }
}

/// Gives the files that `change` tells of their contents again, as far as they were kept in `blobs`.
///
/// # Errors
/// What reading says; what was never kept stays without.
pub(super) fn fill(change: &mut Change, blobs: &Blobs) -> Result<(), ToolError> {
    let images = [&mut change.before, &mut change.after];
    for image in images.into_iter().flatten() {
        if image.form == Form::File && image.bytes.is_none() && blobs.len(&image.hash).is_ok() {
            image.bytes = Some(blobs.get(&image.hash)?.into());
        }
    }
    change
        .inner
        .iter_mut()
        .try_for_each(|inner| fill(inner, blobs))
}

/// The same change without the contents of files, which can be had again.
pub(super) fn strip(change: &mut Change) {
    for image in [&mut change.before, &mut change.after]
        .into_iter()
        .flatten()
    {
        if image.form == Form::File {
            image.bytes = None;
        }
    }
    change.inner.iter_mut().for_each(strip);
}

/// A path made of a folder's and a name in it.
pub(super) fn beside(at: &Path, temp: &[u8]) -> PathBuf {
    at.with_file_name(OsStr::from_bytes(temp))
}
