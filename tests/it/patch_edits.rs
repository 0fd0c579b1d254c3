//! A patch made from an edit gives the edited file, in every encoding and with every line end, and what the
//! hunks do not name comes out byte for byte.

use std::cell::Cell;

use agent::data::Data;
use agent::error::Kind;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::door::{Door, args};

/// What becomes of a line: the lines that come in front of it, and its own new text, if it stays.
#[derive(Clone, Debug)]
struct Fate {
    come: Vec<String>,
    own: Own,
}

#[derive(Clone, Debug)]
enum Own {
    Stays,
    Goes,
    Becomes(String),
}

/// A line, its end, and what becomes of it.
type Edited = (String, &'static str, Fate);

fn fate() -> impl Strategy<Value = Fate> {
    let own = prop_oneof![
        6 => Just(Own::Stays),
        1 => Just(Own::Goes),
        1 => "[x-zü]{1,4}".prop_map(Own::Becomes),
    ];
    let come = prop_oneof![
        6 => Just(Vec::new()),
        1 => prop::collection::vec("[x-zü]{1,4}", 1..3),
    ];
    (come, own).prop_map(|(come, own)| Fate { come, own })
}

/// Lines of a file and their fate, whether its last line has an end, its encoding, and how much context.
fn file() -> impl Strategy<Value = (Vec<Edited>, bool, usize, usize)> {
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    let lines = prop::collection::vec(("[a-dé ]{0,4}", end, fate()), 1..25);
    (lines, any::<bool>(), 0..4_usize, 0..4_usize)
}

fn encoded(text: &str, encoding: usize) -> Vec<u8> {
    let wide = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(bytes);
        mark.into_iter().chain(units).collect()
    };
    match encoding {
        0 => text.as_bytes().to_vec(),
        1 => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        2 => wide([0xff, 0xfe], u16::to_le_bytes),
        _ => wide([0xfe, 0xff], u16::to_be_bytes),
    }
}

/// The patch of the edit, with so many lines of context; `None` where nothing changes.
fn patch(lines: &[Edited], context: usize) -> Option<String> {
    let changes = |fate: &Fate| !fate.come.is_empty() || !matches!(fate.own, Own::Stays);
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for line in (0..lines.len()).filter(|at| changes(&lines[*at].2)) {
        let end = lines.len().min(line + 1 + context);
        let around = line.saturating_sub(context)..end;
        match groups.last_mut().filter(|last| last.end >= around.start) {
            Some(last) => last.end = around.end,
            None => groups.push(around),
        }
    }
    let mut text = "*** Begin Patch\n*** Update File: file\n".to_owned();
    for group in &groups {
        text.push_str("@@\n");
        for (old, _, fate) in &lines[group.clone()] {
            text.extend(fate.come.iter().map(|line| format!("+{line}\n")));
            text.push_str(&match &fate.own {
                Own::Stays => format!(" {old}\n"),
                Own::Goes => format!("-{old}\n"),
                Own::Becomes(new) => format!("-{old}\n+{new}\n"),
            });
        }
    }
    (!groups.is_empty()).then(|| text + "*** End Patch\n")
}

/// The lines after the edit, each with the line of the file that it is, if it is one.
fn after(lines: &[Edited]) -> Vec<(&str, Option<usize>)> {
    let mut after = Vec::new();
    for (at, (old, _, fate)) in lines.iter().enumerate() {
        after.extend(fate.come.iter().map(|line| (line.as_str(), None)));
        match &fate.own {
            Own::Stays => after.push((old, Some(at))),
            Own::Goes => {}
            Own::Becomes(new) => after.push((new, None)),
        }
    }
    after
}

/// Tries one edit: whether it was applied. It may be refused only where a hunk fits in several places.
fn applies(
    mut lines: Vec<Edited>,
    ended: bool,
    encoding: usize,
    context: usize,
) -> Result<Option<bool>, TestCaseError> {
    let last = lines.len() - 1;
    for (at, (text, _, _)) in lines.iter_mut().enumerate() {
        // Most lines are the only ones of their kind, and the last one is seen where it has no end.
        if at % 3 > 0 || at == last {
            text.push_str(&at.to_string());
        }
    }
    let Some(patch) = patch(&lines, context) else {
        return Ok(None);
    };
    let parts = lines.iter().flat_map(|(text, end, _)| [text.as_str(), end]);
    let text: String = parts.take(lines.len() * 2 - usize::from(!ended)).collect();
    let (door, before) = (Door::new(), encoded(&text, encoding));
    door.write("file", &before);
    if let Err(error) = door.call("apply_patch", args([("patch", Data::from(patch))])) {
        prop_assert_eq!(error.kind, Kind::Conflict, "{}", error);
        prop_assert_eq!(door.bytes("file"), before);
        return Ok(Some(false));
    }
    let wanted = after(&lines);
    let read = door.ok("read", args([("path", "file".into())]));
    let now = read.metadata["text"].as_str().unwrap();
    if !now.is_empty() {
        prop_assert_eq!(door.bytes("file"), encoded(now, encoding));
    }
    let found: Vec<&str> = now.split_inclusive('\n').collect();
    prop_assert_eq!(found.len(), wanted.len());
    for (at, (line, (text, origin))) in found.iter().zip(&wanted).enumerate() {
        let bare = line.trim_end_matches(['\r', '\n']);
        let (end, is_last) = (&line[bare.len()..], at + 1 == found.len());
        prop_assert_eq!(bare, *text);
        // An empty last line without an end would be none.
        prop_assert_eq!(end.is_empty(), is_last && !ended && !text.is_empty());
        if let Some(origin) = origin.filter(|at| !end.is_empty() && (ended || *at < last)) {
            prop_assert_eq!(end, lines[origin].1);
        }
    }
    Ok(Some(true))
}

#[test]
fn a_patch_made_from_an_edit_gives_the_edited_file() {
    let (worked, tried) = (Cell::new(0), Cell::new(0));
    let given = std::env::var("AGENT_TEST_CASES").ok();
    let config = Config {
        cases: given.and_then(|cases| cases.parse().ok()).unwrap_or(256),
        source_file: Some(file!()),
        test_name: Some("a_patch_made_from_an_edit_gives_the_edited_file"),
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&file(), |(lines, ended, encoding, context)| {
        let applied = applies(lines, ended, encoding, context)?;
        tried.set(tried.get() + usize::from(applied.is_some()));
        worked.set(worked.get() + usize::from(applied == Some(true)));
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    let share = worked.get() * 100 / tried.get().max(1);
    println!("{share} % of {} were applied", tried.get());
    assert!(share >= 50, "only {share} % were applied");
}
