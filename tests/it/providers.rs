//! A turn with a provider, over HTTP on loopback: the four formats, and what a provider may do wrong.

use serde_json::{Value, json};

use crate::answers::{KINDS, recorded};
use crate::peer::{Peer, Reply};
use crate::program::Program;
use crate::running::Ran;

/// A workspace whose models.lua names the peer as the provider `near`.
fn program(peer: &Peer, kind: &str, more: &str) -> Program {
    let models = format!(
        "return {{ default = 'near/m', providers = {{ near = {{ kind = '{kind}', base_url = '{}', key_env = 'NEAR_KEY', attempts = 2, {more} }} }} }}",
        peer.url()
    );
    Program::new()
        .file("../config/tools/models.lua", models)
        .file("a.txt", "eins\n")
        .env("NEAR_KEY", "the-key-of-this-test")
}

fn run(program: &Program) -> Ran {
    program.run(&["run", "-o", "json", "Lies beide."])
}

#[test]
fn a_conversation_goes_the_same_way_through_every_format() {
    let mut told: Vec<Value> = Vec::new();
    for kind in KINDS {
        let peer = Peer::start([
            Reply::events(&recorded(kind, "calls")),
            Reply::events(&recorded(kind, "answer")),
        ]);
        let program = program(&peer, kind, "");
        let document = run(&program).json();
        assert_eq!(
            (&document["status"], &document["steps"]),
            (&json!("done"), &json!(2)),
            "{kind}: {document}"
        );
        let requests = peer.requests();
        assert_eq!(requests.len(), 2);
        for request in &requests {
            let headers = format!("{:?}", request.headers);
            assert!(
                headers.contains("the-key-of-this-test"),
                "{kind}: {headers}"
            );
            assert_eq!(request.method, "POST");
        }
        // What was said before is sent again as it was: the second request begins with the first, up to its end.
        let first = String::from_utf8_lossy(&requests[0].body).into_owned();
        let second = String::from_utf8_lossy(&requests[1].body).into_owned();
        let common = first
            .bytes()
            .zip(second.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        assert!(
            common + 10 >= first.find("Lies beide.").unwrap(),
            "{kind}: {first}\n{second}"
        );
        assert!(second.len() > first.len());
        told.push(json!({ "text": document["text"], "calls": document["calls"] }));
    }
    assert!(told.iter().all(|one| *one == told[0]), "{told:#?}");
}

/// What a provider does wrong, and what is said of it.
fn failures() -> [(&'static str, Vec<Reply>, &'static str); 8] {
    let html = "<html><body>Welcome</body></html>";
    [
        (
            "401",
            vec![Reply::whole(
                401,
                &[("content-type", "application/json")],
                "{\"error\":{\"message\":\"bad key\"}}",
            )],
            "refuses the key",
        ),
        (
            "403",
            vec![Reply::whole(
                403,
                &[("content-type", "application/json")],
                "{\"error\":{\"message\":\"no\"}}",
            )],
            "does not let this key",
        ),
        (
            "500",
            vec![Reply::whole(500, &[], "{}"), Reply::whole(500, &[], "{}")],
            "is broken",
        ),
        (
            "429",
            vec![Reply::whole(429, &[("retry-after", "999")], "{}")],
            "too many requests",
        ),
        (
            "a page",
            vec![Reply::whole(200, &[("content-type", "text/html")], html)],
            "stream of events",
        ),
        (
            "garbage",
            vec![
                Reply::events("data: {\"nothing\":\n\n"),
                Reply::events("data: {\"nothing\":\n\n"),
            ],
            "not of its format",
        ),
        (
            "a cut",
            vec![
                Reply::events("data: {\"choices\":[]}\n\n"),
                Reply::events("data: {\"choices\":[]}\n\n"),
            ],
            "was cut",
        ),
        (
            "a reset",
            vec![Reply::default().reset(), Reply::default().reset()],
            "cannot be reached",
        ),
    ]
}

#[test]
fn each_failure_has_words_of_its_own() {
    for (what, script, said) in failures() {
        let many = script.len();
        let peer = Peer::start(script);
        let program = program(&peer, "openai_chat", "");
        let ran = run(&program);
        let document = ran.exits(5).json();
        assert_eq!(document["status"], "provider_error", "{what}: {document}");
        let message = document["error"]["message"].as_str().unwrap();
        assert!(message.contains(said), "{what}: {message}");
        assert!(
            !document.to_string().contains("the-key-of-this-test"),
            "{what}"
        );
        assert_eq!(peer.requests().len(), many, "{what}");
        // The session is whole, and can be gone on with.
        let peer = Peer::start([Reply::events(&recorded("openai_chat", "answer"))]);
        let models = format!(
            "return {{ default = 'near/m', providers = {{ near = {{ kind = 'openai_chat', base_url = '{}' }} }} }}",
            peer.url()
        );
        program.write("../config/tools/models.lua", models);
        program
            .run(&["run", "--session", "last", "Weiter."])
            .stdout();
    }
}

#[test]
fn what_passes_is_tried_again() {
    for first in [
        Reply::whole(429, &[("retry-after", "0")], "{}"),
        Reply::whole(529, &[], "{}"),
        Reply::default().reset(),
    ] {
        let peer = Peer::start([first, Reply::events(&recorded("anthropic", "answer"))]);
        let document = run(&program(&peer, "anthropic", "")).json();
        assert_eq!(document["status"], "done", "{document}");
        assert_eq!(peer.requests().len(), 2);
    }
}

#[test]
fn nothing_is_sent_again_once_words_were_shown() {
    let whole = recorded("openai_chat", "answer");
    let (shown, _) = whole.split_at(whole.find("finish_reason\":\"stop").unwrap() - 200);
    let shown = &shown[..shown.rfind("\n\n").unwrap() + 2];
    let peer = Peer::start([Reply::events(shown), Reply::events(&whole)]);
    let document = run(&program(&peer, "openai_chat", "")).exits(5).json();
    assert!(
        document["error"]["message"]
            .as_str()
            .unwrap()
            .contains("was cut"),
        "{document}"
    );
    assert_eq!(peer.requests().len(), 1);
}

#[test]
fn a_provider_that_says_nothing_is_given_up() {
    let (_go, silent) = Reply::pieces(200, &[("content-type", "text/event-stream")])
        .piece(": still here\n\n")
        .wait();
    let (_go_on, again) = Reply::head(200, &[("content-type", "text/event-stream")]).wait();
    let peer = Peer::start([silent, again]);
    let document = run(&program(&peer, "openai_chat", "idle = 0.3,"))
        .exits(5)
        .json();
    let message = document["error"]["message"].as_str().unwrap();
    assert!(message.contains("said nothing for 0.3 s"), "{message}");
}

#[test]
fn a_key_that_is_missing_and_a_model_that_is_unknown_are_told_before_anything_is_sent() {
    let peer = Peer::start([]);
    let program = program(
        &peer,
        "openai_chat",
        "models = { small = { window = 1000, price = { input = 1, output = 2 } } },",
    );
    let program = program.env("NEAR_KEY", "");
    program
        .run(&["run", "x"])
        .exits(2)
        .says("NEAR_KEY is not set");
    program
        .run(&["run", "-m", "naer/m", "x"])
        .exits(2)
        .says("did you mean `near`?");
    program
        .run(&["run", "-m", "fast", "x"])
        .exits(2)
        .says("there is no model `fast`");
    let ran = program
        .env("NEAR_KEY", "k")
        .run(&["run", "--max-cost", "1", "x"]);
    ran.exits(2).says("what near/m costs is not known");
    assert_eq!(peer.requests().len(), 0);
}
