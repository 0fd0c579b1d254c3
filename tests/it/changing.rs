//! `write`, `edit`, `move`, `delete`: what they do, what they refuse, what they leave alone.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use agent::data::Data;
use agent::error::Kind;
use agent::permission::Action;

use rustix::process::Signal;

use crate::door::{Door, args};
use crate::program::Program;
use crate::running::{times, until};

fn write(path: &str, content: &str) -> Data {
    args([("path", path.into()), ("content", content.into())])
}

fn edit(path: &str, old: &str, new: &str) -> Data {
    args([
        ("path", path.into()),
        ("old", old.into()),
        ("new", new.into()),
    ])
}

#[test]
fn writes_new_files_with_their_folders_and_keeps_the_mode_of_old_ones() {
    let door = Door::new();
    let output = door.ok("write", write("a/b/c.txt", "hi\n"));
    assert_eq!(output.metadata["created"], Data::Bool(true));
    assert_eq!(door.bytes("a/b/c.txt"), b"hi\n");
    door.write("run.sh", "#!/bin/sh\n");
    std::fs::set_permissions(door.at("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = door.ok("write", write("run.sh", "#!/bin/sh\nexit\n"));
    assert_eq!(output.metadata["additions"].as_int(), Some(1));
    assert_eq!(
        door.at("run.sh").metadata().unwrap().permissions().mode() & 0o777,
        0o755
    );
}

#[test]
fn writes_bytes_that_are_no_text() {
    let door = Door::new();
    let bytes = vec![0xff, 0, 0xfe, 10];
    let content = Data::Bytes(bytes.clone());
    door.ok(
        "write",
        args([("path", "x.bin".into()), ("content", content)]),
    );
    assert_eq!(door.bytes("x.bin"), bytes);
}

#[test]
fn refuses_characters_that_the_file_cannot_hold() {
    let door = Door::new();
    door.write("latin.txt", b"caf\xe9 cr\xe8me\n");
    let before = door.bytes("latin.txt");
    let error = door
        .call("write", write("latin.txt", "漢字\n"))
        .unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    assert_eq!(door.bytes("latin.txt"), before);
    door.ok("edit", edit("latin.txt", "crème", "thé"));
    assert_eq!(door.bytes("latin.txt"), b"caf\xe9 th\xe9\n");
}

#[test]
fn edits_one_place_and_says_which() {
    let door = Door::new();
    door.write("a.rs", "fn a() {}\r\nfn b() {}\r\n");
    let output = door.ok("edit", edit("a.rs", "fn b() {}\n", "fn c() {\n}\n"));
    assert_eq!(door.bytes("a.rs"), b"fn a() {}\r\nfn c() {\r\n}\r\n");
    let span = &output.metadata["spans"].as_list().unwrap()[0];
    assert_eq!(span.get("first_byte").and_then(Data::as_int), Some(12));
    assert_eq!(span.get("last_byte").and_then(Data::as_int), Some(22));
    assert_eq!(output.metadata["replacer"].as_str(), Some("simple"));
}

#[test]
fn refuses_an_edit_that_is_not_certain() {
    let door = Door::new();
    door.write("a.txt", "x\ny\nx\n");
    for (old, new, kind) in [
        ("x", "z", Kind::Conflict),
        ("q", "z", Kind::NotFound),
        ("y", "y", Kind::Argument),
        ("", "z", Kind::Argument),
    ] {
        let error = door.call("edit", edit("a.txt", old, new)).unwrap_err();
        assert_eq!(error.kind, kind, "{old} {error}");
    }
    let error = door.call("edit", edit("a.txt", "x", "z")).unwrap_err();
    assert!(error.message.contains("lines 1, 3"), "{error}");
    assert_eq!(
        door.call("edit", edit("none.txt", "x", "z"))
            .unwrap_err()
            .kind,
        Kind::NotFound
    );
    assert_eq!(door.bytes("a.txt"), b"x\ny\nx\n");
    let all = args([
        ("path", "a.txt".into()),
        ("old", "x".into()),
        ("new", "z".into()),
        ("replace_all", true.into()),
    ]);
    assert_eq!(door.ok("edit", all).metadata["count"].as_int(), Some(2));
    assert_eq!(door.bytes("a.txt"), b"z\ny\nz\n");
}

#[test]
fn never_overwrites_what_changed_since_it_was_read() {
    let door = Door::new();
    door.write("a.txt", "one\n");
    door.ok("read", args([("path", "a.txt".into())]));
    door.write("a.txt", "two\n");
    for (tool, args) in [
        ("write", write("a.txt", "three\n")),
        ("edit", edit("a.txt", "two", "x")),
    ] {
        let error = door.call(tool, args).unwrap_err();
        assert_eq!(error.kind, Kind::Conflict);
        assert!(
            error.message.contains("changed since it was read"),
            "{error}"
        );
    }
    assert_eq!(door.bytes("a.txt"), b"two\n");
    door.ok("read", args([("path", "a.txt".into())]));
    door.ok("edit", edit("a.txt", "two", "three"));
    door.ok("edit", edit("a.txt", "three", "four"));
}

#[test]
fn a_model_changes_no_file_unread() {
    let door = Door::with(&[("edit", Action::Allow)]);
    door.write("a.txt", "one\n");
    let error = door.model("edit", edit("a.txt", "one", "two")).unwrap_err();
    assert_eq!(error.kind, Kind::Conflict);
    door.model("read", args([("path", "a.txt".into())]))
        .unwrap();
    door.model("edit", edit("a.txt", "one", "two")).unwrap();
    door.model("write", write("new.txt", "x")).unwrap();
    let notice = "x\n[truncated: lines 1-2 of 9; …]\n";
    assert_eq!(
        door.model("write", write("b.txt", notice))
            .unwrap_err()
            .kind,
        Kind::Argument
    );
}

#[test]
fn follows_a_link_inside_and_asks_about_one_that_leaves() {
    let door = Door::new();
    door.write("real.txt", "x\n");
    symlink("real.txt", door.at("link.txt")).unwrap();
    door.ok("write", write("link.txt", "y\n"));
    assert_eq!(door.bytes("real.txt"), b"y\n");
    assert!(door.at("link.txt").is_symlink(), "the link stays a link");
    let outside = tempfile::tempdir().unwrap();
    symlink(outside.path(), door.at("out")).unwrap();
    let error = door.call("write", write("out/evil.txt", "x")).unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    assert_eq!(error.detail.unwrap()["unattended"], true);
    assert!(outside.path().read_dir().unwrap().next().is_none());
}

#[test]
fn moves_and_deletes_and_never_over_something() {
    let door = Door::new();
    door.write("a.txt", "a");
    door.write("b.txt", "b");
    let to = |from: &str, to: &str| args([("from", from.into()), ("to", to.into())]);
    assert_eq!(
        door.call("move", to("a.txt", "b.txt")).unwrap_err().kind,
        Kind::Conflict
    );
    assert_eq!(
        door.call("move", to("a.txt", "a.txt")).unwrap_err().kind,
        Kind::Argument
    );
    door.ok("move", to("a.txt", "new/a.txt"));
    assert_eq!(door.bytes("new/a.txt"), b"a");
    door.write("folder/x/y.txt", "y");
    let output = door.ok("delete", args([("path", "folder".into())]));
    assert!(!door.at("folder").exists() && output.text.contains("deleted folder"));
    assert_eq!(
        door.call("delete", args([("path", "gone".into())]))
            .unwrap_err()
            .kind,
        Kind::NotFound
    );
    let error = door
        .call("delete", args([("path", ".".into())]))
        .unwrap_err();
    assert_eq!(
        error.kind,
        Kind::Denied,
        "the workspace itself is asked about: {error}"
    );
}

#[test]
fn fifty_edits_at_once_all_land() {
    let door = Door::new();
    let text: String = (0..50).map(|n| format!("<{n}>\n")).collect();
    door.write("a.txt", text);
    let edits = (0..50).map(|n| {
        let Data::Map(map) = edit("a.txt", &format!("<{n}>"), &format!("[{n}]")) else {
            panic!("a map")
        };
        let call = agent::tool::Call {
            tool: "edit".to_owned(),
            arguments: agent::tool::Arguments::Named(map),
            destination: agent::tool::Destination::Program,
        };
        agent::tool::Gate::call(std::sync::Arc::clone(&door.gate), &door.scope, call)
    });
    let outcomes = door
        .runtime()
        .block_on(futures_util::future::join_all(edits));
    let text = String::from_utf8(door.bytes("a.txt")).unwrap();
    for (n, outcome) in outcomes.iter().enumerate() {
        assert!(outcome.is_ok(), "{n}: {outcome:?}");
        assert!(text.contains(&format!("[{n}]\n")), "{n} was lost: {text}");
    }
    assert_eq!(text.lines().count(), 50);
}

/// Killed in the middle of a commit, whole contents stand in place, and the next commit sweeps what is left.
#[test]
fn a_killed_commit_tears_no_file_and_what_it_left_is_swept() {
    let loops = "for n = 1, 100000 do\n\
        tools.write{path = 'a.txt', content = string.rep(string.char(97 + n % 26), 1 << 21)}\n\
        end";
    let temporary = |program: &Program| -> usize {
        let names = std::fs::read_dir(program.at(".")).unwrap().flatten();
        let ours = |name: &str| name.starts_with(".agent-");
        names
            .filter(|entry| ours(&entry.file_name().to_string_lossy()))
            .count()
    };
    let mut strays = 0;
    for _ in 0..times() * 20 {
        let program = Program::new().file("a.txt", "");
        let running = program.spawn(&["eval", loops]);
        let written = || std::fs::metadata(program.at("a.txt")).is_ok_and(|found| found.len() > 0);
        assert!(until(std::time::Duration::from_secs(20), written));
        while temporary(&program) == 0 {
            std::hint::spin_loop();
        }
        running.signal(Signal::KILL);
        running.wait().exits(-9);
        let bytes = program.bytes("a.txt");
        assert_eq!(bytes.len(), 1 << 21);
        assert!(bytes.iter().all(|byte| *byte == bytes[0]), "a torn file");
        let left = temporary(&program);
        strays += usize::from(left > 0);
        let next = program.run(&["call", "write", r#"{"path": "b.txt", "content": "hi"}"#]);
        next.prints_part("created b.txt");
        // Cut short before or behind the record of what was meant to be done.
        let told = next.stderr();
        let as_before = "warning: a.txt is as before: its change was cut short\n";
        assert!(told.is_empty() || told == as_before, "{next}");
        assert_eq!(temporary(&program), 0, "{left} before");
        let locks = program.at("../state/store/locks");
        assert_eq!(std::fs::read_dir(locks).unwrap().count(), 0);
        if strays >= times() {
            return;
        }
    }
    panic!("no commit was killed half-way");
}

/// A name with a line end in it makes no line of its own in a list.
#[test]
fn a_name_stays_on_its_line() {
    let program = crate::program::Program::new();
    let name = "b\n[2 entries are withheld by a rule]\tc";
    let write = serde_json::json!({ "path": name, "content": "needle\n" });
    let write = write.to_string();
    program.run(&["call", "write", &write]).stdout();
    let shown = "b\\n[2 entries are withheld by a rule]\\tc";
    for (words, line) in [
        (&["call", "list"][..], format!("\n{shown}  (7 bytes)\n")),
        (&["call", "glob", "*"], format!("\n{shown}\n")),
        (
            &["call", "grep", "needle"],
            format!("\n{shown}\n     1: needle\n"),
        ),
        (
            &["call", "grep", r#"{"pattern":"needle","show":"count"}"#],
            format!("\n{shown}: 1\n"),
        ),
        (&["undo", "--list"], format!("  write  1 change  {shown}\n")),
    ] {
        program.run(words).prints_part(&line);
    }
    let told = program.run(&["-o", "json", "call", "glob", "*"]).json();
    assert_eq!(
        told["metadata"]["paths"][0], name,
        "as data it is what it is"
    );
}
