//! Every way to write a session down, with texts that try to be more than text.

use proptest::prelude::*;

use super::*;
use crate::agent::Head;
use crate::chat::{Reasoning, Usage};
use crate::text::property_cases;

fn call(id: &str, tool: &str, arguments: &str) -> Part {
    Part::Call(Call {
        id: id.to_owned(),
        tool: tool.to_owned(),
        arguments: Arguments::new(arguments),
        incomplete: false,
        opaque: None,
    })
}

fn result(id: &str, tool: &str, text: &str, is_error: bool) -> CallResult {
    CallResult {
        id: id.to_owned(),
        tool: tool.to_owned(),
        text: text.to_owned(),
        is_error,
        images: Vec::new(),
    }
}

/// A session in which `text` stands wherever a text can.
fn everywhere(text: &str) -> Past {
    let arguments = serde_json::json!({ (text): text, "b": [text] }).to_string();
    let said = |role| Message::text(role, text);
    let thought = Part::Reasoning(Reasoning {
        text: text.to_owned(),
        opaque: None,
    });
    let image = Image {
        media_type: text.to_owned(),
        data: text.to_owned(),
    };
    let asked = Message {
        role: Role::Assistant,
        parts: vec![
            thought,
            Part::text(text),
            call("a", text, &arguments),
            call("b", text, text),
        ],
    };
    let mut shown = result("a", text, text, false);
    shown.images.push(image.clone());
    let stray = Message::results(vec![result("elsewhere", text, text, true)]);
    let picture = Message {
        role: Role::User,
        parts: vec![Part::Image(image)],
    };
    Past {
        head: Head {
            id: text.to_owned(),
            time: text.to_owned(),
            workspace: text.to_owned(),
            model: text.to_owned(),
            forked_from: Some(text.to_owned()),
            ..Head::default()
        },
        messages: vec![
            said(Role::User),
            asked,
            Message::results(vec![shown, result("b", text, text, true)]),
            said(Role::System),
            picture,
            stray,
        ],
        ..Past::default()
    }
}

fn count(text: &str, wanted: char) -> usize {
    text.chars()
        .filter(|character| *character == wanted)
        .count()
}

/// Texts made of what has a meaning somewhere, and of anything.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("<script>alert(1)</script>".to_owned()),
        Just("</pre><img src=x onerror=y>".to_owned()),
        Just("\"'&quot;--></style>".to_owned()),
        Just("```".to_owned()),
        Just("`````\n".to_owned()),
        Just("\n# heading\n".to_owned()),
        Just("]]]==]\"; os.exit(7) --[[".to_owned()),
        Just("\\\"\\".to_owned()),
        Just("\r\n\t\0\u{1b}[2J\u{202e}\u{2028}".to_owned()),
        "\\PC{0,8}",
        any::<String>(),
    ];
    prop::collection::vec(pieces, 1..6).prop_map(|pieces| format!("x{}", pieces.concat()))
}

/// The lines of Markdown that stand in no fence. A fence ends with the first line that is a run as long as its own.
fn outside(markdown: &str) -> Vec<&str> {
    let mut fence: Option<&str> = None;
    let mut found = Vec::new();
    for line in markdown.split('\n') {
        match fence {
            Some(open)
                if line.trim_end().len() >= open.len()
                    && line.trim_end().chars().all(|c| c == '`') =>
            {
                fence = None;
            }
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(&line[..line.rfind('`').unwrap() + 1]),
            None => found.push(line),
        }
    }
    assert_eq!(fence, None, "a fence is left open");
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(property_cases()))]

    #[test]
    fn no_text_is_a_tag_of_a_page(text in texts()) {
        let (plain, page) = (html(&everywhere("x")), html(&everywhere(&text)));
        for mark in ['<', '>', '"', '\''] {
            prop_assert_eq!(count(&plain, mark), count(&page, mark), "{}", mark);
        }
        prop_assert!(!page.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
    }

    #[test]
    fn no_text_ends_its_fence_or_opens_a_heading(text in texts()) {
        let document = markdown(&everywhere(&text));
        let outside = outside(&document);
        let headings: Vec<&&str> = outside.iter().filter(|line| line.starts_with('#')).collect();
        prop_assert_eq!(headings, [&"# A session", &"## You", &"## Model", &"## Note", &"## You", &"## Tool"]);
        let is_own = |line: &&&str| {
            let starts = ["", "# ", "## ", "- ", "> ", ">", "Thought:", "Calls `", "Result:", "Failed:", "Of `", "An image, `"];
            starts.iter().any(|start| if start.is_empty() { line.is_empty() } else { line.starts_with(start) })
        };
        let foreign: Vec<&&str> = outside.iter().filter(|line| !is_own(line)).collect();
        prop_assert!(foreign.is_empty(), "{:?}", foreign);
    }

    #[test]
    fn no_text_passes_for_a_speaker_or_reaches_the_terminal(text in texts()) {
        let page = page(&everywhere(&text));
        let speakers = page.lines().skip(4).filter(|line| !line.starts_with("  ") && !line.is_empty());
        let expected = ["you:", "thought:", "model:", "calls:", "note:", "you:", "result:"];
        let speakers: Vec<&str> = speakers.collect();
        prop_assert_eq!(&speakers[..speakers.len() - 1], &expected);
        prop_assert!(!page.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
    }
}

#[test]
fn a_page_shows_calls_in_short_and_cuts_results() {
    let long: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let arguments = serde_json::json!({ "path": "a b.txt", "content": "漢".repeat(90), "n": 3 });
    let asked = Message {
        role: Role::Assistant,
        parts: vec![
            Part::text("I look."),
            call("a", "write", &arguments.to_string()),
        ],
    };
    let past = Past {
        head: Head {
            id: "the-id".to_owned(),
            model: "p/m".to_owned(),
            ..Head::default()
        },
        messages: vec![
            Message::text(Role::User, "make\nit pass"),
            asked,
            Message::results(vec![result("a", "write", &long, true)]),
        ],
        usage: Usage {
            input: 10,
            output: 5,
            cache_read: 20,
            ..Usage::default()
        },
        cost: Some(0.25),
        ..Past::default()
    };
    let wide = "漢".repeat(23);
    let expected = format!(
        "session the-id, p/m\n\nyou:\n  make\n  it pass\n\nmodel:\n  I look.\n\ncalls:\n  write path=a b.txt content={wide}… n=3\n    \
         line 1\n    line 2\n    line 3\n    line 4\n    line 5\n    line 6\n    … 14 more lines\n\n1 turn, 1 call (1 failed); \
         30 tokens in (20 from the cache, 0 into it), 5 out; cost $0.2500\n"
    );
    assert_eq!(page(&past), expected);
}

#[test]
fn only_calls_that_succeeded_are_made_again() {
    let asked = Message {
        role: Role::Assistant,
        parts: vec![
            call(
                "a",
                "read",
                "{\"path\":\"a.txt\",\"end\":[],\"none\":null,\"n\":-9223372036854775808}",
            ),
            call("b", "write", "{}"),
            call("c", "read", "{\"path\":\"x\\ny\\u0000\\u001b0\"}"),
            call("d", "edit", "not JSON"),
        ],
    };
    let results = vec![
        result("a", "read", "", false),
        result("b", "write", "", true),
        result("c", "read", "", false),
        result("d", "edit", "", false),
    ];
    let past = Past {
        head: Head {
            id: "id\nos.exit(7)".to_owned(),
            ..Head::default()
        },
        messages: vec![asked, Message::results(results)],
        ..Past::default()
    };
    let program = lua(&past);
    let body = program.split_once('\n').unwrap();
    assert!(body.0.starts_with("---") && body.0.contains("id\\nos.exit(7)"));
    let expected = "return agent.replay {\n  \
                    { tool = \"read\", args = { [\"end\"] = agent.array {}, n = math.mininteger, path = \"a.txt\" } },\n  \
                    { tool = \"read\", args = { path = \"x\\\ny\\000\\0270\" } },\n}\n";
    assert_eq!(body.1, expected);
    assert!(lua(&Past::default()).ends_with("return agent.replay {\n}\n"));
}

#[test]
fn a_picture_is_shown_where_it_is_one() {
    let mut past = everywhere("x");
    let shown = Image::new("image/png", b"png");
    past.messages.push(Message {
        role: Role::User,
        parts: vec![Part::Image(shown)],
    });
    let page = html(&past);
    assert!(
        page.contains("<img alt=\"an image\" src=\"data:image/png;base64,cG5n\">"),
        "{page}"
    );
    assert_eq!(page.matches("<img").count(), 1);
}

#[test]
fn the_last_turns_begin_with_who_asked() {
    let turn = |n: usize| {
        [
            Message::text(Role::User, n.to_string()),
            Message::text(Role::Assistant, "so"),
        ]
    };
    for (turns, first) in [(1, "3"), (2, "2"), (3, "1"), (9, "1")] {
        let mut past = Past {
            messages: (1..=3).flat_map(turn).collect(),
            ..Past::default()
        };
        past.keep_last(turns);
        assert_eq!(past.messages[0].said(), first);
    }
    let mut nobody = Past {
        messages: vec![Message::text(Role::Assistant, "so")],
        ..Past::default()
    };
    nobody.keep_last(1);
    assert_eq!(nobody.messages.len(), 1);
}

#[test]
fn what_was_summed_up_or_left_out_is_still_written_down() {
    let text = |role: &str, text: &str| {
        let message =
            serde_json::json!({ "role": role, "parts": [{ "type": "text", "text": text }] });
        serde_json::json!({ "type": "message", "time": "", "message": message })
    };
    let read = serde_json::json!({ "type": "call", "id": "a", "tool": "read", "arguments": "{}" });
    let asked = serde_json::json!({ "role": "assistant", "parts": [read] });
    let result = serde_json::json!({ "id": "a", "tool": "read", "text": "the long result" });
    let lines = [
        text("user", "first"),
        serde_json::json!({ "type": "message", "time": "", "message": asked }),
        serde_json::json!({ "type": "result", "time": "", "result": result }),
        serde_json::json!({ "type": "shrunk", "ids": ["a"] }),
        serde_json::json!({ "type": "compaction", "time": "", "summary": "in short", "kept": 0 }),
        text("user", "second"),
    ];
    let lines: Vec<Vec<u8>> = lines
        .iter()
        .map(|line| line.to_string().into_bytes())
        .collect();
    let lines = || lines.iter().map(Vec::as_slice);
    let (whole, rest) = (Past::read_whole(lines()), Past::read(lines()));
    assert_eq!((whole.messages.len(), rest.messages.len()), (5, 2));
    let page = page(&whole);
    for part in [
        "  first\n",
        "    the long result\n",
        "note:\n",
        "  in short\n",
        "  second\n",
        "2 turns",
    ] {
        assert!(page.contains(part), "{part:?} is not in {page}");
    }
    assert!(lua(&whole).contains("tool = \"read\""));
}
