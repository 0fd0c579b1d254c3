//! Planning one change: what is there now is read, what would be there is computed, nothing is done.
//!
//! A plan that cannot be carried out is refused here already, with the reason: a folder in the place
//! of a file, something at the end of a move, a file that changed since it was read.

use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::change::{Action, Change, Form, Image};
use super::refusal::{is_a_folder, not_regular, occupied};
use super::{Entry, Files, Place, Root, Snapshot};
use crate::error::{Kind, ToolError};
use crate::store::Hash;

/// Content beyond this is not held in memory, of one file or of all that goes with a folder: it is known
/// by its hash.
pub const HELD: u64 = 64 << 20;

/// A folder with more entries than this is not deleted in one call.
const DELETED: usize = 10_000;

impl Files {
    /// Plans that the file at `place` gets these bytes; folders on the way are made by the commit.
    /// `read` is the file as the caller has read it; without it, it is read here.
    ///
    /// # Errors
    /// `argument` for what is no file, `resource` for what cannot be read.
    pub fn plan_write(
        &self,
        place: &Place,
        bytes: impl Into<Arc<[u8]>>,
        read: Option<&Snapshot>,
    ) -> Result<Change, ToolError> {
        let before = match (place.entry, read) {
            (Entry::Folder, _) => return Err(is_a_folder(place)),
            (Entry::Link | Entry::Other(_), _) => return Err(not_regular(place, place.entry)),
            (_, Some(read)) => Some(read.image()),
            (Entry::Missing, None) => None,
            (Entry::File | Entry::Unreachable, None) => {
                Some(self.image(place, &mut Budget::unhurried())?)
            }
        };
        if before.is_none() {
            folder_above(place)?;
        }
        let action = if before.is_some() {
            Action::Update
        } else {
            Action::Create
        };
        let mode = before.as_ref().and_then(|image| image.mode);
        Ok(Change {
            place: place.clone(),
            action,
            before,
            after: Some(Image::file(bytes, mode)),
            inner: Vec::new(),
        })
    }

    /// Plans that what stands at `place` goes away: a file, a link (never what it leads to), a folder
    /// with everything in it. `place` comes from [`Files::resolve_entry`].
    ///
    /// # Errors
    /// `not_found`, `argument` for a device or the like, `resource` for a folder too large, `cancelled`.
    pub fn plan_delete(&self, place: &Place, stop: &AtomicBool) -> Result<Change, ToolError> {
        let mut budget = Budget { room: HELD, stop };
        let before = self.image(place, &mut budget)?;
        let mut inner = Vec::new();
        if before.form == Form::Folder {
            self.plan_inner(place, &mut inner, place, &mut budget)?;
        }
        Ok(Change {
            place: place.clone(),
            action: Action::Delete,
            before: Some(before),
            after: None,
            inner,
        })
    }

    fn plan_inner(
        &self,
        folder: &Place,
        inner: &mut Vec<Change>,
        top: &Place,
        budget: &mut Budget<'_>,
    ) -> Result<(), ToolError> {
        let failed = |error: io::Error| ToolError::from_io(&error, "list", &folder.display);
        let root = Root::open(&folder.real).map_err(failed)?;
        for name in root.names().map_err(failed)? {
            if inner.len() >= DELETED {
                let message = format!("{} holds more than {DELETED} entries", top.display);
                return Err(ToolError::new(Kind::Resource, message)
                    .with_hint("delete its parts one by one, or with a command"));
            }
            let found = root.look(name.as_ref()).map_err(failed)?;
            let place = self.child(folder, &name, Entry::of(found.file_type()));
            let before = self.image(&place, budget)?;
            inner.push(Change {
                place: place.clone(),
                action: Action::Delete,
                before: Some(before),
                after: None,
                inner: Vec::new(),
            });
            if place.entry == Entry::Folder {
                self.plan_inner(&place, inner, top, budget)?;
            }
        }
        Ok(())
    }

    /// Plans that what stands at `from` (a file, a link, a folder) goes to `to`; with `bytes`, a file
    /// gets new content on the way. Both places come from [`Files::resolve_entry`].
    ///
    /// # Errors
    /// `not_found`; `conflict` where something stands at `to`; `argument` for a move onto or into
    /// itself.
    pub fn plan_move(
        &self,
        from: &Place,
        to: &Place,
        bytes: Option<Arc<[u8]>>,
    ) -> Result<Change, ToolError> {
        let before = self.image(from, &mut Budget::unhurried())?;
        if to.real == from.real {
            return Err(
                ToolError::argument(format!("{} is moved onto itself", from.display))
                    .with_hint("give another name as the target"),
            );
        }
        if to.real.starts_with(&from.real) {
            return Err(ToolError::argument(format!(
                "{} is moved into itself ({})",
                from.display, to.display
            )));
        }
        if to.entry != Entry::Missing {
            return Err(occupied(to));
        }
        folder_above(to)?;
        let after = match bytes {
            Some(_) if before.form != Form::File => return Err(not_regular(from, from.entry)),
            Some(bytes) => Image::file(bytes, before.mode),
            None => before.clone(),
        };
        Ok(Change {
            place: from.clone(),
            action: Action::Move { to: to.clone() },
            before: Some(before),
            after: Some(after),
            inner: Vec::new(),
        })
    }

    /// What stands at `place` now.
    pub(super) fn image_now(&self, place: &Place) -> Result<Image, ToolError> {
        self.image(place, &mut Budget::unhurried())
    }

    fn image(&self, place: &Place, budget: &mut Budget<'_>) -> Result<Image, ToolError> {
        match place.entry {
            Entry::Folder => {
                let metadata = place.real.symlink_metadata().ok();
                let mode = metadata.map(|metadata| metadata.mode() & 0o7777);
                Ok(Image::of(Form::Folder, Arc::default(), mode))
            }
            Entry::Link => {
                let target = std::fs::read_link(&place.real)
                    .map_err(|error| ToolError::from_io(&error, "read the link", &place.display))?;
                let target: Arc<[u8]> = target.into_os_string().into_vec().into();
                Ok(Image::of(Form::Link, target, None))
            }
            _ => self.file_image(place, budget),
        }
    }

    fn file_image(&self, place: &Place, budget: &mut Budget<'_>) -> Result<Image, ToolError> {
        budget.go_on()?;
        let opened = self.open(place)?;
        if opened.size() <= budget.room {
            let image = opened.snapshot(budget.room)?.image();
            budget.room = budget.room.saturating_sub(image.size);
            return Ok(image);
        }
        let (size, mode) = (opened.size(), opened.metadata.mode() & 0o7777);
        let polled = Polled {
            file: opened.file,
            stop: budget.stop,
        };
        let hash = Hash::of_reader(polled);
        budget.go_on()?;
        Ok(Image {
            form: Form::File,
            hash: hash.map_err(|error| ToolError::from_io(&error, "read", &place.display))?,
            bytes: None,
            size,
            mode: Some(mode),
        })
    }
}

/// How many bytes may still be held, and whether the plan is still wanted.
struct Budget<'a> {
    room: u64,
    stop: &'a AtomicBool,
}

/// The flag of plans that are made in one go.
static NEVER: AtomicBool = AtomicBool::new(false);

impl Budget<'_> {
    fn unhurried() -> Budget<'static> {
        Budget {
            room: HELD,
            stop: &NEVER,
        }
    }

    fn go_on(&self) -> Result<(), ToolError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(ToolError::cancelled());
        }
        Ok(())
    }
}

/// A file that ends early when it is not wanted any more.
struct Polled<'a> {
    file: std::fs::File,
    stop: &'a AtomicBool,
}

impl Read for Polled<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(0);
        }
        self.file.read(buffer)
    }
}

/// Where something new shall stand, what exists above it must be a folder.
fn folder_above(place: &Place) -> Result<(), ToolError> {
    let above = place
        .real
        .ancestors()
        .skip(1)
        .find_map(|path| path.symlink_metadata().ok());
    if above.is_none_or(|metadata| metadata.is_dir()) {
        return Ok(());
    }
    let message = format!(
        "{} cannot exist: a file stands where its folder would be",
        place.display
    );
    Err(ToolError::argument(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::ChangeSet;
    use crate::files::bench::Bench;

    /// Sparse files: what is held is what counts, and that is bounded for all of them together.
    #[test]
    fn a_folder_that_goes_holds_no_more_than_its_budget() {
        let bench = Bench::new();
        for name in ["d/a", "d/b", "d/c"] {
            let file = std::fs::File::create(bench.write(name, "")).unwrap();
            file.set_len(HELD / 2 + 1).unwrap();
        }
        bench.write("d/z", "small\n");
        let files = bench.files();
        let place = files.resolve_entry("d").unwrap();
        let change = files.plan_delete(&place, &NEVER).unwrap();
        let held = |change: &Change| change.before.as_ref().unwrap().bytes.is_some();
        let held: Vec<bool> = change.inner.iter().map(held).collect();
        assert_eq!(held, [true, false, false, true]);
        let set = ChangeSet::new(vec![change]).unwrap();
        assert!(
            set.diff().text.contains("Large file d/b deleted\n"),
            "{}",
            set.diff().text
        );
        files.commit(&set, |_| {}).unwrap();
        assert!(bench.everything().is_empty());
        let stopped = files.plan_delete(&place, &AtomicBool::new(true));
        assert_eq!(stopped.unwrap_err().kind, Kind::NotFound);
        bench.write("d/a", "");
        let place = files.resolve_entry("d").unwrap();
        let stopped = files.plan_delete(&place, &AtomicBool::new(true));
        assert_eq!(stopped.unwrap_err().kind, Kind::Cancelled);
    }

    #[test]
    fn the_diff_of_a_folder_that_goes_is_cut_and_says_so() {
        let bench = Bench::new();
        for n in 0..20 {
            bench.write(&format!("d/{n:02}"), "line\n".repeat(10_000));
        }
        let files = bench.files();
        let change = files.plan_delete(&files.resolve_entry("d").unwrap(), &NEVER);
        let set = ChangeSet::new(vec![change.unwrap()]).unwrap();
        let diff = set.diff();
        assert!(diff.text.len() < 300 << 10, "{}", diff.text.len());
        assert!(diff.text.ends_with("… and 16 more entries in d\n"));
        assert_eq!(diff.deletions, 200_000);
        assert!(std::ptr::eq(diff, set.diff()), "it is computed once");
    }
}
