//! A disk without room: the commit fails as `resource` and every file is as it was.
//!
//! Limits and mounts belong to a process, so each test runs itself again in a process of its own.

use std::process::Command;

use super::tests::{kind, planned, write};
use super::*;
use crate::files::bench::Bench;

/// Runs one test of this file again in a process of its own, started by `shell` (in which `"$@"` is
/// the process).
fn in_a_child(test: &str, shell: &str, bench: &Bench) {
    let top = bench.locks().parent().unwrap().to_owned();
    let output = Command::new("sh")
        .args(["-c", shell])
        .arg(&top)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture"])
        .arg(format!("files::commit::full_disk::{test}"))
        .env("AGENT_TEST_FULL_DISK", &top)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("the disk was full"),
        "{output:?}"
    );
}

/// The part of the tests below that runs in the child: writing 3 MB must fail and change nothing.
fn full_disk_in_a_child() -> bool {
    let Some(folder) = std::env::var_os("AGENT_TEST_FULL_DISK").map(std::path::PathBuf::from)
    else {
        return false;
    };
    let work = folder.join("work");
    let files = Files::new(work.clone(), work.clone(), None, folder.join("locks"));
    write(&files, "old", b"small").unwrap();
    let big = vec![b'x'; 3 << 20];
    for path in ["old", "made/new"] {
        let error = write(&files, path, &big).unwrap_err();
        assert_eq!(error.kind, Kind::Resource, "{error}");
    }
    let set = planned(&files, &[("old", b"other"), ("made/new", &big)]);
    assert_eq!(kind(files.commit(&set, |_| {})), Kind::Resource);
    assert_eq!(std::fs::read(work.join("old")).unwrap(), b"small");
    assert_eq!(std::fs::read_dir(&work).unwrap().count(), 1);
    println!("the disk was full");
    true
}

#[test]
fn a_file_size_limit_leaves_the_old_file_as_it_was() {
    if !full_disk_in_a_child() {
        let test = "a_file_size_limit_leaves_the_old_file_as_it_was";
        in_a_child(test, "ulimit -f 1024 && exec \"$@\"", &Bench::new());
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_as_it_was() {
    if full_disk_in_a_child() {
        return;
    }
    let bench = Bench::new();
    let probe = Command::new("unshare")
        .args(["--mount", "--map-root-user", "mount", "-t", "tmpfs", "none"])
        .arg(bench.home())
        .output();
    if !probe.is_ok_and(|output| output.status.success()) {
        let allowed = std::env::var("AGENT_ALLOW_SKIPS").is_ok_and(|value| value == "1");
        assert!(
            allowed,
            "no tmpfs can be mounted here; AGENT_ALLOW_SKIPS=1 passes over it"
        );
        return;
    }
    let inner = "mount -t tmpfs -o size=1m none \"$0/work\" && exec \"$@\"";
    let shell = format!("exec unshare --mount --map-root-user sh -c '{inner}' \"$0\" \"$@\"");
    in_a_child("a_full_disk_leaves_the_old_file_as_it_was", &shell, &bench);
}
