//! The law: writing back what was read changes no byte. And: bytes outside an edit are not ours.

use agent::data::Data;
use proptest::prelude::*;

use crate::door::{Door, args};

fn cases() -> ProptestConfig {
    let given = std::env::var("AGENT_TEST_N").ok();
    ProptestConfig::with_cases(given.and_then(|count| count.parse().ok()).unwrap_or(64))
}

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

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn writing_what_was_read_changes_no_byte(bytes in file()) {
        let door = Door::new();
        door.write("file", &bytes);
        let path = || Data::from("file");
        let Ok(read) = door.call("read", args([("path", path())])) else { return Ok(()) };
        let content = read.metadata["text"].clone();
        door.ok("write", args([("path", path()), ("content", content.clone())]));
        prop_assert_eq!(door.bytes("file"), bytes.clone());
        let other = format!("{}~", content.as_str().unwrap());
        if door.call("write", args([("path", path()), ("content", other.into())])).is_ok() {
            door.ok("write", args([("path", path()), ("content", content)]));
            prop_assert_eq!(door.bytes("file"), bytes);
        }
    }

    #[test]
    fn an_edit_changes_no_byte_outside_its_span(before in file(), after in file()) {
        let door = Door::new();
        let bytes = [before.as_slice(), b"<old>", &after].concat();
        door.write("file", &bytes);
        let edit = args([("path", "file".into()), ("old", "<old>".into()), ("new", "<!>".into())]);
        if door.call("edit", edit).is_ok() {
            let expected = [before.as_slice(), b"<!>", &after].concat();
            prop_assert_eq!(door.bytes("file"), expected);
        } else {
            prop_assert_eq!(door.bytes("file"), bytes);
        }
    }
}
