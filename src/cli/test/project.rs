//! What lies in a project's folder `.agent`, for tests: the files of its survey and no others, each as it was read then.
//!
//! Naming such a folder is a yes to running what is in it. It is none to links that lead out of the project, or to files
//! that others may write.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::error::{Kind, ToolError};
use crate::layers::{SourceFile, Survey, survey};
use crate::store::Workspace;

/// The projects that were met so far, each read once.
#[derive(Default)]
pub(super) struct Projects {
    surveys: BTreeMap<PathBuf, Survey>,
}

/// A path in the folder `.agent` of a project.
struct Inside {
    /// The top of the project, a real path.
    root: PathBuf,
    /// From there, with `/` between names.
    path: String,
}

impl Projects {
    /// The text of the file at `path`, if it lies in a folder `.agent`.
    pub(super) fn text(&mut self, path: &Path) -> Option<Result<Vec<u8>, ToolError>> {
        let inside = inside(path)?;
        let survey = self.survey(&inside.root);
        let mut entries = survey.entries.iter();
        let entry = entries.find(|entry| entry.path == inside.path);
        Some(match entry {
            Some(entry) => Ok(entry.bytes.to_vec()),
            None => Err(refused(survey, &inside.path)),
        })
    }

    /// All that a session would load of `.agent`, if `folder` is the folder of tools in it.
    pub(super) fn sources(&mut self, folder: &Path) -> Option<Vec<SourceFile>> {
        let inside = inside(folder).filter(|inside| TOOLS.contains(&inside.path.as_str()))?;
        let files = self.survey(&inside.root).sources().into_iter();
        let top = folder.ancestors().nth(2).unwrap_or(Path::new(""));
        let files = files.filter(|file| file.shown.starts_with(".agent/"));
        let shown = |file: SourceFile| SourceFile {
            shown: top.join(&file.shown).display().to_string(),
            ..file
        };
        Some(files.map(shown).collect())
    }

    fn survey(&mut self, root: &Path) -> &Survey {
        self.surveys.entry(root.to_owned()).or_insert_with(|| {
            survey(&Workspace {
                root: root.to_owned(),
                restricted: false,
            })
        })
    }
}

/// The folders of tools in `.agent`.
const TOOLS: [&str; 2] = [".agent/tools", ".agent/tool"];

/// Why a file of the project is not there for tests.
fn refused(survey: &Survey, path: &str) -> ToolError {
    let holds = |shown: &str| {
        let rest = path.strip_prefix(shown);
        shown == "." || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut all = survey.refused.iter();
    let why = all.find(|refused| holds(&refused.shown));
    let message = match why {
        Some(refused) => format!("{} {}", refused.shown, refused.why),
        None => format!("{path} is none of the files that a project brings"),
    };
    ToolError::new(Kind::Denied, message).with_hint("put a file of the project in its place")
}

/// Where in a project's `.agent` a path lies: as it is written, else where it really is.
fn inside(path: &Path) -> Option<Inside> {
    let written = std::path::absolute(path).ok()?;
    let is_plain = |path: &Path| !path.components().any(|part| part == Component::ParentDir);
    let real = || {
        let folder = written.parent()?.canonicalize().ok()?;
        Some(folder.join(written.file_name()?))
    };
    let below = |path: &Path| {
        let is_agent = |folder: &&Path| folder.file_name() == Some(OsStr::new(".agent"));
        let top = path.ancestors().find(is_agent)?.parent()?;
        let rest = path.strip_prefix(top).ok()?;
        Some(Inside {
            root: top.canonicalize().ok()?,
            path: rest.to_string_lossy().into_owned(),
        })
    };
    let as_written = is_plain(&written).then(|| below(&written)).flatten();
    as_written.or_else(|| below(&real()?))
}
