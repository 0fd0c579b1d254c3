//! What rules are matched against for a command line: its commands, and the real paths that they name.
//!
//! The line is taken apart elsewhere, without looking at anything. Here its paths are resolved and its programs
//! looked up, as they are now. A command counts as one that only reads where all of that is known.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::expanded::expanded;
use crate::files::{Entry, Files, Place, Withheld};
use crate::permission::{
    Depth, Doubt, Group, Guess, Line, Operand, Simple, Subject, Touch, read_line,
};
use crate::process::find_program;

/// How many paths of one line are judged.
const MOST: usize = 4_000;

/// How many names of a folder are looked at, and how many of those kept that are left out by rule.
const MOST_NAMES: usize = 1_000;
const MOST_WITHHELD: usize = 16;

/// What a line is judged in.
pub(super) struct Surroundings<'a> {
    pub(super) files: &'a Files,
    /// The `PATH` that programs are found by.
    pub(super) path: Option<&'a OsStr>,
    /// What rules leave out of what could be read. Where there is any, nothing is read as a whole without being asked
    /// about.
    pub(super) withheld: Option<Withheld>,
    /// The subject that a place is.
    pub(super) subject: &'a dyn Fn(Group, &Place) -> Subject,
    /// What in a folder that is to go may not go by rule.
    pub(super) protected: &'a dyn Fn(&Place) -> Vec<Subject>,
}

/// The subjects of `line`, run in `cwd`; with `given` variables or input it is one command that nobody knows.
pub(super) fn subjects(
    line: &str,
    is_given: bool,
    cwd: &Place,
    around: &Surroundings<'_>,
) -> Vec<Subject> {
    let home = around.files.home().unwrap_or(Path::new("~"));
    let read = read_line(line, &cwd.real.to_string_lossy(), &home.to_string_lossy());
    let mut judged = Judged {
        around,
        paths: Vec::new(),
        touches: Vec::new(),
        unsure: vec![false; read.commands.len()],
        systems: RefCell::default(),
    };
    for operand in &read.operands {
        judged.operand(operand);
    }
    let unread = read.commands.iter().filter(|simple| !simple.reads);
    let folders: BTreeSet<&String> = unread.flat_map(|simple| &simple.folders).collect();
    for folder in folders {
        judged.entered(folder);
    }
    let mut subjects = judged.commands(line, &read, is_given || read.opaque.is_some());
    for (of, touch) in judged.touches {
        let at = of.filter(|of| *of < subjects.len()).unwrap_or(0);
        let touches = &mut subjects[at].touches;
        if !touches.contains(&touch) {
            touches.push(touch);
        }
    }
    for path in judged.paths {
        if !subjects.contains(&path) {
            subjects.push(path);
        }
    }
    subjects
}

struct Judged<'a> {
    around: &'a Surroundings<'a>,
    paths: Vec<Subject>,
    /// What is guessed of commands, and of which.
    touches: Vec<(Option<usize>, Touch)>,
    /// For each command, that it may read something else than what is known.
    unsure: Vec<bool>,
    /// The names that were looked up in a folder, and whether they lead to a program of the system.
    systems: RefCell<HashMap<(String, String), bool>>,
}

impl Judged<'_> {
    fn commands(&self, line: &str, read: &Line, whole: bool) -> Vec<Subject> {
        if whole {
            return vec![Subject::command(line)];
        }
        let subject = |(simple, unsure): (&Simple, &bool)| {
            let subject = Subject::command(simple.text.as_str());
            match simple.reads && !unsure && self.is_system(simple) {
                true => subject.read_only(),
                false => subject,
            }
        };
        let commands = read.commands.iter().zip(&self.unsure);
        let mut subjects: Vec<Subject> = commands.map(subject).collect();
        if subjects.is_empty() {
            // Nothing but a redirect, which the shell opens itself.
            return vec![Subject::command(line)];
        }
        let first = subjects.iter().position(|subject| !subject.read_only);
        // What is fed to commands that only read is run by nobody.
        let line = match (&read.unfed, first) {
            (Some(unfed), None) => unfed,
            _ => line,
        };
        let first = &mut subjects[first.unwrap_or(0)];
        if first.text != line {
            first.line = Some(line.to_owned());
        }
        subjects
    }

    /// Whether the name leads to a program outside of the workspace, by no folder that is relative.
    fn is_system(&self, simple: &Simple) -> bool {
        let Some(program) = &simple.program else {
            return true;
        };
        if program.contains('/') {
            return false;
        }
        let is_outside = |folder: &String| {
            let key = (program.clone(), folder.clone());
            let mut systems = self.systems.borrow_mut();
            *systems
                .entry(key)
                .or_insert_with(|| self.is_outside(program, folder))
        };
        !simple.folders.is_empty() && simple.folders.iter().all(is_outside)
    }

    /// Whether the name leads out of the workspace from `folder`.
    fn is_outside(&self, program: &str, folder: &str) -> bool {
        let found = find_program(OsStr::new(program), self.around.path, Path::new(folder));
        let real = found.ok().and_then(|found| found.canonicalize().ok());
        let by_name = find_program(OsStr::new(program), self.around.path, Path::new(""));
        let workspace = self.around.files.workspace();
        by_name.is_ok_and(|found| found.is_absolute())
            && real.is_some_and(|real| !real.starts_with(workspace))
    }

    /// A command runs in `folder`, which may lie outside of the workspace.
    fn entered(&mut self, folder: &str) {
        let Ok(place) = self.around.files.resolve(folder) else {
            return;
        };
        if !place.inside {
            let subject = (self.around.subject)(Group::ExternalDirectory, &place);
            self.paths.push(subject);
        }
    }

    fn operand(&mut self, operand: &Operand) {
        if operand.unknown {
            self.unknown(operand);
            return;
        }
        let mut unsure = operand.lost || operand.folders.is_empty();
        let here = [String::from("/")];
        let is_placed = operand.path.starts_with(['/', '~']);
        let folders = match operand.folders.as_slice() {
            [] if is_placed => &here,
            folders => folders,
        };
        for folder in folders {
            unsure |= !self.from(folder, operand);
        }
        if let Some(of) = operand.of {
            self.unsure[of] |= unsure;
        }
    }

    /// Adds what stands for nobody knows what.
    fn unknown(&mut self, operand: &Operand) {
        let doubt = match operand.removed {
            true => Doubt::Anything,
            false => Doubt::Unknown,
        };
        let subject = Subject::name(operand.group.clone(), operand.path.as_str());
        self.add(subject.in_doubt(doubt), operand);
        if let Some(of) = operand.of {
            self.unsure[of] = true;
        }
    }

    /// Adds what the operand leads to from one folder; whether that is known.
    fn from(&mut self, folder: &str, operand: &Operand) -> bool {
        let folder = match self.around.files.resolve(folder) {
            Ok(folder) => folder.real,
            Err(_) => return false,
        };
        let files = self.around.files.in_folder(folder);
        let names = match operand.glob {
            true => expanded(&files, &operand.path),
            false => Some(vec![OsString::from(&operand.path)]),
        };
        let Some(names) = names else {
            // More than can be listed may be anything.
            let subject = Subject::name(operand.group.clone(), operand.path.as_str());
            self.add(subject.in_doubt(Doubt::Unknown), operand);
            return false;
        };
        let mut known = true;
        for name in names {
            // What begins so would be an option.
            known &= !(operand.glob && name.as_encoded_bytes().starts_with(b"-"));
            known &= self.one(&files, &name, operand);
        }
        known
    }

    fn one(&mut self, files: &Files, name: &OsStr, operand: &Operand) -> bool {
        let place = match operand.removed {
            true => name
                .to_str()
                .map_or_else(|| files.resolve_os(name), |name| files.resolve_entry(name)),
            false if operand.everywhere => files.resolve_os(files.workspace().as_os_str()),
            false => files.resolve_os(name),
        };
        let Ok(place) = place else {
            return false;
        };
        if place.real == Path::new("/dev/null") {
            return true;
        }
        if place.entry == Entry::Folder && !operand.into.is_empty() {
            let within = operand.into.iter().map(|name| place.path.join(name));
            for path in within.collect::<Vec<_>>() {
                if let Ok(place) = files.resolve_os(path.as_os_str()) {
                    let subject = (self.around.subject)(operand.group.clone(), &place);
                    self.add(placed(subject, operand), operand);
                }
            }
            return true;
        }
        let subject = (self.around.subject)(operand.group.clone(), &place);
        let is_folder = place.entry == Entry::Folder;
        if is_folder && operand.depth == Depth::Whole {
            self.withheld_in(files, &place, operand.of);
        }
        let subject = placed(subject, operand).deep(is_folder && operand.depth > Depth::Itself);
        // What lies in a folder is not looked at here.
        let is_sure = place.entry != Entry::Folder
            || !(operand.follows
                || (operand.depth == Depth::Whole && self.around.withheld.is_some()));
        if operand.removed {
            if place.entry == Entry::Folder {
                for subject in (self.around.protected)(&place) {
                    self.add(subject, operand);
                }
            }
            self.add(subject.removed(), operand);
        } else {
            self.add(subject, operand);
        }
        is_sure
    }

    /// What lies in a folder itself that is read with all that it holds, and is left out by rule, such as an `.env`:
    /// as far as the folder can be listed. What lies deeper is not looked for.
    fn withheld_in(&mut self, files: &Files, folder: &Place, of: Option<usize>) {
        let Some(withheld) = &self.around.withheld else {
            return;
        };
        let entries = std::fs::read_dir(&folder.real).into_iter().flatten();
        let paths = entries.flatten().take(MOST_NAMES).map(|entry| entry.path());
        for path in paths
            .filter(|path| withheld.leaves_out(path))
            .take(MOST_WITHHELD)
        {
            if let Ok(place) = files.resolve_os(path.as_os_str()) {
                let subject = (self.around.subject)(Group::Read, &place);
                let written = false;
                self.touches.push((of, Touch { subject, written }));
            }
        }
    }

    fn add(&mut self, subject: Subject, operand: &Operand) {
        if self.paths.len() + self.touches.len() >= MOST {
            return;
        }
        match operand.guess {
            None => self.paths.push(subject),
            Some(guess) => {
                let written = guess == Guess::Written;
                self.touches.push((operand.of, Touch { subject, written }));
            }
        }
    }
}

/// The subject of what would be changed, in doubt where nobody knows the folder.
fn placed(subject: Subject, operand: &Operand) -> Subject {
    let is_placed = operand.path.starts_with(['/', '~']);
    match operand.lost && operand.group == Group::Edit && !is_placed {
        true => subject.in_doubt(Doubt::Unplaced),
        false => subject,
    }
}

#[cfg(test)]
mod tests;
