//! What the tools that change files share: is the file as this session knows it, and the commit.
//!
//! Nobody writes over a change that this session has not seen; a model changes no file unread.

use crate::data::Data;
use crate::error::ToolError;
use crate::files::{Action, ChangeSet, Entry, Place, Snapshot};
use crate::permission::{Caller, Group, Subject};
use crate::store::{Hash, Seen};
use crate::text::TRUNCATION_MARK;
use crate::text::encoding::{self, Encoding};
use crate::tool::{Context, Payload, Plan, Work};

use super::read::WHOLE;
use super::subjects;

/// Under this name the note of a plan says in which encoding its text goes to disk.
pub(super) const ENCODING: &str = "encoding";

/// A file as it stands, with its text if it is text.
pub(super) struct Current {
    pub(super) snapshot: Snapshot,
    pub(super) text: Option<(String, Encoding)>,
}

/// The file at `place`, checked against what this session has read. `None`: there is none.
///
/// # Errors
/// `conflict` when it changed since it was read, or a model has not read it; what reading says.
pub(super) fn current(place: &Place, context: &Context) -> Result<Option<Current>, ToolError> {
    if place.entry == Entry::Missing {
        return Ok(None);
    }
    let services = &context.services;
    let snapshot = services.files.read(place, WHOLE)?;
    let seen = services.ledger.get(&place.real);
    check(place, &snapshot.hash, seen.as_ref(), context.caller())?;
    let label = seen.and_then(|seen| seen.encoding);
    let text = text_of(&snapshot, place, label.as_deref())?;
    Ok(Some(Current { snapshot, text }))
}

fn check(place: &Place, hash: &Hash, seen: Option<&Seen>, caller: Caller) -> Result<(), ToolError> {
    match seen {
        Some(seen) if seen.hash == *hash => Ok(()),
        Some(_) => {
            let message = format!("{} was changed since it was read", place.display);
            Err(ToolError::conflict(message).with_hint("read it again, then repeat the change"))
        }
        None if caller == Caller::User => Ok(()),
        None => {
            let message = format!("{} exists and has not been read", place.display);
            Err(ToolError::conflict(message).with_hint("read it first, then change it"))
        }
    }
}

fn text_of(
    snapshot: &Snapshot,
    place: &Place,
    label: Option<&str>,
) -> Result<Option<(String, Encoding)>, ToolError> {
    if label.is_none() && encoding::is_binary(&snapshot.bytes) {
        return Ok(None);
    }
    let decoded = encoding::decode(&snapshot.bytes, label).map_err(|error| {
        ToolError::argument(format!("{}: {error}", place.display)).with_hint("read it again")
    })?;
    if decoded.exact {
        return Ok(Some((decoded.text, decoded.encoding)));
    }
    let message = format!("{} is not wholly in {}", place.display, decoded.encoding);
    Err(ToolError::argument(message).with_hint("read it with the encoding it really has"))
}

/// `text` as bytes of the file at `place`.
///
/// # Errors
/// `argument` for a character that its encoding lacks.
pub(super) fn encoded(text: &str, encoding: Encoding, place: &Place) -> Result<Vec<u8>, ToolError> {
    encoding.encode(text).map_err(|error| {
        let message = format!("{} cannot hold this text: {error}", place.display);
        ToolError::argument(message)
            .with_hint("keep to its characters, or delete it and write it anew")
    })
}

/// Refuses a notice of truncation in what a model would write, unless the file held one before.
///
/// # Errors
/// `argument`.
pub(super) fn refuse_notice(
    new: &Payload,
    before: Option<&str>,
    context: &Context,
) -> Result<(), ToolError> {
    let holds = |text: &str| text.contains(TRUNCATION_MARK);
    let is_new = new.as_str().is_some_and(holds) && !before.is_some_and(holds);
    if context.caller() == Caller::User || !is_new {
        return Ok(());
    }
    Err(
        ToolError::argument("the text holds a notice of truncation, not what was truncated")
            .with_hint("read the part that is missing, and write the whole text"),
    )
}

/// The plan of a change-set: an edit for every path, sources of moves and deletes marked as removed;
/// of a folder that goes, also what a rule protects inside it.
///
/// # Errors
/// `resource` when a folder holds too much to be judged.
pub(super) fn plan(changes: ChangeSet, context: &Context) -> Result<Plan, ToolError> {
    let mut subjects: Vec<Subject> = Vec::new();
    for change in changes.changes() {
        let place = &change.place;
        let subject = subjects::of(Group::Edit, place, context);
        let to = match &change.action {
            Action::Create | Action::Update => {
                subjects.push(subject);
                continue;
            }
            Action::Delete => None,
            Action::Move { to } => Some(to),
        };
        subjects.push(subject.removed());
        subjects.extend(to.map(|to| subjects::of(Group::Edit, to, context)));
        if place.entry == Entry::Folder {
            subjects.extend(subjects::protected(place, to, context)?);
        }
    }
    Ok(Plan::files(subjects, changes))
}

/// What the change-set of a plan does to text, as metadata: `diff`, `additions`, `deletions`.
pub(super) fn as_metadata(changes: &ChangeSet) -> [(&'static str, Data); 3] {
    let diff = changes.diff();
    [
        ("diff", Data::from(diff.text)),
        ("additions", Data::from(diff.additions)),
        ("deletions", Data::from(diff.deletions)),
    ]
}

/// Commits the change-set of `plan` and notes what the files are now.
///
/// # Errors
/// What the commit says; a lost race is a `conflict`, and the call is planned again.
pub(super) async fn commit(plan: Plan, context: &Context) -> Result<ChangeSet, ToolError> {
    let encoding = plan
        .note
        .get(ENCODING)
        .and_then(Data::as_str)
        .map(str::to_owned);
    let Work::Files(changes) = plan.work else {
        return Err(ToolError::internal(
            "a change of files came without its change-set",
        ));
    };
    if changes.is_empty() {
        return Ok(changes);
    }
    let inner = context.clone();
    context
        .blocking(move || commit_now(changes, encoding, &inner))
        .await
}

fn commit_now(
    changes: ChangeSet,
    encoding: Option<String>,
    context: &Context,
) -> Result<ChangeSet, ToolError> {
    if context.scope.node().is_closed() {
        return Err(ToolError::cancelled());
    }
    let services = &context.services;
    let done = services.files.commit(&changes)?;
    for change in done.changes {
        let ledger = &services.ledger;
        match (&change.action, change.after) {
            (Action::Move { to }, _) => ledger.rename(&change.place.real, &to.real),
            (Action::Delete, _) | (_, None) => ledger.forget(&change.place.real),
            (Action::Create | Action::Update, Some(hash)) => {
                let encoding = encoding.clone();
                ledger.note(change.place.real.clone(), Seen { hash, encoding });
            }
        }
    }
    Ok(changes)
}
