//! What each provider answers when it refuses, and what servers in between do.

use super::*;
use FailureKind as K;

/// A status, a body, and what it means.
const ROWS: &[(u16, &str, K)] = &[
    (
        401,
        r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
        K::Auth,
    ),
    (
        401,
        r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#,
        K::Auth,
    ),
    (
        400,
        r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
        K::Auth,
    ),
    (
        403,
        r#"{"type":"error","error":{"type":"permission_error","message":"no"}}"#,
        K::Forbidden,
    ),
    (
        403,
        r#"{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}"#,
        K::Forbidden,
    ),
    (
        404,
        r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}"#,
        K::UnknownModel,
    ),
    (
        404,
        r#"{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}"#,
        K::UnknownModel,
    ),
    (
        404,
        r#"[{"error":{"code":404,"message":"models/x is not found for API version v1beta","status":"NOT_FOUND"}}]"#,
        K::UnknownModel,
    ),
    (
        400,
        r#"{"error":{"message":"invalid model: x"}}"#,
        K::UnknownModel,
    ),
    (404, r#"{"error":"model 'x' not found"}"#, K::UnknownModel),
    (404, r#"{"detail":"Not Found"}"#, K::BadRequest),
    (
        429,
        r#"{"error":{"message":"slow","type":"requests","code":"rate_limit_exceeded"}}"#,
        K::RateLimited,
    ),
    (
        429,
        r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
        K::Quota,
    ),
    (
        429,
        r#"{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED"}}"#,
        K::RateLimited,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#,
        K::Quota,
    ),
    (
        500,
        r#"{"type":"error","error":{"type":"api_error","message":"Internal server error"}}"#,
        K::Server,
    ),
    (
        529,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        K::Overloaded,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
        K::TooLong,
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#,
        K::TooLong,
    ),
    (
        500,
        r#"{"error":{"code":500,"message":"the request exceeds the available context size","type":"server_error"}}"#,
        K::TooLong,
    ),
    (
        413,
        r#"{"type":"error","error":{"type":"request_too_large","message":"too large"}}"#,
        K::TooLong,
    ),
    (
        400,
        r#"{"error":{"message":"bad field","type":"invalid_request_error"}}"#,
        K::BadRequest,
    ),
    (408, r#"{"message":"timed out"}"#, K::Timeout),
    (503, r#"{"error":{"message":"later"}}"#, K::Overloaded),
];

#[test]
fn a_refusal_is_sorted_by_its_word_its_sentence_or_its_status() {
    for (status, body, kind) in ROWS {
        let failure = read(*status, Some("application/json"), body.as_bytes());
        assert_eq!(
            (failure.kind, failure.status),
            (*kind, Some(*status)),
            "{body}"
        );
        assert!(!failure.message.is_empty());
    }
}

#[test]
fn a_page_says_its_title_and_keeps_what_its_status_says() {
    let page =
        b"<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title></head><body>long</body>";
    let html = Some("text/html; charset=utf-8");
    let of = |status: u16, body: &[u8]| {
        let failure = read(status, html, body);
        (failure.kind, failure.to_string())
    };
    let said = "expected JSON from the provider, got (text/html): 502 Bad Gateway";
    assert_eq!(
        of(502, page),
        (FailureKind::Server, format!("{said} (502)"))
    );
    assert_eq!(
        of(200, page),
        (FailureKind::NotJson, format!("{said} (200)"))
    );
    assert_eq!(of(404, page).0, FailureKind::NotJson);
    assert_eq!(of(401, page).0, FailureKind::Auth);
    assert_eq!(of(429, b"").0, FailureKind::RateLimited);
    let empty = read(500, None, b"").to_string();
    assert_eq!(
        empty,
        "expected JSON from the provider, got an empty answer (500)"
    );
}

#[test]
fn a_message_is_the_providers_own_and_not_endless() {
    let long = format!(
        r#"{{"error":{{"message":"{}","code":"odd"}}}}"#,
        "é".repeat(5_000)
    );
    let failure = read(400, None, long.as_bytes());
    assert_eq!(failure.message.chars().count(), SHOWN + 1);
    assert_eq!(failure.code.as_deref(), Some("odd"));
    let odd = read(400, None, br#"{"error":{"type":"strange"}}"#);
    assert_eq!(
        odd.to_string(),
        "the provider refused: strange (400, strange)"
    );
}

#[test]
fn only_what_may_pass_is_tried_again() {
    let passing = |status: u16| {
        read(status, None, b"{\"message\":\"x\"}")
            .kind
            .is_transient()
    };
    for status in [408, 429, 500, 502, 503, 504, 529] {
        assert!(passing(status), "{status}");
    }
    for status in [400, 401, 402, 403, 404, 413, 422] {
        assert!(!passing(status), "{status}");
    }
}
