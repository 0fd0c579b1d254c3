//! `agent session show [SESSION|last]`: the conversation, cut where it is long for a person, whole for a program.
//! `--last` leaves out what was said before, and nothing of what was used.

use serde_json::{Map, Value, json};

use super::super::args::Format;
use super::super::session::Session;
use super::{Which, find};
use crate::agent::{Past, export};
use crate::error::{Error, ToolError};
use crate::store::Sessions;

/// Shows it; the `last` turns of it alone, if that is asked for.
///
/// # Errors
/// Usage: there is no such session; `resource`.
pub(super) fn run(session: &Session, which: &Which, last: Option<u32>) -> Result<(), Error> {
    let past = past(session, which, last)?;
    let answer = &session.answer;
    if answer.format == Format::Text {
        answer.text(&export::page(&past));
        return Ok(());
    }
    if answer.format == Format::Jsonl {
        for message in &past.messages {
            let mut event = Map::from_iter([("type".to_owned(), json!("message"))]);
            if let Ok(Value::Object(fields)) = serde_json::to_value(message) {
                event.extend(fields);
            }
            answer.line(&event);
        }
    }
    answer.document(document(&past)?);
    Ok(())
}

/// What is in the session that is meant, from its `last` turns on.
///
/// # Errors
/// Usage: there is no such session; `resource`.
pub(super) fn past(session: &Session, which: &Which, last: Option<u32>) -> Result<Past, Error> {
    let sessions = Sessions::new(&session.paths);
    let root = (!which.all).then_some(&*session.workspace.root);
    let hint = "`agent session list` shows those there are; `agent run` begins one";
    let id = find::find(&sessions, root, &which.session, hint)?;
    let mut past = find::past(&sessions, &id, &session.answer)?;
    if let Some(turns) = last {
        past.keep_last(usize::try_from(turns).unwrap_or(usize::MAX));
    }
    Ok(past)
}

/// A session as one document.
///
/// # Errors
/// `internal`.
pub(super) fn document(past: &Past) -> Result<Value, ToolError> {
    let (head, usage) = (&past.head, &past.usage);
    let messages = serde_json::to_value(&past.messages)
        .map_err(|error| ToolError::internal(format!("messages as JSON: {error}")))?;
    let todos = serde_json::to_value(&past.todos)
        .map_err(|error| ToolError::internal(format!("todos as JSON: {error}")))?;
    Ok(json!({
        "id": head.id,
        "model": head.model,
        "workspace": head.workspace,
        "time": head.time,
        "forked_from": head.forked_from,
        "messages": messages,
        "todos": todos,
        "planning": past.is_planning,
        "usage": {
            "input": usage.input,
            "output": usage.output,
            "cache_read": usage.cache_read,
            "cache_write": usage.cache_write,
            "reasoning": usage.reasoning,
        },
        "cost": past.cost,
        "unread": past.unread,
    }))
}
