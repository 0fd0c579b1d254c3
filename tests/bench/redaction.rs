//! What redaction costs: ordinary code and its rules, the values that are held, and what is found by mistake.
//!
//! The text is what the packages of this build hold, where they are there, else our own sources.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark that cannot set up its world stops, and tells what it counted"
)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use agent::layers;
use agent::redact::{Reach, Redactor, tags};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use door::Door;

mod door;

/// How much text is read.
const MOST: usize = 64 << 20;

/// Where there is source text: the packages of this build, our own.
fn folder() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")));
    let packages = home.map(|home| home.join("registry/src"));
    let packages = packages.filter(|folder| folder.is_dir());
    packages.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The Rust sources below `folder`, one after the other.
fn text(folder: &Path, all: &mut String) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if all.len() > MOST {
            return;
        } else if path.is_dir() {
            text(&path, all);
        } else if path
            .extension()
            .is_some_and(|kind| kind == "rs" || kind == "md" || kind == "toml")
        {
            all.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

/// Tells how many lines of `text` are changed, and which.
fn count(redactor: &Redactor, text: &str, reach: Reach) {
    let redacted = redactor.redact(text, reach);
    let lines = text.lines().zip(redacted.lines());
    let changed: Vec<_> = lines.filter(|(before, after)| before != after).collect();
    let (all, hits) = (text.lines().count(), changed.len());
    println!("{reach:?}: {hits} of {all} lines are changed");
    for (before, after) in changed.iter().take(40) {
        let first = tags(after).next().map_or("", |tag| &after[tag]);
        println!("  {first} {}", &before[..before.floor_char_boundary(160)]);
    }
}

fn redaction(criterion: &mut Criterion) {
    let world = tempfile::tempdir().unwrap_or_else(|error| panic!("a folder: {error}"));
    let door = Door::new(world.path(), world.path(), agent::tools::shipped());
    let vm = door.vm();
    let enforce = Box::new(|_: &_, _: &_| Ok(()));
    let loading = vm.load(
        &door.scope,
        agent::tools::shipped(),
        layers::shipped(),
        enforce,
    );
    let loaded = door.runtime.block_on(loading);
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    let redactor = loaded.policy.redaction.redactor(door.gate.services());
    let mut all = String::new();
    text(&folder(), &mut all);
    count(&redactor, &all, Reach::Model);
    count(&redactor, &all, Reach::Input);
    let part = &all[..all.floor_char_boundary(8 << 20)];
    let mut group = criterion.benchmark_group("redaction");
    group
        .sample_size(20)
        .throughput(Throughput::Bytes(part.len() as u64));
    for (name, reach) in [
        ("for a model", Reach::Model),
        ("of input", Reach::Input),
        ("for a log", Reach::Log),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| redactor.redact(part, reach).len())
        });
    }
    group.finish();
    vm.stop();
    vm.wait(Duration::from_secs(1));
}

criterion_group!(benches, redaction);
criterion_main!(benches);
