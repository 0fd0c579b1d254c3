//! AGENTS.md and CLAUDE.md of a workspace: the rules in them, which are read before anything is trusted.
//!
//! Only what lies in the workspace is read: a link that leaves it is refused. What cannot be read is said,
//! since its rules do not hold then.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::tree::unread;
use crate::permission::{Block, INSTRUCTIONS, Rule};
use crate::store::{Entry, Root, Workspace, real_path};
use crate::text::{counted, one_line};

/// How long such a file may be, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// How many faults of one file are told one by one.
const MOST_FAULTS: usize = 20;

/// The rules of a workspace's instruction files.
#[derive(Clone, Debug, Default)]
pub struct Instructions {
    /// The rules: denies and asks.
    pub rules: Vec<Rule>,
    /// The real paths of the files that were read.
    pub files: Vec<PathBuf>,
    /// What does not hold although somebody wrote it: `FILE:LINE: why`.
    pub warnings: Vec<String>,
    /// What is passed over by design.
    pub notes: Vec<String>,
}

/// Reads the instruction files of `workspace`.
pub fn instructions(workspace: &Workspace) -> Instructions {
    let mut found = Instructions::default();
    // In the order of the list: the last rule that matches speaks.
    for name in INSTRUCTIONS {
        match read(&workspace.root, name, &found.files) {
            Ok(Some((real, text))) => {
                found.files.push(real);
                found.add(name, &text);
            }
            Ok(None) => {}
            Err(why) => {
                let line = format!("{name} {why}, so rules in it do not hold");
                found.warnings.push(line);
            }
        }
    }
    found
}

impl Instructions {
    fn add(&mut self, name: &str, text: &str) {
        let block = Block::read(text);
        let rules = block.rules.into_iter();
        self.rules.extend(rules.map(|rule| rule.written_in(name)));
        let more = block.faults.len().saturating_sub(MOST_FAULTS);
        for (line, why) in block.faults.into_iter().take(MOST_FAULTS) {
            self.warnings
                .push(format!("{name}:{line}: {}", one_line(&why)));
        }
        if more > 0 {
            let more = counted(more, "more line");
            self.warnings.push(format!("{name}: {more} cannot be read"));
        }
        if let Some(first) = block.allows.first() {
            let count = counted(block.allows.len(), "rule");
            self.notes.push(format!(
                "{name}:{first}: {count} that would allow something: passed over"
            ));
        }
    }
}

/// The text of one file and where it really is; nothing where it does not exist, or was read by another name.
fn read(root: &Path, name: &str, known: &[PathBuf]) -> Result<Option<(PathBuf, String)>, String> {
    let path = root.join(name);
    let (real, entry) = real_path(&path, true).map_err(|_| "is a circle of links")?;
    let Ok(below) = real.strip_prefix(root) else {
        return Err("is a link that leaves the workspace".to_owned());
    };
    match entry {
        Entry::File => {}
        Entry::Missing => return Ok(None),
        other => return Err(format!("is {other}, not a file")),
    }
    if known.contains(&real) {
        return Ok(None);
    }
    let failed = |error: io::Error| unread(&error);
    let file = Root::open(root)
        .and_then(|root| root.read(below))
        .map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err("is no file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("is longer than {} MiB", MOST_BYTES >> 20));
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Some((real, text)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    const DENY: &str = "```permissions\ndeny read:x\n```\n";

    fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let tree = tempfile::tempdir().unwrap();
        let root = tree.path().canonicalize().unwrap().join("w");
        fs::create_dir(&root).unwrap();
        for (path, text) in files {
            fs::write(root.join(path), text).unwrap();
        }
        let restricted = false;
        (tree, Workspace { root, restricted })
    }

    #[test]
    fn both_files_speak() {
        let ask = "~~~permissions\nask edit\nallow shell\n~~~";
        let (_tree, workspace) = workspace(&[("AGENTS.md", DENY), ("CLAUDE.md", ask)]);
        let found = instructions(&workspace);
        let rules: Vec<String> = found.rules.iter().map(Rule::to_string).collect();
        assert_eq!(rules, ["read:x", "edit"]);
        assert!(found.warnings.is_empty() && found.files.len() == 2);
        let note = "CLAUDE.md:3: 1 rule that would allow something: passed over";
        assert_eq!(found.notes, [note]);
    }

    #[test]
    fn a_link_inside_is_followed_once_and_one_that_leaves_is_refused() {
        let (tree, workspace) = workspace(&[("AGENTS.md", DENY)]);
        symlink("AGENTS.md", workspace.root.join("CLAUDE.md")).unwrap();
        let found = instructions(&workspace);
        assert_eq!((found.rules.len(), found.warnings.len()), (1, 0));
        fs::write(tree.path().join("out.md"), DENY).unwrap();
        // In the order of the list: the last rule that matches speaks.
        for name in INSTRUCTIONS {
            fs::remove_file(workspace.root.join(name)).unwrap();
            symlink("../out.md", workspace.root.join(name)).unwrap();
        }
        let found = instructions(&workspace);
        assert!(found.rules.is_empty());
        let said = "AGENTS.md is a link that leaves the workspace, so rules in it do not hold";
        assert_eq!(found.warnings[0], said);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let (_tree, workspace) = workspace(&[("AGENTS.md", "```permissions\n\u{1b}[2Jx\n")]);
        fs::create_dir(workspace.root.join("CLAUDE.md")).unwrap();
        let found = instructions(&workspace);
        assert!(
            found.warnings[0].starts_with("AGENTS.md:2: "),
            "{:?}",
            found.warnings
        );
        assert!(!found.warnings[0].contains('\u{1b}'));
        assert!(found.warnings[1].starts_with("CLAUDE.md is a folder"));
        let long = " ".repeat(MOST_BYTES as usize + 1);
        fs::write(workspace.root.join("AGENTS.md"), long).unwrap();
        assert!(instructions(&workspace).warnings[0].contains("longer than 1 MiB"));
        let many = format!("```permissions\n{}", "?\n".repeat(50));
        fs::write(workspace.root.join("AGENTS.md"), many).unwrap();
        let found = instructions(&workspace);
        assert_eq!(
            found.warnings[MOST_FAULTS],
            "AGENTS.md: 30 more lines cannot be read"
        );
    }
}
