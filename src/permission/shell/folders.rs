//! Where in a line of commands the shell could be standing, by what `cd` says.
//!
//! Works on text, as the shell's own idea of its folder does. It keeps every folder that is possible at a
//! place, more rather than fewer, and gives up where it cannot follow.

/// Above this many possible folders nobody knows.
const MOST: usize = 8;

/// Above this many bytes a path leads nowhere.
const LONGEST: usize = 4_096;

/// How a command hangs together with what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// It runs in any case.
    Then,
    /// It runs where that succeeded.
    And,
    /// It runs where that failed.
    Or,
}

/// The folders that are possible now: after a success, and after a failure.
#[derive(Clone, Debug)]
pub(super) struct Folders {
    well: Vec<String>,
    ill: Vec<String>,
    /// Where a command that begins now would run.
    here: Vec<String>,
    joint: Joint,
    /// Something changed the folder in a way that cannot be followed.
    pub(super) lost: bool,
}

impl Folders {
    /// In one of `here`, absolute paths; in none where nobody knows.
    pub(super) fn at(here: Vec<String>) -> Folders {
        Folders {
            lost: here.is_empty(),
            well: here.clone(),
            ill: here.clone(),
            here,
            joint: Joint::Then,
        }
    }

    /// What comes next hangs on what came before by `joint`.
    pub(super) fn join(&mut self, joint: Joint) {
        self.joint = joint;
    }

    /// A command begins: where it could.
    pub(super) fn begin(&mut self) -> Vec<String> {
        self.here = match self.joint {
            Joint::Then => union(&self.well, &self.ill),
            Joint::And => self.well.clone(),
            Joint::Or => self.ill.clone(),
        };
        self.here.clone()
    }

    /// A command that began in `here` has ended; it went to `to`, if it could.
    pub(super) fn end(&mut self, here: Vec<String>, to: Option<&str>) {
        let well = match to {
            Some(to) => here.iter().map(|folder| joined(folder, to)).collect(),
            None => here.clone(),
        };
        (self.well, self.ill) = match self.joint {
            Joint::Then => (well, here),
            Joint::And => (well, union(&self.ill, &here)),
            Joint::Or => (union(&self.well, &well), here),
        };
        self.joint = Joint::Then;
        let before = self.well.len();
        self.well.retain(|folder| folder.len() <= LONGEST);
        self.lost |= self.well.len() < before;
        self.lost |= self.well.len().max(self.ill.len()) > MOST;
        self.well.truncate(MOST);
        self.ill.truncate(MOST);
    }

    /// What succeeded counts as having failed, too.
    pub(super) fn blur(&mut self) {
        self.well = union(&self.well, &self.ill);
        self.ill = self.well.clone();
    }

    /// True where what begins now runs in any case.
    pub(super) fn is_certain(&self) -> bool {
        self.joint == Joint::Then
    }

    /// What stands between here and `before` may have been left out.
    pub(super) fn or(&mut self, before: &Folders) {
        let skipped = union(&before.well, &before.ill);
        self.well = union(&self.well, &skipped);
        self.ill = union(&self.ill, &skipped);
        self.lost |= self.well.len().max(self.ill.len()) > MOST;
        self.well.truncate(MOST);
        self.ill.truncate(MOST);
    }

    /// The folders inside of something that cannot change those outside: it begins where this stands.
    pub(super) fn inner(&mut self) -> Folders {
        let here = self.begin();
        Folders {
            well: here.clone(),
            ill: here.clone(),
            here,
            joint: Joint::Then,
            lost: self.lost,
        }
    }
}

fn union(one: &[String], other: &[String]) -> Vec<String> {
    let mut all = one.to_vec();
    all.extend(other.iter().filter(|path| !one.contains(path)).cloned());
    all
}

/// `path` as the shell finds it from `folder`: `.` and `..` are settled by name alone.
pub(super) fn joined(folder: &str, path: &str) -> String {
    let whole = match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{folder}/{path}"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}
