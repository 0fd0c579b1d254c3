//! The law: writing back what was read changes no byte. And: bytes outside an edit are not ours.
//!
//! A tool that refuses everything would keep both, so a share of the files has to be accepted.

use std::cell::Cell;

use agent::data::Data;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::door::{Door, args};
use crate::running::cases;

/// Bytes as files have them: text in many encodings with all sorts of line ends, and noise.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let text = proptest::collection::vec(
        prop_oneof![
            Just("\n"),
            Just("\r\n"),
            Just("\r"),
            Just("word "),
            Just("\t"),
            Just("é"),
            Just("漢字"),
            Just("🦀"),
            Just("x"),
            Just("\u{feff}"),
        ],
        0..40,
    )
    .prop_map(|parts| parts.concat());
    prop_oneof![
        text.clone().prop_map(String::into_bytes),
        text.clone()
            .prop_map(|text| [b"\xef\xbb\xbf", text.as_bytes()].concat()),
        text.clone()
            .prop_map(|text| utf16(&text, u16::to_le_bytes, b"\xff\xfe")),
        text.prop_map(|text| utf16(&text, u16::to_be_bytes, b"\xfe\xff")),
        proptest::collection::vec(0x20_u8..=0xff, 0..60),
        proptest::collection::vec(any::<u8>(), 0..60),
    ]
}

fn utf16(text: &str, order: fn(u16) -> [u8; 2], mark: &[u8]) -> Vec<u8> {
    let units = text.encode_utf16().flat_map(order);
    mark.iter().copied().chain(units).collect()
}

/// Tries `law` on many files; it says whether the tool did its work. One that always refuses keeps
/// every law, so at least this share, in percent, has to work.
fn holds<S: Strategy>(
    name: &'static str,
    least: u32,
    files: S,
    law: impl Fn(S::Value) -> Result<bool, TestCaseError>,
) {
    let worked = Cell::new(0);
    let config = ProptestConfig {
        cases: cases(),
        source_file: Some(file!()),
        test_name: Some(name),
        ..ProptestConfig::default()
    };
    let tried = TestRunner::new(config).run(&files, |file| {
        worked.set(worked.get() + u32::from(law(file)?));
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
    let share = worked.get() * 100 / cases();
    println!("{share} % worked");
    assert!(share >= least, "only {share} % worked");
}

#[test]
fn writing_what_was_read_changes_no_byte() {
    holds("writing_what_was_read", 60, file(), |bytes| {
        let door = Door::new();
        door.write("file", &bytes);
        let path = || Data::from("file");
        let Ok(read) = door.call("read", args([("path", path())])) else {
            return Ok(false);
        };
        let content = read.metadata["text"].clone();
        door.ok(
            "write",
            args([("path", path()), ("content", content.clone())]),
        );
        prop_assert_eq!(door.bytes("file"), bytes.clone());
        let other = format!("{}~", content.as_str().unwrap());
        let write = args([("path", path()), ("content", other.into())]);
        let worked = door.call("write", write).is_ok();
        if worked {
            door.ok("write", args([("path", path()), ("content", content)]));
            prop_assert_eq!(door.bytes("file"), bytes);
        }
        Ok(worked)
    });
}

#[test]
fn an_edit_changes_no_byte_outside_its_span() {
    holds(
        "an_edit_changes",
        20,
        (file(), file()),
        |(before, after)| {
            let door = Door::new();
            let bytes = [before.as_slice(), b"<old>", &after].concat();
            door.write("file", &bytes);
            let edit = args([
                ("path", "file".into()),
                ("old", "<old>".into()),
                ("new", "<!>".into()),
            ]);
            let worked = door.call("edit", edit).is_ok();
            let expected = match worked {
                true => [before.as_slice(), b"<!>", &after].concat(),
                false => bytes,
            };
            prop_assert_eq!(door.bytes("file"), expected);
            Ok(worked)
        },
    );
}
