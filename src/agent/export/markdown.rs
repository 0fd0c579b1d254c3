//! A session as Markdown. What people and models said is quoted, what tools were given and gave is fenced.
//!
//! No fence ends before its text does, and no text opens a heading of its own.

use super::{Piece, pieces, spent, spread, to_do};
use crate::agent::record::Past;
use crate::agent::summary::title;
use crate::chat::{CallResult, Image, Role};
use crate::text::{one_line, visible};

/// The document.
pub fn markdown(past: &Past) -> String {
    let head = &past.head;
    let mut text = "# A session\n\n".to_owned();
    let rows = [
        ("about", title(&past.messages)),
        ("session", head.id.clone()),
        ("copy of", head.forked_from.clone().unwrap_or_default()),
        ("model", head.model.clone()),
        ("began", head.time.clone()),
        ("workspace", head.workspace.clone()),
        ("used", spent(past)),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        text += &format!("- {name}: {}\n", code(value));
    }
    let mut speaker = None;
    for piece in pieces(&past.messages) {
        let heading = match piece {
            Piece::Said(role, _) | Piece::Image(role, _) => heading(role),
            Piece::Thought(_) | Piece::Call(..) => heading(Role::Assistant),
            Piece::Result(_) => heading(Role::Tool),
        };
        if speaker != Some(heading) {
            text += &format!("\n## {heading}\n");
        }
        speaker = Some(heading);
        text += &body(&piece);
    }
    let to_do = to_do(past);
    if !to_do.is_empty() {
        text += &format!("\n## To do\n{}", fenced("text", &to_do));
    }
    text
}

fn heading(role: Role) -> &'static str {
    match role {
        Role::User => "You",
        Role::Assistant => "Model",
        Role::System => "Note",
        Role::Tool => "Tool",
    }
}

fn body(piece: &Piece<'_>) -> String {
    match piece {
        // A model writes Markdown, and a quote holds it together. Everybody else means what stands there.
        Piece::Said(Role::Assistant, said) => quoted(said),
        Piece::Said(_, said) => fenced("text", said),
        Piece::Thought("") => "\nA thought that only the provider can read.\n".to_owned(),
        Piece::Thought(thought) => format!("\nThought:\n{}", quoted(thought)),
        Piece::Image(_, image) => shown(image),
        Piece::Call(call, answer) => {
            let given = fenced("json", &spread(&call.arguments));
            let call = format!("\nCalls {}:\n{given}", code(&call.tool));
            call + &answer.map(result).unwrap_or_default()
        }
        Piece::Result(answer) => format!("\nOf {}:\n{}", code(&answer.tool), result(answer)),
    }
}

fn result(answer: &CallResult) -> String {
    let word = match answer.is_error {
        true => "Failed",
        false => "Result",
    };
    let images: String = answer.images.iter().map(shown).collect();
    format!("\n{word}:\n{}{images}", fenced("text", &answer.text))
}

fn shown(image: &Image) -> String {
    format!("\nAn image, {}.\n", code(&image.media_type))
}

fn quoted(text: &str) -> String {
    let text = visible(text);
    let lines = text.trim_end().split('\n');
    let lines = lines.map(|line| format!("> {line}").trim_end().to_owned() + "\n");
    format!("\n{}", lines.collect::<String>())
}

fn fenced(kind: &str, text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("\n{fence}{kind}\n{text}{end}{fence}\n")
}

/// A text within a line, as it stands.
fn code(text: &str) -> String {
    let text = one_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let room = match text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        true => " ",
        false => "",
    };
    format!("{fence}{room}{text}{room}{fence}")
}

/// How many backticks stand side by side, at the most.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|character| character != '`');
    runs.map(str::len).max().unwrap_or(0)
}
