//! What was changed is undone, whatever it was: the tree is as before, to the byte and the bit.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use proptest::prelude::*;

use super::*;
use crate::error::Kind;
use crate::files::Purpose;
use crate::files::bench::Bench;
use crate::store::{Journal, Paths, SessionId};

fn journalled(bench: &Bench) -> Files {
    let paths = Paths::at(bench.home().join("config"), bench.home().join("state"));
    let session = SessionId::new(SystemTime::now()).unwrap();
    let journal = Journal::new(&paths, &bench.path(""), session, true);
    bench.files().journalled(journal)
}

fn purpose() -> Purpose {
    Purpose {
        tool: "test".to_owned(),
        ..Purpose::default()
    }
}

/// Every path with its mode and its bytes.
fn everything(bench: &Bench) -> Vec<(String, u32, Option<Vec<u8>>)> {
    let look = |name: String| {
        let path = bench.path(&name);
        let mode = path.symlink_metadata().unwrap().permissions().mode() & 0o7777;
        (name, mode, fs::read(path).ok())
    };
    bench.everything().into_iter().map(look).collect()
}

/// One operation on one of a few names; what cannot be done is passed over.
fn operate(files: &Files, (what, from, to, bytes): &(u8, usize, usize, Vec<u8>)) {
    const NAMES: [&str; 8] = ["a", "b", "d", "d/x", "d/e", "d/e/y", "f", "f/z"];
    let at = |name: usize| files.resolve_entry(NAMES[name]);
    let planned = match what {
        0 | 1 => at(*from).and_then(|place| files.plan_write(&place, bytes.clone(), None)),
        2 => at(*from).and_then(|place| files.plan_delete(&place, &AtomicBool::new(false))),
        _ => at(*from).and_then(|from| files.plan_move(&from, &at(*to)?, None)),
    };
    if let Ok(change) = planned {
        let set = ChangeSet::new(vec![change]).unwrap();
        let _refused = files.commit_for(&set, &purpose(), |_| {});
    }
}

fn undo(files: &Files) {
    let undoing = files.undoing(None, &Part::default()).unwrap();
    assert!(undoing.changed.is_empty(), "{:?}", undoing.changed);
    for (changes, folders) in undoing.commits.iter().rev() {
        for change in changes.iter().rev() {
            let back = files.undo_change(change, false).unwrap().unwrap();
            files
                .commit(&ChangeSet::new(vec![back]).unwrap(), |_| {})
                .unwrap();
        }
        for folder in folders.iter().rev() {
            files.take_back_folder(folder);
        }
    }
}

proptest! {
    #[test]
    fn doing_and_undoing_restores_every_byte_and_mode(
        operations in prop::collection::vec(
            (0_u8..4, 0_usize..8, 0_usize..8, prop::collection::vec(any::<u8>(), 0..20)),
            1..12,
        ),
        modes in prop::collection::vec(0o600_u32..=0o777, 4),
    ) {
        let bench = Bench::new();
        for (name, mode) in ["a", "d/x", "d/e/y", "f/z"].iter().zip(modes) {
            let path = bench.write(name, name);
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::set_permissions(bench.path("d/e"), fs::Permissions::from_mode(0o710)).unwrap();
        let (files, before) = (journalled(&bench), everything(&bench));
        for operation in &operations {
            operate(&files, operation);
        }
        if !files.units().0.is_empty() {
            undo(&files);
        }
        prop_assert_eq!(everything(&bench), before);
    }
}

#[test]
fn names_that_are_no_text_come_back() {
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::new();
    let path = bench
        .path("")
        .join(std::ffi::OsStr::from_bytes(b"\xff\xfe"));
    fs::write(&path, "old").unwrap();
    let files = journalled(&bench);
    let place = files.resolve_os(path.as_os_str()).unwrap();
    let change = files.plan_write(&place, b"new".as_slice(), None).unwrap();
    let set = ChangeSet::new(vec![change]).unwrap();
    files.commit_for(&set, &purpose(), |_| {}).unwrap();
    undo(&files);
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn what_cannot_be_written_down_is_not_done() {
    let bench = Bench::new();
    bench.write("a", "old");
    // A file where the folder of the journal would be.
    fs::create_dir_all(bench.home().join("state/store")).unwrap();
    fs::write(bench.home().join("state/store/journal"), "").unwrap();
    let files = journalled(&bench);
    let place = files.resolve("a").unwrap();
    let set = ChangeSet::new(vec![
        files.plan_write(&place, b"new".as_slice(), None).unwrap(),
        files
            .plan_write(&files.resolve("n/b").unwrap(), b"b".as_slice(), None)
            .unwrap(),
    ]);
    let refused = files
        .commit_for(&set.unwrap(), &purpose(), |_| {})
        .unwrap_err();
    assert_eq!(refused.kind, Kind::Resource, "{refused}");
    assert_eq!(
        (bench.read("a"), bench.everything()),
        (b"old".to_vec(), vec!["a".into()])
    );
}
