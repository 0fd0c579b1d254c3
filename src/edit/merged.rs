//! The new text laid over what was found: what the edit does not touch stays as the file has it.
//!
//! A line is the unit: it stays, changes, comes or goes whole, and gets its indent from lines that say
//! something, never from a blank one.

use super::block_anchor::aligned;
use super::escape_normalized::Spelling;
use super::fold::Folded;
use super::indent::{Habit, Indents, indent_of};
use super::lines::trimmed;
use super::steps::steps;
use super::unfit::Unfit;
use super::walk::Walk;
use crate::text::{TooMuch, Work};

/// A place and its edit: what the file has there, what was quoted, what is to be there. Each begins at the
/// start of a line; in the file and the quote that is its indent.
pub(super) struct Merge<'a> {
    pub(super) file: Vec<&'a str>,
    pub(super) old: Vec<&'a str>,
    pub(super) new: Vec<&'a str>,
    /// How the place writes what can be escaped, where it has escapes that the quote has not.
    pub(super) spelling: Option<Spelling>,
    /// What is left to do it with.
    pub(super) work: &'a Work,
}

/// What is known of the lines of a merge.
pub(super) struct Known<'a> {
    /// For each line of the file the quoted line it belongs to. `None`: nobody quoted it.
    pub(super) owners: Vec<Option<usize>>,
    /// For each quoted line its line in the file.
    pub(super) places: Vec<Option<usize>>,
    pub(super) indents: Indents<'a>,
}

impl<'a> Merge<'a> {
    /// The text for the place. `habit` is how the file indents.
    ///
    /// # Errors
    /// [`Unfit`].
    pub(super) fn text(&self, habit: &Habit) -> Result<String, Unfit> {
        let owners = self.owners()?;
        let mut places = vec![None; self.old.len()];
        for (at, owner) in owners.iter().enumerate() {
            if let Some(owner) = owner {
                places[*owner] = Some(at);
            }
        }
        let indents = self.indents(&places, habit);
        let known = Known {
            owners,
            places,
            indents,
        };
        let odd = |old: usize| {
            let file = known.places[old].map(|at| trimmed(self.file[at]));
            file != Some(trimmed(self.old[old]))
                || !known.indents.is_regular(indent_of(self.old[old]))
        };
        let steps = steps(&self.old, &self.new, odd, self.work)?;
        Walk::new(self, &known).written(&steps)
    }

    /// For each line of the file the quoted line it belongs to, blank ones to blank ones.
    fn owners(&self) -> Result<Vec<Option<usize>>, TooMuch> {
        let filled = |line: &str| !trimmed(line).is_empty();
        let fits = |file: usize, old: usize| filled(self.file[file]) == filled(self.old[old]);
        let count = self.file.len();
        if count == self.old.len() && (0..count).all(|at| fits(at, at)) {
            return Ok((0..count).map(Some).collect());
        }
        let folded = |lines: &[&str]| -> Vec<String> {
            lines
                .iter()
                .map(|line| Folded::of(trimmed(line)).text)
                .collect()
        };
        let (file, old) = (folded(&self.file), folded(&self.old));
        let file: Vec<&str> = file.iter().map(String::as_str).collect();
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let mut owners = vec![None; count];
        for (file, old) in aligned(&file, &old, self.work)? {
            owners[file] = fits(file, old).then_some(old);
        }
        Ok(owners)
    }

    fn indents(&self, places: &[Option<usize>], habit: &Habit) -> Indents<'a> {
        let filled = |line: &str| !trimmed(line).is_empty();
        let pairs = places.iter().zip(&self.old).enumerate();
        let pairs = pairs.filter_map(|(number, (place, old))| {
            let file = self.file[(*place)?];
            filled(old).then(|| (number, indent_of(old), indent_of(file)))
        });
        let quoted = self.old.iter().chain(&self.new).copied();
        Indents::learn(pairs.collect(), quoted.filter(|line| filled(line)), habit)
    }
}
