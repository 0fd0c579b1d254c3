//! Taking back many changes one by one, the newest first: what somebody else has changed since stays as it is, and
//! all else is as before.
//!
//! It decides what is taken back and remembers what could not be; who calls makes the commits.

use super::Place;
use super::change::{Action, Change, Form};
use super::net::below;
use super::recover::stands;
use crate::error::ToolError;

/// Something that could not be put back.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The path, as it is shown.
    pub path: String,
    /// Why.
    pub why: ToolError,
    place: Place,
}

impl Lost {
    /// The reason, with the path in it.
    pub fn said(&self) -> String {
        let why = &self.why.message;
        match why.contains(&self.path) {
            true => why.clone(),
            false => format!("{}: {why}", self.path),
        }
    }
}

/// Makes the change that it is given; told of nothing where nothing is to be done, since all is as before.
pub type Commit<'a> = dyn FnMut(Option<Change>) -> Result<(), ToolError> + 'a;

/// How far the taking back has come.
#[derive(Debug, Default)]
pub struct Restoring {
    lost: Vec<Lost>,
    left: Vec<(u64, Change)>,
}

impl Restoring {
    /// Takes `change` back, which is called `number`, unless somebody has changed since what it changed.
    pub fn take_back(&mut self, number: u64, change: &Change, commit: &mut Commit<'_>) {
        if self.is_lost(&change.place) || self.is_lost(change.target()) {
            return self.leave(number, change, commit);
        }
        if is_as_before(change) {
            let _nothing_is_done = commit(None);
            return;
        }
        match commit(Some(change.inverse())) {
            Ok(()) => self.carry(change),
            Err(_) if is_gone_from_its_end(change) && stands_again(change, commit) => {}
            Err(why) => {
                let place = in_conflict(change).clone();
                let path = place.display.clone();
                self.lost.push(Lost { path, why, place });
                self.leave(number, change, commit);
            }
        }
    }

    /// What could not be put back, each path once.
    pub fn lost(&self) -> &[Lost] {
        &self.lost
    }

    /// The changes that stand, in the order in which they were made, each with its number.
    pub fn left(&self) -> impl Iterator<Item = &(u64, Change)> {
        self.left.iter().rev()
    }

    fn is_lost(&self, place: &Place) -> bool {
        let holds = |lost: &Lost| place.real.starts_with(&lost.place.real);
        self.lost.iter().any(holds)
    }

    /// Of a move whose end is somebody else's now, what was moved stands again where it was, if nothing is lost by it.
    fn leave(&mut self, number: u64, change: &Change, commit: &mut Commit<'_>) {
        let to = change.target();
        let is_move = matches!(change.action, Action::Move { .. });
        if is_move && self.is_lost(to) && stands_again(change, commit) {
            let came = Change {
                place: to.clone(),
                action: Action::Create,
                before: None,
                after: change.after.clone(),
                inner: Vec::new(),
            };
            return self.left.push((number, came));
        }
        self.left.push((number, change.clone()));
    }

    /// What is lost in a folder goes with it when the folder goes back.
    fn carry(&mut self, change: &Change) {
        let Action::Move { to } = &change.action else {
            return;
        };
        let back = |place: &mut Place| {
            if let Some(moved) = below(place, &change.place, &to.real) {
                *place = moved;
            }
        };
        for lost in &mut self.lost {
            back(&mut lost.place);
            lost.path.clone_from(&lost.place.display);
        }
        for (_, left) in &mut self.left {
            back(&mut left.place);
            if let Action::Move { to } = &mut left.action {
                back(to);
            }
            left.inner
                .iter_mut()
                .for_each(|inner| back(&mut inner.place));
        }
    }
}

/// Whether all stands as it did before `change`; then somebody has taken it back.
fn is_as_before(change: &Change) -> bool {
    let modes =
        [&change.before, &change.after].map(|image| image.as_ref().and_then(|image| image.mode));
    let hashes =
        [&change.before, &change.after].map(|image| image.as_ref().map(|image| image.hash));
    if hashes[0] == hashes[1] && modes[0] != modes[1] {
        return false; // it is about the permission bits
    }
    let is_free = |place: &Place| place.real.symlink_metadata().is_err();
    let has_left = match &change.action {
        Action::Move { to } => is_free(to),
        _ => true,
    };
    let is_back = match &change.before {
        Some(image) => stands(&change.place.real, image),
        None => is_free(&change.place),
    };
    has_left && is_back && change.inner.iter().all(is_as_before)
}

/// Whether what was moved stands no longer where it went.
fn is_gone_from_its_end(change: &Change) -> bool {
    let is_free = |place: &Place| place.real.symlink_metadata().is_err();
    matches!(&change.action, Action::Move { to } if is_free(to))
}

/// Makes what was moved anew where it was; whether it could be.
fn stands_again(change: &Change, commit: &mut Commit<'_>) -> bool {
    let before = change.before.as_ref();
    if !before.is_some_and(|image| image.form != Form::Folder && image.bytes.is_some()) {
        return false;
    }
    let again = Change {
        place: change.place.clone(),
        action: Action::Create,
        before: None,
        after: change.before.clone(),
        inner: Vec::new(),
    };
    commit(Some(again)).is_ok()
}

/// The place of a change that is not as the change left it.
fn in_conflict(change: &Change) -> &Place {
    match (&change.action, &change.after) {
        (Action::Move { to }, Some(after)) if !stands(&to.real, after) => to,
        _ => &change.place,
    }
}

#[cfg(test)]
mod tests;
