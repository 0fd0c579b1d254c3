//! How a provider fails: what it says when it refuses a request, and what goes wrong while it answers.
//!
//! The messages are the provider's words, cut to a readable length; they are shown as foreign text.

use std::fmt;

/// What a provider said instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What sort of failure it is.
    pub kind: FailureKind,
    /// The HTTP status, where the failure came with one of its own.
    pub status: Option<u16>,
    /// The provider's word for it, such as `insufficient_quota`.
    pub code: Option<String>,
    /// The provider's sentence, or one of ours where it had none.
    pub message: String,
}

/// The sorts of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// No key, or a wrong one.
    Auth,
    /// The key may not do this.
    Forbidden,
    /// Nothing is left to pay with.
    Quota,
    /// There is no such model.
    UnknownModel,
    /// Too many requests for the moment.
    RateLimited,
    /// The provider has too much to do.
    Overloaded,
    /// The conversation is longer than the model takes.
    TooLong,
    /// The request is wrong in some other way.
    BadRequest,
    /// The provider took too long.
    Timeout,
    /// The provider broke.
    Server,
    /// What came is not what the format has: a page, a wrong address.
    NotJson,
}

impl FailureKind {
    /// Whether the same request may succeed a little later.
    pub fn is_transient(self) -> bool {
        matches!(
            self,
            FailureKind::RateLimited
                | FailureKind::Overloaded
                | FailureKind::Timeout
                | FailureKind::Server
        )
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            FailureKind::Auth => "auth",
            FailureKind::Forbidden => "forbidden",
            FailureKind::Quota => "quota",
            FailureKind::UnknownModel => "unknown_model",
            FailureKind::RateLimited => "rate_limited",
            FailureKind::Overloaded => "overloaded",
            FailureKind::TooLong => "too_long",
            FailureKind::BadRequest => "bad_request",
            FailureKind::Timeout => "timeout",
            FailureKind::Server => "server",
            FailureKind::NotJson => "not_json",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (self.status, &self.code) {
            (Some(status), Some(code)) => write!(f, " ({status}, {code})"),
            (Some(status), None) => write!(f, " ({status})"),
            (None, Some(code)) => write!(f, " ({code})"),
            (None, None) => Ok(()),
        }
    }
}

/// What goes wrong while an answer comes in. None of it is a fault of the request, but what `Failed` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamError {
    /// The provider broke off and said why.
    Failed(Failure),
    /// An event that the format does not have; the text is how it begins.
    Garbage(String),
    /// A page or something else that is no stream at all; the text is how it begins.
    NoStream(String),
    /// The stream ended before the answer did.
    Cut,
    /// One event is longer than this many bytes.
    TooLarge(usize),
}

impl StreamError {
    /// Whether the same request may succeed a little later.
    pub fn is_transient(&self) -> bool {
        match self {
            StreamError::Failed(failure) => failure.kind.is_transient(),
            StreamError::Cut | StreamError::Garbage(_) => true,
            StreamError::NoStream(_) | StreamError::TooLarge(_) => false,
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Failed(failure) => failure.fmt(f),
            StreamError::Garbage(start) => {
                write!(
                    f,
                    "the provider sent an event that is not of its format: {start}"
                )
            }
            StreamError::NoStream(start) => {
                write!(
                    f,
                    "expected a stream of events from the provider, got: {start}"
                )
            }
            StreamError::Cut => f.write_str("the answer was cut: the stream ended before it did"),
            StreamError::TooLarge(limit) => {
                write!(f, "the provider sent an event of more than {limit} bytes")
            }
        }
    }
}

impl std::error::Error for StreamError {}
