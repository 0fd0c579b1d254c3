//! `agent session list`: the sessions that made calls, as the audit log knows them, and those that models had a part
//! in, as their files do. The newest come first.
//!
//! What a session began by `agent.ask` is a session with a file of its own: it stands below the one that asked, and
//! its calls count as that one's.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr as _;

use serde_json::{Value, json};

use super::super::audit::Logged;
use super::super::session::Session;
use super::super::tools::columns;
use super::find::{head, is_here};
use crate::agent::Summary;
use crate::error::ToolError;
use crate::store::{Audit, SessionId, Sessions};
use crate::text::{counted, one_line, visible, within};

/// How many columns a line has.
const WIDE: usize = 80;
/// How many columns of a model's name.
const MODEL: usize = 22;
/// How many sessions that one began are shown.
const CHILDREN: usize = 5;

/// What is known of one session.
#[derive(Default)]
struct Listed {
    /// When its first and its last call began.
    start: String,
    end: String,
    workspace: String,
    calls: usize,
    refused: usize,
    /// What its own file says, if it has one.
    own: Option<Summary>,
    /// What it began, the oldest first.
    children: Vec<(SessionId, Summary)>,
}

/// Shows the newest `limit` of them, of this workspace or of all.
///
/// # Errors
/// `resource` when the log or the sessions cannot be read.
pub(super) fn run(session: &Session, limit: usize, all: bool) -> Result<(), ToolError> {
    let root = (!all).then_some(&*session.workspace.root);
    let mut found = logged(&Audit::new(&session.paths), root, limit)?;
    add_kept(&mut found, &Sessions::new(&session.paths), root, limit)?;
    let newest: Vec<(String, Listed)> = found.into_iter().rev().take(limit).collect();
    match session.answer.is_machine() {
        true => {
            let documents: Vec<Value> = newest.iter().map(document).collect();
            session.answer.document(json!({ "sessions": documents }));
        }
        false => session.answer.text(&page(&newest, all)),
    }
    Ok(())
}

/// What the log knows of at least the newest `limit`.
fn logged(
    log: &Audit,
    root: Option<&Path>,
    limit: usize,
) -> Result<BTreeMap<String, Listed>, ToolError> {
    let root = root.map(Path::to_string_lossy);
    let is_here = |call: &Logged| {
        root.as_ref()
            .is_none_or(|root| call.word("workspace") == &**root)
    };
    let mut found: BTreeMap<String, Listed> = BTreeMap::new();
    for part in log.parts()?.iter().rev() {
        // A session is not older than its name, so those that are younger than this part are whole.
        let whole = found.keys().filter(|name| name[..8] > part[..8]);
        if whole.count() >= limit {
            break;
        }
        let lines = log.lines(part)?;
        let calls = lines.iter().filter_map(|line| Logged::read(line));
        for call in calls.filter(is_here) {
            if let Ok(name) = SessionId::from_str(call.word("session")) {
                let name = name.root().as_str().to_owned();
                found.entry(name).or_default().add_call(&call);
            }
        }
    }
    Ok(found)
}

/// Adds what the files of sessions know of the newest `limit`.
fn add_kept(
    found: &mut BTreeMap<String, Listed>,
    sessions: &Sessions,
    root: Option<&Path>,
    limit: usize,
) -> Result<(), ToolError> {
    let mut roots = 0;
    let mut newest = String::new();
    for id in sessions.list()? {
        let name = id.root().to_string();
        if name != newest && roots == limit {
            break;
        }
        if !head(sessions, &id).is_some_and(|head| is_here(&head, root)) {
            continue;
        }
        // One that goes while it is looked for is not there.
        let Ok(lines) = sessions.lines(&id) else {
            continue;
        };
        if name != newest {
            roots += 1;
            newest.clone_from(&name);
        }
        let summary = Summary::read(lines.iter().map(Vec::as_slice));
        found.entry(name).or_default().add_kept(id, summary);
    }
    for listed in found.values_mut() {
        listed
            .children
            .sort_by(|(_, one), (_, other)| began(one).cmp(began(other)));
        listed.count_kept();
    }
    Ok(())
}

impl Listed {
    fn add_call(&mut self, call: &Logged) {
        let time = call.word("time");
        self.spans(time, time);
        if self.workspace.is_empty() {
            self.workspace = call.word("workspace").to_owned();
        }
        self.calls += 1;
        self.refused += usize::from(call.is_refused());
    }

    fn add_kept(&mut self, id: SessionId, summary: Summary) {
        if let Some(head) = &summary.head {
            self.spans(&head.time, &summary.end);
            if self.workspace.is_empty() {
                self.workspace.clone_from(&head.workspace);
            }
        }
        match id.parent() {
            None => self.own = Some(summary),
            Some(_) => self.children.push((id, summary)),
        }
    }

    /// What its files know of its calls, where the log does not go back so far.
    fn count_kept(&mut self) {
        let of = |count: fn(&Summary) -> usize| {
            let children = self.children.iter().map(|(_, summary)| summary);
            self.own.iter().chain(children).map(count).sum::<usize>()
        };
        let (calls, refused) = (of(|summary| summary.calls), of(|summary| summary.refused));
        if calls > self.calls {
            (self.calls, self.refused) = (calls, refused.max(self.refused));
        }
    }

    fn spans(&mut self, start: &str, end: &str) {
        if self.start.is_empty() || start < self.start.as_str() {
            self.start = start.to_owned();
        }
        if end > self.end.as_str() {
            self.end = end.to_owned();
        }
    }

    fn turns(&self) -> usize {
        self.own.as_ref().map_or(0, |own| own.turns)
    }
}

fn began(summary: &Summary) -> &str {
    summary.head.as_ref().map_or("", |head| head.time.as_str())
}

fn model(summary: &Summary) -> Option<&str> {
    summary.head.as_ref().map(|head| head.model.as_str())
}

fn document((id, session): &(String, Listed)) -> Value {
    let own = session.own.as_ref();
    let children = session.children.iter().map(|(id, summary)| {
        json!({
            "id": id.as_str(),
            "start": began(summary),
            "title": summary.title,
            "model": model(summary),
            "turns": summary.turns,
        })
    });
    json!({
        "id": id,
        "start": session.start,
        "end": session.end,
        "workspace": session.workspace,
        "calls": session.calls,
        "refused": session.refused,
        "title": own.map(|own| &own.title),
        "model": own.and_then(model),
        "turns": session.turns(),
        "forked_from": own.and_then(|own| own.head.as_ref()?.forked_from.as_ref()),
        "children": children.collect::<Vec<_>>(),
    })
}

/// A row of figures for each session, and below it what it was about.
fn page(sessions: &[(String, Listed)], all: bool) -> String {
    if sessions.is_empty() {
        return match all {
            true => "no session is known\n".to_owned(),
            false => {
                "no session of this workspace is known; --all shows those of others\n".to_owned()
            }
        };
    }
    let titles = ["session", "turns", "calls", "refused", "model"].map(str::to_owned);
    let rows = sessions.iter().map(|(id, session)| {
        let model = session.own.as_ref().and_then(model).unwrap_or("-");
        [
            id.clone(),
            session.turns().to_string(),
            session.calls.to_string(),
            session.refused.to_string(),
            within(&one_line(model), MODEL),
        ]
    });
    let rows: Vec<_> = std::iter::once(titles).chain(rows).collect();
    let rows = columns(&rows);
    let mut rows = rows.lines();
    let mut page = format!("{}\n", rows.next().unwrap_or_default());
    for (row, (_, session)) in rows.zip(sessions) {
        page += &format!("{row}\n{}", below(session, all));
    }
    page
}

/// What stands below a session: what it was about, where, and what it began.
fn below(session: &Listed, all: bool) -> String {
    let mut lines = Vec::new();
    if let Some(own) = session.own.as_ref().filter(|own| !own.title.is_empty()) {
        lines.push(own.title.clone());
    }
    if all {
        lines.push(format!(
            "in {}",
            visible(&session.workspace).replace('\n', " ")
        ));
    }
    for (id, summary) in session.children.iter().take(CHILDREN) {
        lines.push(format!("asked {id}: {}", summary.title));
    }
    let more = session.children.len().saturating_sub(CHILDREN);
    if more > 0 {
        lines.push(format!("and asked {}", counted(more, "more time")));
    }
    let lines = lines
        .iter()
        .map(|line| format!("  {}\n", within(line, WIDE - 2)));
    lines.collect()
}
