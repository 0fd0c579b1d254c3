//! The exit codes of the program, one variant a code.
//! Scripts rely on the numbers; they never change.

use super::Kind;

/// How a run of the program ended, as its exit code says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// 0: done.
    Done = 0,
    /// 1: a script, a tool or a test failed.
    Failed = 1,
    /// 2: usage or configuration.
    Usage = 2,
    /// 3: denied, or an approval was needed and nobody could give it.
    Blocked = 3,
    /// 4: a limit (steps, tokens, cost) was reached.
    Limit = 4,
    /// 5: the model provider failed after retries.
    Provider = 5,
    /// 124: `--timeout` passed.
    Timeout = 124,
    /// 130: interrupted by SIGINT.
    Interrupted = 130,
    /// 143: ended by SIGTERM.
    Terminated = 143,
}

impl Exit {
    /// The exit code as the operating system takes it.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Kind> for Exit {
    /// The exit code of a run that ended with an uncaught error of this kind.
    fn from(kind: Kind) -> Exit {
        match kind {
            Kind::Denied | Kind::Rejected => Exit::Blocked,
            Kind::Limit => Exit::Limit,
            Kind::Provider => Exit::Provider,
            Kind::Cancelled => Exit::Interrupted,
            Kind::Argument
            | Kind::NotFound
            | Kind::Conflict
            | Kind::Resource
            | Kind::Timeout
            | Kind::Unavailable
            | Kind::Failed
            | Kind::Internal => Exit::Failed,
        }
    }
}
