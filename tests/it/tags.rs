//! Secrets and their tags through the real door: what a model reads, and what it writes back.

use agent::data::Data;
use agent::error::Kind;
use agent::permission::Action;
use agent::redact::{Reach, Rule};
use agent::tool::{Destination, Redaction};
use proptest::prelude::*;

use crate::door::{Door, args};
use crate::running::cases;

const KEY: &str = "-----BEGIN PRIVATE KEY-----\n\
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----\n";

fn door() -> Door {
    let door = Door::with(&[("edit", Action::Allow), ("shell", Action::Allow)]);
    let token = Rule {
        name: "token".to_owned(),
        regex: "tok-[a-z0-9]{6,}".to_owned(),
        keywords: vec!["tok-".to_owned()],
        ..Rule::default()
    };
    let password = Rule {
        name: "password".to_owned(),
        regex: "password=(?<secret>[a-z0-9]+)".to_owned(),
        keywords: vec!["password=".to_owned()],
        reach: Reach::Input,
        ..Rule::default()
    };
    let key = Rule {
        name: "private-key".to_owned(),
        regex: "-----BEGIN PRIVATE KEY-----".to_owned(),
        keywords: vec!["PRIVATE KEY".to_owned()],
        follow: Some("^[ +-]?(?<secret>[A-Za-z0-9+/]{16,}={0,2})$".to_owned()),
        ..Rule::default()
    };
    let rules = vec![token, password, key];
    let change = |generation: &mut agent::tool::Generation| {
        generation.redaction = Redaction::new(rules, Vec::new(), false);
    };
    door.gate.update(change);
    door
}

fn path(path: &str) -> (&'static str, Data) {
    ("path", path.into())
}

/// What a model gets of a file to write it back.
fn read(door: &Door, file: &str) -> String {
    let read = door.model("read", args([path(file)])).unwrap();
    read.metadata["text"].as_str().unwrap().to_owned()
}

fn edit(file: &str, old: &str, new: &str) -> Data {
    args([path(file), ("old", old.into()), ("new", new.into())])
}

/// The first tag in `text`.
fn tag(text: &str) -> &str {
    &text[agent::redact::tags(text).next().unwrap()]
}

#[test]
fn what_a_model_reads_and_writes_back_changes_no_byte() {
    let door = door();
    let file = format!("a = tok-aaaaaa\r\nb = tok-bbbbbb\n{KEY}last = tok-aaaaaa");
    door.write("f", &file);
    let shown = read(&door, "f");
    assert!(
        !shown.contains("tok-") && !shown.contains("MIIE"),
        "{shown}"
    );
    assert_eq!(shown.lines().count(), file.lines().count());
    let write = args([path("f"), ("content", shown.as_str().into())]);
    door.model("write", write).unwrap();
    assert_eq!(door.bytes("f"), file.as_bytes());
    let more = format!("{shown}\nmore\n");
    door.model("write", args([path("f"), ("content", more.into())]))
        .unwrap();
    assert_eq!(door.bytes("f"), format!("{file}\nmore\n").as_bytes());
    let whole = door.ok("read", args([path("f")]));
    assert!(
        whole.metadata["text"]
            .as_str()
            .unwrap()
            .contains("tok-aaaaaa"),
        "a person has it whole"
    );
}

#[test]
fn a_tag_goes_where_its_secret_stands_and_nowhere_else() {
    let door = door();
    door.write("f", "a = tok-aaaaaa\nb = tok-bbbbbb\n");
    door.write("g", "c = 1\n");
    let shown = read(&door, "f");
    read(&door, "g");
    let tag = tag(&shown);
    let refused = |tool: &str, args: Data| {
        let error = door.model(tool, args).unwrap_err();
        assert_eq!(error.kind, Kind::Conflict, "{error:?}");
        assert!(error.message.contains("does not hold it"), "{error:?}");
        assert!(!format!("{error:?}").contains("tok-"), "{error:?}");
    };
    // Another file, a new file, another place in the same file.
    refused("write", args([path("g"), ("content", tag.into())]));
    refused("write", args([path("new"), ("content", tag.into())]));
    refused("edit", edit("g", "c = 1", &format!("c = {tag}")));
    refused("edit", edit("f", "b = ", &format!("x = {tag}\nb = ")));
    refused("edit", edit("f", "b = [redacted:token:00000000]", "b = 2"));
    let patch = |lines: &str| {
        args([(
            "patch",
            format!("*** Begin Patch\n{lines}*** End Patch").into(),
        )])
    };
    refused(
        "apply_patch",
        patch(&format!("*** Update File: g\n@@\n-c = 1\n+c = {tag}\n")),
    );
    refused(
        "apply_patch",
        patch(&format!("*** Add File: new\n+{tag}\n")),
    );
    assert_eq!(door.bytes("g"), b"c = 1\n");
    // Its own place, by every tool.
    door.model(
        "edit",
        edit("f", &format!("a = {tag}"), &format!("key = {tag}")),
    )
    .unwrap();
    assert_eq!(door.bytes("f"), b"key = tok-aaaaaa\nb = tok-bbbbbb\n");
    let hunk = format!("*** Update File: f\n@@\n-key = {tag}\n+one = {tag}\n");
    let patched = door.model("apply_patch", patch(&hunk)).unwrap();
    assert_eq!(door.bytes("f"), b"one = tok-aaaaaa\nb = tok-bbbbbb\n");
    assert!(
        patched.text.contains(tag) && !format!("{patched:?}").contains("tok-"),
        "{patched:?}"
    );
    // A person writes what they mean.
    door.ok("write", args([path("h"), ("content", tag.into())]));
    assert_eq!(door.bytes("h"), tag.as_bytes());
    // What stands there to the letter may stay.
    assert_eq!(read(&door, "h"), tag);
    door.model(
        "write",
        args([path("h"), ("content", format!("{tag}!").into())]),
    )
    .unwrap();
}

#[test]
fn a_diff_shows_no_line_of_a_key_beside_it() {
    let door = door();
    door.write("f", format!("{KEY}after = 1\n"));
    read(&door, "f");
    let output = door
        .model("edit", edit("f", "after = 1", "after = 2"))
        .unwrap();
    assert!(output.text.contains("+after = 2") && output.text.contains("[redacted:private-key:"));
    assert!(!format!("{output:?}").contains("8cKj"), "{output:?}");
}

#[test]
fn a_line_of_a_key_is_hidden_however_it_is_found() {
    let door = door();
    door.write("f", format!("{KEY}plain\n"));
    door.write("data", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY\n");
    let found = door
        .model("grep", args([("pattern", "8cKj|plain|QUJD".into())]))
        .unwrap();
    assert!(!format!("{found:?}").contains("Us8cKj"), "{found:?}");
    assert!(
        found.text.contains("plain") && found.text.contains("QUJDREVG"),
        "{}",
        found.text
    );
    let page = args([path("f"), ("offset", 3i64.into())]);
    let page = door.model("read", page).unwrap();
    assert!(
        !format!("{page:?}").contains("8cKj") && page.text.contains("plain"),
        "{page:?}"
    );
}

#[test]
fn what_version_control_shows_is_looked_at_more_closely() {
    let door = door();
    let shown = |command: &str| {
        let output = door
            .model("shell", args([("command", command.into())]))
            .unwrap();
        format!("{output:?}")
    };
    let command = "echo password=hunter2x";
    assert!(shown(command).matches("password=hunter2x").count() > 2);
    let output = door
        .model(
            "shell",
            args([(
                "command",
                ": git; printf 'password=hunt'; printf 'er2x\\n'".into(),
            )]),
        )
        .unwrap();
    let stdout = output.metadata["stdout"].as_str().unwrap();
    assert!(
        stdout.starts_with("password=[redacted:password:"),
        "{stdout}"
    );
}

#[test]
fn a_program_that_a_model_runs_sees_what_the_model_sees() {
    let door = door();
    door.write("f", "a = tok-aaaaaa\n");
    let arguments = agent::tool::Arguments::Named([("path".to_owned(), Data::from("f"))].into());
    let scope = door
        .scope
        .lowered(agent::permission::Caller::Model)
        .unwrap();
    let call = agent::tool::Call {
        tool: "read".to_owned(),
        arguments,
        destination: Destination::Program,
    };
    let gate = std::sync::Arc::clone(&door.gate);
    let output = door
        .runtime()
        .block_on(agent::tool::Gate::call(gate, &scope, call))
        .unwrap();
    assert!(!format!("{output:?}").contains("tok-a"), "{output:?}");
}

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("tok-abcdef"),
        Just("tok-ghijkl"),
        Just(" "),
        Just("\n"),
        Just("\r\n"),
        Just("é"),
        Just("word"),
        Just(KEY),
    ];
    prop::collection::vec(pieces, 1..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases() / 4 + 1, ..ProptestConfig::default() })]

    #[test]
    fn no_byte_changes_whatever_a_file_holds(text in texts()) {
        let door = door();
        door.write("f", &text);
        let shown = read(&door, "f");
        prop_assert!(!shown.contains("tok-"));
        door.model("write", args([path("f"), ("content", shown.into())])).unwrap();
        prop_assert_eq!(door.bytes("f"), text.as_bytes());
    }
}
