//! What a failure of a provider reads like: what happened, at which model, and what to try.
//! The words of the provider are foreign text, and are shown as such.

use std::time::Duration;

use crate::chat::{Failure, FailureKind, StreamError};
use crate::error::{Kind, ToolError};
use crate::net::NetError;

/// What a provider said instead of an answer.
pub(super) fn failed(failure: &Failure, model: &str) -> ToolError {
    let (what, hint) = match failure.kind {
        FailureKind::Auth => (
            "refuses the key",
            "look at the key of its provider (`key_env` or `key_command` in models.lua); `agent doctor` shows where it comes from",
        ),
        FailureKind::Forbidden => (
            "does not let this key use it",
            "use a key that may, or another model",
        ),
        FailureKind::Quota => (
            "says that nothing is left to pay with",
            "add credit there, or use another provider",
        ),
        FailureKind::UnknownModel => (
            "is not known to its provider",
            "look up the model's name there; it stands behind the first slash",
        ),
        FailureKind::RateLimited => (
            "gets too many requests",
            "try again later, or use another model",
        ),
        FailureKind::Overloaded => ("is overloaded", "try again later, or use another model"),
        FailureKind::TooLong => (
            "takes no conversation as long as this",
            "begin a new session, or use a model with a larger window",
        ),
        FailureKind::BadRequest => (
            "refuses the request",
            "if it is a server of your own, its `quirks` in models.lua may say what it does not take",
        ),
        FailureKind::Timeout => ("took too long", "try again later"),
        FailureKind::Server => ("is broken", "try again later, or use another model"),
        FailureKind::NotJson => (
            "answers with something that is no API",
            "check `base_url` of its provider",
        ),
    };
    let error = ToolError::new(Kind::Provider, format!("{model} {what}: {failure}"));
    let error = error
        .with_hint(hint)
        .with_detail("reason", failure.kind.as_str());
    match failure.status {
        Some(status) => error.with_detail("status", status),
        None => error,
    }
}

/// What went wrong while an answer came in.
pub(super) fn garbled(error: &StreamError, model: &str) -> ToolError {
    let hint = match error {
        StreamError::NoStream(_) => {
            "check `base_url` of its provider: it has to speak the format that `kind` names"
        }
        _ => "try again; if it stays so, `agent doctor` tells more",
    };
    ToolError::new(Kind::Provider, format!("{model}: {error}")).with_hint(hint)
}

/// Why no answer came.
pub(super) fn broken(error: &NetError, model: &str) -> ToolError {
    let message = format!("{model} cannot be reached: {}", error.message);
    ToolError::new(Kind::Provider, message)
        .with_hint("check the network, and `base_url` of its provider in models.lua")
        .with_detail("reason", error.kind.as_str())
}

/// That nothing was heard for too long.
pub(super) fn unheard(model: &str, idle: Duration) -> ToolError {
    let message = format!("{model} said nothing for {} s", idle.as_secs_f64());
    ToolError::new(Kind::Provider, message)
        .with_hint("try again, or give its provider a longer `idle` in models.lua")
        .with_detail("reason", "idle")
}
