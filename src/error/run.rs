//! What ends a run: wrong usage, broken configuration, or a call's error that nobody caught.
//! It says what to print and the code to exit with; `cli` does both.

use std::fmt;

use super::{Exit, Kind, ToolError};

/// A failure that stops the program, with the exit code it stops with.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// Wrong command line or broken configuration: exit 2.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// A call failed and nothing caught it: the exit code of its kind.
    Tool(ToolError),
    /// The run was ended from outside or by its clock.
    Ended(Exit),
}

impl Error {
    /// Wrong usage or configuration: what is wrong, and what to do about it.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Error {
        Error::Usage {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// The exit code that this failure means.
    pub fn exit(&self) -> Exit {
        match self {
            Error::Usage { .. } => Exit::Usage,
            Error::Tool(error) => Exit::from(error.kind),
            Error::Ended(exit) => *exit,
        }
    }

    /// The failure as documents and scripts have it: wrong usage is a wrong argument.
    pub fn into_tool_error(self) -> ToolError {
        match self {
            Error::Usage { message, hint } => ToolError::argument(message).with_hint(hint),
            Error::Tool(error) => error,
            Error::Ended(Exit::Timeout) => ToolError::new(Kind::Timeout, self.to_string()),
            Error::Ended(_) => ToolError::new(Kind::Cancelled, self.to_string()),
        }
    }
}

impl From<ToolError> for Error {
    fn from(error: ToolError) -> Error {
        Error::Tool(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage { message, hint } => write!(f, "{message}\n  try: {hint}"),
            Error::Tool(error) => write!(f, "{error}\n  try: {}", error.hint()),
            Error::Ended(Exit::Timeout) => f.write_str("--timeout passed"),
            Error::Ended(_) => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Error {}
