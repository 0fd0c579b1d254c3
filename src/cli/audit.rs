//! `agent session audit [SESSION|last]`: what a session called, and what was said to it.
//!
//! It reads the audit log and nothing else: no file of the project is loaded for it, no rule is judged.

mod logged;

use serde_json::{Value, json};

pub(super) use logged::{Logged, of_session};

use super::args::Format;
use super::session::Session;
use super::tools::columns;
use crate::error::{Error, Exit, ToolError};
use crate::text::{head_bytes, suggestion, visible};

/// How many subjects of a call the table names, and how many bytes of each.
const NAMED: usize = 3;
const WIDE: usize = 160;

/// How it is called.
pub(super) const AUDIT_EXAMPLE: &str = "Example:
  agent session audit
  agent session audit last --refused -o json
  agent session audit last --call c3
Arguments and results are not in the log, only what rules were matched against.";

/// Which calls are wanted.
pub(super) struct Wanted {
    /// The session.
    pub(super) session: String,
    /// Those of this tool.
    pub(super) tool: Option<String>,
    /// This one alone.
    pub(super) call: Option<String>,
    /// Those that were refused.
    pub(super) refused: bool,
}

/// Shows them.
///
/// # Errors
/// `not_found` where no call of the session is known, or not the one that is named.
pub(super) fn run(session: Session, wanted: Wanted) -> Result<Exit, Error> {
    let Wanted {
        session: asked,
        tool,
        call: only,
        refused,
    } = wanted;
    session.run(None, None, async |session| {
        let (name, mut calls) = of_session(&session.paths, &session.workspace, &asked)?;
        if let Some(id) = &only {
            must_be_there(id, &name, &calls)?;
        }
        calls.retain(|call| {
            tool.as_deref().is_none_or(|tool| call.word("tool") == tool)
                && only.as_deref().is_none_or(|id| call.word("call") == id)
                && (!refused || call.is_refused())
        });
        let answer = &session.answer;
        match answer.format {
            Format::Text if only.is_some() && !calls.is_empty() => {
                answer.text(&calls.iter().map(full).collect::<String>());
            }
            Format::Text => answer.text(&page(&name, &calls)),
            Format::Json | Format::Jsonl => {
                let all: Vec<&Value> = calls.iter().map(Logged::as_value).collect();
                if answer.format == Format::Jsonl {
                    calls.iter().for_each(|call| answer.line(&call.as_event()));
                }
                answer.document(json!({ "session": name, "calls": all }));
            }
        }
        Ok(Exit::Done)
    })
}

fn must_be_there(id: &str, name: &str, calls: &[Logged]) -> Result<(), ToolError> {
    let mut ids = calls.iter().map(|call| call.word("call"));
    if ids.any(|call| call == id) {
        return Ok(());
    }
    let near = suggestion(id, calls.iter().map(|call| call.word("call")));
    let separator = if near.is_empty() { "" } else { " " };
    let error = ToolError::not_found(format!("no call of the session {name} is `{id}`"));
    Err(error.with_hint(format!(
        "{near}{separator}`agent session audit {name}` shows its calls"
    )))
}

fn page(name: &str, calls: &[Logged]) -> String {
    let titles = [
        "time", "call", "caller", "verdict", "by", "result", "took", "what",
    ];
    let rows = calls.iter().map(|call| {
        let time = call.word("time");
        [
            time.get(11..19).unwrap_or(time).to_owned(),
            "  ".repeat(call.depth()) + call.word("call"),
            call.word("caller").to_owned(),
            call.verdict().unwrap_or("-").to_owned(),
            call.word("source").to_owned(),
            call.result().to_owned(),
            took(call.seconds()),
            what(call),
        ]
    });
    let rows: Vec<_> = std::iter::once(titles.map(str::to_owned))
        .chain(rows)
        .collect();
    match rows.as_slice() {
        [_] => format!("session {name}: no such call\n"),
        rows => format!("session {name}, {}\n{}", day(calls), columns(rows)),
    }
}

/// One call, and why it met what it met.
fn full(call: &Logged) -> String {
    let mut page = format!(
        "{} {}: {} for {}, {}, in {}\n",
        call.word("call"),
        one_line(call.word("tool")),
        call.result(),
        call.word("caller"),
        call.word("time"),
        took(call.seconds()),
    );
    for subject in call.subject_values() {
        let word = |name: &str| subject[name].as_str().unwrap_or_default();
        page += &format!("  {} {}\n", word("group"), visible(word("text")));
    }
    if let Some(verdict) = call.verdict() {
        page += &format!("{verdict}: {}\n", visible(call.word("reason")));
    }
    for answer in call.answers() {
        page += &format!("asked about {}\n", visible(&answered(answer)));
    }
    let steps = call.trace().iter().map(|step| {
        let word = |name: &str| visible(step[name].as_str().unwrap_or_default());
        [
            format!("  {}", word("action")),
            word("source").into_owned(),
            word("rule").into_owned(),
        ]
    });
    let steps: Vec<_> = steps.collect();
    if !steps.is_empty() {
        page += &format!("what had a say, the weakest first:\n{}", columns(&steps));
    }
    page
}

/// What was asked, and what came back.
fn answered(answer: &Value) -> String {
    let words = |name: &str| {
        let all = answer[name].as_array().map_or(&[][..], Vec::as_slice);
        let all: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
        all.join(", ")
    };
    let came = match answer["answer"].as_str().unwrap_or_default() {
        "once" => "the person said yes, this once".to_owned(),
        "approval" => "the person's yes for good to another call answered it".to_owned(),
        "no" => "the person said no".to_owned(),
        "nobody" => "nobody was there".to_owned(),
        reach => format!(
            "the person said yes for good ({reach}) to {}",
            words("rules")
        ),
    };
    format!("{}: {came}", words("about"))
}

/// The day, or the first and the last.
fn day(calls: &[Logged]) -> String {
    let day = |call: Option<&Logged>| {
        let time = call.map(|call| call.word("time")).unwrap_or_default();
        time.get(..10).unwrap_or_default().to_owned()
    };
    let (first, last) = (day(calls.first()), day(calls.last()));
    match first == last {
        true => format!("{first}, UTC"),
        false => format!("{first} to {last}, UTC"),
    }
}

/// The tool and what it was about, on one line; of what was refused, why.
fn what(call: &Logged) -> String {
    let subjects = call.subjects();
    let texts = subjects.iter().take(NAMED).map(|text| one_line(text));
    let mut what = call.word("tool").to_owned();
    for (place, text) in texts.enumerate() {
        what += if place == 0 { " " } else { ", " };
        what += &text;
    }
    if subjects.len() > NAMED {
        what += &format!(" and {} more", subjects.len() - NAMED);
    }
    if call.is_refused() && !call.word("reason").is_empty() {
        what += &format!("  ({})", one_line(call.word("reason")));
    }
    what
}

/// A text of the log as one line that fits.
pub(super) fn one_line(text: &str) -> String {
    let shown = visible(text).replace('\n', " ");
    match head_bytes(&shown, WIDE) {
        head if head.len() < shown.len() => format!("{head}…"),
        _ => shown,
    }
}

fn took(seconds: f64) -> String {
    match seconds {
        short if short < 1.0 => format!("{:.1} ms", short * 1000.0),
        long => format!("{long:.1} s"),
    }
}
