//! All four wires: the same conversation through each, any split and any damage of what comes in.
//!
//! The streams stand in `tests/models`, written after each provider's documentation.

mod bodies;
mod chat_calls;
mod conversation;
mod decoding;
mod mutations;
mod shapes;
mod wishes;

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::chat::{Call, Events, Gather, Gathered};

/// A stream with calls and one with an answer, for each wire.
const RECORDED: [(Wire, &str, &str); 4] = [
    (
        Wire::Anthropic,
        include_str!("../../../tests/models/anthropic_calls.sse"),
        include_str!("../../../tests/models/anthropic_answer.sse"),
    ),
    (
        Wire::OpenAi,
        include_str!("../../../tests/models/openai_calls.sse"),
        include_str!("../../../tests/models/openai_answer.sse"),
    ),
    (
        Wire::OpenAiChat,
        include_str!("../../../tests/models/openai_chat_calls.sse"),
        include_str!("../../../tests/models/openai_chat_answer.sse"),
    ),
    (
        Wire::Gemini,
        include_str!("../../../tests/models/gemini_calls.sse"),
        include_str!("../../../tests/models/gemini_answer.sse"),
    ),
];

/// The deltas of a body that comes in these chunks, and how it ended.
fn deltas<'a>(
    wire: Wire,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Delta>, Result<(), StreamError>) {
    let request = Request::new("m", Vec::new());
    read(wire.decoder(&request, &Quirks::default()), chunks)
}

fn read<'a>(
    mut decoder: Box<dyn Decode>,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Delta>, Result<(), StreamError>) {
    let mut found = Vec::new();
    let mut events = Events::new();
    let ended = (|| {
        for chunk in chunks {
            for event in events.push(chunk)? {
                found.extend(decoder.event(&event)?);
            }
        }
        for event in events.end()? {
            found.extend(decoder.event(&event)?);
        }
        found.extend(decoder.end()?);
        Ok(())
    })();
    (found, ended)
}

/// The deltas of a body of one chunk that ends well.
fn whole(wire: Wire, body: &str) -> Vec<Delta> {
    let (deltas, ended) = deltas(wire, [body.as_bytes()]);
    assert_eq!(ended, Ok(()), "{wire}: {body}");
    deltas
}

/// What is gathered, and what was handed out on the way.
fn gathered(deltas: Vec<Delta>) -> (Vec<Call>, Gathered) {
    let mut gather = Gather::new(1, HashSet::new());
    let mut handed = Vec::new();
    for delta in deltas {
        handed.extend(gather.take(delta));
    }
    (handed, gather.finish())
}

#[test]
fn every_kind_is_read_back_and_a_misspelt_one_names_the_nearest() {
    for wire in Wire::ALL {
        assert_eq!(wire.to_string().parse(), Ok(wire));
    }
    let offered = "openai-chat".parse::<Wire>().unwrap_err();
    assert!(offered.contains("openai_chat"), "{offered}");
}

#[test]
fn one_byte_at_a_time_is_the_same_as_all_at_once() {
    for (wire, calls, answer) in RECORDED {
        for body in [calls, answer] {
            let (bytewise, ended) = deltas(wire, body.as_bytes().chunks(1));
            assert_eq!(ended, Ok(()));
            assert_eq!(bytewise, whole(wire, body), "{wire}");
            for end in ["\r\n", "\r", "\n"] {
                let body = body.replace("\r\n", "\n").replace('\n', end);
                let (ended_so, _) = deltas(wire, body.as_bytes().chunks(1));
                assert_eq!(ended_so, bytewise, "{wire} {end:?}");
            }
        }
    }
}

#[test]
fn a_stream_that_is_cut_anywhere_before_its_stop_says_so() {
    for (wire, calls, _) in RECORDED {
        let stop = [
            "stop_reason\":\"tool_use",
            "response.completed\"",
            "finish_reason\":\"tool",
            "STOP",
        ];
        let stop = stop
            .iter()
            .filter_map(|mark| calls.find(mark))
            .min()
            .unwrap();
        for end in (0..stop).filter(|end| calls.is_char_boundary(*end)) {
            let (_, ended) = deltas(wire, [&calls.as_bytes()[..end]]);
            assert_eq!(ended, Err(StreamError::Cut), "{wire} cut at {end}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn any_split_of_any_stream_gives_the_same_events(sizes in prop::collection::vec(1usize..200, 1..60)) {
        for (wire, calls, answer) in RECORDED {
            for body in [calls, answer] {
                let mut rest = body.as_bytes();
                let mut chunks = Vec::new();
                for size in sizes.iter().cycle() {
                    if rest.is_empty() {
                        break;
                    }
                    let (chunk, after) = rest.split_at((*size).min(rest.len()));
                    chunks.push(chunk);
                    rest = after;
                }
                let (split, ended) = deltas(wire, chunks);
                prop_assert_eq!(ended, Ok(()));
                prop_assert_eq!(split, whole(wire, body));
            }
        }
    }
}
