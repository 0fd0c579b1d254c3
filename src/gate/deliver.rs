//! Stage 5, second half: the result as its reader gets it. The only place where a result is cut.
//!
//! A model gets what fits its context and the rest as a spill; a program gets all of it up to a hard
//! limit; a person gets control characters made visible.

use crate::data::Data;
use crate::error::ToolError;
use crate::store::Spills;
use crate::text::{Keep, TRUNCATION_MARK, Truncated, truncate, visible};
use crate::tool::{Context, Destination, Outcome, Output, Services};

/// Lines of facts and notices that a tool may put around the lines it was asked for.
const FRAME: usize = 8;

/// `output` for `destination`.
///
/// # Errors
/// `resource` when the full text cannot be spilled.
pub(super) fn output(
    output: Output,
    destination: Destination,
    keep: Keep,
    context: &Context,
) -> Result<Output, ToolError> {
    let limits = &context.services.limits;
    match destination {
        Destination::Model => cut(output, limits.lines + FRAME, limits.bytes, keep, context),
        Destination::Program => cut(output, usize::MAX, limits.program_bytes, keep, context),
        Destination::Person => Ok(Output {
            title: visible(&output.title).into_owned(),
            text: visible(&output.text).into_owned(),
            ..output
        }),
    }
}

/// An error without the name of the home folder.
///
/// # Errors
/// The error that came in.
pub(super) fn error_for(services: &Services, outcome: Outcome) -> Outcome {
    outcome.map_err(|error| ToolError {
        message: services.files.without_home(&error.message),
        hint: error.hint.map(|hint| services.files.without_home(&hint)),
        ..error
    })
}

fn cut(
    mut output: Output,
    lines: usize,
    bytes: usize,
    keep: Keep,
    context: &Context,
) -> Result<Output, ToolError> {
    let Some(cut) = truncate(&output.text, lines, bytes, keep) else {
        return Ok(output);
    };
    let services = &context.services;
    let spills: &Spills = &services.spills;
    let id = spills.put(
        &services.session,
        output.text.as_bytes(),
        (services.clock)(),
    )?;
    let text = with_notice(&cut, &format!("spill:{id}"));
    output
        .metadata
        .insert("truncated".to_owned(), Data::Bool(true));
    output
        .metadata
        .insert("spill".to_owned(), Data::from(id.to_string()));
    output.text = text;
    Ok(output)
}

fn with_notice(cut: &Truncated<'_>, spill: &str) -> String {
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
    let notice = format!(
        "{TRUNCATION_MARK}{} of {}; the whole is in {spill}; \
         more: read{{path=\"{spill}\", offset={next}, limit=…}}]",
        ranges.join(" and "),
        cut.total,
    );
    let (head, tail) = (cut.head.0.trim_end_matches('\n'), cut.tail.0);
    match (head.is_empty(), tail.is_empty()) {
        (_, true) => format!("{head}\n{notice}"),
        (true, false) => format!("{notice}\n{tail}"),
        (false, false) => format!("{head}\n{notice}\n{tail}"),
    }
}
