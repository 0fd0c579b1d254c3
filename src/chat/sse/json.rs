//! A body of JSON where events were asked for: one value, an array of values, or a value a line.
//!
//! Each value is one event without a name. Whether the body is a value a line shows at its first line.

use serde_json::Value;

use super::{Event, keep, start};
use crate::chat::StreamError;

/// JSON while it comes in.
#[derive(Debug, Default)]
pub(super) struct Json {
    text: Vec<u8>,
    shape: Shape,
}

#[derive(Debug, Default, PartialEq)]
enum Shape {
    /// Not one line has ended.
    #[default]
    Unknown,
    /// A value a line.
    Lines,
    /// One value over several lines.
    Whole,
}

impl Json {
    pub(super) fn push(&mut self, chunk: &[u8], found: &mut Vec<Event>) -> Result<(), StreamError> {
        let mut rest = chunk;
        while self.shape != Shape::Whole
            && let Some(at) = rest.iter().position(|byte| *byte == b'\n')
        {
            let (line, after) = rest.split_at(at + 1);
            keep(&mut self.text, line)?;
            rest = after;
            if self.shape == Shape::Unknown && parsed(&self.text).is_none() {
                self.shape = Shape::Whole;
                break;
            }
            self.shape = Shape::Lines;
            self.give(found)?;
        }
        keep(&mut self.text, rest)
    }

    /// What is cut off gives no event: that the answer is not whole shows by what is missing.
    pub(super) fn end(&mut self, found: &mut Vec<Event>) -> Result<(), StreamError> {
        if parsed(&self.text).is_some() {
            self.give(found)?;
        }
        Ok(())
    }

    fn give(&mut self, found: &mut Vec<Event>) -> Result<(), StreamError> {
        let text = std::mem::take(&mut self.text);
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        let Some(value) = parsed(&text) else {
            return Err(StreamError::Garbage(start(&text)));
        };
        let values = match value {
            Value::Array(values) => values,
            value => vec![value],
        };
        found.extend(values.into_iter().map(|value| Event {
            name: String::new(),
            data: value.to_string(),
        }));
        Ok(())
    }
}

fn parsed(text: &[u8]) -> Option<Value> {
    serde_json::from_slice(text).ok()
}
