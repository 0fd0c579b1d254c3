//! The log over several days, parts and writers, and what becomes of it when it is too much.
//!
//! Times are made, never waited for.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use super::*;

const DAY: Duration = Duration::from_secs(24 * 3600);

fn log(home: &Path) -> Audit {
    Audit::new(&Paths::at(home.join("config"), home.join("state")))
}

fn all(log: &Audit) -> Vec<String> {
    let parts = log.parts().unwrap();
    let lines = parts.iter().flat_map(|part| log.lines(part).unwrap());
    lines.map(|line| String::from_utf8(line).unwrap()).collect()
}

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_083_200 + seconds)
}

#[test]
fn lines_are_their_owners_alone_and_come_back_in_order() {
    let home = tempfile::tempdir().unwrap();
    let log = log(home.path());
    assert!(all(&log).is_empty());
    assert!(
        !home.path().join("state").exists(),
        "looking creates nothing"
    );
    log.append(b"one\n", at(0)).unwrap();
    log.append(b"two\nthree\n", at(1)).unwrap();
    log.append(b"four\n", at(0) + DAY).unwrap();
    assert_eq!(all(&log), ["one", "two", "three", "four"]);
    let parts = log.parts().unwrap();
    assert_eq!(parts, ["20261201-0001.jsonl", "20261202-0001.jsonl"]);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&log.folder.join(&parts[0])), 0o600);
    assert_eq!(mode(&log.folder), 0o700);
}

#[test]
fn a_torn_line_does_not_take_the_next_one_with_it() {
    let home = tempfile::tempdir().unwrap();
    log(home.path()).append(b"one\n{\"to", at(0)).unwrap();
    let log = log(home.path());
    log.append(b"two\n", at(0)).unwrap();
    assert_eq!(all(&log), ["one", "{\"to", "two"]);
}

#[test]
fn a_full_part_is_followed_by_another() {
    let home = tempfile::tempdir().unwrap();
    let (log, other) = (log(home.path()), log(home.path()));
    let long = [vec![b'x'; PART as usize], b"\n".to_vec()].concat();
    log.append(&long, at(0)).unwrap();
    other.append(b"a\n", at(0)).unwrap();
    log.append(b"b\n", at(0)).unwrap();
    let parts = log.parts().unwrap();
    assert_eq!(parts, ["20261201-0001.jsonl", "20261201-0002.jsonl"]);
    assert_eq!(log.lines(&parts[1]).unwrap(), [b"a", b"b"]);
}

#[test]
fn what_is_too_old_goes_and_so_does_the_oldest_of_too_much() {
    let home = tempfile::tempdir().unwrap();
    let log = log(home.path());
    let write = |name: &str, length: u64| {
        let file = File::create(log.folder.join(name)).unwrap();
        file.set_len(length).unwrap();
    };
    fs::create_dir_all(&log.folder).unwrap();
    write("20260801-0001.jsonl", 10);
    write("20260902-0001.jsonl", 10);
    write("20261101-0001.jsonl", 10);
    write("note.txt", 10);
    log.append(b"x\n", at(0)).unwrap();
    assert_eq!(
        log.parts().unwrap(),
        [
            "20260902-0001.jsonl",
            "20261101-0001.jsonl",
            "20261201-0001.jsonl"
        ]
    );
    write("20261102-0001.jsonl", KEPT);
    log.append(b"x\n", at(0) + DAY).unwrap();
    let parts = log.parts().unwrap();
    assert_eq!(parts, ["20261201-0001.jsonl", "20261202-0001.jsonl"]);
    assert!(log.folder.join("note.txt").exists(), "it is no part");
}

#[test]
fn many_writers_keep_every_line_whole() {
    let home = tempfile::tempdir().unwrap();
    let home = Arc::new(home);
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let home = Arc::clone(&home);
            std::thread::spawn(move || {
                let log = log(home.path());
                for line in 0..200 {
                    let line = format!("{writer}:{line}:{}\n", "x".repeat(300));
                    log.append(line.as_bytes(), at(0)).unwrap();
                }
            })
        })
        .collect();
    writers.into_iter().for_each(|one| one.join().unwrap());
    let lines = all(&log(home.path()));
    assert_eq!(lines.len(), 8 * 200);
    assert!(lines.iter().all(|line| line.ends_with(&"x".repeat(300))));
    for writer in 0..8 {
        let own = lines
            .iter()
            .filter(|line| line.starts_with(&format!("{writer}:")));
        let numbers: Vec<&str> = own.map(|line| line.split(':').nth(1).unwrap()).collect();
        assert_eq!(numbers, (0..200).map(|n| n.to_string()).collect::<Vec<_>>());
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("state"), b"a file").unwrap();
    assert!(log(home.path()).append(b"x\n", at(0)).is_err());
}
