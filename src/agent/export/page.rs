//! A session for a terminal: who said what, calls in short, results cut to some lines.
//!
//! What was said is indented and nothing else is, so that no text passes for a speaker.

use serde_json::Value;

use super::{Piece, pieces, spent, to_do, who};
use crate::agent::record::Past;
use crate::chat::{Arguments, CallResult, Role};
use crate::text::{counted, one_line, visible, within};

/// How many lines of a result, and of a thought, are shown.
const LINES: usize = 6;
/// How many columns of a line of a result, and of the arguments of a call.
const WIDE: usize = 100;
/// How many columns of one argument.
const ARGUMENT: usize = 48;

/// The page. Control characters are visible in it.
pub fn page(past: &Past) -> String {
    let head = &past.head;
    let mut page = format!("session {}", one_line(&head.id));
    for (before, text) in [
        (", ", &head.model),
        (", ", &head.time),
        ("\n", &head.workspace),
    ] {
        if !text.is_empty() {
            page += before;
            page += &one_line(text);
        }
    }
    if let Some(from) = &head.forked_from {
        page += &format!("\na copy of {}, up to there", one_line(from));
    }
    page.push('\n');
    let mut speaker = "";
    let (mut calls, mut failed) = (0, 0);
    for piece in pieces(&past.messages) {
        let (next, text) = match piece {
            Piece::Said(role, text) => (who(role), indented(&visible(text))),
            Piece::Thought("") => ("thought", "  not shown\n".to_owned()),
            Piece::Thought(text) => ("thought", some_lines(text, "  ")),
            Piece::Image(role, image) => {
                let shown = format!("  [an image, {}]\n", one_line(&image.media_type));
                (who(role), shown)
            }
            Piece::Call(call, answer) => {
                calls += 1;
                failed += usize::from(answer.is_some_and(|answer| answer.is_error));
                let line = format!("{} {}", one_line(&call.tool), in_short(&call.arguments));
                let line = format!("  {}\n", within(line.trim_end(), WIDE));
                ("calls", line + &answer.map(result).unwrap_or_default())
            }
            Piece::Result(answer) => {
                let line = format!("  {}\n", one_line(&answer.tool));
                ("result", line + &result(answer))
            }
        };
        if next != speaker || next == who(Role::User) {
            page += &format!("\n{next}:\n");
        }
        speaker = next;
        page += &text;
    }
    let to_do = to_do(past);
    if !to_do.is_empty() {
        page += &format!("\nto do:\n{}", indented(&visible(&to_do)));
    }
    let asked = past.messages.iter();
    let turns = asked.filter(|message| message.role == Role::User).count();
    let failed = match failed {
        0 => String::new(),
        failed => format!(" ({failed} failed)"),
    };
    let (turns, calls) = (counted(turns, "turn"), counted(calls, "call"));
    page + &format!("\n{turns}, {calls}{failed}; {}\n", spent(past))
}

fn indented(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines.map(|line| format!("  {line}\n")).collect()
}

/// The arguments of a call on one line, each value cut.
fn in_short(arguments: &Arguments) -> String {
    let Ok(Value::Object(named)) = serde_json::from_str(arguments.as_str()) else {
        return one_line(arguments.as_str());
    };
    let short = named.iter().map(|(name, value)| {
        let value = match value {
            Value::String(text) => one_line(text),
            other => one_line(&other.to_string()),
        };
        format!("{}={}", one_line(name), within(&value, ARGUMENT))
    });
    short.collect::<Vec<_>>().join(" ")
}

fn result(answer: &CallResult) -> String {
    let mut lines = some_lines(&answer.text, "    ");
    for image in &answer.images {
        lines += &format!("    [an image, {}]\n", one_line(&image.media_type));
    }
    lines
}

/// The first lines of `text`, each cut, and how many more there are.
fn some_lines(text: &str, indent: &str) -> String {
    let all = text.trim_end().lines().count();
    let shown = text.trim_end().lines().take(LINES);
    let mut lines: String = shown
        .map(|line| format!("{indent}{}\n", within(&visible(line), WIDE)))
        .collect();
    if all > LINES {
        lines += &format!("{indent}… {}\n", counted(all - LINES, "more line"));
    }
    lines
}
