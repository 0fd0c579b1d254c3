//! Stage 5, second half: the result as its reader gets it. The only place where a result is cut.
//!
//! A model gets tags in the place of secrets, what fits its context, and the rest as a spill; a program gets all of it up to a hard
//! limit; a person gets control characters made visible.

use std::sync::Arc;

use serde_json::Value;

use crate::data::Data;
use crate::error::ToolError;
use crate::redact::Redactor;
use crate::text::{Keep, TRUNCATION_MARK, Truncated, head_bytes, truncate_after, visible};
use crate::tool::{Allowance, Context, Destination, Level, Outcome, Output, Services, hidden};

/// `output` for `destination`.
///
/// # Errors
/// `internal` when the cut itself fails; a spill that cannot be written costs only the spill.
pub(super) async fn output(
    output: Output,
    destination: Destination,
    args: Option<Arc<Data>>,
    context: &Context,
) -> Result<Output, ToolError> {
    let output = match context.redactor() {
        Some(redactor) => hide(output, redactor, context).await?,
        None => output,
    };
    match destination {
        Destination::Model => {
            let (allowed, note) = allowance(&output, args, context).await;
            let mut room = Room::of(allowed, context);
            room.note = note;
            let space = context.scope.space();
            if space < room.bytes {
                (room.bytes, room.note) = (space, "; the conversation is nearly full");
            }
            if output.is_page {
                room.lines = usize::MAX;
            }
            let mut output = cut(output, room, context).await?;
            let facts = output.metadata.values_mut();
            facts.for_each(|fact| shorten(fact, room.bytes));
            Ok(output)
        }
        Destination::Program => {
            let room = Room {
                lines: usize::MAX,
                bytes: context.services.limits.program_bytes,
                ..Room::of(Allowance::default(), context)
            };
            cut(output, room, context).await
        }
        Destination::Person => Ok(Output {
            title: visible(&output.title).into_owned(),
            text: visible(&output.text).into_owned(),
            ..output
        }),
    }
}

/// From how many bytes on a result is redacted off the thread that drives the call.
const LARGE: usize = 64 << 10;

/// `output` without secrets.
async fn hide(
    mut output: Output,
    redactor: Arc<Redactor>,
    context: &Context,
) -> Result<Output, ToolError> {
    if output.text.len() <= LARGE {
        hidden::output(&mut output, &redactor);
        return Ok(output);
    }
    let work = move || {
        hidden::output(&mut output, &redactor);
        Ok(output)
    };
    context.blocking(work).await
}

/// What fits, and what the notice of a cut adds.
#[derive(Clone, Copy)]
struct Room {
    lines: usize,
    bytes: usize,
    keep: Keep,
    note: &'static str,
}

impl Room {
    fn of(allowed: Allowance, context: &Context) -> Room {
        let limits = &context.services.limits;
        let allowed = allowed.or(context.generation.truncation.of(&context.tool));
        Room {
            lines: allowed.lines.unwrap_or(limits.lines),
            bytes: allowed.bytes.unwrap_or(limits.bytes),
            keep: allowed.keep.unwrap_or(Keep::Head),
            note: "",
        }
    }
}

/// Beyond this many bytes no function is asked about a text.
const MEASURED: usize = 2 << 20;

/// What a function says of this one result, and what the notice should say of the function.
async fn allowance(
    output: &Output,
    args: Option<Arc<Data>>,
    context: &Context,
) -> (Allowance, &'static str) {
    let asked = context.generation.truncation.asked.get(&*context.tool);
    let (Some(function), Some(args)) = (asked, args) else {
        return (Allowance::default(), "");
    };
    if output.text.len() > MEASURED {
        let note = "; the truncation function was passed over: it is asked up to 2 MB";
        return (Allowance::default(), note);
    }
    let call = Data::map([
        ("tool", (&*context.tool).into()),
        ("caller", context.caller().as_str().into()),
        ("args", Data::clone(&args)),
        ("title", output.title.as_str().into()),
    ]);
    match function.measure(&context.scope, call, &output.text).await {
        Ok(allowed) => (allowed.unwrap_or_default(), ""),
        Err(error) => {
            let name = function.name();
            let line = format!("the truncation function {name} was passed over: {error}");
            context.services.sink.log(Level::Warn, line);
            (Allowance::default(), "; the truncation function failed")
        }
    }
}

/// Cuts the texts in a fact of a model's result to `bytes` each.
fn shorten(fact: &mut Data, bytes: usize) {
    match fact {
        Data::Text(text) if text.len() > bytes => *text = shortened(text, bytes),
        Data::List(list) => list.iter_mut().for_each(|fact| shorten(fact, bytes)),
        Data::Map(map) => map.values_mut().for_each(|fact| shorten(fact, bytes)),
        _ => {}
    }
}

fn shortened(text: &str, bytes: usize) -> String {
    format!("{}… [{} bytes in all]", head_bytes(text, bytes), text.len())
}

/// An error without secrets where they are hidden, without the name of the home folder, in its words and in
/// its facts, and for a model no longer than a result may be.
///
/// # Errors
/// The error that came in.
pub(super) fn error_for(
    services: &Services,
    redactor: Option<&Arc<Redactor>>,
    destination: Destination,
    outcome: Outcome,
) -> Outcome {
    outcome.map_err(|mut error| {
        if let Some(redactor) = redactor {
            hidden::error(&mut error, redactor);
        }
        if destination == Destination::Model && error.message.len() > services.limits.bytes {
            error.message = shortened(&error.message, services.limits.bytes);
        }
        error.message = services.files.without_home(&error.message);
        error.hint = error.hint.map(|hint| services.files.without_home(&hint));
        for fact in error.detail.iter_mut().flat_map(|all| all.values_mut()) {
            strip_home(services, fact);
        }
        error
    })
}

fn strip_home(services: &Services, fact: &mut Value) {
    match fact {
        Value::String(text) => *text = services.files.without_home(text),
        Value::Array(list) => list.iter_mut().for_each(|fact| strip_home(services, fact)),
        Value::Object(all) => all.values_mut().for_each(|fact| strip_home(services, fact)),
        _ => {}
    }
}

async fn cut(mut output: Output, room: Room, context: &Context) -> Result<Output, ToolError> {
    let Room {
        lines, bytes, keep, ..
    } = room;
    let lead = output.lead_bytes();
    if truncate_after(&output.text, lead, lines, bytes, keep).is_none() {
        return Ok(output);
    }
    let known = output
        .metadata
        .get("spill")
        .and_then(Data::as_str)
        .map(str::to_owned);
    let (whole, services) = (
        std::mem::take(&mut output.text),
        Arc::clone(&context.services),
    );
    let work = move || {
        let spill = known.or_else(|| spill(&whole, &services));
        let text = match truncate_after(&whole, lead, lines, bytes, keep) {
            Some(cut) => with_notice(&cut, spill.as_deref(), room.note),
            None => whole,
        };
        Ok((text, spill))
    };
    let (text, spill) = context.blocking(work).await?;
    output.text = text;
    output.mark_truncated(spill);
    Ok(output)
}

/// The id under which the whole text is kept; `None`, and a line in the log, where it cannot be. What
/// has expired goes on the occasion.
fn spill(whole: &str, services: &Services) -> Option<String> {
    let now = (services.clock)();
    let kept = services
        .spills
        .put(&services.session, whole.as_bytes(), now);
    services.spills.sweep(now);
    match kept {
        Ok(id) => Some(id.to_string()),
        Err(error) => {
            let line = format!("the whole of a truncated result could not be kept: {error}");
            services.sink.log(Level::Warn, line);
            None
        }
    }
}

fn with_notice(cut: &Truncated<'_>, spill: Option<&str>, note: &str) -> String {
    let ranges: Vec<String> = [&cut.head, &cut.tail]
        .into_iter()
        .filter_map(|(_, lines)| lines.as_ref())
        .map(|lines| format!("{}-{}", lines.start(), lines.end()))
        .collect();
    let next = cut
        .head
        .1
        .as_ref()
        .map_or(1, |lines| lines.end() + 1)
        .min(cut.total.max(1));
    let more = match spill {
        Some(id) => format!(
            "the whole is in spill:{id}; more: read{{path=\"spill:{id}\", offset={next}, limit=…}}"
        ),
        None => "the rest could not be kept; ask for less at once".to_owned(),
    };
    let notice = format!(
        "{TRUNCATION_MARK}{} of {}; {more}{note}]",
        ranges.join(" and "),
        cut.total
    );
    let (head, tail) = (cut.head.0.trim_end_matches('\n'), cut.tail.0);
    match (head.is_empty(), tail.is_empty()) {
        (_, true) => format!("{head}\n{notice}"),
        (true, false) => format!("{notice}\n{tail}"),
        (false, false) => format!("{head}\n{notice}\n{tail}"),
    }
}
