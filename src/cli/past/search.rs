//! `agent session search TEXT`: which sessions hold a text, and the lines that do.
//!
//! What was said, what calls were given and what they gave are looked through; nothing that only a provider can read.

use serde_json::{Value, json};

use super::super::session::Session;
use super::find::{head, is_here};
use crate::agent::{Past, title};
use crate::chat::{Call, Message, Part, Role};
use crate::error::Error;
use crate::store::{SessionId, Sessions};
use crate::text::{Needle, counted, one_line};

/// How many lines of a session are shown.
const LINES: usize = 5;
/// How many columns of one.
const WIDE: usize = 100;

/// A session that holds it.
struct Held {
    id: SessionId,
    past: Past,
    /// Whose each line is, and the line.
    lines: Vec<(String, String)>,
}

/// Shows the newest `limit` that hold `text`, of this workspace or of all.
///
/// # Errors
/// Usage: there is nothing to look for; `resource`.
pub(super) fn run(session: &Session, text: &str, all: bool, limit: usize) -> Result<(), Error> {
    let needle = Needle::new(text).ok_or_else(|| {
        Error::usage(
            "this text cannot be looked for",
            "give some words: agent session search 'permission denied'",
        )
    })?;
    let sessions = Sessions::new(&session.paths);
    let root = (!all).then_some(&*session.workspace.root);
    let (mut found, mut unread, mut more) = (Vec::new(), 0, false);
    for id in sessions.list()? {
        if !head(&sessions, &id).is_some_and(|head| is_here(&head, root)) {
            continue;
        }
        // One that goes while it is looked for is not there.
        let Ok(lines) = sessions.lines(&id) else {
            continue;
        };
        let past = Past::read_whole(lines.iter().map(Vec::as_slice));
        unread += past.unread;
        let lines = held(&past.messages, &needle);
        if lines.is_empty() {
            continue;
        }
        if found.len() == limit {
            more = true;
            break;
        }
        found.push(Held { id, past, lines });
    }
    tell(session, text, &found);
    if unread > 0 {
        let lines = counted(unread, "line");
        session.answer.warn(&format!(
            "{lines} of these sessions cannot be read and are passed over"
        ));
    }
    if more {
        let line = format!(
            "more sessions hold it; --limit {} shows more",
            limit.saturating_mul(2)
        );
        session.answer.say(&line);
    }
    Ok(())
}

fn tell(session: &Session, text: &str, found: &[Held]) {
    let answer = &session.answer;
    if answer.is_machine() {
        let found: Vec<Value> = found.iter().map(Held::document).collect();
        return answer.document(json!({ "text": text, "sessions": found }));
    }
    match found {
        [] => answer.say(&format!("no session holds {}", one_line(text))),
        found => answer.text(&found.iter().map(Held::page).collect::<Vec<_>>().join("\n")),
    }
}

impl Held {
    fn page(&self) -> String {
        let mut page = format!("{}  {}", self.id, title(&self.past.messages));
        page.truncate(page.trim_end().len());
        page.push('\n');
        for (whose, line) in self.lines.iter().take(LINES) {
            page += &format!("  {whose}: {line}\n");
        }
        if self.lines.len() > LINES {
            page += &format!("  … {}\n", counted(self.lines.len() - LINES, "more line"));
        }
        page
    }

    fn document(&self) -> Value {
        let lines = self.lines.iter().take(LINES);
        let lines = lines.map(|(whose, line)| json!({ "who": whose, "line": line }));
        json!({
            "id": self.id.as_str(),
            "workspace": self.past.head.workspace,
            "title": title(&self.past.messages),
            "lines": lines.collect::<Vec<_>>(),
            "found": self.lines.len(),
        })
    }
}

/// The lines that hold it, each with whose it is: somebody's, a call's, a result's.
fn held(messages: &[Message], needle: &Needle) -> Vec<(String, String)> {
    let mut held = Vec::new();
    for message in messages {
        for part in &message.parts {
            let (whose, text) = match part {
                Part::Text { text } => (who(message.role).to_owned(), text.clone()),
                Part::Reasoning(reasoning) => ("thought".to_owned(), reasoning.text.clone()),
                Part::Call(call) => ("call".to_owned(), given(call)),
                Part::Result(result) => (
                    format!("result of {}", one_line(&result.tool)),
                    result.text.clone(),
                ),
                Part::Image(_) => continue,
            };
            let lines = needle.lines(&text, WIDE).into_iter();
            held.extend(lines.map(|line| (whose.clone(), line)));
        }
    }
    held
}

fn who(role: Role) -> &'static str {
    match role {
        Role::User => "you",
        Role::Assistant => "model",
        Role::System => "note",
        Role::Tool => "tool",
    }
}

/// A call as it would be read: the tool, and each argument in lines of its own.
fn given(call: &Call) -> String {
    let mut text = call.tool.clone();
    match serde_json::from_str(call.arguments.as_str()) {
        Ok(Value::Object(named)) => {
            for (name, value) in &named {
                text += &format!("\n{} {name}=", call.tool);
                match value {
                    Value::String(value) => text += value,
                    other => text += &other.to_string(),
                }
            }
        }
        _ => text += &format!(" {}", call.arguments.as_str()),
    }
    text
}
