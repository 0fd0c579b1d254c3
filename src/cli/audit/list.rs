//! `agent session list`: the sessions of which the audit log knows calls, the newest first.
//!
//! A session is what its calls say of it; one that made none is not there. A child counts as its root.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use serde_json::{Value, json};

use super::logged::Logged;
use crate::cli::answer::Answer;
use crate::cli::tools::columns;
use crate::error::ToolError;
use crate::store::{Audit, Paths, SessionId};
use crate::text::visible;

/// What the log knows of one session.
#[derive(Default)]
struct Listed {
    /// When its first and its last call began.
    start: String,
    end: String,
    workspace: String,
    calls: usize,
    refused: usize,
}

/// Shows the newest `limit` of them.
///
/// # Errors
/// `resource` when the log cannot be read.
pub(super) fn run(paths: &Paths, limit: usize, answer: &Answer) -> Result<(), ToolError> {
    let sessions = newest(paths, limit)?;
    match answer.is_machine() {
        true => {
            let documents: Vec<Value> = sessions.iter().map(document).collect();
            answer.document(json!({ "sessions": documents }));
        }
        false => answer.text(&page(&sessions)),
    }
    Ok(())
}

fn newest(paths: &Paths, limit: usize) -> Result<Vec<(String, Listed)>, ToolError> {
    let log = Audit::new(paths);
    let mut sessions: BTreeMap<String, Listed> = BTreeMap::new();
    for part in log.parts()?.iter().rev() {
        // A session is not older than its name, so those that are younger than this part are whole.
        let whole = sessions.keys().filter(|name| name[..8] > part[..8]);
        if whole.count() >= limit {
            break;
        }
        let lines = log.lines(part)?;
        for call in lines.iter().filter_map(|line| Logged::read(line)) {
            if let Ok(name) = SessionId::from_str(call.word("session")) {
                let name = name.root().as_str().to_owned();
                sessions.entry(name).or_default().add(&call);
            }
        }
    }
    Ok(sessions.into_iter().rev().take(limit).collect())
}

impl Listed {
    fn add(&mut self, call: &Logged) {
        let time = call.word("time");
        if self.calls == 0 || time < self.start.as_str() {
            self.start = time.to_owned();
        }
        if time > self.end.as_str() {
            self.end = time.to_owned();
        }
        if self.workspace.is_empty() {
            self.workspace = call.word("workspace").to_owned();
        }
        self.calls += 1;
        self.refused += usize::from(call.is_refused());
    }
}

fn document((id, session): &(String, Listed)) -> Value {
    json!({
        "id": id,
        "start": session.start,
        "end": session.end,
        "workspace": session.workspace,
        "calls": session.calls,
        "refused": session.refused,
    })
}

fn page(sessions: &[(String, Listed)]) -> String {
    if sessions.is_empty() {
        return "no session has made a call, as far as the log goes back\n".to_owned();
    }
    let titles = ["session", "start", "calls", "refused", "workspace"].map(str::to_owned);
    let rows = sessions.iter().map(|(id, session)| {
        let start = session.start.get(..19).unwrap_or(&session.start);
        [
            id.clone(),
            visible(&start.replace('T', " ")).into_owned(),
            session.calls.to_string(),
            session.refused.to_string(),
            visible(&session.workspace).replace('\n', " "),
        ]
    });
    let rows: Vec<_> = std::iter::once(titles).chain(rows).collect();
    columns(&rows)
}
