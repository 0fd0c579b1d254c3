//! What somebody has changed since, where it would be undone: it is refused, or the person is asked, who sees what
//! would be lost.
//!
//! It changes nothing.

use crate::error::{Kind, ToolError};
use crate::files::Undoing;
use crate::text::{counted, shell_word};
use crate::tool::{Context, Prompt, Said, Wants};

/// How many lines of what would be lost are shown with the question.
const SHOWN: usize = 60;

/// That it is not undone, and what there is to do.
pub(super) fn refused(undoing: &Undoing) -> ToolError {
    ToolError::conflict(since(undoing))
        .with_hint(advice(undoing))
        .with_detail("conflict", undoing.changed.clone())
}

/// What was changed since, and by whom: `changed since by somebody else: a.txt; by unit b6a1-2: b.txt`.
pub(super) fn since(undoing: &Undoing) -> String {
    let by = |path: &String| {
        let mut known = undoing.by_unit.iter();
        known.find(|(known, _)| known == path).map(|(_, unit)| unit)
    };
    let mut whose: Vec<(Option<&String>, Vec<&str>)> = Vec::new();
    for path in &undoing.changed {
        let by = by(path);
        match whose.iter_mut().find(|(known, _)| *known == by) {
            Some((_, paths)) => paths.push(path),
            None => whose.push((by, vec![path])),
        }
    }
    let parts = whose.iter().map(|(by, paths)| {
        let who = by.map_or("somebody else".to_owned(), |unit| format!("unit {unit}"));
        format!("by {who}: {}", paths.join(", "))
    });
    format!("changed since {}", parts.collect::<Vec<_>>().join("; "))
}

/// A conflict that was met on the way, with what there is to do.
pub(super) fn late(error: ToolError, undoing: &Undoing) -> ToolError {
    match error.kind {
        Kind::Conflict => error.with_hint(advice(undoing)),
        _ => error,
    }
}

fn advice(undoing: &Undoing) -> String {
    let id = &undoing.unit.id;
    let mut advice = format!("`agent undo {id} --diff` shows what would be lost; ");
    let is_changed = |path: &&str| undoing.changed.iter().any(|changed| changed == path);
    let has_rest = undoing.shown.paths().iter().any(|path| !is_changed(path));
    if has_rest && !undoing.changed.is_empty() {
        let words: Vec<String> = undoing
            .changed
            .iter()
            .map(|path| shell_word(path).to_string())
            .collect();
        let words = words.join(" ");
        advice.push_str(&format!(
            "`agent undo {id} --except {words}` takes back the rest; "
        ));
    }
    if let [(_, unit), ..] = undoing.by_unit.as_slice() {
        advice.push_str(&format!("`agent undo {unit}` takes back that first; "));
    }
    advice + "at a terminal you are asked whether to overwrite"
}

/// Whether what was changed since is to be replaced: the person is asked.
///
/// # Errors
/// `rejected` where it is to stay; `conflict` where nobody answers.
pub(super) async fn confirmed(undoing: &Undoing, context: &Context) -> Result<bool, ToolError> {
    if undoing.changed.is_empty() {
        return Ok(false);
    }
    let services = &context.services;
    let prompt = Prompt {
        text: question(undoing),
        wants: Wants::YesNo(Some(false)),
    };
    let answer = services.human.prompt(prompt);
    match services.thinking.during(answer).await {
        Said::YesNo(true) => Ok(true),
        Said::Nobody => Err(refused(undoing)),
        _ => Err(ToolError::new(
            Kind::Rejected,
            "the person keeps what was changed since; nothing was undone",
        )),
    }
}

/// What would be lost, and the question.
fn question(undoing: &Undoing) -> String {
    let lost = undoing.overwriting();
    let lost = &lost.diff().text;
    let mut text: String = lost
        .lines()
        .take(SHOWN)
        .flat_map(|line| [line, "\n"])
        .collect();
    let hidden = lost.lines().count().saturating_sub(SHOWN);
    if hidden > 0 {
        text.push_str(&format!("… and {}\n", counted(hidden, "more line")));
    }
    let since = since(undoing);
    let paths = counted(undoing.changed.len(), "path");
    format!("{text}{paths} {since}. Overwrite?")
}
