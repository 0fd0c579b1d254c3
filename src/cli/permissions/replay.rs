//! `agent permissions replay SESSION`: what the calls of an old session would meet today.
//!
//! The log has no arguments, so the subjects are judged again: paths are resolved anew, commands read anew.
//! No hook runs, nobody is asked, nothing is done.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use serde_json::{Value, json};

use crate::cli::args::Options;
use crate::cli::audit::{Logged, of_session, one_line};
use crate::cli::session::Session;
use crate::cli::start;
use crate::cli::tools::columns;
use crate::data::Map;
use crate::error::{Error, Exit, ToolError};
use crate::files::Entry;
use crate::gate::{Foreseen, Given};
use crate::permission::{Caller, Effect, Group, Subject};

/// Shows, call by call, the verdict then and the verdict now.
///
/// # Errors
/// Usage and configuration; `not_found` where no call of the session is known.
pub(super) fn run(options: Options, wanted: &str) -> Result<Exit, Error> {
    let session = start(options, Vec::new())?;
    session.run(None, None, async |session| {
        let (name, calls) = of_session(&session.paths, &session.workspace, wanted)?;
        let mut all = Vec::new();
        for call in calls.iter().filter(|call| call.verdict().is_some()) {
            all.push(Replayed {
                call,
                now: again(call, session).await,
            });
        }
        let documents = all.iter().map(Replayed::document);
        match session.answer.is_machine() {
            true => session.answer.document(json!({
                "session": name,
                "calls": documents.collect::<Vec<_>>(),
            })),
            false => session.answer.text(&page(&name, &all)),
        }
        Ok(Exit::Done)
    })
}

/// A call, and what it would meet today.
struct Replayed<'a> {
    call: &'a Logged,
    now: Result<Foreseen, ToolError>,
}

impl Replayed<'_> {
    /// The verdict of today; nothing where there can be none.
    fn now(&self) -> Option<&'static str> {
        let now = self.now.as_ref().ok();
        now.map(|now| now.verdict.action.as_str())
    }

    fn reason(&self) -> &str {
        match &self.now {
            Ok(now) => &now.verdict.reason,
            Err(error) => &error.message,
        }
    }

    fn is_changed(&self) -> bool {
        self.now() != self.call.verdict()
    }

    fn document(&self) -> Value {
        json!({
            "call": self.call.word("call"),
            "caller": self.call.word("caller"),
            "tool": self.call.word("tool"),
            "subjects": self.call.subjects(),
            "then": self.call.verdict(),
            "now": self.now(),
            "reason": self.reason(),
            "changed": self.is_changed(),
        })
    }
}

/// What a call of the log would meet today.
///
/// # Errors
/// What is in the way of telling.
async fn again(call: &Logged, session: &Session) -> Result<Foreseen, ToolError> {
    let caller = Caller::from_str(call.word("caller")).unwrap_or(Caller::Model);
    let mut scope = session.scope()?.lowered(caller)?;
    if let Some(profile) = Some(call.word("profile")).filter(|name| !name.is_empty()) {
        scope = scope.under_profile(profile)?;
    }
    if call.is_cut() {
        return Err(ToolError::not_found(
            "what it was about is not in the log as it was, so nothing can be said",
        ));
    }
    let (door, tool) = (&session.dispatch, call.word("tool"));
    if let Some(given) = command(call) {
        return door.foresee(&scope, tool, given).await;
    }
    let effect = Effect::from_str(call.word("effect")).map_err(|_| {
        ToolError::not_found("it was refused before it was planned, so nothing can be said")
    })?;
    let subjects = call.subject_values().iter();
    let subjects: Result<Vec<Subject>, ToolError> =
        subjects.map(|subject| recall(subject, session)).collect();
    door.foresee_subjects(&scope, tool, effect, subjects?).await
}

/// The command line that ran, to be read anew. Variables that it was given stand before it in the subject.
fn command(call: &Logged) -> Option<Given> {
    let line = Some(call.word("command")).filter(|line| !line.is_empty())?;
    let mut subjects = call.subjects().into_iter();
    let judged = subjects.find(|text| text.ends_with(line));
    let command = ("command".to_owned(), judged.unwrap_or(line).into());
    let cwd = ("cwd".to_owned(), call.word("cwd").into());
    Some(Given::Arguments(Map::from([command, cwd])))
}

/// A subject of the log, where it leads today.
fn recall(subject: &Value, session: &Session) -> Result<Subject, ToolError> {
    let text = subject["text"].as_str().unwrap_or_default();
    let group = Group::from(subject["group"].as_str().unwrap_or_default());
    if subject["real"].is_null() {
        let recalled = Subject::name(group, text);
        return Ok(match subject["beside"] == true {
            true => recalled.beside(),
            false => recalled,
        });
    }
    let files = &session.services.files;
    let is_removed = subject["removed"] == true;
    let path: PathBuf = match text.starts_with(['/', '~']) {
        true => text.into(),
        false => files.workspace().join(Path::new(text)),
    };
    let path = path.to_string_lossy();
    let place = match is_removed {
        true => files.resolve_entry(&path)?,
        false => files.resolve(&path)?,
    };
    let real = place.real.to_string_lossy();
    let is_folder = place.entry == Entry::Folder;
    let recalled = Subject::path(group, place.name, real, place.inside).as_folder(is_folder);
    let recalled = match subject["named"] == true {
        true => recalled.named(),
        false => recalled,
    };
    Ok(match is_removed {
        true => recalled.removed(),
        false => recalled,
    })
}

fn page(name: &str, all: &[Replayed<'_>]) -> String {
    let titles = ["call", "caller", "then", "now", "what"].map(str::to_owned);
    let rows = all.iter().map(|one| {
        let call = one.call;
        let mut what = call.word("tool").to_owned();
        for text in call.subjects() {
            what += &format!(" {}", one_line(text));
        }
        if one.is_changed() {
            what += &format!("  ({})", one_line(one.reason()));
        }
        [
            call.word("call").to_owned(),
            call.word("caller").to_owned(),
            call.verdict().unwrap_or("-").to_owned(),
            one.now().unwrap_or("-").to_owned(),
            what,
        ]
    });
    let rows: Vec<_> = std::iter::once(titles).chain(rows).collect();
    let changed = all.iter().filter(|one| one.is_changed()).count();
    format!(
        "session {name}: {changed} of {} would meet something else today\n{}",
        all.len(),
        columns(&rows)
    )
}
