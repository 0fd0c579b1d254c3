//! Changes of every kind, made and taken back: the tree is as it was, and nobody's newer work is lost.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::atomic::AtomicBool;

use super::*;
use crate::error::Kind;
use crate::files::bench::Bench;

fn commit(files: &Files, change: Change) -> (Change, Vec<std::path::PathBuf>) {
    let set = ChangeSet::new(vec![change.clone()]).unwrap();
    let done = files.commit(&set, |_| {}).unwrap();
    (change, done.folders)
}

fn mode(bench: &Bench, path: &str) -> u32 {
    let metadata = bench.path(path).symlink_metadata().unwrap();
    metadata.permissions().mode() & 0o7777
}

#[test]
fn a_new_file_goes_with_the_folders_that_were_made_for_it() {
    let bench = Bench::new();
    bench.write("kept/x", "x");
    let files = bench.files();
    let before = bench.everything();
    let place = files.resolve("kept/a/b/new").unwrap();
    let change = files.plan_write(&place, b"text".as_slice(), None).unwrap();
    let (change, folders) = commit(&files, change);
    assert_eq!(folders, [bench.path("kept/a"), bench.path("kept/a/b")]);
    files.put_back(&change, |_| {}).unwrap();
    for folder in folders.iter().rev() {
        files.take_back_folder(folder);
    }
    assert_eq!(bench.everything(), before);
}

#[test]
fn an_update_and_a_move_with_new_content_are_undone_to_the_byte() {
    let bench = Bench::new();
    bench.write("a", b"\xef\xbb\xbfold\r\n");
    fs::set_permissions(bench.path("a"), fs::Permissions::from_mode(0o640)).unwrap();
    let files = bench.files();
    let place = files.resolve("a").unwrap();
    let (updated, _) = commit(
        &files,
        files.plan_write(&place, b"new".as_slice(), None).unwrap(),
    );
    let to = files.resolve_entry("d/b").unwrap();
    let bytes: std::sync::Arc<[u8]> = b"moved".as_slice().into();
    let (moved, _) = commit(&files, files.plan_move(&place, &to, Some(bytes)).unwrap());
    assert_eq!(bench.read("d/b"), b"moved");
    files.put_back(&moved, |_| {}).unwrap();
    assert_eq!(bench.read("a"), b"new");
    files.put_back(&updated, |_| {}).unwrap();
    assert_eq!(bench.read("a"), b"\xef\xbb\xbfold\r\n");
    assert_eq!(mode(&bench, "a"), 0o640);
}

#[test]
fn a_deleted_folder_comes_back_with_all_that_was_in_it() {
    let bench = Bench::new();
    bench.write("d/sub/a", "1");
    bench.write("d/run", "#!");
    fs::set_permissions(bench.path("d/run"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink("../nowhere", bench.path("d/link")).unwrap();
    fs::create_dir(bench.path("d/empty")).unwrap();
    fs::set_permissions(bench.path("d/empty"), fs::Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(bench.path("d/sub"), fs::Permissions::from_mode(0o711)).unwrap();
    let (files, before) = (bench.files(), bench.everything());
    let place = files.resolve_entry("d").unwrap();
    let (change, _) = commit(
        &files,
        files.plan_delete(&place, &AtomicBool::new(false)).unwrap(),
    );
    assert!(bench.everything().is_empty());
    files.put_back(&change, |_| {}).unwrap();
    assert_eq!(bench.everything(), before);
    assert_eq!(bench.read("d/sub/a"), b"1");
    assert_eq!(
        fs::read_link(bench.path("d/link")).unwrap().to_str(),
        Some("../nowhere")
    );
    let modes = ["d/run", "d/empty", "d/sub"].map(|path| mode(&bench, path));
    assert_eq!(modes, [0o750, 0o555, 0o711]);
}

#[test]
fn what_somebody_else_has_changed_since_is_left_alone() {
    let bench = Bench::new();
    bench.write("a", "1");
    bench.write("d/x", "1");
    let files = bench.files();
    let place = files.resolve("a").unwrap();
    let (updated, _) = commit(
        &files,
        files.plan_write(&place, b"2".as_slice(), None).unwrap(),
    );
    bench.write("a", "theirs");
    let refused = files.put_back(&updated, |_| {}).unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert_eq!(bench.read("a"), b"theirs");

    let place = files.resolve_entry("d").unwrap();
    let (deleted, _) = commit(
        &files,
        files.plan_delete(&place, &AtomicBool::new(false)).unwrap(),
    );
    bench.write("d/theirs", "2");
    let refused = files.put_back(&deleted, |_| {}).unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert_eq!(bench.everything(), ["a", "d", "d/theirs"]);
}
