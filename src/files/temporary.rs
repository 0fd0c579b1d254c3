//! The temporary names of a commit: made here, and swept here when the process that made them died.
//!
//! Only a name that a lock file tells of is ever swept, after its lock has been let go by death. A folder
//! that was set aside stays where it is: it holds what a person may want back.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use rustix::fs::AtFlags;

use super::Root;
use crate::error::ToolError;
use crate::store::token;

/// A name that nobody else has.
pub(super) fn name() -> Result<OsString, ToolError> {
    Ok(format!(".agent-{}.tmp", token()?).into())
}

fn is_ours(name: &OsStr) -> bool {
    let inner = name.to_str().and_then(|name| name.strip_prefix(".agent-"));
    inner
        .and_then(|inner| inner.strip_suffix(".tmp"))
        .is_some_and(|token| {
            token.len() == 16 && token.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}

/// Removes the file or link at the real path `stray`, if its name is one of these; with a slash at its end, a
/// folder in which nothing is.
pub(super) fn sweep(stray: &Path) {
    if stray.as_os_str().as_encoded_bytes().ends_with(b"/") {
        let (Some(above), Some(name)) = (stray.parent(), stray.file_name()) else {
            return;
        };
        if let Ok(above) = Root::open(above) {
            let _full_or_gone = rustix::fs::unlinkat(&above, name, AtFlags::REMOVEDIR);
        }
        return;
    }
    let (Some(folder), Some(name)) = (stray.parent(), stray.file_name()) else {
        return;
    };
    let Some(root) = is_ours(name).then(|| Root::open(folder).ok()).flatten() else {
        return;
    };
    let _folder_or_gone = rustix::fs::unlinkat(&root, name, AtFlags::empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_nothing_that_is_not_ours() {
        let tree = tempfile::tempdir().unwrap();
        let top = tree.path().canonicalize().unwrap();
        let made = name().unwrap();
        std::fs::create_dir(top.join(".agent-0123456789abcdef.tmp")).unwrap();
        let others = [
            "notes.tmp",
            ".agent-notes.tmp",
            ".agent-0123456789abcdex.tmp",
        ];
        for name in others.map(OsStr::new).iter().chain([&made.as_os_str()]) {
            std::fs::write(top.join(name), "x").unwrap();
        }
        for entry in std::fs::read_dir(&top).unwrap() {
            sweep(&entry.unwrap().path());
        }
        assert!(!top.join(&made).exists());
        assert_eq!(std::fs::read_dir(&top).unwrap().count(), others.len() + 1);
    }
}
