//! Searches on a real tree.

use std::time::Duration;

use super::*;
use crate::error::Kind;
use crate::files::bench::Bench;

fn query(pattern: &str) -> Query {
    Query {
        pattern: pattern.to_owned(),
        ..Query::default()
    }
}

/// What is found, by path: files that are made at one moment have no order of age.
fn search(bench: &Bench, query: &Query, path: &str) -> Searched {
    let mut found = by_age(bench, query, path);
    found
        .matches
        .sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn by_age(bench: &Bench, query: &Query, path: &str) -> Searched {
    let files = bench.files();
    let place = files.resolve(path).unwrap();
    files
        .search(query, &place, &AtomicBool::new(false))
        .unwrap()
}

/// `path:line:column:text` of every match.
fn shown(found: &Searched) -> Vec<String> {
    let line = |one: &Match| format!("{}:{}:{}:{}", one.path, one.line, one.column, one.text);
    found.matches.iter().map(line).collect()
}

#[test]
fn finds_lines_with_their_columns() {
    let bench = Bench::new();
    bench.write("src/a.rs", "fn main() {}\n\nfn é() { fn x() {} }\r\n");
    bench.write("src/b.rs", "nothing\n");
    let found = search(&bench, &query("fn [x-z]|main"), ".");
    assert_eq!(
        shown(&found),
        [
            "src/a.rs:1:4:fn main() {}",
            "src/a.rs:3:11:fn é() { fn x() {} }"
        ]
    );
    assert_eq!(
        (found.searched, found.files.len(), found.files[0].count),
        (2, 1, 2)
    );
    assert_eq!(found.passed_over, None);
    assert_eq!(shown(&search(&bench, &query(r"\}$"), "src")).len(), 2);
}

#[test]
fn a_file_is_searched_alone_and_a_missing_path_is_not_replaced() {
    let bench = Bench::new();
    bench.write("a/one", "hit\n");
    bench.write("a/two", "hit\n");
    let found = search(
        &bench,
        &Query {
            include: vec!["*.rs".into()],
            ..query("hit")
        },
        "a/one",
    );
    assert_eq!(shown(&found), ["a/one:1:1:hit"]);
    let files = bench.files();
    let stop = AtomicBool::new(false);
    let error = files
        .search(&query("hit"), &files.resolve("a/oen").unwrap(), &stop)
        .unwrap_err();
    assert_eq!(
        (error.kind, error.hint()),
        (Kind::NotFound, "did you mean `a/one`?")
    );
    let device = files.resolve("/dev/zero").unwrap();
    let error = files.search(&query("hit"), &device, &stop).unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    stop.store(true, Ordering::Relaxed);
    let error = files
        .search(&query("hit"), &files.resolve(".").unwrap(), &stop)
        .unwrap_err();
    assert_eq!(error.kind, Kind::Cancelled);
}

#[test]
fn a_pattern_that_looks_like_an_option_is_a_pattern() {
    let bench = Bench::new();
    bench.write("a", "--files\n-e x\n");
    assert_eq!(
        shown(&search(&bench, &query("--files"), ".")),
        ["a:1:1:--files"]
    );
    assert_eq!(shown(&search(&bench, &query("-e"), ".")), ["a:2:1:-e x"]);
}

#[test]
fn a_broken_pattern_says_why() {
    let bench = Bench::new();
    let files = bench.files();
    let place = files.resolve(".").unwrap();
    for (pattern, hint) in [("foo(", "put `\\`"), ("a\nb", "set `multiline`")] {
        let error = files
            .search(&query(pattern), &place, &AtomicBool::new(false))
            .unwrap_err();
        assert_eq!(error.kind, Kind::Argument);
        assert!(
            error.hint().starts_with(hint),
            "{pattern:?}: {error} / {}",
            error.hint()
        );
    }
}

#[test]
fn one_enormous_line_fails_nothing() {
    let bench = Bench::new();
    bench.write(
        "long",
        format!("{}needle{}\n", "x".repeat(50_000), "y".repeat(20_000)),
    );
    bench.write("short", "needle\n");
    let found = search(&bench, &query("needle"), ".");
    assert_eq!(found.matches.len(), 2);
    assert_eq!(
        (found.matches[0].column, found.matches[0].text.len()),
        (50_001, 70_006)
    );
}

#[test]
fn binary_files_are_passed_over_and_counted() {
    let bench = Bench::new();
    bench.write("program", b"needle\n\x7fELF\0\0needle\n");
    bench.write("plain.bin", "needle\n");
    bench.write("latin", b"caf\xe9 needle\n");
    let utf16: Vec<u8> = "\u{feff}needle é\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    bench.write("wide", utf16);
    let found = search(&bench, &query("needle"), ".");
    assert_eq!((found.binary, found.searched), (1, 3));
    assert_eq!(
        shown(&found),
        [
            "latin:1:6:caf\u{fffd} needle",
            "plain.bin:1:1:needle",
            "wide:1:1:needle é"
        ]
    );
}

#[test]
fn lines_around_a_match_are_given_once() {
    let bench = Bench::new();
    bench.write("a", "1\n2 x\n3\n4 x\n5\n6\n7\n8 x\n");
    let found = search(
        &bench,
        &Query {
            context: 1,
            ..query("x")
        },
        ".",
    );
    let around: Vec<(Vec<u64>, u64, Vec<u64>)> = found
        .matches
        .iter()
        .map(|one| {
            let numbers = |lines: &[(u64, String)]| lines.iter().map(|line| line.0).collect();
            (numbers(&one.before), one.line, numbers(&one.after))
        })
        .collect();
    assert_eq!(
        around,
        [
            (vec![1], 2, vec![3]),
            (vec![], 4, vec![5]),
            (vec![7], 8, vec![])
        ]
    );
}

#[test]
fn a_match_may_span_lines() {
    let bench = Bench::new();
    bench.write("a", "zero\nfn a(\n  b,\n) {}\nfn c() {}\nfn d() {}\n");
    let found = search(
        &bench,
        &Query {
            multiline: true,
            ..query(r"fn \w+\([^)]*\)")
        },
        ".",
    );
    assert_eq!(
        shown(&found),
        [
            "a:2:1:fn a(\n  b,\n) {}",
            "a:5:1:fn c() {}",
            "a:6:1:fn d() {}"
        ]
    );
    let across = search(
        &bench,
        &Query {
            multiline: true,
            ..query("zero\nfn")
        },
        ".",
    );
    assert_eq!(shown(&across), ["a:1:1:zero\nfn a("]);
}

#[test]
fn counts_and_names_files() {
    let bench = Bench::new();
    bench.write("a", "X x\nx\n");
    bench.write("b", "x\n");
    bench.write("c", "y\n");
    let count = search(
        &bench,
        &Query {
            show: Show::Count,
            ..query("x")
        },
        ".",
    );
    let counts: Vec<_> = count
        .files
        .iter()
        .map(|one| (one.path.as_str(), one.count))
        .collect();
    assert_eq!(counts, [("a", 2), ("b", 1)]);
    let names = search(
        &bench,
        &Query {
            show: Show::Files,
            ignore_case: true,
            ..query("X|Y")
        },
        ".",
    );
    assert_eq!((names.files.len(), names.matches.len()), (3, 0));
}

#[test]
fn include_exclude_and_depth_narrow_it() {
    let bench = Bench::new();
    for path in ["a.rs", "a.md", "deep/b.rs", "deep/b.min.rs", "skip/c.rs"] {
        bench.write(path, "x\n");
    }
    let narrowed = Query {
        include: vec!["*.rs".into(), "!*.min.rs".into()],
        filter: Filter {
            exclude: vec!["skip/".into()],
            max_depth: Some(2),
            ..Filter::default()
        },
        ..query("x")
    };
    assert_eq!(
        shown(&search(&bench, &narrowed, ".")),
        ["a.rs:1:1:x", "deep/b.rs:1:1:x"]
    );
}

#[test]
fn nothing_found_is_explained() {
    let bench = Bench::new();
    bench.write(".gitignore", "target/\n");
    bench.write("target/a.rs", "needle\n");
    bench.write(".config/b.rs", "needle\n");
    bench.write("c.rs", "hay\n");
    let none = search(
        &bench,
        &Query {
            include: vec!["*.rs".into()],
            ..query("needle")
        },
        ".",
    );
    assert_eq!(
        none.passed_over,
        Some(PassedOver {
            ignored: 1,
            hidden: 1
        })
    );
    assert_eq!(search(&bench, &query("needle"), "target").matches.len(), 1);
    assert_eq!(search(&bench, &query("needle"), ".config").matches.len(), 1);
}

#[test]
fn a_limit_keeps_the_newest_files() {
    let bench = Bench::new();
    for n in 0..200_u64 {
        let path = bench.write(&format!("d{}/f{n:03}", n % 7), "x\nx\n");
        let file = std::fs::File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1000 + n))
            .unwrap();
    }
    let limited = |limit: usize| {
        let limit = NonZeroUsize::new(limit);
        by_age(
            &bench,
            &Query {
                limit,
                ..query("x")
            },
            ".",
        )
    };
    for _ in 0..5 {
        let found = limited(5);
        let lines: Vec<_> = found
            .matches
            .iter()
            .map(|one| (&one.path[3..], one.line))
            .collect();
        let newest = [
            ("f199", 1),
            ("f199", 2),
            ("f198", 1),
            ("f198", 2),
            ("f197", 1),
        ];
        assert_eq!(
            (lines, found.more, found.files.len()),
            (newest.to_vec(), true, 3)
        );
    }
    let all = limited(400);
    assert_eq!((all.matches.len(), all.more), (400, false));
}
