//! How a turn ended.
//! Scripts and programs branch on the words, so that they never change.

use crate::error::{Exit, Kind, ToolError};

/// How a turn ended, in the words of its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// The model has said what it had to say.
    #[default]
    Done,
    /// The same, but something was refused on the way.
    Blocked,
    /// A limit was reached.
    Limit,
    /// The model's provider failed.
    ProviderError,
    /// The time was over.
    Timeout,
    /// It was interrupted.
    Interrupted,
    /// Something else failed.
    Error,
}

impl Status {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Done => "done",
            Status::Blocked => "blocked",
            Status::Limit => "limit",
            Status::ProviderError => "provider_error",
            Status::Timeout => "timeout",
            Status::Interrupted => "interrupted",
            Status::Error => "error",
        }
    }

    /// How a turn ends that `error` ends.
    pub fn of(error: &ToolError) -> Status {
        match error.kind {
            Kind::Denied | Kind::Rejected => Status::Blocked,
            Kind::Limit => Status::Limit,
            Kind::Provider => Status::ProviderError,
            Kind::Timeout => Status::Timeout,
            Kind::Cancelled => Status::Interrupted,
            _ => Status::Error,
        }
    }

    /// The exit code of a program whose one turn ended so.
    pub fn exit(self) -> Exit {
        match self {
            Status::Done => Exit::Done,
            Status::Blocked => Exit::Blocked,
            Status::Limit => Exit::Limit,
            Status::ProviderError => Exit::Provider,
            Status::Timeout => Exit::Timeout,
            Status::Interrupted => Exit::Interrupted,
            Status::Error => Exit::Failed,
        }
    }
}
