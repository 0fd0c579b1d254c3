//! The saved approvals as a person sees them: in the list of what is in force, and taken back by their id.
//!
//! A model never takes one back: what a person approved is the person's to change.

use serde_json::{Value, json};

use super::columns;
use crate::cli::args::Options;
use crate::cli::session::Session;
use crate::cli::start;
use crate::error::{Error, Exit, Kind, ToolError};
use crate::permission::Caller;
use crate::store::{Approvals, Saved};
use crate::text::{nearest, one_line};
use crate::tool::{Level, damage};

/// Those that hold in the workspace of `session`; what is damaged is told of.
///
/// # Errors
/// `resource` when they cannot be read.
pub(super) fn here(session: &Session) -> Result<Vec<Saved>, Error> {
    let found = store(session).list()?;
    for name in &found.damaged {
        session.services.sink.log(Level::Warn, damage(name));
    }
    Ok(found.saved)
}

/// They, as data.
pub(super) fn document(saved: &[Saved]) -> Value {
    saved.iter().map(line).collect()
}

/// They, as a table; nothing where there is none.
pub(super) fn page(saved: &[Saved]) -> String {
    if saved.is_empty() {
        return String::new();
    }
    let mut rows = vec![["approval", "scope", "for", "rule", "given"].map(str::to_owned)];
    rows.extend(saved.iter().map(|saved| {
        [
            saved.id.clone(),
            saved.approval.reach.to_string(),
            saved.approval.caller.to_string(),
            one_line(&saved.approval.rule.to_string()),
            match saved.holds_here() {
                true => one_line(&saved.given),
                false => format!(
                    "{}: does not hold under this sandbox",
                    one_line(&saved.given)
                ),
            },
        ]
    }));
    format!("\n{}\n{WORDS}", columns(&rows))
}

/// Takes the approval `id` back, and says what it was.
///
/// # Errors
/// `denied` for a model; `not_found` with the nearest id; `resource` when the state cannot be written.
pub(super) fn revoke(options: Options, id: &str) -> Result<Exit, Error> {
    let session = start(options, Vec::new())?;
    if session.root.caller() == Caller::Model {
        let error = ToolError::new(Kind::Denied, "a model cannot take an approval back");
        let hint = "ask the person to run `agent permissions revoke`";
        session.answer.failure(&error.with_hint(hint).into(), None);
        return Ok(session.answer.finish(Exit::Blocked));
    }
    let taken = take(&store(&session), id);
    match &taken {
        Err(error) => session.answer.failure(error, None),
        Ok(saved) if session.answer.is_machine() => {
            session
                .answer
                .document(json!({ "ok": true, "revoked": line(saved) }));
        }
        Ok(saved) => {
            let (rule, reach) = (
                one_line(&saved.approval.rule.to_string()),
                saved.approval.reach,
            );
            session
                .answer
                .text(&format!("{rule} is not approved any more (scope: {reach})"));
        }
    }
    let exit = taken.as_ref().err().map_or(Exit::Done, Error::exit);
    Ok(session.answer.finish(exit))
}

fn take(store: &Approvals, id: &str) -> Result<Saved, Error> {
    if let Some(saved) = store.revoke(id)? {
        return Ok(saved);
    }
    let saved = store.list()?.saved;
    let error = ToolError::not_found(format!("there is no approval `{id}` in this project"));
    let near = nearest(id, saved.iter().map(|saved| saved.id.as_str()));
    let hint = match near {
        Some(near) => format!("did you mean `{near}`? `agent permissions list` shows them"),
        None => "`agent permissions list` shows the approvals".to_owned(),
    };
    Err(error.with_hint(hint).into())
}

fn store(session: &Session) -> Approvals {
    Approvals::new(&session.paths, &session.workspace.root)
}

fn line(saved: &Saved) -> Value {
    json!({
        "id": saved.id,
        "rule": saved.approval.rule.to_string(),
        "scope": saved.approval.reach.as_str(),
        "caller": saved.approval.caller.as_str(),
        "given": saved.given,
        "sandbox": saved.sandbox,
    })
}

/// What the table means.
const WORDS: &str = "\
An approval lifts an ask and never a deny. `agent permissions revoke APPROVAL` takes one back.
";
