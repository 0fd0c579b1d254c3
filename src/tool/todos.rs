//! The list of what is to be done in a session. Whoever keeps the session saves it and puts it back; tools show and
//! replace it.
//!
//! It is replaced whole and never in part: who reads it finds the list of one writer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// What is to be done.
    pub content: String,
    /// How far it is.
    #[serde(default)]
    pub status: Status,
    /// How much it matters, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// The name under which it is known again, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// How far a thing is: begun or not, done, or not to be done any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(
    missing_docs,
    reason = "a doc comment would be told to models, and the words say it"
)]
pub enum Status {
    #[default]
    Pending,
    InProgress,
    Completed,
    Cancelled,
}

/// How much a thing matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(
    missing_docs,
    reason = "a doc comment would be told to models, and the words say it"
)]
pub enum Priority {
    High,
    Medium,
    Low,
}

impl Status {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
            Status::Cancelled => "cancelled",
        }
    }

    /// Whether it still has to be done.
    pub fn is_open(self) -> bool {
        matches!(self, Status::Pending | Status::InProgress)
    }

    fn mark(self) -> &'static str {
        match self {
            Status::Pending => "[ ]",
            Status::InProgress => "[>]",
            Status::Completed => "[x]",
            Status::Cancelled => "[-]",
        }
    }
}

impl Priority {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Priority::High => "high",
            Priority::Medium => "medium",
            Priority::Low => "low",
        }
    }
}

/// The line of a list: `[>] write the parser (high)`.
impl std::fmt::Display for Todo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.status.mark(), self.content)?;
        match self.priority {
            Some(priority) => write!(f, " ({})", priority.as_str()),
            None => Ok(()),
        }
    }
}

/// The list of one session.
#[derive(Debug, Default)]
pub struct Todos(Mutex<Vec<Todo>>);

impl Todos {
    /// The list as it is now.
    pub fn list(&self) -> Vec<Todo> {
        self.lock().clone()
    }

    /// Puts `todos` in the place of the list.
    pub fn replace(&self, todos: Vec<Todo>) {
        *self.lock() = todos;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Todo>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_comes_back_as_it_was_saved() {
        let todos = Todos::default();
        let json = r#"[{"content":"a","status":"in_progress","priority":"high","id":"1"},{"content":"b","status":"pending"}]"#;
        todos.replace(serde_json::from_str(json).unwrap());
        assert_eq!(serde_json::to_string(&todos.list()).unwrap(), json);
        let lines: Vec<String> = todos.list().iter().map(Todo::to_string).collect();
        assert_eq!(lines, ["[>] a (high)", "[ ] b"]);
    }

    #[test]
    fn every_word_is_the_one_that_is_saved() {
        for status in [
            Status::Pending,
            Status::InProgress,
            Status::Completed,
            Status::Cancelled,
        ] {
            let saved = serde_json::to_value(status).unwrap();
            assert_eq!(saved, status.as_str());
        }
        for priority in [Priority::High, Priority::Medium, Priority::Low] {
            let saved = serde_json::to_value(priority).unwrap();
            assert_eq!(saved, priority.as_str());
        }
    }
}
