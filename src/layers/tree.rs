//! The files of a project that could run, each read once by handle. It follows no link out of the project,
//! opens nothing that is no file, and reads nothing that others may write.
//!
//! A link that stays inside is followed: where it leads is opened without following any. Whatever bears a
//! name that would load and is left out is named with the reason; other names are passed over.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Entry, Refused, What};
use crate::error::said;
use crate::store::{self, Hash, Root, real_path};
use crate::text::one_line;

/// How many files a project may bring.
pub(super) const MOST_FILES: usize = 2_000;
/// How long one of them may be, in bytes.
pub(super) const MOST_BYTES: u64 = 1 << 20;
/// How long all of them may be together, in bytes.
pub(super) const MOST_TOGETHER: usize = 16 << 20;
/// How many names are looked at.
const MOST_NAMES: usize = 100_000;
/// How deep folders may stand in each other.
const MOST_DEPTH: usize = 16;

/// What was found so far.
pub(super) struct Tree {
    path: PathBuf,
    root: Root,
    /// Folders that were looked at and are fine, relative to the root.
    fine: HashSet<PathBuf>,
    /// Whether the project has a folder `.agent` that may be entered.
    has_agent: bool,
    names: usize,
    together: usize,
    pub(super) entries: Vec<Entry>,
    pub(super) refused: Vec<Refused>,
    /// Why nothing of the project can load at all.
    pub(super) over: Option<String>,
}

/// What stands at a path, and where it really is, relative to the root.
struct Found {
    real: PathBuf,
    is_folder: bool,
}

impl Tree {
    /// The project at the real path `path`; nothing of it is read yet.
    pub(super) fn open(path: &Path) -> io::Result<Tree> {
        Ok(Tree {
            path: path.to_owned(),
            root: Root::open(path)?,
            fine: HashSet::new(),
            has_agent: false,
            names: 0,
            together: 0,
            entries: Vec::new(),
            refused: Vec::new(),
            over: None,
        })
    }

    /// Reads everything there is.
    pub(super) fn read_all(&mut self) {
        self.has_agent = self.folder(".agent", usize::MAX);
        if self.has_agent {
            for folder in ["tools", "tool"] {
                self.folder(folder, 1);
            }
        }
        for folder in [".claude/commands", ".claude/skills"] {
            self.folder(folder, usize::MAX);
        }
        let alone = [
            ".mcp.json",
            ".claude/settings.json",
            ".claude/settings.local.json",
        ];
        for file in alone {
            self.visit(file, 0, &[]);
        }
        self.entries.sort_by(|a, b| a.path.cmp(&b.path));
        self.refused.sort_by(|a, b| a.shown.cmp(&b.shown));
    }

    /// Visits what is in the folder at `path`, `levels` deep; whether it may be entered.
    fn folder(&mut self, path: &str, levels: usize) -> bool {
        let found = match self.find(path) {
            Ok(Some(found)) => found,
            Ok(None) => return false,
            Err(why) => {
                self.refuse(path, why, What::of(path, true));
                return false;
            }
        };
        if !found.is_folder {
            return false;
        }
        self.enter(path, &found.real, levels, &[]);
        true
    }

    /// `chain` are the folders that stand around it, where they really are.
    fn enter(&mut self, path: &str, real: &Path, levels: usize, chain: &[&Path]) {
        if chain.contains(&real) {
            return self.refuse(path, "is a link to a folder that it stands in", None);
        }
        if chain.len() == MOST_DEPTH {
            return self.refuse(path, "stands too deep", None);
        }
        let chain = [chain, &[real]].concat();
        let names = self.root.folder(real).and_then(|folder| folder.names());
        let names = match names {
            Ok(names) => names,
            Err(error) => return self.refuse(path, &unread(&error), None),
        };
        for name in names {
            self.names += 1;
            if self.names > MOST_NAMES {
                self.over = Some(format!("it has more than {MOST_NAMES} names to look at"));
            }
            if self.over.is_some() {
                return;
            }
            match clean(&name) {
                Some(name) => self.visit(&format!("{path}/{name}"), levels - 1, &chain),
                None => self.unnamed(path, &name),
            }
        }
    }

    /// A name that cannot be shown as it is never loads.
    fn unnamed(&mut self, path: &str, name: &OsStr) {
        let shown = format!("{path}/{}", name.to_string_lossy());
        if What::of(&shown, true).is_some() {
            let why = "has characters in its name that cannot be shown";
            self.refuse(&shown, why, What::of(&shown, true));
        }
    }

    fn visit(&mut self, path: &str, levels: usize, chain: &[&Path]) {
        let what = What::of(path, self.has_agent || path.starts_with(".agent/"));
        // Of what is neither wanted nor a folder to enter, nothing is looked at.
        let is_hidden = path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.starts_with('.'));
        if what.is_none() && (levels == 0 || is_hidden) {
            return;
        }
        let found = match self.find(path) {
            Ok(Some(found)) => found,
            Ok(None) => return,
            // Of what is not wanted by its name only folders matter.
            Err(_) if what.is_none() && !self.path.join(path).is_dir() => return,
            Err(why) => return self.refuse(path, why, what),
        };
        if found.is_folder && what.is_some_and(|what| what.role().is_some() || levels == 0) {
            self.refuse(path, "is a folder, not a file", what);
        }
        match (found.is_folder, what) {
            (true, _) if levels > 0 => self.enter(path, &found.real, levels, chain),
            (false, Some(what)) => self.read(path, &found.real, what),
            _ => {}
        }
    }

    /// Where `path` really is, if it is there; or why it is refused.
    fn find(&mut self, path: &str) -> Result<Option<Found>, &'static str> {
        // One look that follows nothing says of most of them that they are not there.
        let is_link = match self.root.look(Path::new(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            looked => looked.is_ok_and(|found| found.is_symlink()),
        };
        let asked = self.path.join(path);
        let Ok((real, entry)) = real_path(&asked, true) else {
            return Err("is a circle of links");
        };
        let Ok(real) = real.strip_prefix(&self.path).map(Path::to_owned) else {
            return Err("is a link that leaves the project");
        };
        let is_folder = match entry {
            store::Entry::Missing if is_link => return Err("is a link to nothing"),
            store::Entry::Missing => return Ok(None),
            store::Entry::Unreachable => return Err("is in a folder that may not be searched"),
            store::Entry::Other(_) | store::Entry::Link => return Err("is no file"),
            store::Entry::File => false,
            store::Entry::Folder => true,
        };
        let folders = match is_folder {
            true => Some(real.as_path()),
            false => real.parent(),
        };
        for folder in folders.into_iter().flat_map(Path::ancestors) {
            self.check(folder)?;
        }
        Ok(Some(Found { real, is_folder }))
    }

    fn check(&mut self, folder: &Path) -> Result<(), &'static str> {
        if folder.as_os_str().is_empty() || self.fine.contains(folder) {
            return Ok(());
        }
        let found = self
            .root
            .look(folder)
            .map_err(|_| "changed while it was looked at")?;
        owned(&found, rustix::process::geteuid().as_raw())?;
        self.fine.insert(folder.to_owned());
        Ok(())
    }

    fn read(&mut self, path: &str, real: &Path, what: What) {
        let bytes = match self.bytes(real) {
            Ok(bytes) => bytes,
            Err(why) => return self.refuse(path, &why, Some(what)),
        };
        self.together += bytes.len();
        if self.entries.len() == MOST_FILES {
            self.over = Some(format!(
                "it has more than {MOST_FILES} files that could run"
            ));
        } else if self.together > MOST_TOGETHER {
            let most = MOST_TOGETHER >> 20;
            self.over = Some(format!(
                "its files that could run have more than {most} MiB"
            ));
        } else {
            self.entries.push(Entry {
                path: path.to_owned(),
                hash: Hash::of(&bytes),
                bytes,
                what,
            });
        }
    }

    /// The bytes of the file at `real`, or why there are none. What is checked is what was opened.
    fn bytes(&self, real: &Path) -> Result<Arc<[u8]>, String> {
        let file = self.root.read(real).map_err(|error| unread(&error))?;
        let found = file.metadata().map_err(|error| unread(&error))?;
        if !found.is_file() {
            return Err("is no file".to_owned());
        }
        owned(&found, rustix::process::geteuid().as_raw())?;
        let mut bytes = Vec::new();
        let most = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        most.map_err(|error| unread(&error))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(format!("is longer than {} MiB", MOST_BYTES >> 20));
        }
        Ok(bytes.into())
    }

    fn refuse(&mut self, path: &str, why: &str, what: Option<What>) {
        self.refused.push(Refused {
            shown: one_line(path),
            why: why.to_owned(),
            what,
        });
    }
}

/// Of the user `us` or the system's, and not writable for all. Whether a group may write is the person's own affair:
/// what it writes needs a new yes like any change.
pub(super) fn owned(found: &Metadata, us: u32) -> Result<(), &'static str> {
    if found.uid() != us && found.uid() != 0 {
        return Err("belongs to somebody else");
    }
    if found.mode() & 0o002 != 0 {
        return Err("may be written by everybody");
    }
    Ok(())
}

/// Why a file could not be read, as the rest of a sentence about it.
pub(super) fn unread(error: &io::Error) -> String {
    match rustix::io::Errno::from_io_error(error) {
        Some(rustix::io::Errno::LOOP) => "became a link while it was read".to_owned(),
        _ => format!("cannot be read: {}", said(error)),
    }
}

/// A name that is text and looks as it is.
fn clean(name: &OsStr) -> Option<&str> {
    let name = name.to_str()?;
    (one_line(name) == name).then_some(name)
}
