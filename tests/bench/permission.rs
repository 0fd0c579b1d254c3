//! What the rules cost: taking a command line apart, and the verdict on a call.
//!
//! Facts alone: no file is looked at and nothing is run.

use agent::permission::{
    Action, Bounds, Caller, Effect, Group, Mode, Request, Rule, Source, Subject, judge, read_line,
};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const LINES: [(&str, &str); 4] = [
    ("a plain command", "cargo test -p agent --lib"),
    (
        "a typical line",
        "cd src && git diff --stat HEAD~1 | head -20 && cargo test -q 2>&1 | tail -5",
    ),
    (
        "a file written by a here-document of 40 lines",
        include_str!("here_document.sh"),
    ),
    (
        "a loop with a function",
        "check() { grep -n \"$1\" src/lib.rs; }; for word in one two; do check $word || echo \"no $word\"; done",
    ),
];

fn analysis(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("analysis");
    for (name, line) in LINES {
        group.bench_function(name, |bencher| {
            bencher.iter(|| read_line(black_box(line), "/home/ann/code", "/home/ann"));
        });
    }
    group.finish();
}

/// The rules of somebody who has some.
fn rules() -> Vec<Rule> {
    let texts = [
        (Action::Allow, "read"),
        (Action::Deny, "read:secrets/**"),
        (Action::Ask, "edit:*.lock"),
        (Action::Allow, "edit:src/**"),
        (Action::Deny, "shell:git push *"),
        (Action::Allow, "shell:cargo test *"),
    ];
    let rule = |(action, text)| Rule::parse(text, action, Source::User).ok();
    texts.into_iter().filter_map(rule).collect()
}

fn verdict(criterion: &mut Criterion) {
    let bounds = Bounds {
        workspace: "/home/ann/code".to_owned(),
        home: "/home/ann".to_owned(),
        ..Bounds::default()
    };
    let read = [Subject::path(
        Group::Read,
        "src/main.rs",
        "/home/ann/code/src/main.rs",
        true,
    )];
    let edit = [Subject::path(
        Group::Edit,
        "src/main.rs",
        "/home/ann/code/src/main.rs",
        true,
    )];
    let shell = [Subject::command("cargo test -p agent --lib")];
    let mut group = criterion.benchmark_group("verdict");
    for (name, tool, effect, subjects) in [
        ("a plain call", "read", Effect::Read, &read),
        ("a change of a file", "edit", Effect::Write, &edit),
        ("a plain command", "shell", Effect::Run, &shell),
    ] {
        let request = Request {
            tool,
            surface: "file",
            declared: "file",
            effect,
            caller: Caller::Model,
            subjects,
            modes: Mode::Default.into(),
            restricted: false,
            bounds: &bounds,
            limits: &[],
        };
        for (some, rules) in [("", Vec::new()), (" under six rules", rules())] {
            group.bench_function(format!("{name}{some}"), |bencher| {
                bencher.iter(|| judge(black_box(&request), black_box(&rules)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, analysis, verdict);
criterion_main!(benches);
