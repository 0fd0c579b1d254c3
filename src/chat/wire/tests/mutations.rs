//! Damaged streams: nothing panics, and each call is handed out once or not at all.

use proptest::prelude::*;

use super::*;

/// One damage: where, and what.
#[derive(Clone, Debug)]
enum Damage {
    Drop(usize),
    Repeat(usize),
    Swap(usize, usize),
    Insert(usize, &'static str),
    Byte(usize, u8),
    Cut(usize),
}

const STRANGERS: [&str; 10] = [
    "data: {}",
    "data: null",
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"}\"}}]}}]}",
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"call_a\",\"index\":-1}]},\"finish_reason\":\"length\"}]}",
    "data: {\"type\":\"content_block_stop\",\"index\":2}",
    "data: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"call_a\",\"name\":\"read\"}}",
    "data: {\"type\":\"response.output_item.done\",\"output_index\":3,\"item\":{\"type\":\"function_call\"}}",
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"call_a\"}}]},\"finishReason\":\"STOP\"}]}",
    ": comment",
    "data: [DONE]",
];

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0usize..4_000;
    prop_oneof![
        at.clone().prop_map(Damage::Drop),
        at.clone().prop_map(Damage::Repeat),
        (at.clone(), at.clone()).prop_map(|(a, b)| Damage::Swap(a, b)),
        (at.clone(), prop::sample::select(&STRANGERS[..])).prop_map(|(a, b)| Damage::Insert(a, b)),
        (at.clone(), any::<u8>()).prop_map(|(a, b)| Damage::Byte(a, b)),
        at.prop_map(Damage::Cut),
    ]
}

fn damaged(body: &str, all: &[Damage]) -> Vec<u8> {
    let body = body.replace("\r\n", "\n");
    let mut events: Vec<Vec<u8>> = body
        .split("\n\n")
        .map(|event| event.as_bytes().to_vec())
        .collect();
    for one in all {
        let count = events.len().max(1);
        match one {
            _ if events.is_empty() => {}
            Damage::Drop(at) => drop(events.remove(at % count)),
            Damage::Repeat(at) => events.insert(at % count, events[at % count].clone()),
            Damage::Swap(a, b) => events.swap(a % count, b % count),
            Damage::Insert(at, what) => events.insert(at % count, what.as_bytes().to_vec()),
            Damage::Byte(at, byte) => {
                let event = &mut events[at % count];
                let length = event.len().max(1);
                if let Some(place) = event.get_mut(at / count % length) {
                    *place = *byte;
                }
            }
            Damage::Cut(at) => events.truncate(at % count),
        }
    }
    events.join(&b"\n\n"[..])
}

/// Each call that was handed out is in the message as it was handed out; every other one is incomplete; no id
/// is there twice or was there before.
fn check(deltas: Vec<Delta>, taken: &HashSet<String>) -> Result<(), TestCaseError> {
    let mut gather = Gather::new(3, taken.clone());
    let mut handed = Vec::new();
    for delta in deltas {
        handed.extend(gather.take(delta));
    }
    let all = gather.finish();
    let mut ids = taken.clone();
    for call in all.message.calls() {
        prop_assert!(ids.insert(call.id.clone()), "{} is there twice", call.id);
        let times = handed.iter().filter(|one| one.id == call.id).count();
        prop_assert_eq!(times, usize::from(!call.incomplete), "{:?}", call);
        prop_assert!(call.incomplete || handed.contains(call));
    }
    prop_assert!(
        handed
            .iter()
            .all(|one| all.message.calls().any(|call| call == one))
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases().max(1_000)))]

    #[test]
    fn no_damage_makes_a_call_run_twice(
        which in 0usize..8,
        all in prop::collection::vec(damage(), 0..8),
        size in 1usize..50,
    ) {
        let (wire, calls, answer) = RECORDED[which / 2];
        let body = damaged(if which % 2 == 0 { calls } else { answer }, &all);
        let (deltas, _) = deltas(wire, body.chunks(size));
        check(deltas, &HashSet::from(["call_b".to_owned(), "call_3_1".to_owned()]))?;
    }
}
