//! Ranges against the lines of the whole text.

use std::io::{Seek, Write};

use proptest::prelude::*;

use super::*;
use crate::error::Kind;
use crate::files::bench::Bench;
use crate::text::lines::LineIndex;

const EVERYTHING: Range = Range {
    first: 1,
    last: u64::MAX,
    max_bytes: usize::MAX,
    total: false,
    encoding: None,
};

fn read(bench: &Bench, name: &str, range: Range) -> Ranged {
    let files = bench.files();
    let place = files.resolve(name).unwrap();
    let opened = files.open(&place).unwrap();
    opened.lines(range, &AtomicBool::new(false)).unwrap()
}

#[test]
fn gives_a_range_and_the_total() {
    let bench = Bench::new();
    bench.write("a", "one\ntwo\r\nthree\nfour");
    let middle = read(
        &bench,
        "a",
        Range {
            first: 2,
            last: 3,
            total: true,
            ..EVERYTHING
        },
    );
    assert_eq!(middle.text, "two\r\nthree\n");
    assert_eq!((middle.first, middle.last, middle.total), (2, 3, Some(4)));
    let whole = read(&bench, "a", EVERYTHING);
    assert_eq!((whole.last, whole.total, whole.cut), (4, Some(4), false));
    let past = read(
        &bench,
        "a",
        Range {
            first: 9,
            ..EVERYTHING
        },
    );
    assert_eq!(
        (past.text.as_str(), past.last, past.total),
        ("", 8, Some(4))
    );
    let early = read(
        &bench,
        "a",
        Range {
            last: 2,
            ..EVERYTHING
        },
    );
    assert_eq!((early.last, early.total), (2, None));
}

#[test]
fn one_endless_line_is_cut_on_a_character() {
    let bench = Bench::new();
    bench.write("a", "é".repeat(300_000));
    let cut = read(
        &bench,
        "a",
        Range {
            max_bytes: 11,
            total: true,
            ..EVERYTHING
        },
    );
    assert_eq!(cut.text, "ééééé");
    assert_eq!((cut.last, cut.cut, cut.total), (1, true, Some(1)));
}

#[test]
fn lines_of_utf16_are_lines_too() {
    let bench = Bench::new();
    let encoding = Encoding::for_label("utf-16").unwrap();
    let text: String = (1..=100_000).map(|n| format!("line {n} ਊ\n")).collect();
    bench.write("a", encoding.encode(&text).unwrap());
    let range = read(
        &bench,
        "a",
        Range {
            first: 70_000,
            last: 70_001,
            total: true,
            ..EVERYTHING
        },
    );
    assert_eq!(range.text, "line 70000 ਊ\nline 70001 ਊ\n");
    assert_eq!((range.total, range.encoding), (Some(100_000), encoding));
}

#[test]
fn refuses_what_is_no_text_and_stops_when_told() {
    let bench = Bench::new();
    bench.write("a", b"\x7fELF\0\0\0");
    bench.write("b", "x\n".repeat(10));
    let files = bench.files();
    let binary = files.resolve("a").unwrap();
    let error = files
        .open(&binary)
        .unwrap()
        .lines(EVERYTHING, &AtomicBool::new(false))
        .unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    let text = files.resolve("b").unwrap();
    let error = files
        .open(&text)
        .unwrap()
        .lines(EVERYTHING, &AtomicBool::new(true))
        .unwrap_err();
    assert_eq!(error.kind, Kind::Cancelled);
}

#[test]
fn a_line_far_into_a_huge_file_needs_little_memory() {
    let bench = Bench::new();
    let path = bench.write("big", "first\n");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    file.set_len(100 << 20).unwrap();
    file.seek(std::io::SeekFrom::End(0)).unwrap();
    file.write_all(b"\nlast\n").unwrap();
    let range = Range {
        first: 3,
        total: true,
        encoding: Some(Encoding::UTF_8),
        ..EVERYTHING
    };
    let last = read(&bench, "big", range);
    assert_eq!((last.text.as_str(), last.total), ("last\n", Some(3)));
    let first = read(
        &bench,
        "big",
        Range {
            first: 2,
            last: 2,
            max_bytes: 100,
            ..range
        },
    );
    assert!(first.cut && first.text.len() == 100);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn any_range_is_what_the_whole_text_has_there(
        text in "([a-cé漢]{0,3}(\n|\r\n)){0,8}[a-c]{0,3}",
        first in 1_u64..12,
        length in 0_u64..12,
        label in prop::sample::select(vec!["utf-8", "utf-8-bom", "utf-16", "utf-16be", "gbk"]),
        piece in 1_usize..9,
    ) {
        let encoding = Encoding::for_label(label).unwrap();
        let Ok(bytes) = encoding.encode(&text) else { return Ok(()) };
        let last = first + length - 1;
        let mut lines = Wanted::new(Range { first, last, total: true, ..EVERYTHING }, encoding);
        for chunk in bytes.chunks(piece) {
            prop_assert!(lines.feed(chunk, false).is_continue());
        }
        prop_assert!(lines.feed(&[], true).is_continue());
        let ranged = lines.into_ranged(true, 0);
        let index = LineIndex::new(&text);
        let wanted = &text[index.range(first as usize, last as usize)];
        prop_assert_eq!(&ranged.text, wanted);
        prop_assert_eq!(ranged.total, Some(index.count() as u64));
        prop_assert_eq!(ranged.last + 1 - first, LineIndex::new(wanted).count() as u64);
    }
}
