//! What an edit costs: the exact text in 1 MB through the door, and each replacer where it decides in
//! 10,000 lines.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot set up its world stops"
)]

use agent::data::Data;
use agent::edit::{Chain, Progress, Replacer, Search, Step};
use criterion::{Criterion, criterion_group, criterion_main};

#[path = "door.rs"]
mod door;

use door::Door;

const LINE: &str = "the quick brown fox jumps over the lazy dog, 64 bytes to a line\n";

/// What each replacer is asked to find in the block.
const QUOTES: [(Replacer, &str); 9] = [
    (Replacer::Simple, "\tlet value = compute(1);"),
    (
        Replacer::LineTrimmed,
        "  here {\n  let value = compute(1);\n  }",
    ),
    (
        Replacer::BlockAnchor,
        "  here {\n  let value = compute(2);\n  }",
    ),
    (Replacer::WhitespaceNormalized, "let  value =  compute(1);"),
    (
        Replacer::IndentationFlexible,
        "here {\n\tlet value = compute(1);\n}",
    ),
    (
        Replacer::EscapeNormalized,
        "here {\\n\tlet value = compute(1);",
    ),
    (Replacer::TrimmedBoundary, "\n let value = compute(1);\n"),
    (
        Replacer::ContextAware,
        "  here {\n  let value  = compute(1);\n  }",
    ),
    (Replacer::MultiOccurrence, "\tlet value = compute(1);"),
];

fn edit(criterion: &mut Criterion) {
    let world = tempfile::tempdir().expect("a temporary folder");
    let root = world.path().join("workspace");
    std::fs::create_dir(&root).expect("a workspace");
    let megabyte = LINE.repeat(8000) + "needle 0\n" + &LINE.repeat(8000);
    std::fs::write(root.join("a.txt"), megabyte).expect("a file");
    let door = Door::new(&root, &world.path().join("own"), agent::tools::shipped());
    let mut group = criterion.benchmark_group("edit");
    group.sample_size(20);
    let mut turn = 0;
    group.bench_function("exact in 1 MB, through the door", |bencher| {
        bencher.iter(|| {
            let (old, new) = (format!("needle {turn}"), format!("needle {}", turn + 1));
            turn += 1;
            let args = [
                ("path", "a.txt".into()),
                ("old", old.into()),
                ("new", new.into()),
            ];
            door.call("edit", Data::map(args))
        });
    });
    let block = "here {\n\tlet value = compute(1);\n}\n";
    let text = LINE.repeat(5000) + block + &LINE.repeat(5000);
    for (replacer, old) in QUOTES {
        let steps = vec![Step::Shipped(replacer)];
        let chain = Chain {
            steps,
            ..Chain::default()
        };
        group.bench_function(
            format!("{} in 10,000 lines", replacer.as_str()),
            |bencher| {
                bencher.iter(|| {
                    let search = Search::new(text.clone(), old, "new", false, chain.clone());
                    let Progress::Done(done) = search.expect("an edit").run() else {
                        panic!("nobody is to be asked");
                    };
                    done.expect("it is there")
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, edit);
criterion_main!(benches);
