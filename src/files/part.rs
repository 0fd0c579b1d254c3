//! Which part of a unit is undone: some of its paths, or all but some.
//!
//! What became of one file goes together, whatever it was called meanwhile, and so does all in a folder that was
//! made, moved or deleted as one. It reads no file and changes nothing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::change::{Change, Form};
use super::{Files, Place, Unit};
use crate::error::ToolError;
use crate::text::named;

/// How many paths of a unit are named where one is not in it.
const NAMED: usize = 8;

/// Which paths of a unit are undone; by default all.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// These alone, unless there are none.
    pub only: Vec<String>,
    /// All but these.
    pub except: Vec<String>,
}

impl Part {
    /// Whether it is all of the unit.
    pub fn is_whole(&self) -> bool {
        self.only.is_empty() && self.except.is_empty()
    }
}

/// Changes, each with the group that it goes with.
pub(super) struct Groups<'c> {
    changes: Vec<&'c Change>,
    group: Vec<usize>,
}

impl<'c> Groups<'c> {
    pub(super) fn of(changes: Vec<&'c Change>) -> Groups<'c> {
        let mut group: Vec<usize> = (0..changes.len()).collect();
        let mut first = HashMap::<&Path, usize>::new();
        for (at, change) in changes.iter().enumerate() {
            for place in places(change) {
                let met = *first.entry(&place.real).or_insert(at);
                join(&mut group, met, at);
            }
        }
        let is_folder = |change: &Change| {
            let images = [&change.before, &change.after];
            let mut images = images.into_iter().flatten();
            images.any(|image| image.form == Form::Folder)
        };
        for (at, change) in changes.iter().enumerate().filter(|(_, c)| is_folder(c)) {
            for folder in [&change.place, change.target()] {
                let below = first
                    .iter()
                    .filter(|(path, _)| path.starts_with(&folder.real));
                for (_, met) in below {
                    join(&mut group, *met, at);
                }
            }
        }
        Groups { changes, group }
    }

    /// For every change, whether one of its group has a place for which `wanted` holds.
    pub(super) fn with(&self, wanted: impl Fn(&Place) -> bool) -> Vec<bool> {
        let mut holds = vec![false; self.group.len()];
        for (at, change) in self.changes.iter().enumerate() {
            if places(change).any(&wanted) {
                holds[root(&self.group, at)] = true;
            }
        }
        (0..holds.len())
            .map(|at| holds[root(&self.group, at)])
            .collect()
    }

    /// For every change, whether it is in `part` of `unit`.
    ///
    /// # Errors
    /// `argument` for a path that the unit did not change.
    pub(super) fn chosen(
        &self,
        part: &Part,
        unit: &Unit,
        files: &Files,
    ) -> Result<Vec<bool>, ToolError> {
        let only = self.named(&part.only, unit, files)?;
        let except = self.named(&part.except, unit, files)?;
        let is_in = |at: usize| (part.only.is_empty() || only[at]) && !except[at];
        Ok((0..self.group.len()).map(is_in).collect())
    }

    fn named(&self, paths: &[String], unit: &Unit, files: &Files) -> Result<Vec<bool>, ToolError> {
        let mut all = vec![false; self.group.len()];
        for asked in paths {
            let real: PathBuf = files.resolve_entry(asked)?.real;
            let meets =
                |place: &Place| place.real.starts_with(&real) || real.starts_with(&place.real);
            let found = self.with(meets);
            if !found.contains(&true) {
                let message = format!("the unit {} did not change {asked}", unit.id);
                let hint = format!("it changed {}", named(&unit.paths, NAMED));
                return Err(ToolError::argument(message).with_hint(hint));
            }
            for (all, found) in all.iter_mut().zip(found) {
                *all |= found;
            }
        }
        Ok(all)
    }
}

fn places(change: &Change) -> impl Iterator<Item = &Place> {
    let inner = change.inner.iter().map(|inner| &inner.place);
    [&change.place, change.target()].into_iter().chain(inner)
}

fn root(group: &[usize], mut at: usize) -> usize {
    while group[at] != at {
        at = group[at];
    }
    at
}

fn join(group: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(group, a), root(group, b));
    group[a.max(b)] = a.min(b);
}
