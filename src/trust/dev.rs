//! A yes for one login session, to changes that no model's call made.
//!
//! What changes while a model's call runs is marked, path and content, and only an explicit yes covers it
//! from then on. While such a call is open, or when one never came to its end, nothing is covered: who
//! changed what is not known. Every doubt ends in "not covered".

use std::path::Path;
use std::sync::OnceLock;

use super::record::{self, Last};
use super::{Login, State};
use crate::error::{Kind, ToolError};
use crate::layers::{Survey, survey};
use crate::store::{Hash, Paths, Records, Room, Workspace, token};

/// The session's yes, for every project that it was given to.
#[derive(Clone, Debug)]
pub struct Dev {
    records: Records,
    /// Found out where it matters first: most runs never ask.
    login: OnceLock<Option<Login>>,
}

/// What a project held before a model's call.
#[derive(Debug)]
pub struct Stamp {
    workspace: Workspace,
    before: Last,
    /// The record that says that the call is open.
    open: String,
}

impl Dev {
    /// What is recorded below this state folder for this process's login session.
    pub fn new(paths: &Paths) -> Dev {
        let records = Records::new(paths, Room::Trust);
        let login = OnceLock::new();
        Dev { records, login }
    }

    /// The same for `login`.
    pub fn seen_from(paths: &Paths, login: Option<Login>) -> Dev {
        let records = Records::new(paths, Room::Trust);
        let login = OnceLock::from(login);
        Dev { records, login }
    }

    fn login(&self) -> Option<&Login> {
        self.login.get_or_init(Login::of_process).as_ref()
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
            before: Last::of(&survey(workspace)),
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

    /// Marks what differs from `last`, after a model's call that nobody watched: the session said yes only
    /// while it ran. What others changed since is marked with it.
    ///
    /// # Errors
    /// `resource` when that cannot be recorded; the session's yes has ended then.
    pub(super) fn doubt(&self, workspace: &Workspace, last: &Last) -> Result<(), ToolError> {
        let root = &workspace.root;
        let marked = self.mark_changes(root, last, &survey(workspace));
        if marked.is_err() {
            self.end(root)?;
        }
        marked
    }

    fn mark_changes(&self, root: &Path, before: &Last, now: &Survey) -> Result<(), ToolError> {
        let changes = now.changes(before);
        let mut changes = changes.filter(|change| change.state != State::Same);
        changes.try_for_each(|change| self.mark(root, change.path, change.hash))
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
        let changes = survey.changes(last);
        let mut changes = changes.filter(|change| change.state != State::Same);
        !changes.any(|change| marked(change.path, change.hash))
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
        let login = self.login()?;
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
        let words = self.login().map_or("", Login::words);
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
