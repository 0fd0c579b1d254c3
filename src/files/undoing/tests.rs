//! What was changed is undone, whatever it was: the tree is as before, to the byte and the bit.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
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

/// Every path with its mode, and its bytes or where it leads; what lies outside of the workspace is the last.
fn everything(bench: &Bench) -> Vec<(String, u32, Option<Vec<u8>>)> {
    let look = |name: String| {
        let path = bench.path(&name);
        let mode = path.symlink_metadata().unwrap().permissions().mode() & 0o7777;
        let target =
            fs::read_link(&path).map(|target| target.into_os_string().into_encoded_bytes());
        (name, mode, target.or_else(|_| fs::read(path)).ok())
    };
    let outside = ["../home/o", "../home/far/o"].map(str::to_owned);
    bench
        .everything()
        .into_iter()
        .chain(outside)
        .map(look)
        .collect()
}

/// Files and folders, and links to a file, a folder, nothing, and what lies outside; names in them, and new ones.
const NAMES: [&str; 18] = [
    "a", "b", "d", "d/x", "d/e", "d/e/y", "f", "f/z", "la", "ld", "ld/x", "ld/new", "none", "out",
    "far", "far/o", "d/up", "f/n/n",
];

/// The tree that operations are tried on, with these permission bits.
fn plant(bench: &Bench, modes: &[u32]) {
    for name in ["a", "d/x", "d/e/y", "f/z", "../home/o", "../home/far/o"] {
        bench.write(name, name);
    }
    for (name, target) in [
        ("la", "a"),
        ("ld", "d"),
        ("none", "nowhere/at/all"),
        ("out", "../home/o"),
        ("far", "../home/far"),
        ("d/up", "../f"),
    ] {
        symlink(target, bench.path(name)).unwrap();
    }
    // Whoever owns a file can read it, and look into a folder.
    for (name, mode) in ["a", "d/x", "d/e/y", "f/z", "../home/o"].iter().zip(modes) {
        let mode = fs::Permissions::from_mode(mode | 0o600);
        fs::set_permissions(bench.path(name), mode).unwrap();
    }
    for (name, mode) in ["d", "d/e", "f"].iter().zip(&modes[5..]) {
        let mode = fs::Permissions::from_mode(mode | 0o700);
        fs::set_permissions(bench.path(name), mode).unwrap();
    }
}

/// One operation on one of a few names; what cannot be done is passed over.
fn operate(files: &Files, (what, from, to, bytes): &(u8, usize, usize, Vec<u8>)) {
    let at = |name: usize| files.resolve_entry(NAMES[name]);
    let written = || files.resolve(NAMES[*from]);
    let planned = match what {
        0 | 1 => written().and_then(|place| files.plan_write(&place, bytes.clone(), None)),
        2 => at(*from).and_then(|place| files.plan_delete(&place, &AtomicBool::new(false))),
        3 => {
            at(*from).and_then(|from| files.plan_move(&from, &at(*to)?, Some(bytes.clone().into())))
        }
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
    fn doing_and_undoing_restores_every_byte_mode_and_link(
        operations in prop::collection::vec(
            (0_u8..6, 0..NAMES.len(), 0..NAMES.len(), prop::collection::vec(any::<u8>(), 0..20)),
            1..12,
        ),
        modes in prop::collection::vec(0_u32..=0o7777, 8),
    ) {
        let bench = Bench::new();
        plant(&bench, &modes);
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

/// The property says nothing unless each kind of change is made.
#[test]
fn what_is_tried_on_the_tree_is_done() {
    for (operation, becomes) in [
        ((0, 8, 0), ("a", "new")), // through a link to a file
        ((0, 11, 0), ("d/new", "new")),
        ((0, 12, 0), ("nowhere/at/all", "new")),
        ((0, 13, 0), ("../home/o", "new")),
        ((0, 15, 0), ("../home/far/o", "new")),
        ((4, 2, 1), ("b/e/y", "d/e/y")), // a folder with a link in it
        ((4, 9, 17), ("f/n/n", "d")),    // the link itself
        ((3, 0, 1), ("b", "new")),
    ] {
        let bench = Bench::new();
        plant(&bench, &[0o644; 8]);
        let files = journalled(&bench);
        let before = everything(&bench);
        let (what, from, to) = operation;
        operate(&files, &(what, from, to, b"new".to_vec()));
        let (path, holds) = becomes;
        let now = fs::read_link(bench.path(path)).map(|target| target.display().to_string());
        let now = now.or_else(|_| fs::read_to_string(bench.path(path)));
        assert_eq!(now.unwrap(), holds, "{path}");
        undo(&files);
        assert_eq!(everything(&bench), before, "{path}");
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
