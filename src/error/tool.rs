//! What a failed call says: a kind from a closed list, what happened, and what to try next.
//!
//! One value serves the model, a Lua script and a person. It carries data only: no source chain,
//! no stack trace.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The closed list of failures. Callers branch on it, so its words are public interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The arguments are wrong; another value would be right.
    Argument,
    /// The thing named does not exist.
    NotFound,
    /// The world differs from what the caller believes: stale file, several matches, a lost race.
    Conflict,
    /// A rule, a mode or the want of an approval forbids it.
    Denied,
    /// A person said no.
    Rejected,
    /// Disk, memory, permissions of the operating system, nesting: something ran out.
    Resource,
    /// The call's own time ran out.
    Timeout,
    /// The call was ended before it finished.
    Cancelled,
    /// The tool exists and cannot be used here and now.
    Unavailable,
    /// A model provider failed.
    Provider,
    /// A limit on steps, tokens or cost was reached.
    Limit,
    /// The work itself failed: a command, a script, a check.
    Failed,
    /// A fault of this program.
    Internal,
}

impl Kind {
    /// Every kind, in the order the documentation lists them.
    pub const ALL: [Kind; 13] = [
        Kind::Argument,
        Kind::NotFound,
        Kind::Conflict,
        Kind::Denied,
        Kind::Rejected,
        Kind::Resource,
        Kind::Timeout,
        Kind::Cancelled,
        Kind::Unavailable,
        Kind::Provider,
        Kind::Limit,
        Kind::Failed,
        Kind::Internal,
    ];

    /// The word that scripts and JSON documents carry.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Argument => "argument",
            Kind::NotFound => "not_found",
            Kind::Conflict => "conflict",
            Kind::Denied => "denied",
            Kind::Rejected => "rejected",
            Kind::Resource => "resource",
            Kind::Timeout => "timeout",
            Kind::Cancelled => "cancelled",
            Kind::Unavailable => "unavailable",
            Kind::Provider => "provider",
            Kind::Limit => "limit",
            Kind::Failed => "failed",
            Kind::Internal => "internal",
        }
    }

    /// What to try next when the error itself has nothing better to say.
    pub fn hint(self) -> &'static str {
        match self {
            Kind::Argument => "correct the argument that is named and call again",
            Kind::NotFound => "check the name, or look for it with `glob` or `grep`",
            Kind::Conflict => "read it again and repeat the call against what is there now",
            Kind::Denied => "do not retry: change the rule, or ask the person to allow it",
            Kind::Rejected => "do not retry: ask the person what they want instead",
            Kind::Resource => "free the resource that is named, or choose another place",
            Kind::Timeout => "do less in one call, or give it a longer `timeout`",
            Kind::Cancelled => "nothing more was done; call again if it is still wanted",
            Kind::Unavailable => "use another tool; `agent tools` lists what is there",
            Kind::Provider => "try again later, or choose another model",
            Kind::Limit => "raise the limit, or finish with what is there",
            Kind::Failed => "read the message and the output, mend the cause, call again",
            Kind::Internal => "this is a fault of the program; please report it",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(word: &str) -> Result<Kind, ()> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .ok_or(())
    }
}

/// A failure that the caller can act on.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolError {
    /// What sort of failure it is.
    pub kind: Kind,
    /// What happened, with the value that was found and what was expected.
    pub message: String,
    /// What to do next; [`ToolError::hint`] falls back to the kind's own.
    pub hint: Option<String>,
    /// Facts for programs: matching lines, `unattended`, an exit code. Absent when there are none.
    pub detail: Option<Box<Map<String, Value>>>,
}

impl ToolError {
    /// A failure of `kind` that says `message`.
    pub fn new(kind: Kind, message: impl Into<String>) -> ToolError {
        ToolError {
            kind,
            message: message.into(),
            hint: None,
            detail: None,
        }
    }

    /// The same failure with advice of its own.
    pub fn with_hint(mut self, hint: impl Into<String>) -> ToolError {
        self.hint = Some(hint.into());
        self
    }

    /// The same failure with one more fact for programs.
    pub fn with_detail(mut self, key: &str, value: impl Into<Value>) -> ToolError {
        self.detail
            .get_or_insert_default()
            .insert(key.to_owned(), value.into());
        self
    }

    /// What to do next: never empty.
    pub fn hint(&self) -> &str {
        self.hint.as_deref().unwrap_or_else(|| self.kind.hint())
    }

    /// A name that nothing bears: `there is no tool raed`, `did you mean read? …`. `near` is the name that
    /// was meant, if one is near enough; `accepted` says which names there are.
    pub fn unknown(
        kind: Kind,
        what: &str,
        name: &str,
        near: Option<&str>,
        accepted: &str,
    ) -> ToolError {
        let hint = match near {
            Some(near) => format!("did you mean `{near}`? {accepted}"),
            None => accepted.to_owned(),
        };
        ToolError::new(kind, format!("there is no {what} `{name}`")).with_hint(hint)
    }

    /// An [`Kind::Argument`] failure.
    pub fn argument(message: impl Into<String>) -> ToolError {
        ToolError::new(Kind::Argument, message)
    }

    /// A [`Kind::NotFound`] failure.
    pub fn not_found(message: impl Into<String>) -> ToolError {
        ToolError::new(Kind::NotFound, message)
    }

    /// A [`Kind::Conflict`] failure.
    pub fn conflict(message: impl Into<String>) -> ToolError {
        ToolError::new(Kind::Conflict, message)
    }

    /// A [`Kind::Cancelled`] failure.
    pub fn cancelled() -> ToolError {
        ToolError::new(Kind::Cancelled, "the call was cancelled")
    }

    /// A [`Kind::Internal`] failure: an invariant of this program does not hold.
    pub fn internal(message: impl Into<String>) -> ToolError {
        ToolError::new(Kind::Internal, message)
    }

    /// What the operating system said while doing `what` to `name`, as the kind it belongs to.
    pub fn from_io(error: &std::io::Error, what: &str, name: &str) -> ToolError {
        let said = said(error);
        use std::io::ErrorKind as E;
        let kind = match error.kind() {
            E::NotFound => Kind::NotFound,
            E::AlreadyExists | E::DirectoryNotEmpty => Kind::Conflict,
            E::InvalidInput | E::IsADirectory | E::NotADirectory => Kind::Argument,
            _ => Kind::Resource,
        };
        ToolError::new(kind, format!("cannot {what} {name}: {said}"))
    }
}

/// What the system says, without its number.
pub fn said(error: &std::io::Error) -> String {
    let said = error.to_string();
    let said = said.split(" (os error").next().unwrap_or(&said);
    said.to_lowercase()
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back_from_its_word() {
        for kind in Kind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
            assert!(!kind.hint().is_empty());
        }
    }

    #[test]
    fn a_name_that_nothing_bears_is_said_with_the_nearest_and_all_there_are() {
        let list = "the tools are: read, edit";
        let error = ToolError::unknown(Kind::NotFound, "tool", "raed", Some("read"), list);
        assert_eq!(error.message, "there is no tool `raed`");
        assert_eq!(
            error.hint(),
            "did you mean `read`? the tools are: read, edit"
        );
        let error = ToolError::unknown(Kind::NotFound, "tool", "quux", None, list);
        assert_eq!(error.hint(), list);
    }

    #[test]
    fn says_what_the_system_said_without_its_numbers() {
        let full = std::io::Error::from_raw_os_error(28);
        let error = ToolError::from_io(&full, "write", "a.txt");
        assert_eq!(error.kind, Kind::Resource);
        assert_eq!(error.message, "cannot write a.txt: no space left on device");
    }
}
