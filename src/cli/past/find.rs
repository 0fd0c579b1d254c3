//! Which session is meant by what somebody typed, and what is in it.
//!
//! A session belongs to the workspace that its first line names. One whose first line cannot be read belongs to none,
//! and is found by its whole id.

use std::path::Path;
use std::str::FromStr as _;

use super::super::answer::Answer;
use crate::agent::{Head, Past};
use crate::error::{Error, ToolError};
use crate::store::{SessionId, Sessions};
use crate::text::{counted, named, one_line};

/// How many sessions an error names.
const NAMED: usize = 5;

/// The session that `asked` names: its id or the beginning of it, or `last`, the newest that was not begun by another;
/// among those of the workspace `root`, or all. `hint` is for whoever names none.
///
/// # Errors
/// Usage: there is none, or more than one, or it belongs to another workspace; `resource`.
pub(super) fn find(
    sessions: &Sessions,
    root: Option<&Path>,
    asked: &str,
    hint: &str,
) -> Result<SessionId, Error> {
    if asked == "last" {
        let place = if root.is_some() {
            "this workspace has"
        } else {
            "there is"
        };
        let none = || Error::usage(format!("{place} no session to go on with or to show"), hint);
        return newest(sessions, root)?.ok_or_else(none);
    }
    if let Ok(id) = SessionId::from_str(asked)
        && sessions.has(&id)
    {
        return match head(sessions, &id) {
            Some(head) if !is_here(&head, root) => Err(elsewhere(&id)),
            _ => Ok(id),
        };
    }
    let is_begun = asked.len() >= 2
        && asked
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || b"T-.".contains(&byte));
    if !is_begun {
        let message = format!("`{}` is not the id of a session", one_line(asked));
        return Err(Error::usage(message, hint));
    }
    let begun = sessions.list()?;
    let begun = begun
        .into_iter()
        .filter(|id| id.as_str().starts_with(asked));
    let begun: Vec<(SessionId, Head)> = begun
        .filter_map(|id| head(sessions, &id).map(|head| (id, head)))
        .collect();
    let here: Vec<&SessionId> = begun
        .iter()
        .filter(|(_, head)| is_here(head, root))
        .map(|(id, _)| id)
        .collect();
    // A child's id begins with that of the session that asked it, which is the one that is meant then.
    let roots: Vec<&SessionId> = here
        .iter()
        .copied()
        .filter(|id| id.parent().is_none())
        .collect();
    match (roots.as_slice(), here.as_slice(), begun.as_slice()) {
        ([one], ..) | ([], [one], _) => Ok((*one).clone()),
        ([], [], [(one, _), ..]) => Err(elsewhere(one)),
        ([], [], []) => Err(Error::usage(format!("there is no session {asked}"), hint)),
        ([], several, _) | (several, ..) => {
            let message = format!(
                "{} begin with `{asked}`: {}",
                counted(several.len(), "session"),
                named(
                    &several.iter().map(|id| id.as_str()).collect::<Vec<_>>(),
                    NAMED
                )
            );
            Err(Error::usage(message, "give more of the id"))
        }
    }
}

fn elsewhere(id: &SessionId) -> Error {
    let message = format!("the session {id} belongs to another workspace");
    let hint = "go there; to show, search and export sessions from here, add --all";
    Error::usage(message, hint)
}

/// The newest session of the workspace `root`, or of all, that was not begun by another.
fn newest(sessions: &Sessions, root: Option<&Path>) -> Result<Option<SessionId>, ToolError> {
    let ids = sessions.list()?.into_iter();
    let mut roots = ids.filter(|id| id.parent().is_none());
    Ok(roots.find(|id| head(sessions, id).is_some_and(|head| is_here(&head, root))))
}

/// Whether a session belongs to the workspace `root`; to any, where there is none.
pub(super) fn is_here(head: &Head, root: Option<&Path>) -> bool {
    root.is_none_or(|root| head.workspace == root.to_string_lossy())
}

/// How a session begins; `None` where that cannot be read.
pub(in crate::cli) fn head(sessions: &Sessions, id: &SessionId) -> Option<Head> {
    let line = sessions.head(id).ok()?;
    let past = Past::read([line.as_slice()]);
    let is_read = past.unread == 0 && !past.head.id.is_empty();
    is_read.then_some(past.head)
}

/// What is in a session. Lines that cannot be read are told of on stderr.
///
/// # Errors
/// Usage: nothing is in it; `resource`.
pub(super) fn past(sessions: &Sessions, id: &SessionId, answer: &Answer) -> Result<Past, Error> {
    let lines = lines(sessions, id)?;
    let mut past = Past::read_whole(lines.iter().map(Vec::as_slice));
    past.head.id = id.to_string();
    tell_unread(answer, id, past.unread);
    Ok(past)
}

/// The whole lines of a session, of which there are some.
///
/// # Errors
/// Usage: there are none; `resource`.
pub(super) fn lines(sessions: &Sessions, id: &SessionId) -> Result<Vec<Vec<u8>>, Error> {
    let lines = sessions.lines(id)?;
    match lines.is_empty() {
        false => Ok(lines),
        true => Err(Error::usage(
            format!("the session {id} is empty: its file has no whole line"),
            "nothing can be got from it; `agent session list` shows those there are",
        )),
    }
}

/// Tells of lines that could not be read.
pub(super) fn tell_unread(answer: &Answer, id: &SessionId, unread: usize) {
    if unread > 0 {
        let lines = counted(unread, "line");
        answer.warn(&format!(
            "{lines} of the session {id} cannot be read and are passed over"
        ));
    }
}
