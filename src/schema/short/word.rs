//! A type as one text: a word or quoted choices, `[]` behind it for a list, `?` for optional.
//! Tables of types are the business of the short form around it.

use serde_json::{Value, json};

use super::Declared;
use crate::text::suggestion;

const WORDS: [&str; 8] = [
    "string", "path", "integer", "number", "boolean", "table", "object", "any",
];

/// A type as one text: `integer?`, `string[]`, `'a'|'b'`.
pub(super) fn word(text: &str) -> Result<Declared, String> {
    let bare = text.trim();
    let (bare, optional) = match bare.strip_suffix('?') {
        Some(bare) => (bare.trim_end(), true),
        None => (bare, false),
    };
    let (bare, lists) = match bare.strip_suffix("[]") {
        Some(bare) => (bare.trim_end(), true),
        None => (bare, false),
    };
    let schema = if bare.starts_with(['\'', '"', '(']) {
        choices(bare)?
    } else {
        let kind = match bare {
            "path" => "string",
            "table" => "object",
            kind => kind,
        };
        match bare {
            "any" => json!({}),
            bare if WORDS.contains(&bare) => json!({ "type": kind }),
            bare => {
                let near = suggestion(bare, WORDS);
                return Err(format!("`{bare}` is no type; {near}")
                    .trim_end_matches("; ")
                    .to_owned());
            }
        }
    };
    let schema = if lists {
        json!({ "type": "array", "items": schema })
    } else {
        schema
    };
    let schema = schema.as_object().cloned().unwrap_or_default();
    Ok(Declared {
        schema,
        optional,
        paths: (bare == "path").then(String::new).into_iter().collect(),
    })
}

/// `'a'|'b'`, in parentheses perhaps.
fn choices(text: &str) -> Result<Value, String> {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let mut rest = inner.unwrap_or(text).trim();
    let wrong = || format!("{text} is not a choice such as 'a'|'b'");
    let mut words: Vec<Value> = Vec::new();
    loop {
        let quote = rest
            .chars()
            .next()
            .filter(|c| matches!(c, '\'' | '"'))
            .ok_or_else(wrong)?;
        let (word, after) = rest[1..].split_once(quote).ok_or_else(wrong)?;
        words.push(word.into());
        rest = after.trim_start();
        if rest.is_empty() {
            return Ok(json!({ "type": "string", "enum": words }));
        }
        rest = rest.strip_prefix('|').ok_or_else(wrong)?.trim_start();
    }
}
