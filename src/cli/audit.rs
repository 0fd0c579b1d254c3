//! `agent session list`, and `agent session audit [SESSION|last]`: what a session called, and what was said to it.
//!
//! It reads the audit log and nothing else: no file of the project is loaded for it, no rule is judged.

mod list;
mod logged;

use clap::Subcommand;
use serde_json::{Value, json};

pub(super) use logged::{Logged, of_session};

use super::args::{Format, Options};
use super::session::Session;
use super::start;
use super::tools::columns;
use crate::error::{Error, Exit, ToolError};
use crate::text::{head_bytes, suggestion, visible};

/// How many subjects of a call the table names, and how many bytes of each.
const NAMED: usize = 3;
const WIDE: usize = 160;

/// What is asked of past sessions.
#[derive(Debug, Subcommand)]
pub(super) enum Sessions {
    /// Show the sessions that made calls, the newest first
    #[command(after_help = LIST_EXAMPLE)]
    List {
        /// Show this many at most
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Show the calls of a session: who made them, on what, the verdict, the result
    #[command(after_help = AUDIT_EXAMPLE)]
    Audit {
        /// The session, or `last`: the newest in this workspace
        #[arg(default_value = "last")]
        session: String,
        /// Show calls of this tool only
        #[arg(long, value_name = "TOOL")]
        tool: Option<String>,
        /// Show one call in full, with all that had a say in its verdict
        #[arg(long, value_name = "ID")]
        call: Option<String>,
        /// Show only what was refused, by a rule, a hook or a person
        #[arg(long)]
        refused: bool,
    },
}

const LIST_EXAMPLE: &str = "Example:
  agent session list --limit 5
`agent session audit SESSION` shows the calls of one. Calls are kept for 90 days.";

const AUDIT_EXAMPLE: &str = "Example:
  agent session audit
  agent session audit last --refused -o json
  agent session audit last --call c3
Arguments and results are not in the log, only what rules were matched against.";

/// Answers.
///
/// # Errors
/// Usage and configuration; `not_found` where no call of the session is known, or not the one that is named.
pub(super) fn run(mut options: Options, asked: Sessions) -> Result<Exit, Error> {
    options.bare = true;
    let session = start(options, Vec::new())?;
    match asked {
        Sessions::List { limit } => session.run(None, None, async |session| {
            list::run(&session.paths, limit, &session.answer)?;
            Ok(Exit::Done)
        }),
        Sessions::Audit {
            session: wanted,
            tool,
            call,
            refused,
        } => audit(session, &wanted, (tool, call, refused)),
    }
}

/// Shows the calls of the session `wanted`: those of a tool, one alone, those that were refused.
fn audit(
    session: Session,
    wanted: &str,
    (tool, only, refused): (Option<String>, Option<String>, bool),
) -> Result<Exit, Error> {
    session.run(None, None, async |session| {
        let (name, mut calls) = of_session(&session.paths, &session.workspace, wanted)?;
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
