//! `agent undo [ID] [--list] [--diff]`: what the tools changed is taken back, or shown.
//!
//! The undo is a call like any other; only the list is made here.

use std::time::SystemTime;

use serde_json::{Value, json};

use super::args::Options;
use super::{call, start};
use crate::data::{Data, Map};
use crate::error::{Error, Exit};
use crate::files::Unit;
use crate::store::stamp;
use crate::text::counted;
use crate::tool::{Arguments, Call, Level};

/// How many paths of a unit the list names.
const NAMED: usize = 4;

/// What is wished.
pub(super) struct Wish {
    /// The unit; by default the newest.
    pub(super) id: Option<String>,
    /// Only show the units.
    pub(super) list: bool,
    /// Only show what would change.
    pub(super) diff: bool,
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
                    "units": units.iter().map(as_value).collect::<Vec<_>>(),
                })),
                false => session
                    .answer
                    .text(&units.iter().map(as_line).collect::<String>()),
            }
            return Ok(Exit::Done);
        }
        let mut arguments = Map::new();
        if let Some(id) = &wish.id {
            arguments.insert("id".to_owned(), Data::from(id.as_str()));
        }
        arguments.insert("diff".to_owned(), Data::Bool(wish.diff));
        let made = Call {
            tool: "undo".to_owned(),
            arguments: Arguments::Named(arguments),
            destination: call::destination(&session.options, &session.answer),
        };
        let scope = session.scope()?;
        let door = std::sync::Arc::clone(&session.dispatch);
        let output = door
            .call_beneath(&scope, made, crate::tools::undo())
            .await?;
        call::tell(&session.answer, "undo", &output);
        Ok(Exit::Done)
    })
}

fn as_value(unit: &Unit) -> Value {
    json!({
        "id": unit.id,
        "time": when(unit.time),
        "session": unit.session,
        "tools": unit.tools,
        "paths": unit.paths,
        "commits": unit.commits,
        "undoes": unit.undoes,
    })
}

fn as_line(unit: &Unit) -> String {
    let mut paths = unit
        .paths
        .iter()
        .take(NAMED)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    if unit.paths.len() > NAMED {
        paths.push_str(&format!(" and {} more", unit.paths.len() - NAMED));
    }
    let what = match &unit.undoes {
        Some(undone) => format!("undo of {undone}"),
        None => unit.tools.join(", "),
    };
    let commits = counted(unit.commits, "change");
    format!(
        "{}  {}  {what}  {commits}  {paths}\n",
        unit.id,
        when(unit.time)
    )
}

/// `2026-11-30T19:15:00Z`.
fn when(time: SystemTime) -> String {
    let digits = stamp(time);
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(9, 11),
        part(11, 13),
        part(13, 15)
    )
}
