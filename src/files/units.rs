//! What can be undone: the units of this workspace, from the journal. A unit is a call, a script up to its next
//! transaction, or a transaction.
//!
//! It reads the journal alone; what undoing one of them would do is worked out elsewhere.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Files;
use super::journal::unit_id;
use super::record::{Intent, Record};
use super::recover::records;

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
    pub(super) folder: PathBuf,
    pub(super) number: u64,
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
        Unit {
            id: unit_id(folder, intent.unit),
            session: session.into_owned(),
            time: UNIX_EPOCH,
            tools: Vec::new(),
            paths: Vec::new(),
            commits: 0,
            undoes: intent.undoes.clone(),
            folder: folder.to_owned(),
            number: intent.unit,
        }
    }
}

/// The commits of a session that stand, in order: done, not taken back, and in no transaction that was put back or
/// is under way.
pub(super) fn standing(records: &[Record]) -> impl Iterator<Item = &Intent> {
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

/// The permission bits of what stands there.
pub(super) fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    let found = path.symlink_metadata().ok()?;
    Some(found.mode() & 0o7777)
}
