//! What can be undone: the units of this workspace, from the journal. A unit is a call, a script up to its next
//! transaction, or a transaction.
//!
//! It reads the journal and the files; the undo itself is a commit like any other.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::change::{Action, Change, ChangeSet, Form, Image};
use super::plan::HELD;
use super::record::{Intent, Record, fill};
use super::recover::{records, stands};
use super::{Entry, Files, Place, net};
use crate::error::{Kind, ToolError};
use crate::store::{Hash, log_blobs};
use crate::text::counted;

/// Changes that are undone together.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name: a part of its session's, and a number.
    pub id: String,
    /// The session that made it.
    pub session: String,
    /// When its last change was made.
    pub time: SystemTime,
    /// The tools that made it, each once, in order.
    pub tools: Vec<String>,
    /// What it changed, as it is shown, each once, in order.
    pub paths: Vec<String>,
    /// How many commits it has.
    pub commits: usize,
    /// The unit that it took back.
    pub undoes: Option<String>,
    folder: PathBuf,
    number: u64,
}

/// What undoing a unit would do, as it is known before.
#[derive(Clone, Debug)]
pub struct Undoing {
    /// What is undone.
    pub unit: Unit,
    /// Its changes as they were made, in order, each with the folders that were made on the way.
    pub commits: Vec<(Vec<Change>, Vec<PathBuf>)>,
    /// What undoing it amounts to, to be shown.
    pub shown: ChangeSet,
    /// What somebody has changed since, as it is shown.
    pub changed: Vec<String>,
}

impl Undoing {
    /// Every place that it may change.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let changes = self.commits.iter().flat_map(|(changes, _)| changes);
        let all = changes.flat_map(|change| std::iter::once(change).chain(&change.inner));
        all.flat_map(|change| {
            let to = change.target();
            let moved = (to.real != change.place.real).then_some(to);
            std::iter::once(&change.place).chain(moved)
        })
    }
}

impl Files {
    /// The units of this workspace, the newest first, and how many records could not be read.
    pub fn units(&self) -> (Vec<Unit>, usize) {
        let (mut units, mut damaged) = (Vec::new(), 0);
        let sessions = self.keeper.as_ref().map(|keeper| keeper.journal.sessions());
        for folder in sessions.unwrap_or_default() {
            match records(&folder) {
                Ok((records, lines)) => {
                    damaged += lines;
                    self.units_of(&folder, &records, &mut units);
                }
                Err(_) => damaged += 1,
            }
        }
        units.sort_by_key(|unit| std::cmp::Reverse((unit.time, unit.number)));
        (units, damaged)
    }

    fn units_of(&self, folder: &Path, records: &[Record], units: &mut Vec<Unit>) {
        let first = units.len();
        for intent in standing(records) {
            let at = units[first..]
                .iter()
                .position(|unit| unit.number == intent.unit);
            let at = at.map_or(units.len(), |at| first + at);
            if at == units.len() {
                units.push(self.unit(folder, intent));
            }
            let unit = &mut units[at];
            unit.commits += 1;
            unit.time = unit
                .time
                .max(UNIX_EPOCH + Duration::from_millis(intent.time));
            add(&mut unit.tools, intent.tool.clone());
            for told in &intent.changes {
                for path in std::iter::once(&told.path).chain(&told.to) {
                    add(&mut unit.paths, self.show(&path.to_path()));
                }
            }
        }
    }

    fn unit(&self, folder: &Path, intent: &Intent) -> Unit {
        let session = folder.file_name().unwrap_or_default().to_string_lossy();
        let chance = session.split('-').nth(1).unwrap_or(&session);
        let short: String = chance.chars().take(8).collect();
        Unit {
            id: format!("{short}-{}", intent.unit),
            session: session.clone().into_owned(),
            time: UNIX_EPOCH,
            tools: Vec::new(),
            paths: Vec::new(),
            commits: 0,
            undoes: intent.undoes.clone(),
            folder: folder.to_owned(),
            number: intent.unit,
        }
    }

    /// What undoing the unit `id` would do; without it, the newest.
    ///
    /// # Errors
    /// `not_found` where there is none; `argument` where several begin with `id`; what reading says.
    pub fn undoing(&self, id: Option<&str>) -> Result<Undoing, ToolError> {
        let (mut units, _) = self.units();
        units.retain(|unit| id.is_none_or(|id| unit.id.starts_with(id)));
        if let Some(exact) = units.iter().position(|unit| Some(unit.id.as_str()) == id) {
            units = vec![units.swap_remove(exact)];
        }
        let unit = match (id, units.as_slice()) {
            (None, [newest, ..]) => newest.clone(),
            (Some(_), [one]) => one.clone(),
            (None, []) => {
                return Err(
                    ToolError::not_found("nothing in this workspace can be undone").with_hint(
                        "only changes that the tools of this program made are in the journal",
                    ),
                );
            }
            (Some(id), []) => {
                return Err(
                    ToolError::not_found(format!("there is no unit {id} to undo"))
                        .with_hint("`agent undo --list` shows the ids"),
                );
            }
            (Some(id), more) => {
                let message = format!("{id} is the beginning of {}", counted(more.len(), "id"));
                return Err(ToolError::argument(message).with_hint("give the whole id"));
            }
        };
        self.undoing_of(unit)
    }

    fn undoing_of(&self, unit: Unit) -> Result<Undoing, ToolError> {
        let (records, _) = records(&unit.folder)?;
        let blobs = log_blobs(&unit.folder);
        let mut commits = Vec::new();
        for intent in standing(&records).filter(|intent| intent.unit == unit.number) {
            let mut changes = Vec::new();
            for told in &intent.changes {
                let mut change = told.change(self)?;
                fill(&mut change, &blobs)?;
                changes.push(change);
            }
            let folders = intent.folders.iter().map(|folder| folder.to_path());
            commits.push((changes, folders.collect()));
        }
        let all: Vec<Change> = commits
            .iter()
            .flat_map(|(changes, _)| changes.clone())
            .collect();
        let shown = net(&all).into_iter().map(|change| {
            let mut back = change.inverse();
            if let Some(image) = &mut back.before {
                self.fill_from_disk(&back.place, image);
            }
            back
        });
        Ok(Undoing {
            unit,
            shown: ChangeSet::shown(shown.collect()),
            changed: changed(&all),
            commits,
        })
    }

    /// The content as it stands, if it is the one that is meant.
    fn fill_from_disk(&self, place: &Place, image: &mut Image) {
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
                return Err(ToolError::conflict(message)
                    .with_hint("`agent undo --diff` shows what would change"));
            }
        }
        back.inner
            .iter_mut()
            .try_for_each(|inner| self.fill_before(inner))
    }

    /// Makes `back` a change of what stands there now; whether anything is left to do.
    fn adapted(&self, back: &mut Change) -> Result<bool, ToolError> {
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

/// The commits of a session that stand, in order: done, not taken back, and in no transaction that was put back or
/// is under way.
fn standing(records: &[Record]) -> impl Iterator<Item = &Intent> {
    let (mut done, mut stand) = (HashSet::new(), HashSet::new());
    let mut back = HashSet::new();
    for record in records {
        match record {
            Record::Intent(_) | Record::Closed { back: true, .. } => false,
            Record::Done { number } => done.insert(*number),
            Record::Back { number } => back.insert(*number),
            Record::Closed { transaction, .. } => stand.insert(*transaction),
        };
    }
    records.iter().filter_map(move |record| match record {
        Record::Intent(intent) => {
            let n = intent.number;
            let is_whole = intent
                .transaction
                .is_none_or(|whole| stand.contains(&whole));
            (is_whole && done.contains(&n) && !back.contains(&n)).then_some(intent)
        }
        _ => None,
    })
}

fn add(list: &mut Vec<String>, word: String) {
    if !list.contains(&word) {
        list.push(word);
    }
}

/// The places that are not as the last of `changes` there left them.
fn changed(changes: &[Change]) -> Vec<String> {
    let (mut seen, mut changed) = (Vec::<PathBuf>::new(), Vec::new());
    for change in changes.iter().rev() {
        let back = change.inverse();
        let touched = [&back.place.real, &back.target().real];
        let is_new = |path: &&PathBuf| {
            let meets = |other: &PathBuf| path.starts_with(other) || other.starts_with(path);
            !seen.iter().any(meets)
        };
        let is_as_left = match &back.before {
            Some(image) => stands(&back.place.real, image),
            None => back.place.real.symlink_metadata().is_err(),
        };
        let is_free = match &back.action {
            Action::Move { to } => to.real.symlink_metadata().is_err(),
            _ => true,
        };
        if touched.iter().all(is_new) && !(is_as_left && is_free) {
            add(&mut changed, back.place.display.clone());
        }
        seen.extend(touched.map(PathBuf::clone));
    }
    changed
}

fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    let found = path.symlink_metadata().ok()?;
    Some(found.mode() & 0o7777)
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

#[cfg(test)]
mod tests;
