//! Calls in Chat Completions, in every way servers send them.

use serde_json::json;

use super::decoding::{chat, told};
use super::*;
use crate::chat::Stop;

type Row = (&'static str, Vec<Value>, &'static [&'static str]);

fn function(name: &str, text: &str) -> Value {
    json!({ "name": name, "arguments": text })
}

fn call(value: Value) -> Value {
    json!({ "tool_calls": [value] })
}

fn check(rows: impl IntoIterator<Item = Row>) {
    for (what, deltas, expected) in rows {
        for reason in ["tool_calls", "stop"] {
            let (handed, all) = chat(&deltas, reason);
            assert_eq!(told(&handed), expected, "{what}");
            assert_eq!(all.stop, Some(Stop::Calls), "{what}: {reason}");
        }
    }
}

#[test]
fn pieces_find_their_call_with_and_without_an_index() {
    let rows: [Row; 5] = [
        (
            "whole, without an index",
            vec![
                call(json!({ "id": "a", "function": function("read", "{\"p\":1}") })),
                call(json!({ "id": "b", "function": function("read", "{\"p\":2}") })),
            ],
            &["a read {\"p\":1}", "b read {\"p\":2}"],
        ),
        (
            "neither index nor id, by pieces",
            vec![
                call(json!({ "function": function("read", "{\"p\"") })),
                call(json!({ "function": { "arguments": ":1}" } })),
                call(json!({ "function": function("grep", "{\"q\":2}") })),
            ],
            &["call_1_1 read {\"p\":1}", "call_1_2 grep {\"q\":2}"],
        ),
        (
            "two on one index",
            vec![
                call(json!({ "index": 0, "id": "a", "function": function("read", "{\"p\":1}") })),
                call(json!({ "index": 0, "id": "b", "function": function("grep", "{\"p\":2}") })),
            ],
            &["a read {\"p\":1}", "b grep {\"p\":2}"],
        ),
        (
            "the name with every piece",
            vec![
                call(json!({ "index": 0, "id": "a", "function": function("read", "{\"p\"") })),
                call(json!({ "index": 0, "id": "a", "function": function("read", ":1}") })),
            ],
            &["a read {\"p\":1}"],
        ),
        (
            "arguments as an object",
            vec![call(
                json!({ "index": 0, "id": "", "function": { "name": "read", "arguments": { "p": 1 } } }),
            )],
            &["call_1_1 read {\"p\":1}"],
        ),
    ];
    check(rows);
}

#[test]
fn ids_and_arguments_are_read_in_the_forms_servers_have() {
    let rows: [Row; 4] = [
        (
            "one id for two",
            vec![
                call(json!({ "index": 0, "id": "a", "function": function("read", "{\"p\":1}") })),
                call(json!({ "index": 1, "id": "a", "function": function("read", "{\"p\":2}") })),
            ],
            &["a read {\"p\":1}", "call_1_2 read {\"p\":2}"],
        ),
        (
            "the old way",
            vec![
                json!({ "function_call": { "name": "read", "arguments": "{\"p\"" } }),
                json!({ "function_call": { "arguments": ":1}" } }),
            ],
            &["call_1_1 read {\"p\":1}"],
        ),
        (
            "nothing as arguments",
            vec![call(
                json!({ "index": 0, "id": "a", "function": { "name": "list" } }),
            )],
            &["a list {}"],
        ),
        (
            "a place-holder first",
            vec![
                call(json!({ "index": 0, "id": "a", "function": function("read", "{}") })),
                call(json!({ "index": 0, "function": { "arguments": "{\"p\":" } })),
                call(json!({ "index": 0, "function": { "arguments": "1}" } })),
            ],
            &["a read {\"p\":1}"],
        ),
    ];
    check(rows);
}
