//! What the journal adds to an edit, and what it takes to undo: one edited file, four of them, and one where other
//! sessions have made a thousand edits before.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot set up its world stops"
)]

use std::rc::Rc;
use std::time::{Duration, Instant};

use agent::data::Data;
use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, criterion_group, criterion_main};
use tempfile::TempDir;

#[path = "door.rs"]
mod door;

use door::{Door, Kept};

const LINE: &str = "the quick brown fox jumps over the lazy dog, 64 bytes to a line\n";
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// A workspace of four files with 21 lines each, the first of which is `turn 0`.
fn world() -> TempDir {
    let world = tempfile::tempdir().expect("a temporary folder");
    let root = world.path().join("workspace");
    std::fs::create_dir(&root).expect("a workspace");
    for name in NAMES {
        let text = format!("turn 0\n{}", LINE.repeat(20));
        std::fs::write(root.join(name), text).expect("a file");
    }
    world
}

/// A session of its own in this world.
fn session(world: &TempDir, kept: Kept) -> Door {
    let mut tools = agent::tools::shipped();
    tools.insert(agent::tools::undo::undo());
    let (root, own) = (world.path().join("workspace"), world.path().join("own"));
    Door::keeping(kept, &root, &own, tools)
}

/// The edit that makes `turn` the one after it.
fn edit(door: &Door, name: &str, turn: usize) {
    let (old, new) = (format!("turn {turn}\n"), format!("turn {}\n", turn + 1));
    let args = [
        ("path", name.into()),
        ("old", old.into()),
        ("new", new.into()),
    ];
    door.call("edit", Data::map(args));
}

/// The same edits with a journal and without, in turns: the difference is what the journal adds to each.
fn added(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, kept: Kept) {
    let worlds = [world(), world()];
    let doors = [
        session(&worlds[0], kept),
        session(&worlds[1], Kept::Nothing),
    ];
    let mut turn = 0;
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|times| {
            let mut spent = [Duration::ZERO; 2];
            for _ in 0..times {
                for (door, spent) in doors.iter().zip(&mut spent) {
                    let start = Instant::now();
                    edit(door, NAMES[0], turn);
                    *spent += start.elapsed();
                }
                turn += 1;
            }
            let [with, without] = spent;
            with.saturating_sub(without).max(Duration::from_nanos(1))
        });
    });
}

/// The undo of one edit of each of these files, by the session that made them: one unit, each time in the `world`.
fn undone(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    world: impl Fn() -> Rc<TempDir>,
    names: &[&str],
) {
    let ready = || {
        let world = world();
        let door = session(&world, Kept::Journal);
        names.iter().for_each(|name| edit(&door, name, 0));
        (world, door)
    };
    group.bench_function(name, |bencher| {
        bencher.iter_batched_ref(
            ready,
            |(_, door)| door.call("undo", Data::map([])),
            BatchSize::PerIteration,
        );
    });
    let (world, door) = ready();
    door.call("undo", Data::map([]));
    for name in names {
        let text = std::fs::read_to_string(world.path().join("workspace").join(name));
        let is_back = text.expect("a file").starts_with("turn 0\n");
        assert!(is_back, "{name} is as it was");
    }
}

fn journal(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("journal");
    group.sample_size(20);
    added(&mut group, "what it adds to an edit", Kept::Journal);
    let name = "what it adds to an edit, strict";
    added(&mut group, name, Kept::Strictly);
    let new = || Rc::new(world());
    undone(&mut group, "undo of one edited file", new, &NAMES[..1]);
    undone(&mut group, "undo of four edited files", new, &NAMES);
    let old = new();
    let before = session(&old, Kept::Journal);
    (0..1000).for_each(|turn| edit(&before, NAMES[3], turn));
    let name = "undo of one edited file after 1,000 edits";
    undone(&mut group, name, || Rc::clone(&old), &NAMES[..1]);
    group.finish();
}

criterion_group!(benches, journal);
criterion_main!(benches);
