//! What a call would do to files, computed before anything is done: the change-set.
//!
//! It holds what is there now and what would be there after, so that rules, hooks and people can judge
//! it and the commit can tell whether the world is still the same. Making one changes nothing.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::Place;
use crate::error::ToolError;
use crate::store::Hash;
use crate::text::diff::{self, Diff, Names};
use crate::text::{counted, encoding};

/// How many bytes of a diff tell what is in a folder that goes; the rest is counted.
const INNER_SHOWN: usize = 256 << 10;

/// A file whose bytes are not held is called large from this size on.
const LARGE: u64 = 1 << 20;

/// What a thing on disk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A regular file.
    File,
    /// A symbolic link; its bytes are where it leads.
    Link,
    /// A folder; it has no bytes of its own.
    Folder,
}

/// A thing on disk, before or after a change.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// What it is.
    pub form: Form,
    /// The hash of its bytes.
    pub hash: Hash,
    /// Its bytes; absent where there are too many to be held.
    pub bytes: Option<Arc<[u8]>>,
    /// How many bytes it has.
    pub size: u64,
    /// Its permission bits; `None` for what is new and takes them from the umask.
    pub mode: Option<u32>,
}

impl Image {
    /// A file with these bytes.
    pub fn file(bytes: impl Into<Arc<[u8]>>, mode: Option<u32>) -> Image {
        Image::of(Form::File, bytes.into(), mode)
    }

    pub(super) fn of(form: Form, bytes: Arc<[u8]>, mode: Option<u32>) -> Image {
        Image {
            form,
            hash: Hash::of(&bytes),
            size: bytes.len() as u64,
            bytes: Some(bytes),
            mode,
        }
    }

    /// Its text; `None` for what is no file, is binary, or is too large.
    pub fn text(&self) -> Option<String> {
        let bytes = self.bytes.as_deref().filter(|_| self.form == Form::File)?;
        let readable = !encoding::is_binary(bytes);
        readable
            .then(|| encoding::decode(bytes, None).ok())?
            .map(|decoded| decoded.text)
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} ({} bytes)", self.form, self.hash, self.size)
    }
}

/// What happens to one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// It comes into being.
    Create,
    /// Its content is replaced.
    Update,
    /// It goes away.
    Delete,
    /// It goes elsewhere, where nothing stands yet.
    Move {
        /// Where to.
        to: Place,
    },
}

impl Action {
    /// The word that results carry: `create`, `update`, `delete`, `move`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Action::Create => "create",
            Action::Update => "update",
            Action::Delete => "delete",
            Action::Move { .. } => "move",
        }
    }
}

/// One change of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is changed.
    pub place: Place,
    /// How.
    pub action: Action,
    /// What stood there when this was planned.
    pub before: Option<Image>,
    /// What would stand there, or at the end of a move, afterwards.
    pub after: Option<Image>,
    /// For a folder that is deleted: what is in it, deepest last; else empty.
    pub inner: Vec<Change>,
}

impl Change {
    /// Where the result stands: the target of a move, else the place itself.
    pub fn target(&self) -> &Place {
        match &self.action {
            Action::Move { to } => to,
            _ => &self.place,
        }
    }

    /// The difference that it makes to text. What is no text is said in one line.
    pub fn diff(&self) -> Diff {
        let (old, new) = (self.before.as_ref(), self.after.as_ref());
        let mut diff = self.title();
        if old.map(|image| image.hash) == new.map(|image| image.hash) && !diff.text.is_empty() {
            return diff;
        }
        let names = Names {
            old: old.map(|_| self.place.display.as_str()),
            new: new.map(|_| self.target().display.as_str()),
        };
        let text = |image: Option<&Image>| image.map_or(Some(String::new()), Image::text);
        match (text(old), text(new)) {
            (Some(old), Some(new)) => {
                add(&mut diff, &diff::unified(&old, &new, names, diff::CONTEXT));
            }
            _ => diff.text.push_str(&self.without_text()),
        }
        self.add_inner(&mut diff);
        diff
    }

    /// The lines of all that goes with a folder are counted, and shown as far as there is room.
    fn add_inner(&self, diff: &mut Diff) {
        let mut hidden = 0;
        for change in &self.inner {
            let mut part = change.diff();
            if hidden > 0 || diff.text.len() + part.text.len() > INNER_SHOWN {
                hidden += 1;
                part.text.clear();
            }
            add(diff, &part);
        }
        if hidden > 0 {
            let more = counted(hidden, "more entry");
            diff.text
                .push_str(&format!("… and {more} in {}\n", self.place.display));
        }
    }

    /// The line over the diff of a move.
    fn title(&self) -> Diff {
        let mut diff = Diff::default();
        if let Action::Move { to } = &self.action {
            diff.text = format!(
                "rename from {}\nrename to {}\n",
                self.place.display, to.display
            );
        }
        diff
    }

    fn without_text(&self) -> String {
        let images = || self.before.iter().chain(&self.after);
        let image = images().next();
        let what = match image.map(|image| image.form) {
            Some(Form::Folder) => "Folder",
            Some(Form::Link) => "Link",
            _ if images().any(|image| image.bytes.is_none() && image.size >= LARGE) => "Large file",
            _ if images().any(|image| image.bytes.is_none()) => "File",
            _ => "Binary file",
        };
        let done = match self.action {
            Action::Create => "created",
            Action::Delete => "deleted",
            Action::Update | Action::Move { .. } => "changed",
        };
        format!("{what} {} {done}\n", self.place.display)
    }
}

/// Changes that are made together: all or none.
#[derive(Clone, Debug, Default)]
pub struct ChangeSet {
    changes: Vec<Change>,
    diff: OnceLock<Diff>,
}

impl PartialEq for ChangeSet {
    fn eq(&self, other: &ChangeSet) -> bool {
        self.changes == other.changes
    }
}

impl ChangeSet {
    /// The change-set of these changes, in order.
    ///
    /// # Errors
    /// `argument` where two of them concern one path.
    pub fn new(changes: Vec<Change>) -> Result<ChangeSet, ToolError> {
        let mut set = ChangeSet::default();
        for change in changes {
            set.push(change)?;
        }
        Ok(set)
    }

    /// Changes that are only shown, one after the other: two of them may concern one path.
    pub(super) fn shown(changes: Vec<Change>) -> ChangeSet {
        ChangeSet {
            changes,
            diff: OnceLock::new(),
        }
    }

    /// Adds one more change.
    ///
    /// # Errors
    /// `argument` where its path, or its target, is already changed by this set.
    pub fn push(&mut self, change: Change) -> Result<(), ToolError> {
        for place in places(&change) {
            if self.places().any(|other| other.real == place.real) {
                let message = format!("{} is changed twice in one call", place.display);
                return Err(ToolError::argument(message)
                    .with_hint("put everything that happens to one file into one change"));
            }
        }
        self.changes.push(change);
        self.diff = OnceLock::new();
        Ok(())
    }

    /// The changes in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The difference that all of them make to text, with the lines added and deleted. The first who asks
    /// waits until it is computed.
    pub fn diff(&self) -> &Diff {
        self.diff.get_or_init(|| {
            let mut diff = Diff::default();
            for change in &self.changes {
                add(&mut diff, &change.diff());
            }
            diff
        })
    }

    /// Every place that is changed, sources before targets.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.changes.iter().flat_map(places)
    }

    /// Every path that is changed, as it is shown.
    pub fn paths(&self) -> Vec<&str> {
        self.places().map(|place| place.display.as_str()).collect()
    }

    /// Exactly what would happen, for a person to read; empty when nothing would.
    pub fn shows(&self) -> String {
        self.diff().text.clone()
    }
}

fn places(change: &Change) -> impl Iterator<Item = &Place> {
    let target = match &change.action {
        Action::Move { to } => Some(to),
        _ => None,
    };
    std::iter::once(&change.place).chain(target)
}

fn add(sum: &mut Diff, part: &Diff) {
    sum.text.push_str(&part.text);
    sum.additions += part.additions;
    sum.deletions += part.deletions;
}
