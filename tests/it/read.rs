//! `read`: paging, encodings, what is refused, and that a huge file or an endless one does no harm.

use agent::data::Data;
use agent::error::Kind;
use agent::permission::Action;

use crate::door::{Door, args};

fn path(path: &str) -> Data {
    args([("path", path.into())])
}

#[test]
fn gives_a_program_the_text_as_it_is() {
    let door = Door::new();
    door.write("a.txt", "one\r\ntwo\nthree");
    let output = door.ok("read", path("a.txt"));
    assert_eq!(output.metadata["text"].as_str(), Some("one\r\ntwo\nthree"));
    assert_eq!(output.metadata["total_lines"].as_int(), Some(3));
    assert_eq!(output.metadata["line_ending"].as_str(), Some("mixed"));
    assert!(
        output
            .text
            .starts_with("a.txt: 3 lines, utf-8, mixed\n     1\tone\n")
    );
}

#[test]
fn pages_through_a_long_file() {
    let door = Door::new();
    let text: String = (1..=10_000).map(|n| format!("line {n}\n")).collect();
    door.write("long.txt", &text);
    let first = door.model("read", path("long.txt")).unwrap();
    assert!(
        first.text.contains("offset=2001"),
        "{}",
        &first.text[first.text.len() - 200..]
    );
    assert!(
        !first.metadata.contains_key("truncated"),
        "a page is not cut a second time"
    );
    let page = args([
        ("path", "long.txt".into()),
        ("offset", 5000.into()),
        ("limit", 2.into()),
    ]);
    let output = door.model("read", page).unwrap();
    assert!(
        output
            .text
            .contains("  5000\tline 5000\n  5001\tline 5001\n"),
        "{}",
        output.text
    );
    assert_eq!(
        output.metadata["text"].as_str(),
        Some("line 5000\nline 5001\n")
    );
    let past = args([("path", "long.txt".into()), ("offset", 10_001.into())]);
    let error = door.call("read", past).unwrap_err();
    assert!(error.message.contains("has 10000 lines"), "{error}");
}

#[test]
fn refuses_a_limit_that_asks_for_nothing() {
    let door = Door::new();
    door.write("a.txt", "x\n");
    for (name, value) in [("limit", 0), ("limit", -1), ("offset", 0)] {
        let error = door.call(
            "read",
            args([("path", "a.txt".into()), (name, value.into())]),
        );
        let error = error.unwrap_err();
        assert_eq!(error.kind, Kind::Argument);
        assert!(error.message.contains(name), "{error}");
    }
}

#[test]
fn shows_empty_files_and_folders() {
    let door = Door::new();
    door.write("empty", "");
    door.write("folder/inner.txt", "x");
    assert!(door.ok("read", path("empty")).text.contains("[empty]"));
    assert!(door.ok("read", path("folder")).text.contains("inner.txt"));
}

#[test]
fn clips_a_long_line_and_says_where_the_rest_is() {
    let door = Door::new();
    door.write("long.txt", format!("short\n{}\n", "漢".repeat(70_000)));
    let output = door.model("read", path("long.txt")).unwrap();
    assert!(output.text.len() < 10_000, "{}", output.text.len());
    assert!(output.text.contains("more bytes]") && output.text.contains("line 2 is clipped"));
}

/// The command in the notice of a clipped line runs as it stands, whatever the file is called.
#[test]
fn the_rest_of_a_long_line_is_one_command_away() {
    let door = Door::with(&[("shell", Action::Allow)]);
    let utf16: Vec<u8> = format!("\u{feff}{}end\n", "x".repeat(5000))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    door.write("wide.txt", utf16);
    for name in ["long.txt", "it's a \"long\" $one.txt", "-n", "sub/~x"] {
        door.write(name, format!("{}end\nsecond\n", "x".repeat(5000)));
    }
    door.write("mark.txt", format!("\u{feff}{}end\n", "x".repeat(5000)));
    for name in [
        "mark.txt",
        "long.txt",
        "it's a \"long\" $one.txt",
        "-n",
        "./sub/~x",
        "wide.txt",
    ] {
        let page = door.model("read", path(name)).unwrap().text;
        let (_, notice) = page.split_once("line 1 is clipped").unwrap();
        let (_, command) = notice.split_once("shell{command=").unwrap();
        let (command, _) = command.split_once("}]\n").unwrap();
        let command: String = serde_json::from_str(command).unwrap();
        let rest = door
            .model("shell", args([("command", command.as_str().into())]))
            .unwrap();
        let wanted = format!("{}end\n", "x".repeat(3000));
        assert_eq!(
            rest.metadata["stdout"].as_str(),
            Some(wanted.as_str()),
            "{command}"
        );
    }
}

#[test]
fn counts_one_as_one() {
    let door = Door::new();
    door.write("d/a.txt", "x");
    assert!(
        door.ok("read", path("d/a.txt"))
            .text
            .starts_with("d/a.txt: 1 line, ")
    );
    let listed = door.ok("list", path("d")).text;
    assert_eq!(listed, "d: 1 entry\nd/a.txt  (1 byte)\n");
    let found = door.ok("glob", args([("pattern", "d/*".into())]));
    assert_eq!(found.title, "1 file matches d/*");
    let created = args([("path", "d/../b".into()), ("content", "y".into())]);
    assert_eq!(
        door.ok("write", created.clone()).title,
        "created b (1 byte)"
    );
    assert_eq!(
        door.ok("write", created).title,
        "b holds this already; nothing was written"
    );
}

#[test]
fn no_number_is_too_large() {
    let door = Door::new();
    door.write("a.txt", "one\ntwo\nthree\n");
    let most = || Data::Int(i64::MAX);
    let found = args([
        ("pattern", "two".into()),
        ("context", most()),
        ("limit", most()),
    ]);
    let found = door.ok("grep", found);
    assert!(
        found
            .text
            .contains("     1- one\n     2: two\n     3- three\n"),
        "{}",
        found.text
    );
    let lines = args([("path", "a.txt".into()), ("limit", most())]);
    assert_eq!(
        door.ok("read", lines).metadata["last_line"].as_int(),
        Some(3)
    );
    for args in [
        args([("path", ".".into()), ("depth", most()), ("limit", most())]),
        args([("path", ".".into()), ("depth", most())]),
    ] {
        door.ok("list", args);
    }
    let past = args([
        ("path", "a.txt".into()),
        ("offset", most()),
        ("limit", most()),
    ]);
    assert_eq!(door.call("read", past).unwrap_err().kind, Kind::Argument);
    door.ok("glob", args([("pattern", "*".into()), ("limit", most())]));
}

#[test]
fn names_what_is_near_what_is_missing() {
    let door = Door::new();
    door.write("src/main.rs", "x");
    let error = door.call("read", path("src/mian.rs")).unwrap_err();
    assert_eq!(error.kind, Kind::NotFound);
    assert!(error.hint().contains("src/main.rs"), "{}", error.hint());
}

#[test]
fn refuses_what_is_no_text_by_its_content_not_its_name() {
    let door = Door::new();
    door.write("x.bin", "plain text\n");
    door.write("x.txt", b"\x00\x01\x02\x7fELF\x00\x00");
    assert!(door.call("read", path("x.bin")).is_ok());
    let error = door.call("read", path("x.txt")).unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    for special in ["/dev/zero", "/dev/stdin", "/proc/self/mem"] {
        assert!(door.call("read", path(special)).is_err(), "{special}");
    }
}

#[test]
fn reads_encodings_by_content_and_by_name() {
    let door = Door::new();
    let utf16: Vec<u8> = "\u{feff}héllo\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    door.write("utf16.txt", utf16);
    let output = door.ok("read", path("utf16.txt"));
    assert_eq!(output.metadata["text"].as_str(), Some("héllo\n"));
    door.write("gbk.txt", b"\xc4\xe3\xba\xc3\n");
    let named = args([("path", "gbk.txt".into()), ("encoding", "gbk".into())]);
    assert_eq!(
        door.ok("read", named).metadata["text"].as_str(),
        Some("你好\n")
    );
    let wrong = args([("path", "gbk.txt".into()), ("encoding", "gkb".into())]);
    assert!(
        door.call("read", wrong)
            .unwrap_err()
            .message
            .contains("gkb")
    );
}

#[test]
fn reads_a_spill_by_its_id() {
    let door = Door::new();
    let text: String = (1..=9000)
        .map(|n| format!("line {n} and some more words\n"))
        .collect();
    door.write("long.txt", &text);
    let shell = args([("command", "cat long.txt".into())]);
    let door = door;
    let output = agent_output(&door, shell);
    let id = output.metadata["spill"].as_str().unwrap().to_owned();
    let spill = args([
        ("path", format!("spill:{id}").into()),
        ("offset", 8000.into()),
        ("limit", 1.into()),
    ]);
    let page = door.ok("read", spill);
    assert!(
        page.metadata["text"]
            .as_str()
            .unwrap()
            .starts_with("line 7999 "),
        "{:?}",
        page.text
    );
    let unknown = door
        .call("read", path("spill:0000000000000000"))
        .unwrap_err();
    assert_eq!(unknown.kind, Kind::NotFound);
}

fn agent_output(door: &Door, shell: Data) -> agent::tool::Output {
    use agent::tool::{Arguments, Call, Destination, Gate};
    let Data::Map(map) = shell else {
        panic!("a map")
    };
    let call = Call {
        tool: "shell".to_owned(),
        arguments: Arguments::Named(map),
        destination: Destination::Model,
    };
    let gate = std::sync::Arc::clone(&door.gate);
    door.runtime()
        .block_on(gate.call(&door.scope, call))
        .unwrap()
}
