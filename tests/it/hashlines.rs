//! `hashline_edit` and `read{hashes=true}`: what needs a door, a model or the program itself to be seen.
//!
//! The edits themselves are data, in `hashline_cases`.

use agent::data::Data;
use agent::edit::hashline::{anchor, marks};
use agent::error::Kind;
use agent::permission::Action;
use agent::tool::Output;

use crate::door::{Door, SECRET, args};
use crate::program::Program;

fn read(door: &Door, path: &str) -> Output {
    let hashes = ("hashes", true.into());
    door.model("read", args([("path", path.into()), hashes]))
        .unwrap()
}

fn edit(path: &str, edits: &[(&str, &str, &[&str])]) -> Data {
    let one = |(op, pos, lines): &(&str, &str, &[&str])| {
        let lines = lines.iter().map(|line| Data::from(*line)).collect();
        args([
            ("op", (*op).into()),
            ("pos", (*pos).into()),
            ("lines", lines),
        ])
    };
    args([
        ("path", path.into()),
        ("edits", edits.iter().map(one).collect()),
    ])
}

/// The anchor that a text shows before the line `body`.
fn shown(text: &str, body: &str) -> String {
    let line = text
        .lines()
        .find(|line| line.ends_with(&format!("|{body}")));
    let line = line.unwrap_or_else(|| panic!("no {body} in {text}"));
    let anchor = line.split_once('|').unwrap().0;
    anchor.trim_start_matches(">>>").trim().to_owned()
}

#[test]
fn a_reading_shows_anchors_and_keeps_the_text_as_it_is() {
    let door = Door::new();
    let long = "x".repeat(3000);
    let text = format!("fn a() {{\r\n}}\r\n{long}\r\nlast");
    door.write("a.rs", &text);
    let whole = door.ok(
        "read",
        args([("path", "a.rs".into()), ("hashes", true.into())]),
    );
    assert_eq!(whole.metadata["text"].as_str(), Some(text.as_str()));
    let all: Vec<String> = (1..).zip(marks(&text)).map(|(n, m)| anchor(n, m)).collect();
    let anchors = whole.metadata["anchors"].as_list().unwrap().to_vec();
    assert_eq!(
        anchors,
        all.iter()
            .map(|a| Data::from(a.as_str()))
            .collect::<Vec<_>>()
    );
    let output = read(&door, "a.rs");
    assert!(output.text.contains(&format!(
        "     {}|fn a() {{\n     {}|}}\n     3\t",
        all[0], all[1]
    )));
    assert!(
        output.text.contains(&format!("     {}|last\n", all[3])),
        "{}",
        output.text
    );
    let page = [
        ("path", "a.rs".into()),
        ("hashes", true.into()),
        ("offset", 2.into()),
        ("limit", 1.into()),
    ];
    let page = door.ok("read", args(page));
    assert_eq!(
        page.metadata["anchors"].as_list().unwrap(),
        [Data::from(all[1].as_str())]
    );
    assert!(
        page.text
            .contains(&format!("     {}|}}\n[lines 2-2 of 4", all[1])),
        "{}",
        page.text
    );
    let plain = door.ok("read", args([("path", "a.rs".into())]));
    assert!(plain.text.contains("     1\tfn a() {\n") && !plain.metadata.contains_key("anchors"));
}

#[test]
fn the_anchors_of_a_result_serve_the_next_edit() {
    let door = Door::with(&[("edit", Action::Allow)]);
    door.write("a.txt", "a\nb\nc\nd\n1\n2\ne\nf\ng\nh\n");
    let text = read(&door, "a.txt").text;
    let (b, g) = (shown(&text, "b"), shown(&text, "g"));
    let done = door.model(
        "hashline_edit",
        edit(
            "a.txt",
            &[("append", &b, &["x", "y"]), ("replace", &g, &["G"])],
        ),
    );
    let text = done.unwrap().text;
    assert!(text.contains("   ...\n"), "{text}");
    let (x, h) = (shown(&text, "x"), shown(&text, "h"));
    door.model(
        "hashline_edit",
        edit("a.txt", &[("replace", &x, &["X"]), ("replace", &h, &["H"])]),
    )
    .unwrap();
    assert_eq!(door.bytes("a.txt"), b"a\nb\nX\ny\nc\nd\n1\n2\ne\nf\nG\nH\n");
    let error = door
        .model("hashline_edit", edit("a.txt", &[("replace", &g, &["no"])]))
        .unwrap_err();
    assert_eq!(error.kind, Kind::Conflict);
    assert_eq!(door.bytes("a.txt"), b"a\nb\nX\ny\nc\nd\n1\n2\ne\nf\nG\nH\n");
}

#[test]
fn a_stale_anchor_shows_the_current_ones_and_they_can_be_used() {
    let door = Door::with(&[("edit", Action::Allow)]);
    door.write("a.txt", "a\nb\nc\n");
    let b = shown(&read(&door, "a.txt").text, "b");
    door.write("a.txt", "a\nB\nc\n");
    let error = door
        .model("hashline_edit", edit("a.txt", &[("replace", &b, &["x"])]))
        .unwrap_err();
    assert_eq!(error.kind, Kind::Conflict);
    assert!(error.message.contains(">>> "), "{}", error.message);
    assert_eq!(door.bytes("a.txt"), b"a\nB\nc\n");
    let now = shown(&error.message, "B");
    door.model("hashline_edit", edit("a.txt", &[("replace", &now, &["x"])]))
        .unwrap();
    assert_eq!(door.bytes("a.txt"), b"a\nx\nc\n");
}

#[test]
fn a_change_elsewhere_is_told_once() {
    let door = Door::with(&[("edit", Action::Allow)]);
    door.write("a.txt", "a\nb\nc\n");
    let b = shown(&read(&door, "a.txt").text, "b");
    door.write("a.txt", "a\nb\nC\n");
    let call = || door.model("hashline_edit", edit("a.txt", &[("replace", &b, &["x"])]));
    let error = call().unwrap_err();
    assert_eq!(error.kind, Kind::Conflict);
    assert!(error.hint().contains("send them again"), "{}", error.hint());
    assert_eq!(door.bytes("a.txt"), b"a\nb\nC\n");
    call().unwrap();
    assert_eq!(door.bytes("a.txt"), b"a\nx\nC\n");
}

/// What a model has not read, or may not read, is not shown to it by an error.
#[test]
fn an_error_shows_no_line_of_a_file_that_was_not_read() {
    let door = Door::with(&[("edit", Action::Allow), ("read:secret", Action::Deny)]);
    for (name, kind) in [("secret", Kind::Denied), ("unread", Kind::Conflict)] {
        door.write(name, "key = 1\n");
        let current = anchor(1, marks("key = 1\n")[0]);
        for anchor in ["1#bbb", &current] {
            let call = edit(name, &[("replace", anchor, &["x"])]);
            let error = door.model("hashline_edit", call).unwrap_err();
            assert_eq!(error.kind, kind, "{name} {anchor}");
            assert!(!format!("{} {}", error.message, error.hint()).contains("key"));
        }
        assert_eq!(door.bytes(name), b"key = 1\n");
    }
}

#[test]
fn a_file_is_renamed_and_deleted() {
    let door = Door::with(&[("edit:kept*", Action::Deny)]);
    door.write("a.txt", "a\r\nb\r\n");
    door.write("kept.txt", "k\n");
    door.write("other.txt", "o\n");
    let a = anchor(1, marks("a\r\nb\r\n")[0]);
    let with = |data: Data, extra: &[(&str, Data)]| {
        let Data::Map(mut map) = data else { panic!() };
        map.extend(
            extra
                .iter()
                .map(|(key, value)| ((*key).to_owned(), value.clone())),
        );
        Data::Map(map)
    };
    let renamed = |to: &str| {
        with(
            edit("a.txt", &[("replace", &a, &["A"])]),
            &[("rename", to.into())],
        )
    };
    for (to, kind) in [
        ("kept2", Kind::Denied),
        ("kept.txt", Kind::Denied),
        ("other.txt", Kind::Conflict),
    ] {
        let error = door.call("hashline_edit", renamed(to)).unwrap_err();
        assert_eq!(error.kind, kind, "{to}: {error}");
    }
    assert_eq!(door.bytes("a.txt"), b"a\r\nb\r\n");
    let output = door.ok("hashline_edit", renamed("d/b.txt"));
    assert_eq!(output.metadata["moved_to"].as_str(), Some("d/b.txt"));
    assert!(
        output.text.starts_with("moved a.txt to d/b.txt: 1 edit\n"),
        "{}",
        output.text
    );
    assert_eq!(door.bytes("d/b.txt"), b"A\r\nb\r\n");
    assert!(!door.at("a.txt").exists());
    let plain = |extra: &[(&str, Data)]| with(args([("path", "d/b.txt".into())]), extra);
    door.ok(
        "hashline_edit",
        plain(&[("rename", "d/b.txt".into())]).clone_with_edit(),
    );
    door.ok("hashline_edit", plain(&[("rename", "c.txt".into())]));
    assert_eq!(door.bytes("c.txt"), b"A\r\nB\r\n");
    let both = args([
        ("path", "c.txt".into()),
        ("delete", true.into()),
        ("rename", "d.txt".into()),
    ]);
    assert_eq!(
        door.call("hashline_edit", both).unwrap_err().kind,
        Kind::Argument
    );
    for (path, kind) in [
        ("d", Kind::Argument),
        ("kept.txt", Kind::Denied),
        ("none", Kind::NotFound),
    ] {
        let gone = args([("path", path.into()), ("delete", true.into())]);
        assert_eq!(
            door.call("hashline_edit", gone).unwrap_err().kind,
            kind,
            "{path}"
        );
    }
    let gone = args([("path", "c.txt".into()), ("delete", true.into())]);
    assert_eq!(door.ok("hashline_edit", gone).text, "deleted c.txt\n");
    assert!(!door.at("c.txt").exists());
}

trait WithEdit {
    fn clone_with_edit(&self) -> Data;
}

impl WithEdit for Data {
    /// The arguments with an edit of line 2 of the renamed file.
    fn clone_with_edit(&self) -> Data {
        let anchor = anchor(2, marks("A\r\nb\r\n")[1]);
        let (Data::Map(mut map), Data::Map(edits)) =
            (self.clone(), edit("", &[("replace", &anchor, &["B"])]))
        else {
            panic!()
        };
        map.insert("edits".to_owned(), edits["edits"].clone());
        Data::Map(map)
    }
}

#[test]
fn a_misspelt_field_of_an_edit_is_refused() {
    let door = Door::new();
    door.write("a.txt", "a\n");
    let one = args([
        ("op", "append".into()),
        ("posn", "1#bbb".into()),
        ("lines", "x".into()),
    ]);
    let call = args([("path", "a.txt".into()), ("edits", Data::List(vec![one]))]);
    let error = door.call("hashline_edit", call).unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    assert!(error.message.contains("posn"), "{}", error.message);
    assert_eq!(door.bytes("a.txt"), b"a\n");
}

#[test]
fn the_program_edits_by_anchors_and_takes_it_back() {
    let program = Program::new();
    program.write("a.txt", "a\nb\n");
    let shown = program.run(&[
        "--as",
        "model",
        "call",
        "read",
        r#"{"path":"a.txt","hashes":true}"#,
    ]);
    let b = anchor(2, marks("a\nb\n")[1]);
    shown.prints_part(&format!("     {b}|b\n"));
    let call =
        format!(r#"{{"path":"a.txt","edits":[{{"op":"replace","pos":"{b}","lines":["B"]}}]}}"#);
    let unread = program.run(&["--as", "model", "call", "hashline_edit", &call]);
    assert_ne!(unread.code(), 0);
    unread.stderr();
    assert_eq!(program.text("a.txt"), "a\nb\n");
    program
        .run(&["call", "hashline_edit", &call])
        .exits(0)
        .prints_part("edited a.txt: 1 edit\n");
    assert_eq!(program.text("a.txt"), "a\nB\n");
    program.run(&["undo"]).exits(0).stdout();
    assert_eq!(program.text("a.txt"), "a\nb\n");
}

#[test]
fn a_hidden_secret_stays_where_it_is() {
    let door = Door::with(&[("edit", Action::Allow)]);
    door.write("a.txt", format!("one\nkey = {SECRET}\nthree\nfour\n"));
    let text = read(&door, "a.txt").text;
    let hidden = text.lines().find_map(|line| line.split_once("\tkey = "));
    let (number, tag) = hidden.unwrap_or_else(|| panic!("an anchor, or no tag: {text}"));
    assert_eq!(number.trim(), "2");
    assert!(!text.contains(SECRET));
    let (one, three, four) = (
        shown(&text, "one"),
        shown(&text, "three"),
        shown(&text, "four"),
    );
    let line = format!("token = {tag}");
    let elsewhere = edit("a.txt", &[("replace", &four, &[&line])]);
    assert_eq!(
        door.model("hashline_edit", elsewhere).unwrap_err().kind,
        Kind::Conflict
    );
    let Data::Map(mut range) = edit("a.txt", &[]) else {
        panic!()
    };
    let lines = ["one", &line, "3"].map(Data::from).to_vec();
    let one = args([
        ("op", "replace".into()),
        ("pos", one.into()),
        ("end", three.into()),
        ("lines", Data::List(lines)),
    ]);
    range.insert("edits".to_owned(), Data::List(vec![one]));
    let output = door.model("hashline_edit", Data::Map(range)).unwrap();
    assert!(!output.text.contains(SECRET), "{}", output.text);
    assert_eq!(
        door.bytes("a.txt"),
        format!("one\ntoken = {SECRET}\n3\nfour\n").into_bytes()
    );
    let stale = door
        .model(
            "hashline_edit",
            edit("a.txt", &[("replace", "3#bbb", &["x"])]),
        )
        .unwrap_err();
    assert!(
        stale.message.contains("token = ") && !stale.message.contains(SECRET),
        "{}",
        stale.message
    );
}

#[test]
fn lines_are_shown_only_to_who_may_read_them() {
    let program = Program::new().file("a.txt", "hidden words\n");
    let stale = r#"{"path":"a.txt","edits":[{"op":"replace","pos":"1#bcd","lines":["x"]}]}"#;
    for rule in ["read:a.txt", "read", "file.read", "hashline_edit"] {
        let ran = program.run(&["--deny", rule, "call", "hashline_edit", stale]);
        assert!(!ran.stderr().contains("hidden words"), "{rule}: {ran}");
        ran.exits(3);
    }
    let ran = program.run(&["call", "hashline_edit", stale]);
    ran.exits(1).says("hidden words");
}
