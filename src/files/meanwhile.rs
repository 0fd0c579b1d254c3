//! What changed at a place without a commit: what a command has done to a file that is held.
//!
//! It compares what was left there with what stands there now and says how one became the other. It changes nothing.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::change::{Action, Change, Form, Image};
use super::recover::stands;
use super::units::mode;
use super::{Entry, Files, Place};
use crate::error::ToolError;

impl Files {
    /// Whether at the real path `path` stands what was `left` there, or nothing if that was nothing. `strictly`: with
    /// its permission bits, where they are known.
    pub fn is_as_left(&self, path: &Path, left: Option<&Image>, strictly: bool) -> bool {
        let Some(image) = left else {
            return path.symlink_metadata().is_err();
        };
        let has_its_bits = || match image.form {
            Form::File => image.mode.is_none() || image.mode == mode(path),
            Form::Link | Form::Folder => true,
        };
        stands(path, image) && (!strictly || has_its_bits())
    }

    /// The changes that lead from what was `left` at the real path `path` to what stands there now.
    ///
    /// # Errors
    /// What reading says; `argument` for what no change can make, such as a socket.
    pub fn changes_since(
        &self,
        path: &Path,
        left: Option<&Image>,
    ) -> Result<Vec<Change>, ToolError> {
        let place = self.real_place(path.to_owned());
        let (now, inner) = match place.entry {
            Entry::Missing => (None, Vec::new()),
            Entry::Folder if left.is_none_or(|left| left.form != Form::Folder) => {
                // A folder is told of with all that is in it, as one that is deleted is.
                let all = self.plan_delete(&place, &AtomicBool::new(false))?;
                let inner = all.inner.iter().map(Change::inverse).collect();
                (all.before, inner)
            }
            _ => (Some(self.image_now(&place)?), Vec::new()),
        };
        Ok(leading(&place, left, now.as_ref(), inner))
    }

    /// Does `work` while no commit is under way at the real path `path`.
    ///
    /// # Errors
    /// What `work` says; `conflict` where others keep changing the file.
    pub fn undisturbed<T>(
        &self,
        path: &Path,
        work: impl FnOnce() -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let _locks = self.lock([path].into_iter())?;
        work()
    }
}

/// The changes that lead from `left` to `now`, which is a folder with `inner` in it, or no folder.
pub fn leading(
    place: &Place,
    left: Option<&Image>,
    now: Option<&Image>,
    inner: Vec<Change>,
) -> Vec<Change> {
    let change = |action: Action, before: Option<&Image>, after: Option<&Image>| Change {
        place: place.clone(),
        action,
        before: before.cloned(),
        after: after.cloned(),
        inner: Vec::new(),
    };
    match (left, now) {
        (None, None) => Vec::new(),
        (Some(left), Some(now)) if is_same(left, now) => Vec::new(),
        (Some(left), Some(now)) if left.form == Form::File && now.form == Form::File => {
            vec![change(Action::Update, Some(left), Some(now))]
        }
        _ => {
            let went = left.map(|left| change(Action::Delete, Some(left), None));
            let came = now.map(|now| Change {
                inner,
                ..change(Action::Create, None, Some(now))
            });
            went.into_iter().chain(came).collect()
        }
    }
}

/// The same thing, as far as it is known.
fn is_same(left: &Image, now: &Image) -> bool {
    let has_other_bits = matches!((left.mode, now.mode), (Some(a), Some(b)) if a != b);
    let is_file = left.form == Form::File;
    left.form == now.form && left.hash == now.hash && !(is_file && has_other_bits)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;
    use crate::files::ChangeSet;
    use crate::files::bench::Bench;

    /// Whatever becomes of a place, the changes that are found lead there, and their inverses back.
    #[test]
    fn what_a_command_does_to_a_place_can_be_taken_back() {
        let file = |bench: &Bench| drop(bench.write("a", "new"));
        let gone = |bench: &Bench| std::fs::remove_file(bench.path("a")).unwrap();
        let link = |bench: &Bench| {
            gone(bench);
            symlink("elsewhere", bench.path("a")).unwrap();
        };
        let folder = |bench: &Bench| {
            gone(bench);
            bench.write("a/b/c", "deep");
        };
        let bits = |bench: &Bench| {
            let bits = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(bench.path("a"), bits).unwrap();
        };
        let commands: [&dyn Fn(&Bench); 5] = [&file, &gone, &link, &folder, &bits];
        for (command, count) in commands.into_iter().zip([1, 1, 2, 2, 1]) {
            let bench = Bench::new();
            let path = bench.write("a", "old");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
            let files = bench.files();
            let left = files.image_now(&files.resolve("a").unwrap()).unwrap();
            assert!(files.changes_since(&path, Some(&left)).unwrap().is_empty());
            assert!(files.is_as_left(&path, Some(&left), true));
            command(&bench);
            assert!(!files.is_as_left(&path, Some(&left), true));
            let changes = files.changes_since(&path, Some(&left)).unwrap();
            assert_eq!(changes.len(), count, "{changes:?}");
            for change in changes.iter().rev() {
                files.put_back(change, |_| {}).unwrap();
            }
            assert!(files.is_as_left(&path, Some(&left), true), "{changes:?}");
        }
    }

    #[test]
    fn what_came_where_nothing_was_goes_again_with_all_that_is_in_it() {
        let bench = Bench::new();
        let files = bench.files();
        let path = bench.path("d");
        assert!(files.changes_since(&path, None).unwrap().is_empty());
        bench.write("d/e/x", "x");
        let changes = files.changes_since(&path, None).unwrap();
        let set = ChangeSet::new(changes.iter().map(Change::inverse).collect()).unwrap();
        files.commit(&set, |_| {}).unwrap();
        assert!(bench.everything().is_empty());
    }
}
