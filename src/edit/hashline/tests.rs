//! Anchors by themselves; what edits by them do is shown by the cases of `tests/hashlines`.

use proptest::prelude::*;

use super::anchor::{behind_anchor, read};
use super::*;

#[test]
fn an_anchor_is_a_number_and_three_letters() {
    let marks = marks("fn main() {\n    foo();\r\n}\n");
    let anchors: Vec<String> = (1..)
        .zip(&marks)
        .map(|(n, mark)| anchor(n, *mark))
        .collect();
    assert_eq!(anchors, ["1#pdg", "2#mfb", "3#wkv"]);
    for (at, text) in anchors.iter().enumerate() {
        assert_eq!(read(text), Some((at + 1, marks[at])));
    }
}

#[test]
fn a_reference_forgives_what_is_copied_along() {
    let mark = marks("a\n")[0];
    for text in ["7#X", ">>> 7#X", "+7#X|text", "- 7 # X", " 7#X  |", "7#X|"] {
        let upper = text.replace('X', &mark.to_string().to_uppercase());
        assert_eq!(read(&upper), Some((7, mark)), "{upper}");
    }
    for text in [
        "",
        "7",
        "#X",
        "7#",
        "7#aaa",
        "7#Xb",
        "x7#X",
        "7#X text",
        "99999999999999999999999#X",
    ] {
        assert_eq!(read(&text.replace('X', &mark.to_string())), None, "{text}");
    }
    assert_eq!(behind_anchor("   7#kfd|  text"), Some(("  text", false)));
    assert_eq!(behind_anchor("-7#kfd|x"), Some(("x", true)));
    assert_eq!(behind_anchor("7#kfd x"), None);
}

#[test]
fn a_hash_tells_a_changed_line_and_where_a_brace_stands() {
    let of = |text: &str| marks(text);
    assert_ne!(of("a\n")[0], of("a \n")[0], "white space counts");
    assert_eq!(of("a\n")[0], of("a\r\n")[0], "the line's end does not");
    assert_eq!(of("x\na\n")[1], of("y\na\n")[1], "nor do other lines");
    let braces = of("a {\n}\n\nb {\n}\n");
    assert_ne!(braces[1], braces[4]);
}

/// Lines with their ends, and a last one that may have none.
fn text() -> impl Strategy<Value = Vec<String>> {
    let line = (
        "[a-c{} \u{e9}\r]{0,4}",
        prop_oneof![Just("\n"), Just("\r\n")],
    );
    let line = line.prop_map(|(body, end)| format!("{}{end}", body.trim_end_matches('\r')));
    (prop::collection::vec(line, 1..12), any::<bool>()).prop_map(|(mut lines, is_ended)| {
        if !is_ended && let Some(last) = lines.last_mut() {
            let body = last.trim_end_matches(['\r', '\n']).to_owned();
            *last = if body.is_empty() {
                "z".to_owned()
            } else {
                body
            };
        }
        lines
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    /// Lines that no edit names come out byte for byte, in order; what comes is there, and nothing else.
    #[test]
    fn lines_that_no_edit_names_keep_their_bytes(lines in text(), fates in prop::collection::vec(0..5_usize, 12)) {
        let text = lines.concat();
        let marks = marks(&text);
        prop_assert_eq!(marks.len(), lines.len());
        let (mut edits, mut kept) = (Vec::new(), Vec::new());
        for (at, line) in lines.iter().enumerate() {
            let anchor = anchor(at + 1, marks[at]);
            let (op, lines) = match fates[at] {
                0 => (Op::Replace, vec![format!("X{at}"), format!("Y{at}")]),
                1 => (Op::Append, vec![format!("X{at}")]),
                2 => (Op::Delete, vec![]),
                _ => { kept.push(line.as_str()); continue; }
            };
            if op == Op::Append { kept.push(line.as_str()); }
            edits.push(Edit { op, pos: Some(anchor), end: None, lines: Some(lines) });
        }
        if edits.is_empty() {
            return Ok(());
        }
        let applied = apply(&text, &edits).unwrap();
        let is_new = |line: &&str| !line.starts_with(['X', 'Y']);
        let after: Vec<&str> = applied.text.split_inclusive('\n').filter(is_new).collect();
        // A last line without an end gets one where lines come behind it.
        let bare = |lines: Vec<&str>| -> Vec<String> {
            let last = lines.len().saturating_sub(1);
            let of = |(at, line): (usize, &str)| if at == last { line.trim_end_matches(['\r', '\n']).to_owned() } else { line.to_owned() };
            lines.into_iter().enumerate().map(of).collect()
        };
        prop_assert_eq!(bare(after), bare(kept));
        let came: usize = edits.iter().map(|edit| edit.lines.as_ref().unwrap().len()).sum();
        prop_assert_eq!(applied.text.matches(['X', 'Y']).count(), came);
    }
}
