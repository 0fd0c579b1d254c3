//! The change that undoes a change, as things stand now: with what somebody has done since, or only if nobody has.
//!
//! It reads and plans; the commit compares once more, and is made elsewhere.

use super::change::{Action, Change, Form, Image};
use super::plan::HELD;
use super::recover::stands;
use super::units::mode;
use super::{Entry, Files, Place};
use crate::error::{Kind, ToolError};
use crate::store::Hash;

impl Files {
    /// The content as it stands, if it is the one that is meant.
    pub(super) fn fill_from_disk(&self, place: &Place, image: &mut Image) {
        if image.form != Form::File || image.bytes.is_some() {
            return;
        }
        let read = self.read(place, HELD).ok();
        image.bytes = read
            .filter(|read| read.hash == image.hash)
            .map(|read| read.bytes);
    }

    /// The change that undoes `change` as things stand now; `None` where there is nothing to do. With `force`, what
    /// somebody has changed since is replaced; else the commit of it will say `conflict`.
    ///
    /// # Errors
    /// `resource` where the old content was never kept; `conflict` where not even force helps.
    pub fn undo_change(&self, change: &Change, force: bool) -> Result<Option<Change>, ToolError> {
        let mut back = change.inverse();
        back.place = self.real_place(back.place.real);
        if force && !self.adapted(&mut back)? {
            return Ok(None);
        }
        if let (Action::Update, Some(after)) = (&back.action, &mut back.after) {
            let left = back.before.as_ref().and_then(|before| before.mode);
            let now = mode(&back.place.real);
            if left.is_some() && now.is_some() && now != left {
                after.mode = now; // somebody has set other bits since: they are theirs
            }
        }
        self.fill_before(&mut back)?;
        must_be_kept(&back)?;
        back.inner.iter().try_for_each(must_be_kept)?;
        Ok(Some(back))
    }

    /// What the undo takes away is read, so that it can be undone too.
    fn fill_before(&self, back: &mut Change) -> Result<(), ToolError> {
        if let Some(before) = &mut back.before {
            self.fill_from_disk(&back.place, before);
            if before.form == Form::File && before.bytes.is_none() && before.size <= HELD {
                let message = format!("{} was changed since by somebody else", back.place.display);
                return Err(ToolError::conflict(message).with_hint(
                    "undo again: what it holds now is shown with `agent undo ID --diff`",
                ));
            }
        }
        back.inner
            .iter_mut()
            .try_for_each(|inner| self.fill_before(inner))
    }

    /// Makes `back` a change of what stands there now; whether anything is left to do.
    pub(super) fn adapted(&self, back: &mut Change) -> Result<bool, ToolError> {
        let now = match back.place.entry {
            Entry::Missing => None,
            _ => Some(self.image_now(&back.place)?),
        };
        let occupied = || {
            ToolError::conflict(format!("{} is in the way", back.place.display))
                .with_hint("move what stands there elsewhere first")
        };
        match (&back.action, now) {
            (Action::Delete, None) => return Ok(false),
            (Action::Delete, Some(now)) if now.form == Form::Folder => return Err(occupied()),
            (Action::Delete, Some(now)) => back.before = Some(now),
            (Action::Update | Action::Create, None) => {
                (back.action, back.before) = (Action::Create, None);
            }
            (Action::Update | Action::Create, Some(now)) => {
                let is_file = |image: &Image| image.form == Form::File;
                let after = back.after.as_ref();
                if after.is_some_and(|after| stands(&back.place.real, after)) {
                    return Ok(false);
                }
                if !is_file(&now) || !after.is_some_and(is_file) {
                    return Err(occupied());
                }
                (back.action, back.before) = (Action::Update, Some(now));
            }
            (Action::Move { to }, None) => {
                if back
                    .after
                    .as_ref()
                    .is_some_and(|after| stands(&to.real, after))
                {
                    return Ok(false);
                }
                back.place = to.clone();
                (back.action, back.before) = (Action::Create, None);
            }
            (Action::Move { .. }, Some(now)) => back.before = Some(now),
        }
        Ok(true)
    }
}

/// What shall stand there again must have been kept.
fn must_be_kept(back: &Change) -> Result<(), ToolError> {
    let Some(after) = &back.after else {
        return Ok(());
    };
    let is_moved = matches!(back.action, Action::Move { .. })
        && back.before.as_ref().map(|image| image.hash) == Some(after.hash);
    if after.form != Form::File || after.bytes.is_some() || is_moved {
        return Ok(());
    }
    let message = format!(
        "the old content of {} was not kept, or is gone from the journal ({} bytes, {})",
        back.target().display,
        after.size,
        short(&after.hash)
    );
    Err(ToolError::new(Kind::Resource, message)
        .with_hint("files over 64 MiB are not kept; older units go when the journal is full"))
}

fn short(hash: &Hash) -> String {
    hash.to_string().chars().take(12).collect()
}
