//! Deltas in any order whatever: a call is handed out once, or it is incomplete.
//!
//! Few keys, ids and pieces, so that they meet often.

use proptest::prelude::*;

use super::*;

fn any_delta() -> impl Strategy<Value = Delta> {
    let key = 0u64..3;
    let text = prop::sample::select(
        &[
            "",
            "{",
            "}",
            "{}",
            "{\"p\":1}",
            "{\"p\"",
            ":1}",
            "\"{}\"",
            "null",
            "x",
        ][..],
    );
    let id = prop::sample::select(&["", "a", "b", "old", "call_3_1"][..]);
    let tool = prop::sample::select(&["", "read", "grep"][..]);
    let stop = prop::sample::select(vec![Stop::Done, Stop::Calls, Stop::Length, Stop::Paused]);
    prop_oneof![
        3 => (key.clone(), id, tool).prop_map(|(key, id, tool)| begun(key, id, tool)),
        4 => (key.clone(), text.clone()).prop_map(|(key, text)| piece(key, text)),
        1 => (key.clone(), text.clone()).prop_map(|(key, text)| whole(key, text)),
        2 => key.prop_map(|key| Delta::CallDone { key }),
        1 => text.prop_map(|text| Delta::Text(text.to_owned())),
        1 => stop.prop_map(Delta::Stop),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases().max(1_000)))]

    #[test]
    fn whatever_comes_each_call_is_handed_out_once_or_is_incomplete(deltas in prop::collection::vec(any_delta(), 0..40)) {
        let mut gather = Gather::new(3, HashSet::from(["old".to_owned()]));
        let mut handed = Vec::new();
        for delta in deltas {
            handed.extend(gather.take(delta));
        }
        let message = gather.finish().message;
        let mut ids = HashSet::from(["old".to_owned()]);
        for call in message.calls() {
            prop_assert!(ids.insert(call.id.clone()));
            let given = handed.iter().filter(|one| *one == call).count();
            prop_assert_eq!(given, usize::from(!call.incomplete));
        }
        prop_assert_eq!(handed.len(), message.calls().filter(|call| !call.incomplete).count());
    }
}
