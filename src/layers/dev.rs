//! A yes for one login session, to changes that no model's call made.
//!
//! What changes while a model's call runs is marked, path and content, and only an explicit yes covers it
//! from then on. While such a call is open, or when one never came to its end, nothing is covered: who
//! changed what is not known. Every doubt ends in "not covered".

use std::path::Path;

use super::record::{self, Last};
use super::{Login, Survey, survey};
use crate::error::{Kind, ToolError};
use crate::store::{Hash, Paths, Records, Room, Workspace, token};

/// The session's yes, for every project that it was given to.
#[derive(Clone, Debug)]
pub struct Dev {
    records: Records,
    login: Option<Login>,
}

/// What a project held before a model's call.
#[derive(Debug)]
pub struct Stamp {
    workspace: Workspace,
    before: Survey,
    /// The record that says that the call is open.
    open: String,
}

impl Dev {
    /// What is recorded below this state folder for this process's login session.
    pub fn new(paths: &Paths) -> Dev {
        Dev::seen_from(paths, Login::of_process())
    }

    /// The same for `login`.
    pub fn seen_from(paths: &Paths, login: Option<Login>) -> Dev {
        let records = Records::new(paths, Room::Trust);
        Dev { records, login }
    }

    /// Says yes for this session to changes of the project at `root`.
    ///
    /// # Errors
    /// `unavailable` where there is no login session, `resource` when the state folder cannot be written.
    pub fn begin(&self, root: &Path) -> Result<(), ToolError> {
        let prefix = self.named(root)?;
        self.sweep();
        self.write(&format!("{prefix}yes"))
    }

    /// Whether this session said yes to changes of the project at `root`.
    pub fn is_active(&self, root: &Path) -> bool {
        self.prefix(root)
            .is_some_and(|prefix| self.records.has(&format!("{prefix}yes")))
    }

    /// Takes the session's yes back; whether there was one. What is marked stays marked.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn end(&self, root: &Path) -> Result<bool, ToolError> {
        match self.prefix(root) {
            Some(prefix) => self.records.remove(&format!("{prefix}yes")),
            None => Ok(false),
        }
    }

    /// Notes what the project holds before a model's call.
    ///
    /// # Errors
    /// `unavailable` where there is no login session, `resource` when the state folder cannot be written; then
    /// the call must not run.
    pub fn before(&self, workspace: &Workspace) -> Result<Stamp, ToolError> {
        let prefix = self.named(&workspace.root)?;
        let open = format!("{prefix}open-{}", token()?);
        self.write(&open)?;
        Ok(Stamp {
            workspace: workspace.clone(),
            before: survey(workspace),
            open,
        })
    }

    /// Marks what changed since, after the model's call.
    ///
    /// # Errors
    /// `resource` when that cannot be recorded; the session's yes has ended then.
    pub fn after(&self, stamp: Stamp) -> Result<(), ToolError> {
        let now = survey(&stamp.workspace);
        let root = &stamp.workspace.root;
        let marked = self.mark_changes(root, &stamp.before, &now);
        let closed = marked.and_then(|()| self.records.remove(&stamp.open));
        if closed.is_err() {
            self.end(root)?;
        }
        closed.map(drop)
    }

    fn mark_changes(&self, root: &Path, before: &Survey, now: &Survey) -> Result<(), ToolError> {
        for entry in &now.entries {
            if hash_in(before, &entry.path) != Some(entry.hash) {
                self.mark(root, &entry.path, Some(entry.hash))?;
            }
        }
        for entry in &before.entries {
            if hash_in(now, &entry.path).is_none() {
                self.mark(root, &entry.path, None)?;
            }
        }
        Ok(())
    }

    fn mark(&self, root: &Path, path: &str, hash: Option<Hash>) -> Result<(), ToolError> {
        match self.mark_name(root, path, hash) {
            Some(name) => self.write(&name),
            None => Ok(()),
        }
    }

    /// Whether the session's yes covers what differs between the last explicit yes and now.
    pub(super) fn covers(&self, last: &Last, survey: &Survey) -> bool {
        if !self.is_active(&survey.root) || self.is_unsettled(&survey.root) {
            return false;
        }
        let marked = |path: &str, hash: Option<Hash>| {
            let name = self.mark_name(&survey.root, path, hash);
            name.is_none_or(|name| self.records.has(&name))
        };
        let new = survey.entries.iter().filter(|entry| {
            let known = last.files.get(&entry.path);
            known.is_none_or(|known| known.hash != entry.hash)
        });
        let mut gone = last
            .files
            .keys()
            .filter(|path| hash_in(survey, path).is_none());
        let mut new = new.map(|entry| marked(&entry.path, Some(entry.hash)));
        !new.any(|marked| marked) && !gone.any(|path| marked(path, None))
    }

    /// After an explicit yes to everything, calls that never ended are no doubt any more.
    pub(super) fn settle(&self, root: &Path) -> Result<(), ToolError> {
        let Some(prefix) = self.prefix(root) else {
            return Ok(());
        };
        for name in self.records.names(&format!("{prefix}open-"))? {
            self.records.remove(&name)?;
        }
        Ok(())
    }

    fn is_unsettled(&self, root: &Path) -> bool {
        let open = self.prefix(root).map(|prefix| format!("{prefix}open-"));
        let open = open.map(|open| self.records.names(&open));
        !matches!(open, Some(Ok(names)) if names.is_empty())
    }

    /// What the names of all records of this session and project begin with.
    fn prefix(&self, root: &Path) -> Option<String> {
        let login = self.login.as_ref()?;
        Some(format!("dev-{}-{}-", login.key(), &record::key(root)[..32]))
    }

    /// The same, where it is needed.
    fn named(&self, root: &Path) -> Result<String, ToolError> {
        self.prefix(root).ok_or_else(|| {
            let message = "this process belongs to no login session that could end";
            ToolError::new(Kind::Unavailable, message)
                .with_hint("run it from the shell of a terminal")
        })
    }

    fn mark_name(&self, root: &Path, path: &str, hash: Option<Hash>) -> Option<String> {
        let hash = hash.map_or_else(|| "gone".to_owned(), |hash| hash.to_string());
        let mark = Hash::of(format!("{path}\n{hash}").as_bytes());
        Some(format!("{}mark-{mark}", self.prefix(root)?))
    }

    /// Every record says which login session it belongs to.
    fn write(&self, name: &str) -> Result<(), ToolError> {
        let words = self.login.as_ref().map_or("", Login::words);
        self.records.write(name, words.as_bytes())
    }

    /// Takes away what belongs to login sessions that have ended. What cannot be taken away is harmless.
    fn sweep(&self) {
        for name in self.records.names("dev-").unwrap_or_default() {
            let words = self.records.read(&name).ok().flatten().unwrap_or_default();
            if Login::alive(&String::from_utf8_lossy(&words)).is_none() {
                let _harmless = self.records.remove(&name);
            }
        }
    }
}

fn hash_in(survey: &Survey, path: &str) -> Option<Hash> {
    let at = survey
        .entries
        .binary_search_by(|entry| entry.path.as_str().cmp(path))
        .ok()?;
    Some(survey.entries[at].hash)
}
