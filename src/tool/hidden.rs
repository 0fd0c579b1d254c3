//! Secrets in what a call gives: in every text of a result or an error, however deep it lies.
//!
//! What was hidden once stays as it is, so a tool that has hidden more by itself loses nothing here.

use std::borrow::Cow;

use serde_json::Value;

use super::Output;
use crate::data::Data;
use crate::error::ToolError;
use crate::redact::{Reach, Redactor};

/// Hides the secrets in a result.
pub fn output(output: &mut Output, redactor: &Redactor) {
    for part in [&mut output.title, &mut output.text, &mut output.lead] {
        text(part, redactor);
    }
    output
        .metadata
        .values_mut()
        .for_each(|fact| data(fact, redactor));
    for attachment in &mut output.attachments {
        if let Some(hidden) = bytes(&attachment.bytes, redactor) {
            attachment.bytes = hidden.into_bytes();
        }
    }
}

/// Hides the secrets in an error: in its words and in its facts.
pub fn error(error: &mut ToolError, redactor: &Redactor) {
    text(&mut error.message, redactor);
    if let Some(hint) = &mut error.hint {
        text(hint, redactor);
    }
    for fact in error.detail.iter_mut().flat_map(|all| all.values_mut()) {
        json(fact, redactor);
    }
}

/// Hides the secrets in `data`, in the names of its fields too.
pub fn data(data: &mut Data, redactor: &Redactor) {
    match data {
        Data::Text(part) => text(part, redactor),
        Data::Bytes(raw) => {
            if let Some(hidden) = bytes(raw, redactor) {
                *data = Data::Text(hidden);
            }
        }
        Data::List(list) => list.iter_mut().for_each(|part| self::data(part, redactor)),
        Data::Map(map) => {
            let is_hidden =
                |name: &String| matches!(redactor.redact(name, Reach::Model), Cow::Owned(_));
            if map.keys().any(is_hidden) {
                let whole = std::mem::take(map).into_iter();
                let hidden = |(mut name, part): (String, Data)| {
                    text(&mut name, redactor);
                    (name, part)
                };
                *map = whole.map(hidden).collect();
            }
            map.values_mut().for_each(|part| self::data(part, redactor));
        }
        Data::Null | Data::Bool(_) | Data::Int(_) | Data::Float(_) => {}
    }
}

fn text(text: &mut String, redactor: &Redactor) {
    if let Cow::Owned(hidden) = redactor.redact(text, Reach::Model) {
        *text = hidden;
    }
}

/// Bytes that hold secrets, as text without them.
fn bytes(bytes: &[u8], redactor: &Redactor) -> Option<String> {
    let shown = String::from_utf8_lossy(bytes);
    match redactor.redact(&shown, Reach::Model) {
        Cow::Owned(hidden) => Some(hidden),
        Cow::Borrowed(_) => None,
    }
}

fn json(value: &mut Value, redactor: &Redactor) {
    match value {
        Value::String(part) => text(part, redactor),
        Value::Array(list) => list.iter_mut().for_each(|part| json(part, redactor)),
        Value::Object(all) => all.values_mut().for_each(|part| json(part, redactor)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
