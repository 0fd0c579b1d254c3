//! The yes to what `agent init` writes: the person asked for it, so it is given at once.
//!
//! It covers the files that were written here and those that a yes covered before. Where anything else lies beside
//! them, the project is as untrusted as it was.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::ToolError;
use crate::layers::{Entry, SourceFile, Survey, survey};
use crate::store::{Paths, Workspace};
use crate::trust::{Standing, Trust};

/// What the project held before, and what is written into it.
pub(super) struct Trusted {
    trust: Trust,
    workspace: Workspace,
    /// What a yes covered before.
    before: Option<Survey>,
    written: BTreeMap<String, String>,
}

impl Trusted {
    /// Looks at the project at `top`, into which nothing is written yet.
    pub(super) fn before(top: &Path, paths: &Paths) -> Trusted {
        let trust = Trust::new(paths);
        let workspace = Workspace {
            root: top.to_owned(),
            restricted: false,
        };
        let found = survey(&workspace);
        let is_covered = trust.standing(&found) == Standing::Trusted;
        Trusted {
            before: is_covered.then_some(found),
            trust,
            workspace,
            written: BTreeMap::new(),
        }
    }

    /// Notes a file that stands there with this text, or would if it had not been there before.
    pub(super) fn wrote(&mut self, path: &str, text: &str) {
        self.written.insert(path.to_owned(), text.to_owned());
    }

    /// What of the project may be loaded now; none where something in it has no yes.
    pub(super) fn sources(&self) -> Option<Vec<SourceFile>> {
        let found = survey(&self.workspace);
        self.covers(&found).then(|| found.sources())
    }

    /// Gives the yes, if it is due; whether everything is trusted now.
    ///
    /// # Errors
    /// `resource` when it cannot be recorded.
    pub(super) fn accept(&self) -> Result<bool, ToolError> {
        let found = survey(&self.workspace);
        if !self.covers(&found) {
            return Ok(false);
        }
        self.trust.accept(&found)?;
        Ok(true)
    }

    fn covers(&self, found: &Survey) -> bool {
        found.refused.is_empty() && found.entries.iter().all(|entry| self.covers_file(entry))
    }

    fn covers_file(&self, entry: &Entry) -> bool {
        let written = self.written.get(&entry.path);
        let before = self.before.iter().flat_map(|survey| &survey.entries);
        let mut same = before.filter(|there| there.path == entry.path && there.hash == entry.hash);
        written.is_some_and(|text| *text.as_bytes() == *entry.bytes) || same.next().is_some()
    }
}
