//! What this conversation shows already: a file or a folder that is looked at again and has not changed is not shown
//! again, only named.
//!
//! It compares what would be shown with what was. Nothing has to be told of changes, and nothing is ever hidden that is
//! not in the conversation.

use std::collections::HashMap;

use crate::chat::{Call, CallResult};
use crate::data;
use crate::store::Hash;

/// The tools whose results are worth it.
const LOOKING: [&str; 2] = ["read", "list"];
/// A result that has no more bytes than this is shown again.
const SHORT: usize = 400;

/// What was shown, by what was asked.
#[derive(Debug, Default)]
pub(super) struct Shown(HashMap<String, (String, Hash)>);

impl Shown {
    /// Puts one line in the place of a result that the conversation has already; else notes it. `tool` is the id of the
    /// tool that was called.
    pub(super) fn settle(&mut self, tool: &str, call: &Call, result: &mut CallResult) {
        let is_plain = !result.is_error && result.images.is_empty() && result.text.len() > SHORT;
        if !is_plain || !LOOKING.contains(&tool) {
            return;
        }
        let Ok(args) = data::parse(call.arguments.as_str()) else {
            return;
        };
        let Ok(args) = serde_json::to_string(&args) else {
            return;
        };
        let now = Hash::of(result.text.as_bytes());
        let asked = format!("{tool} {args}");
        match self.0.get(&asked) {
            Some((before, shown)) if *shown == now => {
                result.text = format!("unchanged since the call {before}, which shows it above");
            }
            _ => {
                self.0.insert(asked, (call.id.clone(), now));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::Arguments;

    fn settle(shown: &mut Shown, id: &str, arguments: &str, text: &str) -> String {
        let call = Call {
            id: id.to_owned(),
            tool: "read".to_owned(),
            arguments: Arguments::new(arguments),
            incomplete: false,
            opaque: None,
        };
        let mut result = CallResult {
            id: id.to_owned(),
            tool: "read".to_owned(),
            text: text.to_owned(),
            is_error: false,
            images: Vec::new(),
        };
        shown.settle("read", &call, &mut result);
        result.text
    }

    #[test]
    fn what_is_shown_already_is_named_until_it_changes_or_is_forgotten() {
        let (long, other) = ("a\n".repeat(300), "b\n".repeat(300));
        let mut shown = Shown::default();
        let file = r#"{"path":"a","limit":300}"#;
        assert_eq!(settle(&mut shown, "1", file, &long), long);
        let turned = r#"{ "limit": 300, "path": "a" }"#;
        let named = settle(&mut shown, "2", turned, &long);
        assert_eq!(named, "unchanged since the call 1, which shows it above");
        assert_eq!(settle(&mut shown, "3", file, &other), other);
        assert!(settle(&mut shown, "4", file, &other).contains("the call 3"));
        assert_eq!(settle(&mut shown, "5", r#"{"path":"b"}"#, &other), other);
        shown = Shown::default();
        assert_eq!(settle(&mut shown, "6", file, &other), other);
    }

    #[test]
    fn what_is_short_is_shown_again() {
        let mut shown = Shown::default();
        for id in ["1", "2"] {
            assert_eq!(settle(&mut shown, id, r#"{"path":"a"}"#, "short"), "short");
        }
    }
}
