//! The exit codes of the program, one variant a code.
//! Scripts rely on the numbers; they never change.

use super::Kind;

/// How a run of the program ended, as its exit code says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: a script, a tool or a test failed.
    Failed,
    /// 2: usage or configuration.
    Usage,
    /// 3: denied, or an approval was needed and nobody could give it.
    Blocked,
    /// 4: a limit (steps, tokens, cost) was reached.
    Limit,
    /// 5: the model provider failed after retries.
    Provider,
    /// 124: `--timeout` passed.
    Timeout,
    /// 130: interrupted by SIGINT.
    Interrupted,
    /// 143: ended by SIGTERM.
    Terminated,
    /// What a script gave to `os.exit`.
    Script(u8),
}

impl Exit {
    /// The exit code as the operating system takes it.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Blocked => 3,
            Exit::Limit => 4,
            Exit::Provider => 5,
            Exit::Timeout => 124,
            Exit::Interrupted => 130,
            Exit::Terminated => 143,
            Exit::Script(code) => code,
        }
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
