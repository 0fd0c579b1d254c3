//! Search over 20,000 files, ours beside ripgrep in the same run: the whole process, both ways.
//! Where `rg` is not installed its rows are missing, and a line says so.

mod tree;

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use criterion::{Criterion, criterion_group, criterion_main};

const AGENT: &str = env!("CARGO_BIN_EXE_agent");

/// What is started in the tree, and with which arguments.
const RUNS: [(&str, &str, &[&str]); 4] = [
    ("grep/agent", AGENT, &["call", "grep", "needle"]),
    ("grep/rg", "rg", &["--line-number", "needle", "."]),
    ("glob/agent", AGENT, &["call", "glob", "**/*.lua"]),
    ("glob/rg", "rg", &["--files", "--glob", "**/*.lua", "."]),
];

fn search(criterion: &mut Criterion) {
    let tree = match tree::tree() {
        Ok(tree) => tree,
        Err(error) => return note(&format!("no tree to search: {error}")),
    };
    let mut group = criterion.benchmark_group("search");
    group.sample_size(20);
    for (name, executable, args) in RUNS {
        if !runs(executable) {
            note(&format!("{name}: {executable} is not installed"));
            continue;
        }
        let mut command = command(executable, args, &tree);
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(command.status().map(|status| status.success())));
        });
    }
    group.finish();
}

fn command(executable: &str, args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(executable);
    command.args(args).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn runs(executable: &str) -> bool {
    let mut version = command(executable, &["--version"], Path::new("."));
    version.status().is_ok_and(|status| status.success())
}

#[allow(
    clippy::print_stderr,
    reason = "a benchmark speaks to the person who runs it"
)]
fn note(text: &str) {
    eprintln!("{text}");
}

criterion_group!(benches, search);
criterion_main!(benches);
