//! What a turn tells: events as they happen, and how it ended.
//! It writes what it is told and decides nothing.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::answer::{Answer, as_value};
use super::super::args::Format;
use crate::agent::{Happened, Hear, Reply, Status};
use crate::error::{Error, Exit, ToolError};

/// Tells what happens: as lines under `jsonl`, else the calls on stderr where more is wanted.
pub(super) struct Told {
    answer: Arc<Answer>,
    is_verbose: bool,
}

impl Told {
    /// Tells it to this answer.
    pub(super) fn new(answer: Arc<Answer>, is_verbose: bool) -> Told {
        Told { answer, is_verbose }
    }
}

impl Hear for Told {
    fn hear(&self, happened: &Happened) {
        if self.answer.format == Format::Jsonl {
            self.answer.line(happened);
        }
        if !self.is_verbose {
            return;
        }
        match happened {
            Happened::CallStart {
                id,
                tool,
                arguments,
            } => {
                self.answer.say(&format!("{id} {tool} {arguments}"));
            }
            Happened::Reasoning { text } => self.answer.say(text),
            _ => {}
        }
    }
}

/// Tells how it ended; the exit code. `cause` ended it from outside, if anything did. `left_over` is what a scripted model
/// still had to say.
pub(super) fn end(
    answer: &Answer,
    mut reply: Reply,
    cause: Option<Exit>,
    left_over: Option<ToolError>,
) -> Exit {
    let turned = &mut reply.turned;
    if let Some(cause) = cause {
        turned.status = match cause {
            Exit::Timeout => Status::Timeout,
            _ => Status::Interrupted,
        };
    }
    if let (None, Some(left_over)) = (&turned.error, left_over) {
        turned.status = Status::of(&left_over);
        turned.error = Some(left_over);
    }
    let exit = cause.unwrap_or(turned.status.exit());
    match answer.is_machine() {
        true => answer.document(document(&reply)),
        false => words(answer, &reply, cause),
    }
    exit
}

fn words(answer: &Answer, reply: &Reply, cause: Option<Exit>) {
    let turned = &reply.turned;
    match &reply.data {
        Some(data) => answer.text(&data.to_string()),
        None => answer.text(&turned.text),
    }
    for refused in &turned.refused {
        let line = format!(
            "refused: {} {}: {}",
            refused.tool, refused.subject, refused.reason
        );
        answer.warn(&line);
    }
    if cause.is_some() {
        return;
    }
    match &turned.error {
        Some(error) => answer.failure(&Error::Tool(error.clone()), None),
        None if turned.status == Status::Blocked => {
            let hint = "something was refused, and nobody is asked here: allow it with --allow, or with another --mode";
            answer.warn(hint);
        }
        None => {}
    }
}

fn document(reply: &Reply) -> Value {
    let turned = &reply.turned;
    let calls = turned.calls.iter().map(|call| match call.kind {
        None => json!({ "tool": call.tool, "ok": true }),
        Some(kind) => json!({ "tool": call.tool, "ok": false, "kind": kind }),
    });
    let refused = turned.refused.iter().map(|refused| {
        json!({ "tool": refused.tool, "subject": refused.subject, "reason": refused.reason })
    });
    let usage = &turned.usage;
    let mut document = json!({
        "status": turned.status.as_str(),
        "text": turned.text,
        "data": reply.data,
        "session": reply.session,
        "model": reply.model,
        "usage": {
            "input": usage.input,
            "output": usage.output,
            "cache_read": usage.cache_read,
            "cache_write": usage.cache_write,
            "reasoning": usage.reasoning,
            "cost": turned.cost,
        },
        "steps": turned.steps,
        "calls": calls.collect::<Vec<_>>(),
        "refused": refused.collect::<Vec<_>>(),
    });
    if let Some(error) = &turned.error {
        document["error"] = as_value(error);
    }
    document
}
