//! `agent session fork [SESSION|last]`: a copy of what was said so far, under an id of its own.
//!
//! The original is only read, also while another process adds to it.

use serde_json::json;

use super::super::session::Session;
use super::find;
use crate::agent::{self, Own};
use crate::error::Error;
use crate::store::{SessionId, Sessions, moment};

/// Makes the copy and prints its id.
///
/// # Errors
/// Usage: there is no such session, or nothing in it; `resource` when the state folder cannot be written.
pub(super) fn run(session: &Session, wanted: &str) -> Result<(), Error> {
    let sessions = Sessions::new(&session.paths);
    let root = &*session.workspace.root;
    let hint = "`agent session list` shows those there are; `agent run` begins one";
    let of = find::find(&sessions, Some(root), wanted, hint)?;
    let lines = find::lines(&sessions, &of)?;
    let now = (session.services.clock)();
    let id = SessionId::new(now)?;
    let own = Own {
        id: id.to_string(),
        time: moment(now),
        of: of.to_string(),
        workspace: root.to_string_lossy().into_owned(),
    };
    let fork = agent::fork(lines, own)?;
    find::tell_unread(&session.answer, &of, fork.unread);
    // All of it at once: there is no half of a copy.
    sessions.begin(&id)?.add(&fork.lines.join(&b'\n'))?;
    match session.answer.is_machine() {
        true => session.answer.document(json!({
            "ok": true,
            "id": id.as_str(),
            "forked_from": of.as_str(),
            "unread": fork.unread,
        })),
        false => session.answer.text(id.as_str()),
    }
    Ok(())
}
