//! Images: what `read` returns of them, what is piped into `run`, and how they reach a model in every format.

use serde_json::Value;

use crate::answers::{KINDS, recorded};
use crate::peer::{Peer, Reply};
use crate::program::Program;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01";
/// The same in base64.
const DATA: &str = "iVBORw0KGgoAAAANSUhEUgAAAAE=";

fn stream(kind: &str, what: &str) -> Reply {
    Reply::events(&recorded(kind, what))
}

fn program(peer: &Peer, kind: &str, more: &str) -> Program {
    let models = format!(
        "return {{ default = 'near/m', providers = {{ near = {{ kind = '{kind}', base_url = '{}', {more} }} }} }}",
        peer.url()
    );
    Program::new().file("../config/tools/models.lua", models)
}

fn count(body: &[u8], text: &str) -> usize {
    String::from_utf8_lossy(body).matches(text).count()
}

#[test]
fn an_image_is_read_as_what_it_is() {
    let program = Program::new()
        .file("a.png", PNG)
        .file("b.txt", "GIF89a is how such a file begins\n")
        .file("c.png", b"\0\x01\x02\xff");
    let document = program.run(&["call", "-o", "json", "read", "a.png"]).json();
    assert_eq!(
        document["output"], "a.png: image/png, 20 bytes",
        "{document}"
    );
    assert_eq!(document["metadata"]["media_type"], "image/png");
    assert_eq!(document["attachments"][0]["mime"], "image/png");
    assert_eq!(document["attachments"][0]["b64"], DATA, "{document}");
    program
        .run(&["call", "read", "b.txt"])
        .prints_part("GIF89a is how");
    program
        .run(&["call", "read", "c.png"])
        .exits(1)
        .says("c.png is binary, not text");
    let raw = "local r = tools.read('a.png') print(r.media_type, #r.attachments[1].bytes, pcall(tools.write, { path = 'd', content = r.text }))";
    program
        .run(&["eval", raw])
        .prints_part("image/png\t20\tfalse");
    assert!(!program.at("d").exists());
}

#[test]
fn an_image_that_no_model_takes_is_told() {
    let mut large = PNG.to_vec();
    large.resize(4 << 20, 0);
    let program = Program::new().file("a.png", &large);
    program
        .run(&["call", "--as", "model", "read", "a.png"])
        .exits(1)
        .says("a.png is an image of 4194304 bytes, and a model takes 3932160 bytes at most");
    program
        .run(&["call", "read", "a.png"])
        .prints("a.png: image/png, 4194304 bytes\n");
    program
        .stdin(large)
        .run(&["run", "-m", "script:none.jsonl", "What is it?"])
        .exits(2)
        .says("pipe in a smaller copy of it");
}

#[test]
fn images_reach_a_model_in_every_format() {
    for kind in KINDS {
        let peer = Peer::start([stream(kind, "calls"), stream(kind, "answer")]);
        let program = program(&peer, kind, "").file("src/über.rs", PNG).stdin(PNG);
        let document = program.run(&["run", "-o", "json", "What is it?"]).json();
        assert_eq!(document["status"], "done", "{kind}: {document}");
        let requests = peer.requests();
        assert_eq!(count(&requests[0].body, DATA), 1, "{kind}");
        assert_eq!(count(&requests[1].body, DATA), 2, "{kind}: of the call too");
        assert_eq!(count(&requests[1].body, "image/png, 20 bytes"), 1, "{kind}");
        let shown = program
            .run(&["session", "export", "--format", "json", "last"])
            .json();
        let parts = shown["messages"][0]["parts"].as_array().unwrap();
        assert_eq!(parts[1]["data"], DATA, "{kind}");
    }
}

#[test]
fn a_model_that_takes_no_images_is_told_that_there_was_one() {
    let peer = Peer::start([stream("openai_chat", "answer")]);
    let program = program(&peer, "openai_chat", "models = { m = { images = false } }").stdin(PNG);
    program.run(&["run", "What is it?"]).stdout();
    let body = &peer.requests()[0].body;
    assert_eq!(count(body, DATA), 0);
    assert_eq!(
        count(body, "[an image (image/png) that this model cannot see]"),
        1
    );
    let _: Value = serde_json::from_slice(body).unwrap();
}

#[test]
fn an_image_alone_asks_nothing() {
    let program = Program::new().stdin(PNG);
    let ran = program.run(&["run", "-m", "script:none.jsonl"]);
    ran.exits(2).says("there is nothing to ask");
}
