//! What a provider gets of the tools: how many bytes, under which names, and that what was sent stays as it was.

use serde_json::{Value, json};

use crate::answers::{KINDS, body, calls, names, offered, program, says};
use crate::peer::{Peer, Seen};

/// The goal of the first request, in bytes.
const FIRST: usize = 10_000;

/// The goal of ten rounds.
const TEN: usize = 130_000;

#[test]
fn the_first_request_and_ten_rounds_are_as_small_as_they_should_be() {
    for (kind, model) in KINDS
        .map(|kind| (kind, "m"))
        .into_iter()
        .chain([("openai", "gpt-5")])
    {
        let rounds =
            (1..10).map(|n| calls(kind, n, "read", &json!({ "path": "a.txt", "offset": n })));
        let peer = Peer::start(rounds.chain([says(kind, "Read.")]));
        let program = program(&peer, kind, model);
        program.run(&["run", "Read it."]).prints("Read.\n");
        let bytes: Vec<usize> = peer.requests().iter().map(|seen| seen.body.len()).collect();
        let all: usize = bytes.iter().sum();
        println!("{kind} {model}: {} bytes, {all} in ten rounds", bytes[0]);
        assert_eq!(bytes.len(), 10, "{kind}");
        assert!(bytes[0] <= FIRST, "{kind} {model}: {} bytes", bytes[0]);
        assert!(all <= TEN, "{kind} {model}: {all} bytes");
    }
}

/// The list of tools as it stands in a body, up to the end of the last one of the first `many`.
fn list(seen: &Seen, many: usize) -> String {
    let body = body(seen);
    let tools = &body["tools"];
    let open = match &tools[0]["functionDeclarations"] {
        Value::Null => ("[", tools),
        declared => ("[{\"functionDeclarations\":[", declared),
    };
    let tools: Vec<String> = open.1.as_array().unwrap()[..many]
        .iter()
        .map(Value::to_string)
        .collect();
    format!("\"tools\":{}{}", open.0, tools.join(","))
}

fn text(seen: &Seen) -> String {
    String::from_utf8(seen.body.clone()).unwrap()
}

/// How many bytes two requests have in common at their beginning.
fn common(a: &Seen, b: &Seen) -> usize {
    a.body
        .iter()
        .zip(&b.body)
        .take_while(|(a, b)| a == b)
        .count()
}

#[test]
fn what_is_found_stands_behind_what_was_there_whose_bytes_stay() {
    for kind in KINDS {
        let search = |name: &str| json!({ "query": format!("select:{name}") });
        let peer = Peer::start([
            calls(kind, 1, "read", &json!({ "path": "a.txt" })),
            calls(kind, 2, "tool_search", &search("move")),
            calls(kind, 3, "move", &json!({ "from": "a.txt", "to": "b.txt" })),
            calls(kind, 4, "tool_search", &search("delete,think")),
            calls(kind, 5, "think", &json!({ "thought": "moved" })),
            says(kind, "Moved."),
        ]);
        let program = program(&peer, kind, "m");
        let ran = program.run(&["run", "--mode", "auto_edit", "-o", "json", "Move it."]);
        let document = ran.exits(0).json();
        assert!(program.at("b.txt").exists(), "{kind}: {document}");
        let seen = peer.requests();
        assert_eq!(seen.len(), 6, "{kind}");
        let first = names(&seen[0]);
        assert_eq!(first.last().unwrap(), "tool_search", "{kind}");
        assert!(!first.contains(&"move".to_owned()), "{kind}");
        let more = |more: &[&str]| {
            [
                &first[..],
                &more.iter().map(|&s| s.to_owned()).collect::<Vec<_>>(),
            ]
            .concat()
        };
        let expected = [
            more(&[]),
            more(&[]),
            more(&["move"]),
            more(&["move"]),
            more(&["move", "delete", "think"]),
            more(&["move", "delete", "think"]),
        ];
        let list = list(&seen[0], first.len());
        let end = text(&seen[0]).find(&list).unwrap() + list.len();
        for (seen, expected) in seen.iter().zip(expected) {
            assert_eq!(names(seen), expected, "{kind}");
        }
        for later in &seen[1..] {
            assert!(common(&seen[0], later) >= end, "{kind}: {}", text(later));
        }
        // Between two requests in which nothing was found, nothing of what was said before is different either.
        for at in [1, 3, 5] {
            let before = text(&seen[at - 1]);
            let said = common(&seen[at - 1], &seen[at]);
            assert!(
                said >= before.find("Move it.").unwrap(),
                "{kind} {at}: {before}"
            );
        }
    }
}

#[test]
fn what_can_be_found_later_changes_nothing_of_what_was_sent() {
    let code = r#"
        local reply = agent.ask("one")
        agent.tool { id = "late", description = "Comes late.", effect = "read", execute = function() return "here" end }
        local again = agent.ask("two", { session = reply.session })
        return again.text, again.calls[2].tool, again.calls[2].ok
    "#;
    for kind in KINDS {
        let peer = Peer::start([
            says(kind, "First."),
            calls(kind, 1, "tool_search", &json!({ "query": "comes late" })),
            calls(kind, 2, "late", &json!({})),
            says(kind, "Second."),
        ]);
        let program = program(&peer, kind, "m");
        program.run(&["eval", code]).prints("Second.\tlate\ttrue\n");
        let seen = peer.requests();
        let before = names(&seen[0]);
        assert_eq!(
            names(&seen[1]),
            before,
            "{kind}: a tool that came is not shown"
        );
        assert_eq!(names(&seen[2]).last().unwrap(), "late", "{kind}");
        let sent = text(&seen[0]);
        assert!(
            common(&seen[0], &seen[1]) > sent.find("\"one\"").unwrap(),
            "{kind}: {sent}"
        );
        assert!(
            text(&seen[1]).contains("`tool_search` finds more: late"),
            "{kind}"
        );
    }
}

const DOTTED: &str = r#"
    local function tool(id)
      return { id = id, description = "Says " .. id, effect = "read", execute = function() return "I am " .. id end }
    end
    return {
      a = tool "my.tool", b = tool "my_tool", c = tool "my__tool",
      d = tool "mcp.github.create_issue", e = tool "2.words", f = tool "a.-_.b",
    }
"#;

#[test]
fn every_tool_has_a_name_of_its_own_that_the_provider_takes_and_its_id_everywhere_else() {
    let ids = [
        "my.tool",
        "my_tool",
        "my__tool",
        "mcp.github.create_issue",
        "2.words",
        "a.-_.b",
    ];
    for kind in KINDS {
        let peer = Peer::start([says(kind, "Hm.")]);
        let many = program(&peer, kind, "m").file("t/dotted.lua", DOTTED);
        many.run(&["--tools", "t", "run", "x"]).prints("Hm.\n");
        let seen = &peer.requests()[0];
        let named: Vec<String> = ids
            .iter()
            .map(|id| {
                let is_it = |tool: &&Value| tool["description"] == format!("Says {id}");
                let tools = offered(seen);
                tools.iter().find(is_it).unwrap()["name"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(named[1], "my_tool");
        assert_eq!(named[3], "mcp__github__create_issue");
        for (at, name) in named.iter().enumerate() {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            assert!(
                name.len() <= 64 && name.chars().all(is_plain),
                "{kind}: {name}"
            );
            assert!(
                !name.starts_with(|c: char| c.is_ascii_digit()),
                "{kind}: {name}"
            );
            assert!(!named[..at].contains(name), "{kind}: {name} stands for two");
        }
        // Each is called by its name, and known by its id.
        let script = named.iter().enumerate();
        let script = script.map(|(n, name)| calls(kind, n, name, &json!({})));
        let peer = Peer::start(script.chain([says(kind, "All.")]));
        let program = program(&peer, kind, "m").file("t/dotted.lua", DOTTED);
        let lines = program
            .run(&["--tools", "t", "run", "-o", "jsonl", "x"])
            .json_lines();
        let started = lines.iter().filter(|line| line["type"] == "call.start");
        let started: Vec<&Value> = started.map(|line| &line["tool"]).collect();
        assert_eq!(
            started,
            ids.map(|id| json!(id)).iter().collect::<Vec<_>>(),
            "{kind}"
        );
        let session = crate::turns::session(&program);
        for id in ids {
            let is_it = |line: &&Value| line["type"] == "result" && line["result"]["tool"] == id;
            let result = session.iter().find(is_it).unwrap();
            assert!(
                result["result"]["text"]
                    .as_str()
                    .unwrap()
                    .contains(&format!("I am {id}")),
                "{result}"
            );
        }
        // What is sent again bears the name.
        let last = text(peer.requests().last().unwrap());
        assert!(!last.contains("\"name\":\"my.tool\""), "{kind}: {last}");
    }
}
