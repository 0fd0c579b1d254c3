//! Taking back what others have changed meanwhile: each path is told of once, and all else is as before.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::files::bench::Bench;
use crate::files::{ChangeSet, Files};

struct Work {
    bench: Bench,
    files: Files,
    done: Vec<Change>,
}

impl Work {
    fn new(tree: &[(&str, &str)]) -> Work {
        let bench = Bench::new();
        for (path, text) in tree {
            bench.write(path, text);
        }
        let files = bench.files();
        let done = Vec::new();
        Work { bench, files, done }
    }

    fn make(&mut self, change: Change) {
        let set = ChangeSet::new(vec![change.clone()]).unwrap();
        self.files.commit(&set, |_| {}).unwrap();
        self.done.push(change);
    }

    fn write(&mut self, path: &str, text: &str) {
        let place = self.files.resolve(path).unwrap();
        let change = self.files.plan_write(&place, text.as_bytes(), None);
        self.make(change.unwrap());
    }

    fn shift(&mut self, from: &str, to: &str) {
        let [from, to] = [from, to].map(|path| self.files.resolve_entry(path).unwrap());
        self.make(self.files.plan_move(&from, &to, None).unwrap());
    }

    fn delete(&mut self, path: &str) {
        let place = self.files.resolve_entry(path).unwrap();
        let change = self.files.plan_delete(&place, &AtomicBool::new(false));
        self.make(change.unwrap());
    }

    /// Takes all back: what is said to be lost, and what is left.
    fn taken_back(&self) -> (Vec<String>, Vec<String>) {
        let mut restoring = Restoring::default();
        for (number, change) in self.done.iter().enumerate().rev() {
            restoring.take_back(number as u64, change, &mut |back| {
                let Some(back) = back else { return Ok(()) };
                let set = ChangeSet::new(vec![back])?;
                self.files.commit(&set, |_| {}).map(|_| ())
            });
        }
        let lost = restoring.lost().iter().map(Lost::said).collect();
        let left = restoring.left().map(|(_, change)| {
            let what = change.action.as_str();
            format!("{what} {}", change.target().display)
        });
        (lost, left.collect())
    }
}

#[test]
fn the_source_of_a_move_stands_again_and_its_changed_target_is_told_of_once() {
    let mut work = Work::new(&[("a", "old")]);
    work.shift("a", "z");
    work.write("z", "ours");
    work.bench.write("z", "theirs");
    let (lost, left) = work.taken_back();
    assert_eq!(lost, ["z was changed meanwhile by somebody else"]);
    assert_eq!(left, ["create z", "update z"]);
    assert_eq!(work.bench.read("a"), b"old");
    assert_eq!(work.bench.read("z"), b"theirs");
}

#[test]
fn a_moved_file_that_somebody_deleted_stands_where_it_was_and_nothing_is_lost() {
    let mut work = Work::new(&[("a", "old")]);
    work.shift("a", "z");
    std::fs::remove_file(work.bench.path("z")).unwrap();
    assert_eq!(work.taken_back(), (vec![], vec![]));
    assert_eq!(work.bench.everything(), ["a"]);
    assert_eq!(work.bench.read("a"), b"old");
}

#[test]
fn a_file_that_came_where_one_was_moved_from_is_the_one_in_conflict() {
    let mut work = Work::new(&[("a", "old")]);
    work.shift("a", "z");
    work.bench.write("a", "theirs");
    let (lost, left) = work.taken_back();
    assert_eq!(lost, ["a exists already"]);
    assert_eq!(left, ["move z"]);
    assert_eq!(work.bench.read("a"), b"theirs");
    assert_eq!(work.bench.read("z"), b"old");
}

#[test]
fn what_somebody_took_back_already_is_no_loss() {
    let mut work = Work::new(&[("a", "old"), ("d/x", "x"), ("m", "m")]);
    work.write("a", "ours");
    work.write("new", "ours");
    work.delete("d");
    work.shift("m", "n");
    work.bench.write("a", "old");
    std::fs::remove_file(work.bench.path("new")).unwrap();
    work.bench.write("d/x", "x");
    std::fs::rename(work.bench.path("n"), work.bench.path("m")).unwrap();
    assert_eq!(work.taken_back(), (vec![], vec![]));
    assert_eq!(work.bench.everything(), ["a", "d", "d/x", "m"]);
}

#[test]
fn what_is_lost_in_a_folder_goes_with_it_and_everything_older_of_it_stays() {
    let mut work = Work::new(&[("d/x", "old"), ("d/y", "old"), ("b", "old")]);
    work.write("d/x", "ours");
    work.write("d/y", "ours");
    work.write("b", "ours");
    work.shift("d", "e");
    work.write("e/x", "again");
    work.bench.write("e/x", "theirs");
    let (lost, left) = work.taken_back();
    assert_eq!(
        lost,
        ["d/x: e/x was changed meanwhile by somebody else"],
        "where it is now, and what happened"
    );
    assert_eq!(left, ["update d/x", "update d/x"]);
    let read = |path| String::from_utf8(work.bench.read(path)).unwrap();
    assert_eq!(
        [read("d/x"), read("d/y"), read("b")],
        ["theirs", "old", "old"]
    );
}

#[test]
fn a_folder_that_stands_with_other_things_in_it_is_not_as_before() {
    let mut work = Work::new(&[("d/x", "x")]);
    work.delete("d");
    work.bench.write("d/theirs", "2");
    let (lost, left) = work.taken_back();
    assert_eq!(lost, ["d exists already"]);
    assert_eq!(left, ["delete d"]);
    assert_eq!(work.bench.everything(), ["d", "d/theirs"]);
}
