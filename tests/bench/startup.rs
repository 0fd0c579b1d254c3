//! How long the whole program takes from its start to its end: nothing to do, and next to nothing.
//! Each run is a process; compare with `/bin/true`, which is what any process costs here.

use std::hint::black_box;
use std::process::{Command, Stdio};

use criterion::{Criterion, criterion_group, criterion_main};

/// What is started, and with which arguments.
const RUNS: [(&str, &str, &[&str]); 4] = [
    ("true", "/bin/true", &[]),
    ("version", env!("CARGO_BIN_EXE_agent"), &["--version"]),
    ("eval", env!("CARGO_BIN_EXE_agent"), &["eval", "return 1"]),
    (
        "read",
        env!("CARGO_BIN_EXE_agent"),
        &["call", "read", "Cargo.toml"],
    ),
];

fn startup(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("startup");
    group.sample_size(50);
    for (name, executable, args) in RUNS {
        let mut command = Command::new(executable);
        command
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(command.status().map(|status| status.success())));
        });
    }
    group.finish();
}

criterion_group!(benches, startup);
criterion_main!(benches);
