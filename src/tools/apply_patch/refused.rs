//! Why a patch was not applied, said to its reader: which line of it, what was expected, what to try.
//! It decides nothing.

use crate::error::{Kind, ToolError};
use crate::patch::{Malformed, Misfit};
use crate::text::{counted, shell_word};

/// How many places of a hunk are named.
const NAMED: usize = 20;

/// The `text` is no patch.
pub(super) fn malformed(why: Malformed, text: &str) -> ToolError {
    let Malformed {
        line,
        found,
        expected,
    } = why;
    let message =
        format!("malformed patch, line {line}: {found} stands where {expected} was expected");
    ToolError::argument(message)
        .with_hint(mend(text))
        .with_detail("patch_line", line)
}

/// What to do about a text that is no patch: it may be the name of one, or a diff of another form.
fn mend(text: &str) -> String {
    const FORM: &str = "*** Begin Patch, *** Update File: PATH, @@, lines that begin with a space, - or +, *** End Patch";
    if text.contains("*** Begin Patch") {
        return "mend that line and send the whole patch again; nothing was changed".to_owned();
    }
    let is_name = !text.trim().is_empty() && !text.trim().contains(['\n', '*']);
    if is_name {
        return format!(
            "give the text of the patch, not the name of its file: at a command line `agent call apply_patch - < {}`",
            shell_word(text.trim())
        );
    }
    let starts = ["diff --git ", "--- ", "Index: "];
    if text
        .lines()
        .any(|line| starts.iter().any(|start| line.starts_with(start)))
    {
        return format!("a unified diff is another form (`git apply` takes it); write: {FORM}");
    }
    format!("write, a line each: {FORM}")
}

/// Hunks that do not apply to the file shown as `name`.
pub(super) fn misfit(why: Misfit, name: &str) -> ToolError {
    match why {
        Misfit::NoScope { hunk, scope } => {
            let message =
                format!("the hunk at line {hunk} of the patch: no line of {name} is `{scope}`");
            let hint = "copy the line behind `@@` from the file; an inner one must stand in the block of the outer one";
            at(ToolError::not_found(message).with_hint(hint), hunk)
        }
        Misfit::NotFound {
            hunk,
            missing,
            narrowed,
        } => not_found(hunk, missing.as_deref(), narrowed, name),
        Misfit::Several { hunk, lines } => several(hunk, &lines, name),
        Misfit::Overlap { hunk, other, line } => {
            let message = format!(
                "the hunks at lines {hunk} and {other} of the patch both change line {line} of {name}"
            );
            let hint = "make one hunk of the two";
            at(ToolError::argument(message).with_hint(hint), other)
        }
        Misfit::NoChange { hunk } => {
            let message = format!("the hunk at line {hunk} of the patch changes nothing in {name}");
            let hint = "mark what goes with `-` and what comes with `+`, or leave the hunk out";
            at(ToolError::argument(message).with_hint(hint), hunk)
        }
        Misfit::TooMuch { hunk } => {
            let message = format!(
                "the patch has more to look for in {name} than can be looked for: given up at its line {hunk}"
            );
            ToolError::new(Kind::Resource, message).with_hint("send it in several smaller patches")
        }
        Misfit::Numbers { hunk } => {
            let message = format!(
                "the hunk at line {hunk} of the patch places new lines in {name} by line numbers alone"
            );
            let hint = "quote a line that stands beside them, begun with a space";
            at(ToolError::argument(message).with_hint(hint), hunk)
        }
    }
}

fn at(error: ToolError, hunk: usize) -> ToolError {
    error.with_detail("patch_line", hunk)
}

fn not_found(hunk: usize, missing: Option<&str>, narrowed: bool, name: &str) -> ToolError {
    let what = format!("the hunk at line {hunk} of the patch does not fit {name}");
    let message = match missing {
        Some(line) => format!("{what}: no line there is `{line}`"),
        None if narrowed => format!(
            "{what}: its lines do not stand together where `@@` or the end of the file puts them"
        ),
        None => format!("{what}: its lines do not stand together"),
    };
    let hint = "read the file and copy the lines that stay and those that go from it";
    at(ToolError::not_found(message).with_hint(hint), hunk)
}

fn several(hunk: usize, lines: &[usize], name: &str) -> ToolError {
    let named: Vec<String> = lines.iter().take(NAMED).map(usize::to_string).collect();
    let more = if lines.len() > NAMED { ", …" } else { "" };
    let message = format!(
        "the hunk at line {hunk} of the patch fits in {} of {name}: lines {}{more}",
        counted(lines.len(), "place"),
        named.join(", ")
    );
    let hint = "add lines that stand around the one you mean, or the head of its block behind `@@`";
    let error = ToolError::new(Kind::Conflict, message).with_hint(hint);
    at(error.with_detail("lines", lines.to_vec()), hunk)
}
