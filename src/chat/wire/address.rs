//! Where a request goes and under which headers.
//!
//! The key is not among them: who sends the request puts it in, and nothing here ever sees it.

use super::{KeyHeader, Wire, anthropic};
use crate::chat::{Quirks, Request};

/// The header that names features which are not yet for everybody; its values add up.
const BETA: &str = "anthropic-beta";

pub(super) fn url(wire: Wire, base_url: &str, model: &str) -> String {
    let base = base_url.trim_end_matches('/');
    let versioned = |version: &str| match base.rsplit('/').next() {
        Some("v1" | "v1beta") => base.to_owned(),
        _ => format!("{base}/{version}"),
    };
    match wire {
        Wire::Anthropic => format!("{}/messages", versioned("v1")),
        Wire::OpenAi => format!("{base}/responses"),
        Wire::OpenAiChat => format!("{base}/chat/completions"),
        Wire::Gemini => {
            let name = escaped(model.strip_prefix("models/").unwrap_or(model));
            let base = versioned("v1beta");
            format!("{base}/models/{name}:streamGenerateContent?alt=sse")
        }
    }
}

/// A model's name as a part of a path.
fn escaped(name: &str) -> String {
    let mut path = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'@' => {
                path.push(char::from(byte));
            }
            _ => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}

pub(super) fn headers(wire: Wire, request: &Request, quirks: &Quirks) -> Vec<(String, String)> {
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("accept".to_owned(), "text/event-stream".to_owned()),
    ];
    if wire == Wire::Anthropic {
        headers.push(("anthropic-version".to_owned(), "2023-06-01".to_owned()));
        if let Some(beta) = anthropic::beta(request, quirks) {
            headers.push((BETA.to_owned(), beta.to_owned()));
        }
    }
    for (name, value) in &quirks.headers {
        lay_header(&mut headers, name, value);
    }
    headers
}

/// Puts a header in the place of the one of its name; names of features add up.
pub fn lay_header(headers: &mut Vec<(String, String)>, name: &str, value: &str) {
    let name = name.to_ascii_lowercase();
    match headers.iter_mut().find(|(known, _)| *known == name) {
        Some((_, known)) if name == BETA => *known = format!("{known},{value}"),
        Some((_, known)) => value.clone_into(known),
        None => headers.push((name, value.to_owned())),
    }
}

pub(super) fn key_header(wire: Wire) -> KeyHeader {
    let (name, prefix) = match wire {
        Wire::Anthropic => ("x-api-key", ""),
        Wire::OpenAi | Wire::OpenAiChat => ("authorization", "Bearer "),
        Wire::Gemini => ("x-goog-api-key", ""),
    };
    KeyHeader { name, prefix }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn an_address_is_made_whole_whether_or_not_it_names_a_version() {
        let rows = [
            (Wire::Anthropic, "http://h", "http://h/v1/messages"),
            (Wire::Anthropic, "http://h/v1/", "http://h/v1/messages"),
            (Wire::OpenAi, "http://h/v1", "http://h/v1/responses"),
            (
                Wire::OpenAiChat,
                "http://h/x/",
                "http://h/x/chat/completions",
            ),
            (
                Wire::Gemini,
                "http://h/",
                "http://h/v1beta/models/m%2F1%3F:streamGenerateContent?alt=sse",
            ),
            (
                Wire::Gemini,
                "http://h/v1",
                "http://h/v1/models/m%2F1%3F:streamGenerateContent?alt=sse",
            ),
        ];
        for (wire, base, whole) in rows {
            assert_eq!(url(wire, base, "m/1?"), whole, "{wire} {base}");
        }
        assert!(url(Wire::Gemini, "http://h", "models/flash").contains("/v1beta/models/flash:"));
    }

    #[test]
    fn a_header_of_the_person_replaces_ours_and_names_of_features_add_up() {
        let quirks = Quirks {
            headers: BTreeMap::from([
                ("Accept".to_owned(), "*/*".to_owned()),
                ("Anthropic-Beta".to_owned(), "more".to_owned()),
                ("x-title".to_owned(), "t".to_owned()),
            ]),
            thinking: Some(crate::chat::Thinking::Budget),
            ..Quirks::default()
        };
        let mut request = Request::new("m", Vec::new());
        request.effort = Some(crate::chat::Effort::High);
        let headers = headers(Wire::Anthropic, &request, &quirks);
        let of = |name: &str| {
            let found: Vec<&str> = headers
                .iter()
                .filter(|(known, _)| known == name)
                .map(|(_, value)| value.as_str())
                .collect();
            found.join(" + ")
        };
        assert_eq!(of("accept"), "*/*");
        assert_eq!(of("anthropic-beta"), "interleaved-thinking-2025-05-14,more");
        assert_eq!(
            (of("x-title").as_str(), of("anthropic-version").as_str()),
            ("t", "2023-06-01")
        );
    }
}
