//! `agent session export [SESSION|last]`: a session written for others, on stdout.
//!
//! Nothing that was said in it decides where it goes or what it is.

use serde_json::json;

use super::super::session::Session;
use super::{Form, Which, show};
use crate::agent::export;
use crate::error::Error;

/// Writes it; the `last` turns of it alone, if that is asked for.
///
/// # Errors
/// Usage: there is no such session; `resource`.
pub(super) fn run(
    session: &Session,
    which: &Which,
    form: Form,
    last: Option<u32>,
) -> Result<(), Error> {
    let past = show::past(session, which, last)?;
    let text = match form {
        Form::Json => {
            session.answer.document(show::document(&past)?);
            return Ok(());
        }
        Form::Md => export::markdown(&past),
        Form::Html => export::html(&past),
        Form::Lua => export::lua(&past),
    };
    match session.answer.is_machine() {
        true => session.answer.document(json!({
            "id": past.head.id,
            "format": match form {
                Form::Md => "md",
                Form::Json => "json",
                Form::Html => "html",
                Form::Lua => "lua",
            },
            "text": text,
        })),
        false => session.answer.text(&text),
    }
    Ok(())
}
