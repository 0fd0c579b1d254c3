//! Commits on a real tree: what is kept, what is refused, what is put back.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;

use super::*;
use crate::files::bench::Bench;
use crate::text::encoding;

static NEVER: AtomicBool = AtomicBool::new(false);

pub(super) fn write(files: &Files, path: &str, bytes: &[u8]) -> Result<Committed, ToolError> {
    let change = files.plan_write(&files.resolve(path)?, bytes, None)?;
    files.commit(&ChangeSet::new(vec![change])?, |_| {})
}

pub(super) fn planned(files: &Files, writes: &[(&str, &[u8])]) -> ChangeSet {
    let change = |(path, bytes): &(&str, &[u8])| {
        files
            .plan_write(&files.resolve(path).unwrap(), *bytes, None)
            .unwrap()
    };
    ChangeSet::new(writes.iter().map(change).collect()).unwrap()
}

pub(super) fn kind(result: Result<Committed, ToolError>) -> Kind {
    result.unwrap_err().kind
}

#[test]
fn creates_with_the_folders_on_the_way() {
    let bench = Bench::new();
    let files = bench.files();
    let done = write(&files, "a/b/c.txt", b"new\n").unwrap();
    assert_eq!(bench.everything(), ["a", "a/b", "a/b/c.txt"]);
    assert_eq!(done.changes[0].after, Some(Hash::of(b"new\n")));
    let beside = bench.write("plain", "x");
    let mode = |path: &Path| path.metadata().unwrap().mode() & 0o777;
    assert_eq!(mode(&bench.path("a/b/c.txt")), mode(&beside));
    assert_eq!(std::fs::read_dir(bench.locks()).unwrap().count(), 0);
}

#[test]
fn keeps_mode_and_owner() {
    let bench = Bench::new();
    let path = bench.write("run.sh", "old");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4751)).unwrap();
    let privileged = std::os::unix::fs::chown(&path, Some(12), Some(34)).is_ok();
    if privileged {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4751)).unwrap();
    }
    write(&bench.files(), "run.sh", b"new").unwrap();
    let metadata = path.metadata().unwrap();
    assert_eq!(metadata.mode() & 0o7777, 0o4751);
    if privileged {
        assert_eq!((metadata.uid(), metadata.gid()), (12, 34));
    }
    assert_eq!(bench.everything(), ["run.sh"]);
}

#[test]
fn writing_the_same_bytes_touches_nothing() {
    let bench = Bench::new();
    let path = bench.write("a", "same");
    let before = path.metadata().unwrap();
    write(&bench.files(), "a", b"same").unwrap();
    let after = path.metadata().unwrap();
    assert_eq!(
        (before.ino(), before.mtime_nsec()),
        (after.ino(), after.mtime_nsec())
    );
}

#[test]
fn a_file_reached_by_a_link_is_written_where_it_is() {
    let bench = Bench::new();
    bench.write("real", "old");
    symlink("real", bench.path("link")).unwrap();
    std::fs::hard_link(bench.path("real"), bench.home().join("other")).unwrap();
    write(&bench.files(), "link", b"new").unwrap();
    assert_eq!(bench.read("real"), b"new");
    assert!(bench.path("link").is_symlink());
    assert_eq!(std::fs::read(bench.home().join("other")).unwrap(), b"old");
}

#[test]
fn a_lost_race_is_a_conflict() {
    let bench = Bench::new();
    let files = bench.files();
    bench.write("a", "planned on");
    let set = planned(&files, &[("a", b"mine"), ("fresh", b"mine")]);
    bench.write("a", "theirs");
    assert_eq!(kind(files.commit(&set, |_| {})), Kind::Conflict);
    assert_eq!(
        (bench.read("a"), bench.everything()),
        (b"theirs".to_vec(), vec!["a".into()])
    );

    let set = planned(&files, &[("new/fresh", b"mine")]);
    bench.write("new/fresh", "theirs");
    assert_eq!(kind(files.commit(&set, |_| {})), Kind::Conflict);
    assert_eq!(bench.read("new/fresh"), b"theirs");

    let set = planned(&files, &[("a", b"mine")]);
    std::fs::remove_file(bench.path("a")).unwrap();
    assert_eq!(kind(files.commit(&set, |_| {})), Kind::Conflict);
    assert_eq!(bench.everything(), ["new", "new/fresh"]);
}

#[test]
fn a_link_put_there_meanwhile_is_never_followed() {
    let bench = Bench::new();
    let files = bench.files();
    let outside = bench.home().join("target");
    std::fs::write(&outside, "old").unwrap();
    bench.write("d/a", "old");
    let set = planned(&files, &[("d/a", b"new"), ("d/sub/b", b"new")]);
    std::fs::remove_file(bench.path("d/a")).unwrap();
    symlink(&outside, bench.path("d/a")).unwrap();
    assert_eq!(kind(files.commit(&set, |_| {})), Kind::Conflict);
    std::fs::rename(bench.path("d"), bench.path("e")).unwrap();
    symlink(bench.home(), bench.path("d")).unwrap();
    assert_eq!(kind(files.commit(&set, |_| {})), Kind::Conflict);
    assert_eq!(std::fs::read(&outside).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(bench.home()).unwrap().count(), 1);
}

#[test]
fn what_changes_between_staging_and_renaming_is_put_back() {
    let bench = Bench::new();
    let files = bench.files();
    for name in ["a", "b", "gone", "from"] {
        bench.write(name, "old");
    }
    let mut set = planned(&files, &[("a", b"new"), ("made/fresh", b"new")]);
    let at = |path: &str| files.resolve_entry(path).unwrap();
    set.push(files.plan_delete(&at("gone"), &NEVER).unwrap())
        .unwrap();
    set.push(files.plan_move(&at("from"), &at("moved/to"), None).unwrap())
        .unwrap();
    set.push(planned(&files, &[("b", b"new")]).changes()[0].clone())
        .unwrap();

    let mut work = Unfinished::default();
    for change in set.changes() {
        work.stage(change).unwrap();
    }
    bench.write("b", "theirs, longer");
    let error = work.apply().unwrap_err();
    let error = work.take_back(error);
    assert_eq!(error.kind, Kind::Conflict);
    assert_eq!(error.message, "b was changed meanwhile by somebody else");
    assert_eq!(bench.everything(), ["a", "b", "from", "gone"]);
    assert_eq!(
        (bench.read("a"), bench.read("b")),
        (b"old".to_vec(), b"theirs, longer".to_vec())
    );

    bench.write("b", "old");
    files.commit(&set, |_| {}).unwrap();
    assert_eq!(
        bench.everything(),
        ["a", "b", "made", "made/fresh", "moved", "moved/to"]
    );
}

#[test]
fn a_read_only_file_is_refused() {
    let bench = Bench::new();
    let path = bench.write("a", "old");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let error = write(&bench.files(), "a", b"new").unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (Kind::Resource, "a is read-only")
    );
    assert_eq!(
        (bench.read("a"), bench.everything()),
        (b"old".to_vec(), vec!["a".to_owned()])
    );
}

#[test]
fn says_what_stands_in_the_way() {
    let bench = Bench::new();
    bench.write("file", "x");
    bench.write("other", "x");
    bench.write("dir/a", "x");
    let files = bench.files();
    assert_eq!(kind(write(&files, "dir", b"x")), Kind::Argument);
    assert_eq!(kind(write(&files, "file/below", b"x")), Kind::Argument);
    assert_eq!(kind(write(&files, &"n".repeat(300), b"x")), Kind::Argument);
    let at = |path: &str| files.resolve_entry(path).unwrap();
    let plan = |from: &str, to: &str| files.plan_move(&at(from), &at(to), None).unwrap_err().kind;
    assert_eq!(plan("file", "other"), Kind::Conflict);
    assert_eq!(plan("file", "file"), Kind::Argument);
    assert_eq!(plan("dir", "dir/deeper"), Kind::Argument);
    assert_eq!(plan("none", "x"), Kind::NotFound);
    assert_eq!(plan("dir", "file/x"), Kind::Argument);
    assert_eq!(
        files.plan_delete(&at("none"), &NEVER).unwrap_err().kind,
        Kind::NotFound
    );
    let twice = planned(&files, &[("file", b"1")]).changes()[0].clone();
    assert!(ChangeSet::new(vec![twice.clone(), twice]).is_err());
    assert_eq!(bench.everything(), ["dir", "dir/a", "file", "other"]);
}

#[test]
fn moves_files_links_and_folders() {
    let bench = Bench::new();
    bench.write("dir/a", "one\n");
    symlink("dir/a", bench.path("link")).unwrap();
    let files = bench.files();
    let at = |path: &str| files.resolve_entry(path).unwrap();
    let mut set = ChangeSet::default();
    set.push(files.plan_move(&at("dir"), &at("new/place"), None).unwrap())
        .unwrap();
    set.push(files.plan_move(&at("link"), &at("linked"), None).unwrap())
        .unwrap();
    assert_eq!(set.paths(), ["dir", "new/place", "link", "linked"]);
    files.commit(&set, |_| {}).unwrap();
    assert_eq!(
        bench.everything(),
        ["linked", "new", "new/place", "new/place/a"]
    );
    assert!(bench.path("linked").is_symlink());

    let change = files
        .plan_move(&at("new/place/a"), &at("b"), Some(b"two\n"[..].into()))
        .unwrap();
    let set = ChangeSet::new(vec![change]).unwrap();
    let diff = set.diff();
    assert!(
        diff.text
            .starts_with("rename from new/place/a\nrename to b\n--- new/place/a\n+++ b\n")
    );
    assert_eq!((diff.additions, diff.deletions), (1, 1));
    files.commit(&set, |_| {}).unwrap();
    assert_eq!(bench.read("b"), b"two\n");
    assert_eq!(bench.everything(), ["b", "linked", "new", "new/place"]);
}

#[test]
fn deletes_a_link_and_not_what_it_leads_to() {
    let bench = Bench::new();
    bench.write("dir/deep/a", "x\n");
    symlink(bench.home(), bench.path("dir/out")).unwrap();
    std::fs::write(bench.home().join("keep"), "x").unwrap();
    let files = bench.files();
    let delete = |path: &str| {
        files
            .plan_delete(&files.resolve_entry(path).unwrap(), &NEVER)
            .unwrap()
    };

    let set = ChangeSet::new(vec![delete("dir")]).unwrap();
    assert!(
        set.shows().contains("--- dir/deep/a\n+++ /dev/null\n"),
        "{}",
        set.shows()
    );
    bench.write("dir/deep/late", "not planned");
    assert_eq!(kind(files.commit(&set, |_| {})), Kind::Conflict);
    assert_eq!(bench.read("dir/deep/late"), b"not planned");

    files
        .commit(&ChangeSet::new(vec![delete("dir")]).unwrap(), |_| {})
        .unwrap();
    assert!(bench.everything().is_empty());
    assert!(bench.home().join("keep").exists());
}

#[test]
fn a_change_that_cannot_be_finished_is_a_change_with_a_warning() {
    let bench = Bench::new();
    bench.write("a", "old");
    let set = planned(&bench.files(), &[("a", b"new")]);
    let mut work = Unfinished::default();
    work.stage(&set.changes()[0]).unwrap();
    work.apply().unwrap();
    std::fs::remove_file(work.steps[0].1.temp_path()).unwrap();
    let warning = work.finish().unwrap();
    assert!(warning.contains("the change itself was made"), "{warning}");
    assert_eq!(bench.read("a"), b"new");
}

/// Tells the other thread to stop, even when this one fails.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_path_that_swaps_between_folder_and_link_never_leads_out() {
    let bench = Bench::new();
    let files = bench.files();
    bench.write("d/a", "0");
    let place = files.resolve("d/a").unwrap();
    let stop = AtomicBool::new(false);
    let wanted = crate::text::property_cases();
    let (mut tried, mut done) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (real, away) = (bench.path("d"), bench.path("away"));
            for round in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                for _ in 0..(round % 16) * 1000 {
                    std::hint::spin_loop(); // stays a folder for a while, longer and shorter
                }
                std::fs::rename(&real, &away).unwrap();
                symlink(bench.home(), &real).unwrap();
                std::fs::remove_file(&real).unwrap();
                std::fs::rename(&away, &real).unwrap();
            }
        });
        let _stop = OnDrop(&stop);
        for n in 0..wanted * 1000 {
            let bytes = n.to_string().into_bytes();
            if let Ok(change) = files.plan_write(&place, bytes, None) {
                let set = ChangeSet::new(vec![change]).unwrap();
                tried += 1;
                done += u32::from(files.commit(&set, |_| {}).is_ok());
            }
            if tried >= wanted && done > 0 {
                break;
            }
        }
    });
    let outside = std::fs::read_dir(bench.home()).unwrap().count();
    assert!(done > 0, "none of {tried} commits was made");
    assert_eq!(outside, 0, "{done} of {tried} commits were made");
    assert_eq!(bench.everything(), ["d", "d/a"]);
}

#[test]
fn two_commits_on_the_same_files_do_not_mix() {
    let bench = Bench::new();
    bench.write("a", "0");
    bench.write("b", "0");
    let rounds = 20;
    std::thread::scope(|scope| {
        for order in [["a", "b"], ["b", "a"]] {
            let files = bench.files();
            scope.spawn(move || {
                for round in 0..rounds {
                    let bytes = format!("{order:?} {round}").into_bytes();
                    loop {
                        let set = planned(&files, &[(order[0], &bytes), (order[1], &bytes)]);
                        match files.commit(&set, |_| {}) {
                            Ok(_) => break,
                            Err(error) => assert_eq!(error.kind, Kind::Conflict, "{error}"),
                        }
                    }
                }
            });
        }
    });
    assert_eq!(bench.read("a"), bench.read("b"));
    assert_eq!(bench.everything(), ["a", "b"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn writing_back_what_was_read_changes_no_byte(bytes in encoding::any_bytes()) {
        let bench = Bench::new();
        bench.write("f", &bytes);
        let files = bench.files();
        let snapshot = files.read(&files.resolve("f").unwrap(), u64::MAX).unwrap();
        prop_assert_eq!(&snapshot.bytes[..], &bytes[..]);
        let read = encoding::decode(&snapshot.bytes, None).unwrap();
        let again = read.encoding.encode(&read.text).unwrap();
        write(&files, "f", b"something else").unwrap();
        write(&files, "f", &again).unwrap();
        prop_assert_eq!(bench.read("f"), bytes);
    }
}
