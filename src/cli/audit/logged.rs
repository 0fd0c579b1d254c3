//! The lines of the audit log as calls. A line that cannot be read, such as a torn one, is passed over.
//!
//! What a field says is foreign text: it is shown with care and decides nothing.

use std::str::FromStr as _;

use serde_json::{Map, Value, json};

use crate::error::{Error, ToolError};
use crate::store::{Audit, Paths, SessionId, Workspace};

/// One call, as it was logged.
pub(in crate::cli) struct Logged(Value);

impl Logged {
    pub(in crate::cli) fn read(line: &[u8]) -> Option<Logged> {
        let value: Value = serde_json::from_slice(line).ok()?;
        let is_call = value.get("call").is_some_and(Value::is_string);
        is_call.then_some(Logged(value))
    }

    /// All of it.
    pub(in crate::cli) fn as_value(&self) -> &Value {
        &self.0
    }

    /// The same as an event.
    pub(in crate::cli) fn as_event(&self) -> Value {
        let mut event = Map::from_iter([("type".to_owned(), json!("call"))]);
        event.extend(self.0.as_object().cloned().unwrap_or_default());
        Value::Object(event)
    }

    /// The text of a field; empty where there is none.
    pub(in crate::cli) fn word(&self, name: &str) -> &str {
        self.0[name].as_str().unwrap_or_default()
    }

    /// The verdict; nothing where it did not come to one.
    pub(in crate::cli) fn verdict(&self) -> Option<&str> {
        self.0["verdict"].as_str()
    }

    /// Whether the log has less of it than rules saw.
    pub(in crate::cli) fn is_cut(&self) -> bool {
        self.0["cut"] == true
    }

    /// What rules were matched against, each with its fields.
    pub(in crate::cli) fn subject_values(&self) -> &[Value] {
        self.0["subjects"].as_array().map_or(&[], Vec::as_slice)
    }

    /// What rules were matched against, as text.
    pub(in crate::cli) fn subjects(&self) -> Vec<&str> {
        let subjects = self.subject_values().iter();
        subjects
            .filter_map(|subject| subject["text"].as_str())
            .collect()
    }

    /// What had a say in the verdict, where it was more than one thing.
    pub(super) fn trace(&self) -> &[Value] {
        self.0["trace"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The questions that it led to, each with its answer.
    pub(super) fn answers(&self) -> &[Value] {
        self.0["answers"].as_array().map_or(&[], Vec::as_slice)
    }

    /// How many calls stand around it.
    pub(super) fn depth(&self) -> usize {
        self.0["chain"].as_array().map_or(0, Vec::len)
    }

    /// `ok`, or the kind of its error.
    pub(super) fn result(&self) -> &str {
        match self.0["ok"] == true {
            true => "ok",
            false => self.word("kind"),
        }
    }

    /// Whether it did not run because somebody said no.
    pub(in crate::cli) fn is_refused(&self) -> bool {
        matches!(self.result(), "denied" | "rejected")
    }

    /// How long it took.
    pub(super) fn seconds(&self) -> f64 {
        self.0["duration"].as_f64().unwrap_or_default()
    }

    /// What puts calls into the order in which they were made.
    fn order(&self) -> (String, u64) {
        let number = self.word("call").trim_start_matches('c').parse();
        (self.word("time").to_owned(), number.unwrap_or_default())
    }
}

/// The calls of a session and of its children, in the order in which they were made; `last` is the newest in
/// this workspace. With the name of the session.
///
/// # Errors
/// `argument` for what is no name of a session, `not_found` where no call is known.
pub(in crate::cli) fn of_session(
    paths: &Paths,
    workspace: &Workspace,
    asked: &str,
) -> Result<(String, Vec<Logged>), Error> {
    let log = Audit::new(paths);
    let parts = log.parts()?;
    let name = match asked {
        "last" => last(&log, &parts, &workspace.root.to_string_lossy())?,
        asked => SessionId::from_str(asked)?.as_str().to_owned(),
    };
    let below = format!("{name}.");
    let is_its = |call: &Logged| {
        let session = call.word("session");
        session == name || session.starts_with(&below)
    };
    let mut calls = Vec::new();
    // A session is not older than its name.
    for part in parts.iter().filter(|part| part[..8] >= name[..8]) {
        let lines = log.lines(part)?;
        let lines = lines.iter().filter(|line| holds(line, name.as_bytes()));
        calls.extend(lines.filter_map(|line| Logged::read(line)).filter(is_its));
    }
    if calls.is_empty() {
        let error = ToolError::not_found(format!("no call of the session {name} is in the log"));
        let hint = "`agent session list` shows those that are known; calls are kept for 90 days";
        return Err(error.with_hint(hint).into());
    }
    calls.sort_by_cached_key(Logged::order);
    Ok((name, calls))
}

/// The session that made the newest call in `workspace`.
fn last(log: &Audit, parts: &[String], workspace: &str) -> Result<String, ToolError> {
    for part in parts.iter().rev() {
        let lines = log.lines(part)?;
        let calls = lines.iter().rev().filter_map(|line| Logged::read(line));
        let mut here = calls.filter(|call| call.word("workspace") == workspace);
        let name = here.find_map(|call| SessionId::from_str(call.word("session")).ok());
        if let Some(name) = name {
            return Ok(name.root().as_str().to_owned());
        }
    }
    Err(
        ToolError::not_found("no call was made in this workspace, as far as the log goes back")
            .with_hint("calls are kept for 90 days; name a session to see one from elsewhere"),
    )
}

fn holds(line: &[u8], text: &[u8]) -> bool {
    line.windows(text.len()).any(|part| part == text)
}
