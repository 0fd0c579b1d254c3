//! What loading costs: fifty tool files for the first time, and again over what is there.
//!
//! The bytes are in memory: reading them from the disk is not measured here.

#![allow(
    clippy::panic,
    reason = "a benchmark that cannot set up its world stops"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::layers::{Layer, Role, SourceFile};
use agent::lua::Vm;
use agent::tool::Registry;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

use door::Door;

mod door;

const FILES: usize = 50;

fn files() -> Vec<SourceFile> {
    let file = |n: usize| {
        let text = format!(
            "local word = 'tool {n}'\nreturn {{\n  description = word,\n  parameters = {{ 'name', loud = {{ 'boolean', default = false }} }},\n  \
             effect = 'read',\n  execute = function(args) return word .. args.name end,\n}}\n"
        );
        SourceFile {
            layer: Layer::User,
            role: Role::Tool,
            name: format!("tool_{n}"),
            shown: format!("tools/tool_{n}.lua"),
            text: Ok(Arc::from(text.as_bytes())),
        }
    };
    (0..FILES).map(file).collect()
}

fn load(door: &Door, vm: &Vm, files: Vec<SourceFile>) {
    let enforce = Box::new(|_: &_, _: &_| Ok(()));
    let loading = vm.load(&door.scope, Registry::default(), files, enforce);
    match door.runtime.block_on(loading) {
        Ok(loaded) => assert_eq!(loaded.report.loaded.len(), FILES),
        Err(error) => panic!("{error}"),
    }
}

fn loading(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("a folder: {error}"));
    let door = Door::new(folder.path(), folder.path(), Registry::default());
    let mut group = criterion.benchmark_group("fifty tool files");
    group.bench_function("in a fresh state", |bencher| {
        bencher.iter_custom(|times| {
            let mut spent = Duration::ZERO;
            for _ in 0..times {
                let (vm, files) = (door.vm(), files());
                let start = Instant::now();
                load(&door, &vm, files);
                spent += start.elapsed();
                vm.stop();
                vm.wait(Duration::from_secs(1));
            }
            spent
        });
    });
    let vm = door.vm();
    load(&door, &vm, files());
    group.bench_function("again", |bencher| {
        bencher.iter_batched(
            files,
            |files| load(&door, &vm, files),
            BatchSize::SmallInput,
        );
    });
    vm.stop();
    vm.wait(Duration::from_secs(1));
    group.finish();
}

criterion_group!(benches, loading);
criterion_main!(benches);
