//! What the decoders share: an event's data as JSON, and counts out of it.
//!
//! Nothing is taken for granted of what a provider sends: a missing field is as good as an empty one.

use serde_json::Value;

use crate::chat::{Event, StreamError};

/// Longest part of an event that an error repeats, in characters.
const SHOWN: usize = 200;

/// The event's data.
///
/// # Errors
/// [`StreamError::Garbage`] where it is no JSON object.
pub(super) fn json(event: &Event) -> Result<Value, StreamError> {
    match serde_json::from_str(&event.data) {
        Ok(value @ Value::Object(_)) => Ok(value),
        _ => Err(StreamError::Garbage(
            event.data.chars().take(SHOWN).collect(),
        )),
    }
}

/// The text at `value`, if there is any.
pub(super) fn text(value: &Value) -> Option<String> {
    value
        .as_str()
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

/// The first of `values` that is a count.
pub(super) fn count<'a>(values: impl IntoIterator<Item = &'a Value>) -> Option<u64> {
    let count = |value: &Value| {
        value
            .as_u64()
            .or_else(|| value.as_f64().map(|n| n.max(0.0) as u64))
    };
    values.into_iter().find_map(count)
}
