//! `agent undo [ID] [--diff] [--only PATH…] [--except PATH…]`, `agent undo --list`: what the tools changed is taken
//! back, or shown.
//!
//! The undo is a call like any other; the list needs none.

use serde_json::json;

use super::args::Options;
use super::{call, start};
use crate::data::{Data, Map};
use crate::error::{Error, Exit};
use crate::text::counted;
use crate::tool::{Arguments, Call, Level};
use crate::tools::undo;

/// What is wished.
pub(super) struct Wish {
    /// The unit; by default the newest.
    pub(super) id: Option<String>,
    /// Only show the units.
    pub(super) list: bool,
    /// Only show what would change.
    pub(super) diff: bool,
    /// Take back what was done to these paths alone.
    pub(super) only: Vec<String>,
    /// Leave these paths as they are.
    pub(super) except: Vec<String>,
}

/// Undoes, or shows.
///
/// # Errors
/// Usage and configuration; what undoing says.
pub(super) fn run(options: Options, wish: Wish) -> Result<Exit, Error> {
    let session = start(options, Vec::new())?;
    let changes = !wish.list && !wish.diff;
    session.run(changes.then_some("undo"), Some("undo"), async |session| {
        let (units, damaged) = session.services.files.units();
        if damaged > 0 {
            let line = format!(
                "{} of the journal cannot be read and were passed over",
                counted(damaged, "record")
            );
            session.services.sink.log(Level::Warn, line);
        }
        if wish.list {
            match session.answer.is_machine() {
                true => session.answer.document(json!({
                    "units": undo::as_data(&units),
                })),
                false if units.is_empty() => session
                    .answer
                    .say("nothing in this workspace can be undone"),
                false => session.answer.text(&undo::as_text(&units)),
            }
            return Ok(Exit::Done);
        }
        let mut arguments = Map::new();
        if let Some(id) = &wish.id {
            arguments.insert("id".to_owned(), Data::from(id.as_str()));
        }
        arguments.insert("diff".to_owned(), Data::Bool(wish.diff));
        for (name, paths) in [("only", &wish.only), ("except", &wish.except)] {
            let paths = paths.iter().map(|path| Data::from(path.as_str()));
            arguments.insert(name.to_owned(), paths.collect());
        }
        let made = Call {
            tool: "undo".to_owned(),
            arguments: Arguments::Named(arguments),
            destination: call::destination(&session.options, &session.answer),
        };
        let scope = session.scope()?;
        let door = std::sync::Arc::clone(&session.dispatch);
        let output = door.call_beneath(&scope, made, undo::undo()).await?;
        call::tell(&session.answer, "undo", &output);
        Ok(Exit::Done)
    })
}
