//! Stage 5, second half: the result as its reader gets it. The only place where a result is cut.
//!
//! A model gets what fits its context and the rest as a spill; a program gets all of it up to a hard
//! limit; a person gets control characters made visible.

use std::sync::Arc;

use serde_json::Value;

use crate::data::Data;
use crate::error::ToolError;
use crate::text::{Keep, TRUNCATION_MARK, Truncated, truncate, visible};
use crate::tool::{Context, Destination, Level, Outcome, Output, Services};

/// Lines of facts and notices that a tool may put around the lines it was asked for.
const FRAME: usize = 8;

/// `output` for `destination`.
///
/// # Errors
/// `internal` when the cut itself fails; a spill that cannot be written costs only the spill.
pub(super) async fn output(
    output: Output,
    destination: Destination,
    keep: Keep,
    context: &Context,
) -> Result<Output, ToolError> {
    let limits = &context.services.limits;
    match destination {
        Destination::Model => cut(output, limits.lines + FRAME, limits.bytes, keep, context).await,
        Destination::Program => cut(output, usize::MAX, limits.program_bytes, keep, context).await,
        Destination::Person => Ok(Output {
            title: visible(&output.title).into_owned(),
            text: visible(&output.text).into_owned(),
            ..output
        }),
    }
}

/// An error without the name of the home folder, in its words and in its facts.
///
/// # Errors
/// The error that came in.
pub(super) fn error_for(services: &Services, outcome: Outcome) -> Outcome {
    outcome.map_err(|mut error| {
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

async fn cut(
    mut output: Output,
    lines: usize,
    bytes: usize,
    keep: Keep,
    context: &Context,
) -> Result<Output, ToolError> {
    if truncate(&output.text, lines, bytes, keep).is_none() {
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
        let text = match truncate(&whole, lines, bytes, keep) {
            Some(cut) => with_notice(&cut, spill.as_deref()),
            None => whole,
        };
        Ok((text, spill))
    };
    let (text, spill) = context.blocking(work).await?;
    output.text = text;
    output
        .metadata
        .insert("truncated".to_owned(), Data::Bool(true));
    output
        .metadata
        .insert("spill".to_owned(), Data::from(spill));
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

fn with_notice(cut: &Truncated<'_>, spill: Option<&str>) -> String {
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
        "{TRUNCATION_MARK}{} of {}; {more}]",
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
