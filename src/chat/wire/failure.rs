//! What a provider says when it refuses, whatever the format: the words are the same few, and servers that
//! speak a format often answer errors in another one.
//!
//! The provider's own word decides first, then its sentence where the word is too general, then the status.

use serde_json::Value;

use crate::chat::{Failure, FailureKind};

/// Longest message that is kept, in characters.
const SHOWN: usize = 500;

/// Words that say which sort of failure it is.
const WORDS: &[(&str, FailureKind)] = &[
    ("authentication_error", FailureKind::Auth),
    ("invalid_api_key", FailureKind::Auth),
    ("unauthenticated", FailureKind::Auth),
    ("api_key_invalid", FailureKind::Auth),
    ("permission_error", FailureKind::Forbidden),
    ("permission_denied", FailureKind::Forbidden),
    (
        "unsupported_country_region_territory",
        FailureKind::Forbidden,
    ),
    ("insufficient_quota", FailureKind::Quota),
    ("billing_error", FailureKind::Quota),
    ("billing_hard_limit_reached", FailureKind::Quota),
    ("credit_balance_exhausted", FailureKind::Quota),
    ("model_not_found", FailureKind::UnknownModel),
    ("rate_limit_error", FailureKind::RateLimited),
    ("rate_limit_exceeded", FailureKind::RateLimited),
    ("resource_exhausted", FailureKind::RateLimited),
    ("slow_down", FailureKind::RateLimited),
    ("overloaded_error", FailureKind::Overloaded),
    ("server_is_overloaded", FailureKind::Overloaded),
    ("service_unavailable_error", FailureKind::Overloaded),
    ("unavailable", FailureKind::Overloaded),
    ("context_length_exceeded", FailureKind::TooLong),
    ("request_too_large", FailureKind::TooLong),
    ("timeout_error", FailureKind::Timeout),
    ("deadline_exceeded", FailureKind::Timeout),
    ("api_error", FailureKind::Server),
    ("server_error", FailureKind::Server),
    ("internal_server_error", FailureKind::Server),
    ("internal", FailureKind::Server),
];

/// Parts of sentences that say it where the word does not.
const SENTENCES: &[(&str, FailureKind)] = &[
    ("prompt is too long", FailureKind::TooLong),
    ("maximum context length", FailureKind::TooLong),
    ("context window", FailureKind::TooLong),
    ("context length", FailureKind::TooLong),
    ("context size", FailureKind::TooLong),
    ("exceeds the maximum number of tokens", FailureKind::TooLong),
    ("credit balance is too low", FailureKind::Quota),
    ("api key not valid", FailureKind::Auth),
    ("incorrect api key", FailureKind::Auth),
    ("invalid api key", FailureKind::Auth),
];

/// A refusal: status and body.
pub(super) fn read(status: u16, content_type: Option<&str>, body: &[u8]) -> Failure {
    let value = serde_json::from_slice::<Value>(body).ok();
    match value.as_ref().and_then(words) {
        Some(words) => failure(Some(status), words),
        None => no_words(status, content_type, body),
    }
}

/// An error that comes inside the stream: an object that holds it, or is it.
pub(super) fn said(error: &Value) -> Failure {
    let unsaid = || Words {
        codes: Vec::new(),
        message: String::new(),
    };
    failure(None, words(error).unwrap_or_else(unsaid))
}

/// What an error object says: its words, the most special first, and its sentence.
struct Words {
    codes: Vec<String>,
    message: String,
}

/// The words of an error. Some servers put it into a list, some give a text, some leave out the frame.
fn words(value: &Value) -> Option<Words> {
    let value = value.as_array().map_or(Some(value), |list| list.first())?;
    let error = value
        .get("error")
        .filter(|error| !error.is_null())
        .unwrap_or(value);
    if let Some(message) = error.as_str() {
        let message = message.to_owned();
        let codes = Vec::new();
        return Some(Words { codes, message });
    }
    let message = ["message", "detail", "error_description", "msg"]
        .iter()
        .find_map(|field| error.get(field)?.as_str())
        .unwrap_or_default();
    let reasons = error["details"].as_array().into_iter().flatten();
    let codes: Vec<String> = [&error["code"], &error["type"], &error["status"]]
        .into_iter()
        .chain(reasons.map(|detail| &detail["reason"]))
        .filter_map(|word| word.as_str().filter(|word| !matches!(*word, "" | "error")))
        .map(str::to_owned)
        .collect();
    let says = !message.is_empty() || !codes.is_empty();
    says.then(|| Words {
        codes,
        message: message.to_owned(),
    })
}

fn failure(status: Option<u16>, words: Words) -> Failure {
    let Words { codes, message } = words;
    let kind = kind(status, &codes, &message);
    let message = match message.trim() {
        "" => format!(
            "the provider refused: {}",
            codes.first().map_or("it says no more", |code| code)
        ),
        message => cut(message),
    };
    Failure {
        kind,
        status,
        code: codes.into_iter().next(),
        message,
    }
}

fn kind(status: Option<u16>, codes: &[String], message: &str) -> FailureKind {
    let message = message.to_lowercase();
    let by_word = codes.iter().find_map(|code| {
        let code = code.to_lowercase();
        WORDS.iter().find(|(word, _)| *word == code)
    });
    let by_sentence = SENTENCES.iter().find(|(part, _)| message.contains(part));
    let is_general = matches!(status, None | Some(400 | 404 | 413 | 422 | 500));
    match (by_word, by_sentence) {
        (_, Some((_, kind))) if is_general && !is_settled(by_word) => *kind,
        (Some((_, kind)), _) => *kind,
        _ if status.is_some_and(|status| is_about_model(status, &message)) => {
            FailureKind::UnknownModel
        }
        _ => status.map_or(FailureKind::Server, by_status),
    }
}

/// Whether the word leaves nothing to be read out of the sentence.
fn is_settled(word: Option<&(&str, FailureKind)>) -> bool {
    word.is_some_and(|(_, kind)| !matches!(kind, FailureKind::Server | FailureKind::RateLimited))
}

fn is_about_model(status: u16, message: &str) -> bool {
    let missing = [
        "not found",
        "does not exist",
        "not exist",
        "unknown",
        "invalid model",
        "no such",
    ];
    let is_missing = || missing.iter().any(|words| message.contains(words));
    match status {
        404 => message.contains("model"),
        400 | 422 => message.contains("model") && is_missing(),
        _ => false,
    }
}

fn by_status(status: u16) -> FailureKind {
    match status {
        401 => FailureKind::Auth,
        402 => FailureKind::Quota,
        403 => FailureKind::Forbidden,
        408 | 504 => FailureKind::Timeout,
        413 => FailureKind::TooLong,
        429 => FailureKind::RateLimited,
        503 | 529 => FailureKind::Overloaded,
        500..=599 => FailureKind::Server,
        _ => FailureKind::BadRequest,
    }
}

/// A page, a text, or nothing. What a status says of itself is believed; anything else is a wrong address.
fn no_words(status: u16, content_type: Option<&str>, body: &[u8]) -> Failure {
    let kind = match by_status(status) {
        FailureKind::BadRequest => FailureKind::NotJson,
        kind => kind,
    };
    let shown = String::from_utf8_lossy(body.get(..body.len().min(4 * SHOWN)).unwrap_or_default());
    let shown = titled(&shown).unwrap_or(&shown);
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let what = match content_type
        .and_then(|given| given.split(';').next())
        .map(str::trim)
    {
        None | Some("") => String::new(),
        Some(given) => format!(" ({given})"),
    };
    let message = match shown.as_str() {
        "" => "expected JSON from the provider, got an empty answer".to_owned(),
        shown => format!("expected JSON from the provider, got{what}: {}", cut(shown)),
    };
    Failure {
        kind,
        status: Some(status),
        code: None,
        message,
    }
}

/// The title of a page.
fn titled(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<title>")?;
    let (title, _) = rest.split_once("</title>")?;
    (!title.trim().is_empty()).then_some(title)
}

fn cut(message: &str) -> String {
    match message.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", message.get(..end).unwrap_or_default()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests;
