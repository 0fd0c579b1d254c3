//! The text of AGENTS.md and CLAUDE.md, for a model: what the people of a repository want whoever works in it to know.
//!
//! It is text and nothing else: it needs no trust and grants nothing. Only what lies in the workspace is read, through no
//! link that leaves it.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::permission::INSTRUCTIONS;
use crate::store::{Entry, Root, Workspace, real_path};
use crate::text::head_bytes;

/// How many bytes of one file a model gets.
const MOST_BYTES: usize = 32 << 10;

/// The text of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guide {
    /// Where it is, below the workspace.
    pub path: String,
    /// What it says; cut, and said so, where it is long.
    pub text: String,
}

/// The guides of the folders from the workspace down to `folder`, a real path: the widest first. None, where `folder` lies
/// outside.
pub fn guides(workspace: &Workspace, folder: &Path) -> Vec<Guide> {
    let folders = folders(workspace, folder);
    let guides = folders.iter().map(|folder| guide(workspace, folder));
    guides.flatten().collect()
}

/// The folders from the workspace down to `folder`, a real path. None, where it lies outside.
pub fn folders(workspace: &Workspace, folder: &Path) -> Vec<PathBuf> {
    let Ok(below) = folder.strip_prefix(&workspace.root) else {
        return Vec::new();
    };
    let mut folders = vec![workspace.root.clone()];
    for part in below {
        let next = folders.last().map(|last| last.join(part));
        folders.extend(next);
    }
    folders
}

/// The guide of one folder: the first file there is that says something.
pub fn guide(workspace: &Workspace, folder: &Path) -> Option<Guide> {
    INSTRUCTIONS
        .iter()
        .find_map(|name| read(workspace, &folder.join(name)))
}

fn read(workspace: &Workspace, path: &Path) -> Option<Guide> {
    let (real, entry) = real_path(path, true).ok()?;
    let below = real.strip_prefix(&workspace.root).ok()?;
    if entry != Entry::File {
        return None;
    }
    let file = Root::open(&workspace.root)
        .and_then(|root| root.read(below))
        .ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = match bytes.len() > MOST_BYTES {
        true => format!(
            "{}\n[… cut after {MOST_BYTES} bytes]",
            head_bytes(&text, MOST_BYTES)
        ),
        false => text.trim_end().to_owned(),
    };
    let path = path
        .strip_prefix(&workspace.root)
        .ok()?
        .to_string_lossy()
        .into_owned();
    (!text.trim().is_empty()).then_some(Guide { path, text })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("w");
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let restricted = false;
        (folder, Workspace { root, restricted })
    }

    fn paths(workspace: &Workspace, folder: &str) -> Vec<String> {
        let guides = guides(workspace, &workspace.root.join(folder));
        guides.into_iter().map(|guide| guide.path).collect()
    }

    #[test]
    fn the_widest_comes_first_and_a_folder_speaks_once() {
        let (_folder, workspace) = tree(&[
            ("AGENTS.md", "root\n"),
            ("CLAUDE.md", "also\n"),
            ("a/x", ""),
            ("a/b/CLAUDE.md", "deep\n"),
            ("c/AGENTS.md", "beside\n"),
        ]);
        assert_eq!(paths(&workspace, "a/b"), ["AGENTS.md", "a/b/CLAUDE.md"]);
        assert_eq!(paths(&workspace, ""), ["AGENTS.md"]);
        assert_eq!(guides(&workspace, Path::new("/")), []);
    }

    #[test]
    fn an_empty_one_gives_way_and_a_link_that_leaves_is_not_read() {
        let (folder, workspace) = tree(&[("AGENTS.md", " \n"), ("CLAUDE.md", "here"), ("a/x", "")]);
        assert_eq!(paths(&workspace, ""), ["CLAUDE.md"]);
        fs::write(folder.path().join("out.md"), "secret").unwrap();
        symlink("../../out.md", workspace.root.join("a/AGENTS.md")).unwrap();
        assert_eq!(paths(&workspace, "a"), ["CLAUDE.md"]);
    }

    #[test]
    fn a_long_one_is_cut_and_says_so() {
        let long = "ä".repeat(MOST_BYTES);
        let (_folder, workspace) = tree(&[("AGENTS.md", &long)]);
        let guide = guide(&workspace, &workspace.root).unwrap();
        assert!(guide.text.ends_with("[… cut after 32768 bytes]"));
        assert!(guide.text.len() < MOST_BYTES + 100);
    }
}
