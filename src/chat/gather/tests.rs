//! Every way in which calls arrive broken.
//!
//! By hand here; `at_random` makes up the rest.

mod at_random;

use super::*;

fn begun(key: u64, id: &str, tool: &str) -> Delta {
    Delta::CallBegun {
        key,
        id: (!id.is_empty()).then(|| id.to_owned()),
        tool: tool.to_owned(),
        opaque: None,
    }
}

fn piece(key: u64, text: &str) -> Delta {
    Delta::CallPiece {
        key,
        text: text.to_owned(),
    }
}

fn whole(key: u64, text: &str) -> Delta {
    Delta::CallWhole {
        key,
        text: text.to_owned(),
    }
}

const DONE: Delta = Delta::Stop(Stop::Done);

/// The calls in the order in which they were handed out, and the message.
fn gather(deltas: impl IntoIterator<Item = Delta>) -> (Vec<String>, Gathered) {
    let mut gather = Gather::new(3, HashSet::from(["old".to_owned()]));
    let mut handed = Vec::new();
    for delta in deltas {
        handed.extend(gather.take(delta));
    }
    let told = |call: &Call| format!("{} {} {}", call.id, call.tool, call.arguments.as_str());
    (handed.iter().map(told).collect(), gather.finish())
}

#[test]
fn arguments_are_read_whichever_way_they_were_sent() {
    let object = "{\"p\":1}";
    let rows: &[(&str, Vec<Delta>)] = &[
        ("in pieces", vec![piece(0, "{\"p\""), piece(0, ":1}")]),
        ("whole", vec![whole(0, object)]),
        (
            "pieces, then whole",
            vec![piece(0, "{\"p\""), piece(0, ":1}"), whole(0, object)],
        ),
        (
            "whole, then whole",
            vec![whole(0, object), whole(0, object)],
        ),
        (
            "pieces, then all of it as a piece",
            vec![piece(0, "{\"p\""), piece(0, ":1}"), piece(0, object)],
        ),
        ("all of it twice", vec![piece(0, object), piece(0, object)]),
        (
            "a place-holder, then whole",
            vec![piece(0, "{}"), piece(0, object)],
        ),
        (
            "a place-holder, then pieces",
            vec![whole(0, "{}"), piece(0, "{\"p\""), piece(0, ":1}")],
        ),
        (
            "null, then pieces",
            vec![piece(0, "null"), piece(0, "{\"p\""), piece(0, ":1}")],
        ),
        ("white space around", vec![piece(0, " "), piece(0, object)]),
        (
            "in a string",
            vec![piece(0, "\"{\\\"p\\\""), piece(0, ":1}\"")],
        ),
    ];
    for (what, pieces) in rows {
        let all = [begun(0, "a", "read")]
            .into_iter()
            .chain(pieces.clone())
            .chain([DONE]);
        let (handed, _) = gather(all);
        assert_eq!(handed.len(), 1, "{what}");
        assert_eq!(
            handed[0].replace(' ', ""),
            format!("aread{object}"),
            "{what}"
        );
    }
}

#[test]
fn two_objects_that_are_no_repetition_stay_as_they_came() {
    let (handed, _) = gather([
        begun(0, "a", "read"),
        piece(0, "{\"p\":"),
        piece(0, "{\"p\":2}"),
        DONE,
    ]);
    assert_eq!(handed, ["a read {\"p\":{\"p\":2}"]);
    let (handed, _) = gather([
        begun(0, "a", "read"),
        piece(0, "{\"p\":1}"),
        piece(0, "{\"p\":2}"),
        DONE,
    ]);
    assert_eq!(handed, ["a read {\"p\":1}{\"p\":2}"]);
}

#[test]
fn ids_that_are_missing_used_or_there_twice_are_replaced_in_the_same_way_each_time() {
    let (handed, _) = gather([
        begun(0, "", "a"),
        begun(1, "old", "b"),
        begun(2, "x", "c"),
        begun(3, "x", "d"),
        begun(4, "call_3_6", "e"),
        begun(5, " ", "f"),
        DONE,
    ]);
    let ids: Vec<&str> = handed
        .iter()
        .filter_map(|told| told.split(' ').next())
        .collect();
    assert_eq!(
        ids,
        [
            "call_3_1",
            "call_3_2",
            "x",
            "call_3_4",
            "call_3_6",
            "call_3_6_2"
        ]
    );
}

#[test]
fn an_id_or_a_name_may_come_late() {
    let (handed, _) = gather([
        piece(0, "{\"p\""),
        begun(0, "a", "read"),
        piece(0, ":1}"),
        DONE,
    ]);
    assert_eq!(handed, ["a read {\"p\":1}"]);
    let (handed, _) = gather([
        begun(0, "", "read"),
        piece(0, "{"),
        begun(0, "a", ""),
        piece(0, "}"),
        DONE,
    ]);
    assert_eq!(handed, ["a read {}"]);
}

#[test]
fn two_calls_in_one_place_are_two_calls() {
    let pair = [
        begun(0, "a", "read"),
        piece(0, "{\"p\":1}"),
        begun(0, "b", "read"),
        piece(0, "{\"p\":2}"),
        DONE,
    ];
    assert_eq!(gather(pair).0, ["a read {\"p\":1}", "b read {\"p\":2}"]);
    let nameless = [
        begun(0, "", "read"),
        piece(0, "{\"p\":1}"),
        begun(0, "", "read"),
        piece(0, "{\"p\":2}"),
        DONE,
    ];
    assert_eq!(
        gather(nameless).0,
        ["call_3_1 read {\"p\":1}", "call_3_2 read {\"p\":2}"]
    );
    let again = [
        begun(0, "", "read"),
        piece(0, "{\"p\":1}"),
        begun(0, "", "read"),
        piece(0, "{\"p\":1}"),
        DONE,
    ];
    assert_eq!(gather(again).0, ["call_3_1 read {\"p\":1}"]);
}

#[test]
fn a_call_that_comes_again_to_the_letter_under_its_id_is_one_call() {
    let call = |key: u64| {
        [
            begun(key, "a", "read"),
            piece(key, "{\"p\":1}"),
            Delta::CallDone { key },
        ]
    };
    let (handed, all) = gather(call(0).into_iter().chain(call(1)).chain([DONE, DONE]));
    assert_eq!(handed, ["a read {\"p\":1}"]);
    assert_eq!(all.message.calls().count(), 1);
}

#[test]
fn a_call_is_handed_out_when_it_is_whole_and_not_again() {
    let mut gather = Gather::new(1, HashSet::new());
    let ids = |calls: Vec<Call>| calls.into_iter().map(|call| call.id).collect::<Vec<_>>();
    let none: [String; 0] = [];
    assert_eq!(ids(gather.take(begun(0, "a", "read"))), none);
    assert_eq!(ids(gather.take(piece(0, "{\"p\":1}"))), none);
    assert_eq!(gather.call_at(0), Some(("a", "read")));
    // The next one begins: the first is whole, and nothing can be added to it.
    assert_eq!(ids(gather.take(begun(1, "b", "read"))), ["a"]);
    assert_eq!(ids(gather.take(piece(0, "{\"p\":9}"))), none);
    assert_eq!(ids(gather.take(piece(1, "{\"p\""))), none);
    assert_eq!(ids(gather.take(Delta::CallDone { key: 1 })), none);
    assert_eq!(ids(gather.take(piece(1, ":2}"))), none);
    assert_eq!(ids(gather.take(Delta::CallDone { key: 1 })), ["b"]);
    assert_eq!(ids(gather.take(Delta::Stop(Stop::Calls))), none);
    assert_eq!(ids(gather.take(Delta::Stop(Stop::Calls))), none);
    let message = gather.finish().message;
    assert!(
        message
            .calls()
            .all(|call| !call.incomplete && call.arguments.as_str() != "{\"p\":9}")
    );
}

#[test]
fn interleaved_pieces_find_their_calls_and_keep_their_order() {
    let (handed, all) = gather([
        begun(0, "a", "read"),
        piece(0, "{\"p\""),
        begun(1, "b", "grep"),
        piece(1, "{\"q\":2}"),
        Delta::CallDone { key: 1 },
        piece(0, ":1}"),
        Delta::Stop(Stop::Calls),
    ]);
    assert_eq!(handed, ["b grep {\"q\":2}", "a read {\"p\":1}"]);
    let order: Vec<&str> = all.message.calls().map(|call| call.id.as_str()).collect();
    assert_eq!(order, ["a", "b"]);
}

#[test]
fn what_length_cut_off_is_never_handed_out() {
    for cut in [Stop::Length, Stop::Filtered, Stop::Other("odd".to_owned())] {
        let (handed, all) = gather([
            begun(0, "a", "read"),
            piece(0, "{\"p\":1}"),
            begun(1, "b", "write"),
            piece(1, "{\"p\":\"half"),
            begun(2, "c", "list"),
            Delta::Stop(cut.clone()),
            DONE,
        ]);
        assert_eq!(handed, ["a read {\"p\":1}"], "{cut:?}");
        assert_eq!(all.stop, Some(cut));
        let incomplete: Vec<bool> = all.message.calls().map(|call| call.incomplete).collect();
        assert_eq!(incomplete, [false, true, true]);
    }
}

#[test]
fn a_stream_without_a_stop_leaves_its_last_call_incomplete() {
    let (handed, all) = gather([
        Delta::Text("so".to_owned()),
        begun(0, "a", "read"),
        piece(0, "{}"),
    ]);
    assert_eq!((handed.len(), all.stop.clone()), (0, None));
    assert!(all.message.calls().all(|call| call.incomplete));
    assert_eq!(all.message.said(), "so");
}

#[test]
fn the_stop_is_what_the_calls_say_and_the_first_cut_stays() {
    let stop = |deltas: Vec<Delta>| gather(deltas).1.stop;
    let call = || vec![begun(0, "a", "read"), piece(0, "{}")];
    let with = |mut deltas: Vec<Delta>, stops: &[Stop]| {
        deltas.extend(stops.iter().cloned().map(Delta::Stop));
        deltas
    };
    assert_eq!(stop(with(call(), &[Stop::Done])), Some(Stop::Calls));
    assert_eq!(stop(with(vec![], &[Stop::Calls])), Some(Stop::Done));
    assert_eq!(
        stop(with(vec![], &[Stop::Done, Stop::Length, Stop::Done])),
        Some(Stop::Length)
    );
    assert_eq!(stop(with(vec![], &[Stop::Paused])), Some(Stop::Paused));
}

#[test]
fn text_and_reasoning_stand_where_they_were_said_and_text_after_the_stop_is_not_lost() {
    let text = |text: &str| Delta::Text(text.to_owned());
    let thought = |text: &str| Delta::Reasoning(text.to_owned());
    let opaque = || Opaque::Signature {
        data: "s".to_owned(),
    };
    let (_, all) = gather([
        thought("h"),
        thought("m"),
        Delta::Opaque(opaque()),
        thought("and"),
        text("a"),
        text(""),
        text("b"),
        begun(0, "x", "read"),
        text("c"),
        Delta::Usage(Usage {
            output: 1,
            ..Usage::default()
        }),
        DONE,
        text("d"),
        Delta::Usage(Usage {
            output: 2,
            ..Usage::default()
        }),
    ]);
    let reasoning = |text: &str, opaque| {
        Part::Reasoning(Reasoning {
            text: text.to_owned(),
            opaque,
        })
    };
    let parts = &all.message.parts;
    assert_eq!(
        parts[..3],
        [
            reasoning("hm", Some(opaque())),
            reasoning("and", None),
            Part::text("ab")
        ]
    );
    assert_eq!(parts[4], Part::text("cd"));
    assert_eq!(all.usage.map(|usage| usage.output), Some(2));
}

#[test]
fn arguments_in_a_hundred_thousand_pieces_are_put_together_once() {
    let mut gather = Gather::new(1, HashSet::new());
    let mut handed = gather.take(begun(0, "a", "write"));
    handed.extend(gather.take(piece(0, "{\"text\":\"")));
    for _ in 0..100_000 {
        handed.extend(gather.take(piece(0, "0123456789")));
    }
    handed.extend(gather.take(piece(0, "\"}")));
    handed.extend(gather.take(Delta::CallDone { key: 0 }));
    let lengths: Vec<usize> = handed
        .iter()
        .map(|call| call.arguments.as_str().len())
        .collect();
    assert_eq!(lengths, [1_000_011]);
}
