//! What the tools that change files share: is the file as this session knows it, and the commit.
//!
//! Nobody writes over a change that this session has not seen; a model changes no file unread.

use std::borrow::Cow;

use crate::data::Data;
use crate::error::ToolError;
use crate::files::{
    Action, Change, ChangeSet, CommittedChange, Entry, Form, HELD, Image, Place, Purpose, Snapshot,
};
use crate::permission::{Caller, Group, Subject};
use crate::redact::{self, Known, Lost};
use crate::store::{Hash, Ledger, Seen};
use crate::text::TRUNCATION_MARK;
use crate::text::encoding::Encoding;
use crate::tool::{self, Context, Output, Payload, Plan, Work};

use super::{decoding, subjects};

/// Under this name the note of a plan says in which encoding its text goes to disk: one for all its files,
/// or one for each path as it is shown.
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
    let known = || {
        let snapshot = services.files.read(place, HELD)?;
        let seen = services.ledger.get(&place.real);
        let checked = match context.is_foreseen {
            true => Ok(()),
            false => check(place, &snapshot.hash, seen.as_ref(), context.caller()),
        };
        Ok((snapshot, seen, checked))
    };
    let (mut snapshot, mut seen, mut checked) = known()?;
    if checked.is_err() && seen.is_some() {
        // A commit of this session may be under way: the file is new, and not noted yet.
        (snapshot, seen, checked) = services.files.between_commits(place, known)?;
    }
    checked?;
    let label = seen.and_then(|seen| seen.encoding);
    let text = decoding::exact(&snapshot, place, label.as_deref())?;
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
            let error = ToolError::conflict(message).with_hint("read it first, then change it");
            Err(error.with_detail("unread", true))
        }
    }
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

/// Whether a change takes something away from where it is.
fn goes(change: &Change) -> bool {
    matches!(change.action, Action::Delete | Action::Move { .. })
}

/// Whether a file that goes away or elsewhere is as this session knows it.
///
/// # Errors
/// `conflict` when it changed since it was read, or a model has not read it.
pub(super) fn known(change: &Change, caller: Caller, context: &Context) -> Result<(), ToolError> {
    let place = &change.place;
    let before = change.before.as_ref();
    match before.filter(|image| image.form == Form::File && !context.is_foreseen) {
        Some(image) => {
            let seen = context.services.ledger.get(&place.real);
            check(place, &image.hash, seen.as_ref(), caller)
        }
        None => Ok(()),
    }
}

/// The plan of a change-set, its diff computed: an edit for every path, sources of moves and deletes marked as removed;
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
    changes.diff();
    Ok(Plan::files(subjects, changes))
}

/// What the change-set of a plan does to text, as metadata: `diff`, `additions`, `deletions`.
pub(super) fn as_metadata(changes: &ChangeSet) -> [(&'static str, Data); 3] {
    let diff = changes.diff();
    [
        ("diff", Data::from(diff.text.as_str())),
        ("additions", Data::from(diff.additions)),
        ("deletions", Data::from(diff.deletions)),
    ]
}

/// A change-set that was committed.
pub(super) struct Done {
    pub(super) changes: ChangeSet,
    /// What did not go well although the change was made.
    warning: Option<String>,
}

impl Done {
    /// Nothing was to be done.
    pub(super) fn nothing(changes: ChangeSet) -> Done {
        Done {
            changes,
            warning: None,
        }
    }

    /// The result of the call, with the warning if there is one, and without the secrets of the files where
    /// they are hidden from its reader.
    pub(super) fn told(self, mut output: Output, context: &Context) -> Output {
        if let Some(known) = secrets(&self.changes, context) {
            output.text = known.hide(&output.text).into_owned();
            if let Some(Data::Text(diff)) = output.metadata.get_mut("diff") {
                *diff = known.hide(diff).into_owned();
            }
        }
        if let Some(warning) = self.warning {
            if !output.text.ends_with('\n') {
                output.text.push('\n');
            }
            output.text.push_str(&format!("[{warning}]\n"));
            output
                .metadata
                .insert("warning".to_owned(), Data::from(warning));
        }
        output
    }
}

/// The secrets in the files of a change-set, where they are hidden from who reads the result.
fn secrets(changes: &ChangeSet, context: &Context) -> Option<Known> {
    let redactor = context.redactor()?;
    let images = changes.changes().iter();
    let images = images.flat_map(|change| [change.before.as_ref(), change.after.as_ref()]);
    let texts = images.flatten().filter_map(Image::text);
    let known = texts.map(|text| redactor.known(&text));
    known.reduce(Known::and)
}

/// What the tags in what a model writes stand for, in the text that stands there before.
pub(super) fn stands_for(before: &str, context: &Context) -> Known {
    let generation = &context.generation;
    let redactor = generation.redaction.redactor(&context.services);
    redactor.known(before)
}

/// That a tag cannot be put back.
pub(super) fn lost(lost: &Lost, place: &Place) -> ToolError {
    let message = format!(
        "`{}` stands for a secret that is hidden from you, and what is replaced in {} does not hold it",
        lost.0, place.display
    );
    ToolError::conflict(message).with_hint(
        "a tag can be written only where its own secret stands now: read the file again, leave that part as it is, \
         or ask the person to put the secret there",
    )
}

/// `text` as it goes to disk: where a model writes it, with secrets in the place of their tags.
///
/// # Errors
/// `conflict` for a tag whose secret `before` does not hold.
pub(super) fn restored<'t>(
    text: &'t str,
    before: Option<&str>,
    place: &Place,
    context: &Context,
) -> Result<Cow<'t, str>, ToolError> {
    if context.caller() == Caller::User || redact::tags(text).next().is_none() {
        return Ok(Cow::Borrowed(text));
    }
    let known = stands_for(before.unwrap_or_default(), context);
    known.restore(text).map_err(|tag| lost(&tag, place))
}

/// Commits the change-set of `plan` and notes what the files are now.
///
/// # Errors
/// `conflict` when a file that goes changed since it was read, or a model has not read it; what the
/// commit says; a lost race is a `conflict`, and the call is planned again.
pub(super) async fn commit(plan: Plan, context: &Context) -> Result<Done, ToolError> {
    let encoding = plan.note.get(ENCODING).cloned().unwrap_or_default();
    let Work::Files(changes) = plan.work else {
        return Err(ToolError::internal(
            "a change of files came without its change-set",
        ));
    };
    if changes.is_empty() {
        return Ok(Done::nothing(changes));
    }
    let inner = context.clone();
    context
        .blocking(move || commit_now(changes, encoding, &inner))
        .await
}

fn commit_now(changes: ChangeSet, encoding: Data, context: &Context) -> Result<Done, ToolError> {
    if context.scope.node().is_closed() {
        return Err(ToolError::cancelled());
    }
    for change in changes.changes().iter().filter(|change| goes(change)) {
        known(change, context.caller(), context)?;
        // Inside a folder only what was read counts: a model need not read all of it.
        for inner in &change.inner {
            known(inner, Caller::User, context)?;
        }
    }
    let services = &context.services;
    let transaction = context.scope.transaction();
    let entered = transaction.map(|whole| whole.enter(&changes, &services.files));
    let entered = entered.transpose()?;
    let mut kept = None;
    let note = |done: &[CommittedChange]| {
        kept = entered.as_ref().map(|entered| {
            let number = entered.number(&changes, &services.files);
            (number, tool::known(&changes, &services.ledger))
        });
        for change in done {
            noted(change, &encoding, &services.ledger);
        }
    };
    let purpose = Purpose {
        tool: context.tool.to_string(),
        whole: entered.as_ref().and_then(tool::Entered::known),
        undoes: None,
    };
    let committed = services.files.commit_for(&changes, &purpose, note)?;
    if let (Some(entered), Some((number, seen))) = (entered, kept) {
        entered.keep(number, &changes, committed.folders, seen, &services.files);
    }
    Ok(Done {
        changes,
        warning: committed.warning,
    })
}

fn noted(change: &CommittedChange, encoding: &Data, ledger: &Ledger) {
    match (&change.action, change.after) {
        (Action::Move { to }, after) => {
            ledger.rename(&change.place.real, &to.real);
            // A file that was changed on the way is known as it is now.
            let seen = ledger.get(&to.real);
            if let (Some(seen), Some(hash)) = (seen, after) {
                ledger.note(to.real.clone(), Seen { hash, ..seen });
            }
        }
        (Action::Delete, _) | (_, None) => ledger.forget(&change.place.real),
        (Action::Create | Action::Update, Some(hash)) => {
            let own = encoding.get(&change.place.display).unwrap_or(encoding);
            let encoding = own.as_str().map(str::to_owned);
            ledger.note(change.place.real.clone(), Seen { hash, encoding });
        }
    }
}
