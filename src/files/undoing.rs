//! What undoing a unit would do: which of its changes, what that amounts to, and what somebody has changed since.
//!
//! It reads the journal and the files; the undo itself is a commit like any other.

use std::path::PathBuf;

use super::change::{Action, Change, ChangeSet};
use super::part::{Groups, Part};
use super::record::fill;
use super::recover::{records, stands};
use super::units::standing;
use super::{Files, Place, Unit, net};
use crate::error::ToolError;
use crate::store::log_blobs;
use crate::text::counted;

/// Commits as they were made, in order: the changes of each, and the folders that were made on the way.
pub type Commits = Vec<(Vec<Change>, Vec<PathBuf>)>;

/// What undoing a unit would do, as it is known before.
#[derive(Clone, Debug)]
pub struct Undoing {
    /// What is undone.
    pub unit: Unit,
    /// What is taken back of it.
    pub commits: Commits,
    /// What undoing it amounts to, to be shown.
    pub shown: ChangeSet,
    /// What was changed since, as it is shown.
    pub changed: Vec<String>,
    /// Of that, what a later unit left as it is now, with the id of that unit.
    pub by_unit: Vec<(String, String)>,
}

impl Undoing {
    /// Of what it amounts to, what it does to files that somebody has changed since.
    pub fn overwriting(&self) -> ChangeSet {
        let is_changed = |place: &Place| self.changed.contains(&place.display);
        let overwrites =
            |change: &&Change| is_changed(&change.place) || is_changed(change.target());
        ChangeSet::shown(
            self.shown
                .changes()
                .iter()
                .filter(overwrites)
                .cloned()
                .collect(),
        )
    }

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
    /// What undoing `part` of the unit `id` would do; without an id, of the newest. What was undone already is
    /// left out.
    ///
    /// # Errors
    /// `not_found` where there is none; `argument` where several begin with `id`, or a path is not in it; `conflict`
    /// where all of it was undone already; what reading says.
    pub fn undoing(&self, id: Option<&str>, part: &Part) -> Result<Undoing, ToolError> {
        let (units, _) = self.units();
        let unit = chosen(&units, id)?.clone();
        let mut commits = self.commits_of(&unit)?;
        let changes = || commits.iter().flat_map(|(changes, _)| changes);
        let groups = Groups::of(changes().collect());
        let wanted = groups.chosen(part, &unit, self)?;
        let undone = groups.with(|place| taken_back(&units, &unit.id, &place.display).is_some());
        let mut chosen = changes().zip(&wanted).filter(|(_, wanted)| **wanted);
        let by = chosen.find_map(|(change, _)| {
            let mut paths = [&change.place, change.target()].into_iter();
            paths.find_map(|place| taken_back(&units, &unit.id, &place.display))
        });
        let by = by.map(|by| by.id.clone());
        let mut stays = wanted
            .iter()
            .zip(&undone)
            .map(|(wanted, undone)| *wanted && !undone);
        for (changes, _) in &mut commits {
            changes.retain(|_| stays.next().unwrap_or(false));
        }
        commits.retain(|(changes, _)| !changes.is_empty());
        let all: Vec<Change> = commits
            .iter()
            .flat_map(|(changes, _)| changes.clone())
            .collect();
        let shown: Vec<Change> = net(&all)
            .into_iter()
            .filter_map(|change| self.shown(&change))
            .collect();
        match by {
            Some(by) if shown.is_empty() => return Err(undone_already(&unit, &by)),
            _ if all.is_empty() => return Err(nothing_left(&unit)),
            _ => {}
        }
        let changed = changed(&all);
        Ok(Undoing {
            by_unit: self.changed_by(&units, &unit, &changed),
            unit,
            shown: ChangeSet::shown(shown),
            changed,
            commits,
        })
    }

    /// Of the paths in `changed`, those that a unit newer than `unit` left as they are now, with its id.
    fn changed_by(&self, units: &[Unit], unit: &Unit, changed: &[String]) -> Vec<(String, String)> {
        let newer = units.iter().take_while(|newer| newer.id != unit.id);
        let mut by = Vec::new();
        for newer in newer.filter(|newer| newer.paths.iter().any(|path| changed.contains(path))) {
            let commits = self.commits_of(newer).unwrap_or_default();
            let changes = || commits.iter().flat_map(|(changes, _)| changes).rev();
            for path in changed {
                let is_new = by.iter().all(|(known, _)| known != path);
                let is_it = |change: &&Change| {
                    change.place.display == *path || change.target().display == *path
                };
                let last = changes().find(is_it).filter(|_| is_new);
                if last.is_some_and(|change| is_as_left(&change.inverse())) {
                    by.push((path.clone(), newer.id.clone()));
                }
            }
        }
        by
    }

    /// The changes of a unit as they were made, with their contents.
    fn commits_of(&self, unit: &Unit) -> Result<Commits, ToolError> {
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
        Ok(commits)
    }

    /// What taking `change` back amounts to, of what stands there now; nothing where that is as it would be.
    fn shown(&self, change: &Change) -> Option<Change> {
        let mut back = change.inverse();
        back.place = self.real_place(back.place.real);
        if !is_as_left(&back) {
            let mut now = back.clone();
            match self.adapted(&mut now) {
                Ok(true) => back = now,
                Ok(false) => return None,
                Err(_) => {} // something is in the way: it is shown as it was meant
            }
        }
        if let Some(image) = &mut back.before {
            self.fill_from_disk(&back.place, image);
        }
        Some(back)
    }
}

/// The unit that `id` names, or begins the name of; without it, the newest.
fn chosen<'u>(units: &'u [Unit], id: Option<&str>) -> Result<&'u Unit, ToolError> {
    let Some(id) = id else {
        return units.first().ok_or_else(|| {
            ToolError::not_found("nothing in this workspace can be undone")
                .with_hint("only changes that the tools of this program made are in the journal")
        });
    };
    if let Some(exact) = units.iter().find(|unit| unit.id == id) {
        return Ok(exact);
    }
    let begun: Vec<&Unit> = units
        .iter()
        .filter(|unit| unit.id.starts_with(id))
        .collect();
    match begun.as_slice() {
        [one] => Ok(one),
        [] => {
            let missing = ToolError::not_found(format!("there is no unit {id} to undo"));
            Err(missing.with_hint("`agent undo --list` shows the ids"))
        }
        more => {
            let message = format!("{id} is the beginning of {}", counted(more.len(), "id"));
            Err(ToolError::argument(message).with_hint("give the whole id"))
        }
    }
}

/// The unit that took back what the unit `id` did to `path`, unless that was taken back too.
fn taken_back<'u>(units: &'u [Unit], id: &str, path: &str) -> Option<&'u Unit> {
    let undid = |unit: &&Unit| {
        unit.undoes.as_deref() == Some(id) && unit.paths.iter().any(|other| other == path)
    };
    let mut undoes = units.iter().filter(undid);
    undoes.find(|unit| taken_back(units, &unit.id, path).is_none())
}

fn undone_already(unit: &Unit, by: &str) -> ToolError {
    ToolError::conflict(format!("{} was undone already (by {by})", unit.id)).with_hint(format!(
        "`agent undo {by}` makes its changes again; `agent undo --list` shows what else can be undone"
    ))
}

fn nothing_left(unit: &Unit) -> ToolError {
    let message = format!("nothing of {} is left to undo", unit.id);
    ToolError::argument(message).with_hint("leave fewer of its paths out")
}

/// Whether what is to be taken back stands as it was left.
fn is_as_left(back: &Change) -> bool {
    let is_there = match &back.before {
        Some(image) => stands(&back.place.real, image),
        None => back.place.real.symlink_metadata().is_err(),
    };
    let is_free = match &back.action {
        Action::Move { to } => to.real.symlink_metadata().is_err(),
        _ => true,
    };
    is_there && is_free
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
        if touched.iter().all(is_new) && !is_as_left(&back) {
            let place = in_conflict(&back);
            if !changed.contains(&place.display) {
                changed.push(place.display.clone());
            }
        }
        seen.extend(touched.map(PathBuf::clone));
    }
    changed
}

/// The place that is not as it was left: what is to be taken back, or what stands where it would go.
fn in_conflict(back: &Change) -> &Place {
    match &back.before {
        Some(image) if stands(&back.place.real, image) => back.target(),
        _ => &back.place,
    }
}

#[cfg(test)]
mod tests;
