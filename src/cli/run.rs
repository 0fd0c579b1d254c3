//! `agent run [PROMPT]`: one turn with a model, and nobody is asked anything. What is piped in is added to the prompt.
//!
//! The model's last words are the answer, and nothing else is on stdout; under JSON it is one document, also where the
//! turn failed.

mod input;
mod told;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use self::input::Piped;
use super::args::Options;
use crate::agent::{Ask, Reply, Status};
use crate::error::{Error, Exit, ToolError};
use crate::permission::Caller;
use crate::redact::Reach;
use crate::tool::{Destination, Gate as _};

/// What is asked for.
pub(super) struct Wish {
    /// The words; `-` reads them from standard input.
    pub(super) prompt: Option<String>,
    /// A file that holds the JSON Schema of the answer.
    pub(super) schema: Option<PathBuf>,
    /// The session to go on with.
    pub(super) session: Option<String>,
}

/// Takes the turn.
///
/// # Errors
/// Usage and configuration.
pub(super) fn run(mut options: Options, wish: Wish) -> Result<Exit, Error> {
    if options.caller() == Caller::Model {
        return Err(Error::usage(
            "`run` asks a model for a person, never as a model",
            "leave out `--as model`",
        ));
    }
    options.asks_a_model = true;
    options.goes_on = wish.session;
    let session = super::start(options, Vec::new())?;
    let schema = wish.schema.as_deref().map(schema).transpose()?;
    session.run(Some("run"), None, async |session| {
        let input = input::read(wish.prompt.as_deref(), &session.services.sink).await?;
        let generation = session.dispatch.generation();
        let redaction = &generation.redaction;
        let model = session.scope()?.lowered(Caller::Model)?;
        let redactor = redaction.hiding(&session.services, &model, Destination::Model);
        let piped = input.piped.map(|piped| match (piped, redactor) {
            (Piped::Text(text), Some(redactor)) => {
                Piped::Text(redactor.redact(&text, Reach::Input).into_owned())
            }
            (piped, _) => piped,
        });
        let ask = Ask {
            parts: input::parts(&input.prompt, piped),
            schema,
            session: Some(session.services.session.clone()),
            ..Ask::default()
        };
        let agency = session.asking.agency(session.vm())?;
        let told = Arc::new(told::Told::new(
            Arc::clone(&session.answer),
            session.options.verbose > 0,
        ));
        let reply = agency.ask(&session.scope()?, ask, told).await;
        let reply = match reply {
            Ok(reply) => reply,
            Err(Error::Tool(error)) if session.ending.cause().is_none() => failed(error),
            Err(error) => return Err(error),
        };
        let cause = session.ending.cause();
        let left_over = session.asking.left_over();
        Ok(told::end(&session.answer, reply, cause, left_over))
    })
}

/// The schema in a file.
fn schema(file: &Path) -> Result<Value, Error> {
    let shown = file.display().to_string();
    let hint = "name a file that holds a JSON Schema";
    let text = std::fs::read(file)
        .map_err(|error| Error::usage(ToolError::from_io(&error, "read", &shown).message, hint))?;
    serde_json::from_slice(&text)
        .map_err(|error| Error::usage(format!("{shown} is no JSON: {error}"), hint))
}

/// What came of a question that did not get as far as a turn.
fn failed(error: ToolError) -> Reply {
    let mut reply = Reply::default();
    reply.turned.status = Status::of(&error);
    reply.turned.error = Some(error);
    reply
}
