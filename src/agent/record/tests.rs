//! What is read back from lines, wherever they end.

use super::*;
use crate::chat::Arguments;

fn call(id: &str) -> Call {
    Call {
        id: id.to_owned(),
        tool: "edit".to_owned(),
        arguments: Arguments::new("{}"),
        incomplete: false,
        opaque: None,
    }
}

fn begun(id: &str, may_change: bool) -> Line {
    Line::Call {
        time: String::new(),
        call: call(id),
        may_change,
    }
}

fn result(id: &str) -> Line {
    let mut result = close(&call(id), None);
    (result.text, result.is_error) = (format!("of {id}"), false);
    Line::Result {
        time: String::new(),
        result,
        kind: None,
    }
}

fn said(message: Message) -> Line {
    let time = String::new();
    Line::Message { time, message }
}

fn asks(ids: &[&str]) -> Line {
    let parts = ids.iter().map(|id| Part::Call(call(id)));
    said(Message {
        role: Role::Assistant,
        parts: parts.collect(),
    })
}

/// The conversation as `user:…`, `calls:a,b`, `results:…`.
fn read(lines: &[Line]) -> Vec<String> {
    let lines: Vec<Vec<u8>> = lines
        .iter()
        .map(|line| serde_json::to_vec(line).unwrap())
        .collect();
    let past = Past::read(lines.iter().map(Vec::as_slice));
    let shown = |message: &Message| match message.role {
        Role::Assistant => {
            let ids: Vec<&str> = message.calls().map(|call| call.id.as_str()).collect();
            format!("calls:{}", ids.join(","))
        }
        Role::Tool => {
            let texts = message.answers().map(|answer| match answer.is_error {
                false => answer.text.clone(),
                true if answer.text.contains("unknown") => "unknown".to_owned(),
                true => "cancelled".to_owned(),
            });
            format!("results:{}", texts.collect::<Vec<_>>().join(","))
        }
        _ => format!("user:{}", message.said()),
    };
    past.messages.iter().map(shown).collect()
}

#[test]
fn results_stand_in_the_order_of_the_calls_however_they_came() {
    let user = said(Message::text(Role::User, "do"));
    let lines = [
        user.clone(),
        begun("a", false),
        begun("b", false),
        result("b"),
        asks(&["a", "b", "c"]),
        begun("c", true),
        result("a"),
        result("c"),
        begun("d", false),
        result("d"),
        asks(&["d"]),
        user,
    ];
    let expected = [
        "user:do",
        "calls:a,b,c",
        "results:of a,of b,of c",
        "calls:d",
        "results:of d",
        "user:do",
    ];
    assert_eq!(read(&lines), expected);
}

#[test]
fn wherever_the_lines_end_every_call_has_one_result() {
    let lines = [
        said(Message::text(Role::User, "do")),
        begun("a", false),
        begun("b", true),
        asks(&["a", "b", "c"]),
        result("a"),
        result("b"),
    ];
    let ends: Vec<Vec<String>> = (0..=lines.len()).map(|end| read(&lines[..end])).collect();
    let last: Vec<String> = ends
        .iter()
        .map(|end| end.last().cloned().unwrap_or_default())
        .collect();
    let expected = [
        "",
        "user:do",
        "results:cancelled",
        "results:cancelled,unknown",
        "results:cancelled,unknown,cancelled",
        "results:of a,unknown,cancelled",
        "results:of a,of b,cancelled",
    ];
    assert_eq!(last, expected);
}

#[test]
fn a_line_that_cannot_be_read_is_counted_and_one_of_a_later_form_is_passed_over() {
    let lines: [&[u8]; 3] = [b"{\"type\":\"later\",\"x\":1}", b"{\"type\":", b"[]"];
    let past = Past::read(lines);
    assert_eq!((past.unread, past.messages.len()), (2, 0));
}
