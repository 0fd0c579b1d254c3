//! A range of a 1 GB file, `write` and `edit` of a small one, a patch of 20 hunks, beside what the system alone takes.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark that cannot set up its world stops"
)]

use std::io::Write as _;
use std::path::Path;

use agent::data::Data;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};

#[path = "door.rs"]
mod door;

use door::Door;

const LINE: &str = "the quick brown fox jumps over the lazy dog, 64 bytes to a line\n";

fn huge(path: &Path) {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).expect("a file"));
    for _ in 0..(1 << 30) / LINE.len() {
        file.write_all(LINE.as_bytes()).expect("room for 1 GB");
    }
}

/// The most memory this process has held, in MiB, as the kernel counts it.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) / 1024.0
}

/// Twenty hunks with a line of context on both sides, in a file of 10,000 lines.
fn patches(group: &mut BenchmarkGroup<'_, WallTime>, door: &Door, root: &Path) {
    let line = |at: usize, turn: usize| match at % 500 {
        250 => format!("let value_{at} = {turn};\n"),
        _ => format!("let line_{at} = {at};\n"),
    };
    let text: String = (0..10_000).map(|at| line(at, 0)).collect();
    std::fs::write(root.join("patched.rs"), text).expect("a file");
    let mut turn = 0;
    group.bench_function("patch, 20 hunks in 10,000 lines", |bencher| {
        bencher.iter(|| {
            let mut patch = "*** Begin Patch\n*** Update File: patched.rs\n".to_owned();
            for at in (0..20).map(|hunk| hunk * 500 + 250) {
                let (above, below) = (line(at - 1, 0), line(at + 1, 0));
                let (old, new) = (line(at, turn), line(at, turn + 1));
                patch.push_str(&format!("@@\n {above}-{old}+{new} {below}"));
            }
            turn += 1;
            patch.push_str("*** End Patch\n");
            door.call("apply_patch", Data::map([("patch", patch.into())]))
        });
    });
}

fn files(criterion: &mut Criterion) {
    let world = tempfile::tempdir().expect("a temporary folder");
    let root = world.path().join("workspace");
    std::fs::create_dir(&root).expect("a workspace");
    huge(&root.join("huge.txt"));
    std::fs::write(root.join("small.txt"), LINE.repeat(20)).expect("a file");
    let door = Door::new(&root, &world.path().join("own"), agent::tools::shipped());
    let mut group = criterion.benchmark_group("files");
    group.sample_size(20);
    let before = peak();
    for (name, offset) in [("start", 1), ("middle", 8_000_000)] {
        let args = || {
            let (path, offset, limit) = ("huge.txt".into(), Data::Int(offset), Data::Int(100));
            Data::map([("path", path), ("offset", offset), ("limit", limit)])
        };
        group.bench_function(format!("100 lines of 1 GB, {name}"), |bencher| {
            bencher.iter(|| door.call("read", args()));
        });
    }
    println!(
        "peak memory {:.1} MiB, {before:.1} before the ranges",
        peak()
    );
    let mut turn = 0;
    group.bench_function("write a small file", |bencher| {
        bencher.iter(|| {
            turn += 1;
            let content = format!("{turn}\n{}", LINE.repeat(20));
            door.call(
                "write",
                Data::map([("path", "small.txt".into()), ("content", content.into())]),
            )
        });
    });
    group.bench_function("edit a small file", |bencher| {
        bencher.iter(|| {
            let (old, new) = (format!("{turn}\n"), format!("{}\n", turn + 1));
            turn += 1;
            let (old, new) = (("old", old.into()), ("new", new.into()));
            door.call("edit", Data::map([("path", "small.txt".into()), old, new]))
        });
    });
    let mut turn = 0;
    let words = ["dog", "cat"];
    std::fs::write(root.join("many.txt"), "dog\n".repeat(50_000)).expect("a file");
    group.bench_function("edit 50,000 places", |bencher| {
        bencher.iter(|| {
            let (old, new) = (words[turn % 2], words[(turn + 1) % 2]);
            turn += 1;
            let (old, new, all) = (("old", old.into()), ("new", new.into()), Data::Bool(true));
            let all = ("replace_all", all);
            door.call(
                "edit",
                Data::map([("path", "many.txt".into()), old, new, all]),
            )
        });
    });
    patches(&mut group, &door, &root);
    group.bench_function("write, fsync, rename (peer)", |bencher| {
        bencher.iter(|| {
            let temp = root.join("temp");
            let mut file = std::fs::File::create(&temp).expect("a file");
            file.write_all(LINE.repeat(20).as_bytes()).expect("room");
            file.sync_all().expect("fsync");
            std::fs::rename(&temp, root.join("peer.txt")).expect("rename");
            std::fs::File::open(&root)
                .and_then(|folder| folder.sync_all())
                .expect("fsync");
        });
    });
    group.finish();
}

criterion_group!(benches, files);
criterion_main!(benches);
