//! Taking lines apart: what is found in them, and that any text at all comes to an end.

use proptest::prelude::*;

use super::*;

fn read(line: &str) -> Line {
    read_line(line, "/w", "/home/ann")
}

fn texts(line: &str) -> Vec<String> {
    let read = read(line);
    assert_eq!(read.opaque, None, "{line:?}");
    read.commands
        .into_iter()
        .map(|simple| simple.text)
        .collect()
}

#[test]
fn every_simple_command_is_found() {
    for (line, commands) in [
        (
            "a 1 && b || c; d | e & f\ng |& h",
            vec!["a 1", "b", "c", "d", "e", "f", "g", "h"],
        ),
        ("(a; { b; }) && ! c", vec!["a", "b", "c"]),
        (
            "if a; then b; elif c; then d; else e; fi",
            vec!["a", "b", "c", "d", "e"],
        ),
        ("while a; do b; done", vec!["a", "b"]),
        ("for i in 1 2; do a; done", vec!["a"]),
        (
            "echo $(a) \"$(b)\" `c`",
            vec!["echo $(a) \"$(b)\" `c`", "a", "b", "c"],
        ),
        ("a <(b) > c d", vec!["a <(b) d", "b"]),
        ("A=1 a b", vec!["A=1 a b"]),
        ("A=1; a", vec!["A=1", "a"]),
        ("a 'b c' \"d\" e\\ f", vec!["a 'b c' \"d\" e\\ f"]),
    ] {
        assert_eq!(texts(line), commands, "{line:?}");
    }
}

#[test]
fn what_cannot_be_followed_is_one_command() {
    for line in [
        "a # b",
        "f() { a; }; f",
        "cat <<E\na\nE",
        "cat <<< a",
        "case a in a) b;; esac",
        "((a = 1))",
        "a 'b",
        "a &&",
        "a \u{1b}[0m",
        "a\u{a0}b",
        "a\rb",
        "",
        "a > $b",
        "a 3> b",
    ] {
        let read = read(line);
        assert!(read.opaque.is_some(), "{line:?}");
        assert_eq!(read.commands.len(), 1, "{line:?}");
        assert_eq!(read.commands[0].text, line);
        assert!(!read.commands[0].reads && read.commands[0].argv.is_none());
    }
    assert!(read(&"a;".repeat(LONGEST)).opaque.is_some());
}

#[test]
fn the_folder_is_followed() {
    let folders = |line: &str, name: &str| {
        let found = read(line)
            .commands
            .into_iter()
            .find(|simple| simple.text == name);
        found.unwrap().folders
    };
    for (line, expected) in [
        ("x", vec!["/w"]),
        ("cd a && x", vec!["/w/a"]),
        ("cd a; x", vec!["/w/a", "/w"]),
        ("cd a && cd ../b && x", vec!["/w/b"]),
        ("(cd a && y); x", vec!["/w"]),
        ("(cd a) && x", vec!["/w"]),
        ("cd a | y && x", vec!["/w"]),
        ("cd a || x", vec!["/w"]),
        ("! cd a && x", vec!["/w/a", "/w"]),
        ("if cd a; then x; fi", vec!["/w/a", "/w"]),
        ("cd && x", vec!["/home/ann"]),
        ("cd ~/b && x", vec!["/home/ann/b"]),
        ("cd /etc && x", vec!["/etc"]),
        ("cd - && x", vec![]),
        ("cd $a && x", vec![]),
        ("pushd a; x", vec![]),
        ("while y; do x; cd a; done", vec![]),
        ("eval y; x", vec![]),
    ] {
        assert_eq!(folders(line, "x"), expected, "{line:?}");
    }
}

#[test]
fn a_redirect_goes_where_the_command_began() {
    let place = |line: &str| {
        let read = read(line);
        let edit = read
            .operands
            .iter()
            .find(|operand| operand.group == Group::Edit);
        edit.map(|edit| (edit.path.clone(), edit.folders.clone()))
            .unwrap()
    };
    assert_eq!(place("cd a > b"), ("b".to_owned(), vec!["/w".to_owned()]));
    assert_eq!(
        place("cd a && x > b"),
        ("b".to_owned(), vec!["/w/a".to_owned()])
    );
    assert_eq!(place("> b"), ("b".to_owned(), vec!["/w".to_owned()]));
    assert_eq!(place("{ x; y; } >> 'b c'").0, "b c");
    assert_eq!(place("x > ~").0, "~");
    assert_eq!(place("x > '~'").0, "./~");
    assert!(read("x > /dev/null 2>&1 >&2").operands.is_empty());
}

/// Pieces of grammar and of words, divided by `~~`.
const PIECES: &str = "ls~~cd~~rm~~sh -c~~echo~~find . -exec~~a~~-n~~ ~~  ~~\n~~\t~~;~~;;~~&~~&&~~|~~||~~|&~~(~~)~~((~~))~~{~~}~~[~~]\
    ~~[[~~]]~~<~~>~~>>~~<<~~<<-~~<<<~~>&~~&>~~<(~~>(~~$(~~${~~$~~$((~~`~~'~~\"~~$'~~$\"~~\\~~\\\n~~#~~/~/~~!~~*~~?~~=~~A=1~~if~~then\
    ~~else~~fi~~while~~do~~done~~for~~in~~case~~esac~~function~~f()~~select~~time~~coproc~~EOF~~'EOF'~~\0~~\u{1b}~~\u{a0}~~中~~é\
    ~~0~~2~~%~~^~~@~~+~~,~~..~~/~~%s~~export~~unset~~\r~~eval~~exec~~-~~--~~a b~~\u{202e}";

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES.split("~~").collect::<Vec<_>>());
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A line of the corpus with some of it cut out, doubled or turned round.
fn mutated() -> impl Strategy<Value = String> {
    let corpus = include_str!("../../../tests/permission/shell_cases.jsonl");
    let line = |line: &str| -> String {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        case["cmd"].as_str().unwrap().to_owned()
    };
    let lines: Vec<String> = corpus.lines().map(line).collect();
    let places = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        0usize..4,
    );
    (prop::sample::select(lines), pieces(), places).prop_map(|(line, piece, (one, other, how))| {
        let chars: Vec<char> = line.chars().collect();
        let mut at = [one.index(chars.len() + 1), other.index(chars.len() + 1)];
        at.sort_unstable();
        let text = |range: &[char]| range.iter().collect::<String>();
        let (head, part, tail) = (
            text(&chars[..at[0]]),
            text(&chars[at[0]..at[1]]),
            text(&chars[at[1]..]),
        );
        match how {
            0 => head + &tail,
            1 => head + &part + &part + &tail,
            2 => head + &piece + &part + &tail,
            _ => part + &head + &tail,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn any_text_is_taken_apart_or_left_whole(line in prop_oneof![pieces(), mutated(), "\\PC{0,60}", ".{0,60}"]) {
        let read = read(&line);
        prop_assert!(read.opaque.is_none() || read.commands.len() == 1);
        prop_assert_eq!(read_line(&line, "/w", "/home/ann"), read);
    }
}
