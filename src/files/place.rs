//! Where a path leads: what was asked, what it really is, how it is shown, whether it is inside.
//!
//! Nothing is opened and nothing is changed; what a place says may be outdated a moment later, so
//! whoever reads, walks or changes it opens its real path again and follows no link on the way.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::Files;
use crate::error::ToolError;
use crate::store::{Entry, real_path};

/// A path that was resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The words of the caller.
    pub asked: String,
    /// The absolute path that was asked for, `.` and `..` taken away by name alone.
    pub path: PathBuf,
    /// Where it really leads: absolute, without links.
    pub real: PathBuf,
    /// How it is shown: relative to the session's folder, `~/…`, or absolute. Given back as it is, it
    /// leads to the same place.
    pub display: String,
    /// How rules name it: relative to the workspace, `~/…`, or absolute.
    pub name: String,
    /// Whether `real` is the workspace or lies in it.
    pub inside: bool,
    /// What stood there.
    pub entry: Entry,
}

impl Place {
    /// Whether something stands there.
    pub fn exists(&self) -> bool {
        !matches!(self.entry, Entry::Missing | Entry::Unreachable)
    }
}

impl Files {
    /// Resolves `asked` from the session's folder; `~/` is the home folder. The last component is
    /// followed too, as reading and writing do.
    ///
    /// # Errors
    /// `argument`: empty, a zero byte, `~/` without a home, a loop of links.
    pub fn resolve(&self, asked: &str) -> Result<Place, ToolError> {
        self.place(OsStr::new(asked), true)
    }

    /// The same for a name that need not be UTF-8.
    ///
    /// # Errors
    /// As [`Files::resolve`].
    pub fn resolve_os(&self, asked: &OsStr) -> Result<Place, ToolError> {
        self.place(asked, true)
    }

    /// Resolves `asked` but leaves a link in the last component alone, as moving and deleting do.
    ///
    /// # Errors
    /// As [`Files::resolve`].
    pub fn resolve_entry(&self, asked: &str) -> Result<Place, ToolError> {
        self.place(OsStr::new(asked), false)
    }

    /// What `asked` names where it cannot be resolved, such as a loop of links: by its words alone.
    ///
    /// # Errors
    /// `argument`: empty, a zero byte, `~/` without a home.
    pub fn by_name(&self, asked: &str) -> Result<Place, ToolError> {
        let path = normalised(&self.absolute(OsStr::new(asked))?);
        Ok(Place {
            asked: asked.to_owned(),
            display: self.show(&path),
            name: self.name(&path),
            inside: path.starts_with(&self.workspace),
            real: path.clone(),
            path,
            entry: Entry::Unreachable,
        })
    }

    fn place(&self, asked: &OsStr, follow_last: bool) -> Result<Place, ToolError> {
        let absolute = self.absolute(asked)?;
        let words = asked.to_string_lossy().into_owned();
        let (real, entry) = real_path(&absolute, follow_last).map_err(|error| {
            ToolError::argument(format!("{words}: {error}"))
                .with_hint("name the file itself, without the links that lead in a circle")
        })?;
        let mut path = normalised(&absolute);
        let climbs = absolute
            .components()
            .any(|part| part == Component::ParentDir);
        if climbs && real_path(&path, follow_last).is_ok_and(|(other, _)| other != real) {
            path.clone_from(&real);
        }
        Ok(Place {
            display: self.show(&path),
            name: self.name(&path),
            inside: real.starts_with(&self.workspace),
            asked: words,
            path,
            real,
            entry,
        })
    }

    /// The place of `name` in the folder at `folder`, where `entry` stands; a link is not followed.
    pub(super) fn child(&self, folder: &Place, name: &OsStr, entry: Entry) -> Place {
        let (path, real) = (folder.path.join(name), folder.real.join(name));
        Place {
            asked: name.to_string_lossy().into_owned(),
            display: self.show(&path),
            name: self.name(&path),
            inside: real.starts_with(&self.workspace),
            path,
            real,
            entry,
        }
    }

    fn absolute(&self, asked: &OsStr) -> Result<PathBuf, ToolError> {
        let bytes = asked.as_bytes();
        if bytes.is_empty() {
            return Err(ToolError::argument("the path is empty")
                .with_hint("name a file or a folder; `.` is the current folder"));
        }
        if bytes.contains(&0) {
            return Err(ToolError::argument(format!(
                "the path {:?} contains a zero byte",
                asked.to_string_lossy()
            )));
        }
        let Some(rest) = bytes
            .strip_prefix(b"~")
            .filter(|rest| matches!(rest.first(), None | Some(b'/')))
        else {
            return Ok(self.cwd.join(asked));
        };
        let Some(home) = &self.home else {
            return Err(
                ToolError::argument("`~` is not known: there is no home folder")
                    .with_hint("give the absolute path"),
            );
        };
        let below = rest
            .iter()
            .position(|byte| *byte != b'/')
            .map_or(&[][..], |at| &rest[at..]);
        Ok(home.join(OsStr::from_bytes(below)))
    }

    /// How an absolute path is shown: relative to the session's folder where both lie in the
    /// workspace, else `~/…` or as it is.
    pub fn show(&self, path: &Path) -> String {
        let (Some(to), Some(from)) = (self.below(path), self.below(&self.shown_from)) else {
            return self.name(path);
        };
        let shared = to
            .components()
            .zip(from.components())
            .take_while(|(a, b)| a == b)
            .count();
        let up = from.components().skip(shared).map(|_| Component::ParentDir);
        let down = to.components().skip(shared);
        let shown: PathBuf = up.chain(down).collect();
        match shown.to_string_lossy() {
            shown if shown.is_empty() => ".".to_owned(),
            shown if shown.starts_with('~') => format!("./{shown}"),
            shown => shown.into_owned(),
        }
    }

    /// `path` relative to the workspace, if it lies in it.
    fn below<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        let below = |workspace: &PathBuf| path.strip_prefix(workspace).ok();
        below(&self.workspace_asked).or_else(|| below(&self.workspace))
    }

    /// How rules name an absolute path: relative to the workspace, `~/…`, or as it is.
    pub fn name(&self, path: &Path) -> String {
        if let Some(below) = self.below(path) {
            return match below.to_string_lossy() {
                below if below.is_empty() => ".".to_owned(),
                below if below.starts_with('~') => format!("./{below}"),
                below => below.into_owned(),
            };
        }
        for home in self.home.iter().chain(&self.home_real) {
            if let Ok(below) = path.strip_prefix(home) {
                let below = below.to_string_lossy();
                return if below.is_empty() {
                    "~".to_owned()
                } else {
                    format!("~/{below}")
                };
            }
        }
        path.to_string_lossy().into_owned()
    }
}

/// `path` without `.` and `..`, by name alone.
pub(super) fn normalised(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => {
                plain.pop();
            }
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests;
