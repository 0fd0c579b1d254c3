//! Histories with calls side by side, steps in a row, and what a crash leaves.

use proptest::prelude::*;

use super::*;
use crate::chat::{Arguments, CallResult, Part};

/// A history in letters: `u` the person, `s` the program, `a` the model; `a12` calls 1 and 2, `t12` their results.
fn history(words: &str) -> Vec<Message> {
    words.split_whitespace().map(message).collect()
}

fn message(word: &str) -> Message {
    let (who, ids) = word.split_at(1);
    let ids = ids.chars().map(String::from);
    let call = |id: String| {
        Part::Call(Call {
            id,
            tool: "read".to_owned(),
            arguments: Arguments::new(""),
            incomplete: false,
            opaque: None,
        })
    };
    let result = |id: String| CallResult {
        id,
        tool: "read".to_owned(),
        text: String::new(),
        is_error: false,
        images: Vec::new(),
    };
    match who {
        "u" => Message::text(Role::User, "x"),
        "s" => Message::text(Role::System, "x"),
        "t" => Message::results(ids.map(result).collect()),
        _ => Message {
            role: Role::Assistant,
            parts: std::iter::once(Part::text("x"))
                .chain(ids.map(call))
                .collect(),
        },
    }
}

#[test]
fn a_call_is_open_until_its_result() {
    let open = |words: &str| -> String {
        let history = history(words);
        open_calls(&history)
            .iter()
            .map(|call| call.id.as_str())
            .collect()
    };
    assert_eq!(open("u a12 t1"), "2");
    assert_eq!(open("u a12 t21 a3"), "3");
    assert_eq!(open("u a1 t1 u"), "");
    assert_eq!(ids(&history("u a12 t12 a3")).len(), 3);
}

#[test]
fn a_history_is_paired_when_every_result_follows_its_call_at_once() {
    for paired in [
        "",
        "u",
        "u a",
        "u a12 t12 a",
        "u a12 t1 t2 u",
        "u a1 t1 u a2 s t2",
    ] {
        assert!(is_paired(&history(paired)), "{paired}");
    }
    for broken in [
        "u a1",
        "u a1 u t1",
        "t1 a1",
        "u a1 t1 t1",
        "u a1 t1 a1 t1",
        "u a12 t1 a",
        "u a11 t1",
    ] {
        assert!(!is_paired(&history(broken)), "{broken}");
    }
}

#[test]
fn no_cut_parts_a_pair() {
    assert_eq!(cut_points(&history("u a12 t1 t2 a u a3")), [0, 1, 4, 5, 6]);
    assert_eq!(cut_points(&history("u a1 t1")), [0, 1, 3]);
    assert_eq!(cut_points(&[]), [0]);
    let turns = |words: &str| -> Vec<(usize, usize)> {
        let turns = turns(&history(words)).into_iter();
        turns.map(|turn| (turn.start, turn.end)).collect()
    };
    assert_eq!(turns("s u a1 t1 a u a"), [(0, 5), (5, 7)]);
    assert_eq!(turns("a u"), [(0, 2)]);
    assert_eq!(turns("a a"), [(0, 2)]);
    assert!(turns("").is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn both_sides_of_every_cut_of_a_paired_history_are_paired(steps in prop::collection::vec((0usize..4, any::<bool>()), 0..12)) {
        let mut id = 0u32;
        let mut words = vec!["u".to_owned()];
        for (calls, steers) in steps {
            let ids: String = (0..calls).map(|n| char::from_u32(0x100 + id + n as u32).unwrap()).collect();
            id += calls as u32;
            words.push(format!("a{ids}"));
            if calls > 0 {
                words.push(format!("t{ids}"));
            }
            if steers {
                words.push("u".to_owned());
            }
        }
        let history = history(&words.join(" "));
        prop_assert!(is_paired(&history));
        let cuts = cut_points(&history);
        for at in 0..=history.len() {
            let (before, after) = history.split_at(at);
            prop_assert_eq!(cuts.contains(&at), is_paired(before) && is_paired(after));
        }
        let turns = turns(&history);
        prop_assert_eq!(turns.iter().map(|turn| turn.len()).sum::<usize>(), history.len());
    }
}
