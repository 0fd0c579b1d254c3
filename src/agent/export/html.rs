//! A session as one page that needs nothing else: no script, no network, no file beside it.
//!
//! What anybody said is text in it and never a tag; the page forbids itself everything but its own style and pictures.

use super::{Piece, pieces, spent, spread, to_do, who};
use crate::agent::record::Past;
use crate::agent::summary::title;
use crate::chat::{CallResult, Image};
use crate::text::{one_line, visible};

/// What comes before the title.
const START: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.2rem; overflow-wrap: anywhere; }
h2 { font-size: 0.9rem; margin: 1.5rem 0 0.25rem; opacity: 0.7; }
pre { font: 0.9rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.25rem 0; }
.you { border-left: 0.25rem solid; padding-left: 0.75rem; }
.failed summary { color: #c33; }
details { margin: 0.5rem 0; }
img { max-width: 100%; }
footer { margin-top: 2rem; opacity: 0.7; font-size: 0.85rem; }
</style>
";

/// The images that a page shows.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The page.
pub fn html(past: &Past) -> String {
    let head = &past.head;
    let mut about = title(&past.messages);
    if about.is_empty() {
        about.clone_from(&head.id);
    }
    let about = escaped(&one_line(&about));
    let mut page = format!("{START}<title>{about}</title>\n</head>\n<body>\n<h1>{about}</h1>\n");
    for piece in pieces(&past.messages) {
        page += &match piece {
            Piece::Said(role, said) => {
                let who = who(role);
                format!("<h2>{who}</h2>\n<div class=\"{who}\">{}</div>\n", pre(said))
            }
            Piece::Thought("") => String::new(),
            Piece::Thought(thought) => folded("", "thought", &pre(thought)),
            Piece::Image(role, image) => format!("<h2>{}</h2>\n{}", who(role), shown(image)),
            Piece::Call(call, answer) => {
                let body = pre(&spread(&call.arguments)) + &answer.map(result).unwrap_or_default();
                let failed = answer.is_some_and(|answer| answer.is_error);
                folded(
                    class(failed),
                    &format!("calls {}", one_line(&call.tool)),
                    &body,
                )
            }
            Piece::Result(answer) => {
                let about = format!("result of {}", one_line(&answer.tool));
                folded(class(answer.is_error), &about, &result(answer))
            }
        };
    }
    let to_do = to_do(past);
    if !to_do.is_empty() {
        page += &format!("<h2>to do</h2>\n{}", pre(&to_do));
    }
    let rows = [
        ("session", &head.id),
        ("model", &head.model),
        ("began", &head.time),
        ("workspace", &head.workspace),
    ];
    let rows = rows.iter().filter(|(_, value)| !value.is_empty());
    let rows: Vec<String> = rows
        .map(|(name, value)| format!("{name} {}", escaped(&one_line(value))))
        .collect();
    let rows = rows.join("<br>\n");
    page + &format!(
        "<footer>\n{rows}<br>\n{}\n</footer>\n</body>\n</html>\n",
        escaped(&spent(past))
    )
}

fn class(failed: bool) -> &'static str {
    if failed { " class=\"failed\"" } else { "" }
}

fn folded(class: &str, about: &str, body: &str) -> String {
    let about = escaped(about);
    format!("<details{class}>\n<summary>{about}</summary>\n{body}</details>\n")
}

fn result(answer: &CallResult) -> String {
    let images: String = answer.images.iter().map(shown).collect();
    format!("<hr>\n{}{images}", pre(&answer.text))
}

fn shown(image: &Image) -> String {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    let is_shown = IMAGES.contains(&image.media_type.as_str()) && image.data.bytes().all(is_base64);
    match is_shown {
        true => format!(
            "<img alt=\"an image\" src=\"data:{};base64,{}\">\n",
            image.media_type, image.data
        ),
        false => pre(&format!("[an image, {}]", one_line(&image.media_type))),
    }
}

/// A text as it stands. A page drops the first line end of a `pre`, so there is one to drop.
fn pre(text: &str) -> String {
    format!("<pre>\n{}</pre>\n", escaped(text))
}

/// A text that is no more than text, between tags and within quotes; control characters are visible.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}
