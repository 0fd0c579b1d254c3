//! Taking lines apart: what is found in them, and that any text at all comes to an end.

mod cost;
mod followed;

use proptest::prelude::*;

use super::super::subject::Group;
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
fn a_text_that_is_fed_is_no_command_but_what_is_run_from_it_is() {
    for (line, commands) in [
        ("cat <<'E' > f\n$(a); b\nE", vec!["cat"]),
        (
            "cat <<E > f && c\n$(a b) $x ${y} $1\nE\nd",
            vec!["cat", "c", "d", "a b"],
        ),
        ("cat <<-E | c\n\ta\n\tE", vec!["cat", "c"]),
        (
            "a -m \"$(cat <<'E'\nit's `x`\nE\n)\"",
            vec!["a -m \"$(cat <<'E'\nit's `x`\nE\n)\"", "cat"],
        ),
        ("a <<< 'b c' && d", vec!["a", "d"]),
        ("a <<< \"x $(b) $c\"", vec!["a", "b"]),
        ("while read x; do a; done <<E\n1\n2\nE", vec!["read x", "a"]),
        ("cat <<E\n$(a <(b))\nE", vec!["cat", "a <(b)", "b"]),
        ("python3 - x <<'E'\nimport y\nE", vec!["python3 - x"]),
    ] {
        assert_eq!(texts(line), commands, "{line:?}");
    }
    for name in [
        "bash",
        "sudo -u x bash -s a",
        "env A=1 sh",
        "timeout 5 /bin/dash",
    ] {
        let line = format!("{name} <<'E'\na > b\nrm c\nE");
        assert_eq!(texts(&line), [line.as_str(), "a", "rm c"]);
        let operands = read(&line).operands;
        let named: Vec<&str> = operands
            .iter()
            .filter(|operand| operand.guess.is_none())
            .map(|operand| operand.path.as_str())
            .collect();
        assert_eq!(named, ["c", "b"], "{line:?}");
    }
    assert_eq!(texts("bash <<< 'rm a'"), ["bash <<< 'rm a'", "rm a"]);
    for line in [
        "python3 <<'E'\na\nE",
        "ssh a <<'E'\na\nE",
        "env node - <<'E'\na\nE",
    ] {
        assert_eq!(texts(line), [line]);
    }
    for line in ["bash <<E\n$a\nE", "bash <<'E'\na 'b\nE", "bash <<< \"$a\""] {
        assert!(read(line).opaque.is_some(), "{line:?}");
    }
}

#[test]
fn what_holds_commands_is_looked_into() {
    for (line, commands) in [
        ("f() { a; b; }; c", vec!["a", "b", "c"]),
        ("function f { a; } 2> /dev/null", vec!["a"]),
        ("f() (a)", vec!["a"]),
        ("case $x in a|b) c;; *) d $x;; esac", vec!["c", "d $x"]),
        ("until a; do b; done", vec!["a", "b"]),
        ("select i in a b; do c; done", vec!["c"]),
        (
            "[[ -f a && b == c ]] && d",
            vec!["[[ -f a && b == c ]]", "d"],
        ),
        ("((i = 1)) && a", vec!["((i = 1))", "a"]),
        (
            "for ((i = 0; i < 3; i++)); do a; done",
            vec!["((i = 0; i < 3; i++))", "a"],
        ),
        ("{ a; b; } > c", vec!["a", "b"]),
        ("a <(b) > >(c) 2> >(d)", vec!["a <(b)", "b", "c", "d"]),
        ("A=1 B=2", vec!["A=1 B=2"]),
        (
            "echo ${x} ${y%.rs} $((1 + 2)) && a",
            vec!["echo ${x} ${y%.rs} $((1 + 2))", "a"],
        ),
    ] {
        assert_eq!(texts(line), commands, "{line:?}");
    }
}

#[test]
fn a_name_that_the_line_defines_is_no_program() {
    for (line, name) in [
        ("ls() { a; }; ls", 1),
        ("function ls { a; }\nls -l", 1),
        ("ls; ls() { a; }", 0),
        ("ls() { a; }; b | ls *.rs", 2),
        ("test() (a); test -f x && c", 1),
    ] {
        let read = read(line);
        assert_eq!(read.opaque, None, "{line:?}");
        let call = &read.commands[name];
        assert_eq!(
            (call.text.as_str(), call.reads, &call.argv),
            (line, false, &None)
        );
    }
    let other = read("f() { a; }; ls");
    assert!(other.commands[1].reads);
    let moved = read("f() { cat x; }; cd a; f");
    assert!(moved.commands.iter().all(|simple| !simple.reads));
    assert!(read("f() { :; }; cat <<E\n$(f)\nE").opaque.is_some());
}

#[test]
fn what_cannot_be_followed_is_one_command() {
    for line in [
        "coproc a",
        "l{s,} a",
        "cat > {a,b}",
        "cat <<E\n`a`\nE",
        "cat <<< ${a@P}",
        "a | bash <<E\n$b\nE",
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
        ("cd - && x", vec!["/w"]),
        ("cd $a && x", vec!["/w"]),
        ("pushd a; x", vec!["/w/a", "/w"]),
        ("set -e; x", vec!["/w"]),
        ("cd $PWD && x", vec!["/w"]),
        ("command cd a && x", vec!["/w/a"]),
        ("while y; do x; cd a; done", vec!["/w"]),
        ("if y; then cd a; fi && x", vec!["/w/a", "/w"]),
        (
            "case y in y) cd a;; z) cd b;; esac && x",
            vec!["/w/a/b", "/w/b", "/w/a", "/w"],
        ),
        ("y || { z; cd a; } && x", vec!["/w/a", "/w"]),
        ("{ cd a; } && x", vec!["/w/a"]),
        ("cd a && cat <<E\n$(x)\nE", vec!["/w", "/w/a"]),
    ] {
        assert_eq!(folders(line, "x"), expected, "{line:?}");
    }
}

#[test]
fn only_what_moves_makes_the_folder_unknown() {
    let lost = |line: &str| {
        let read = read(&format!("{line}; rm x"));
        let operand = read
            .operands
            .into_iter()
            .find(|operand| operand.path == "x");
        let operand = operand.unwrap_or_else(|| panic!("{line}"));
        assert!(operand.folders.contains(&"/w".to_owned()), "{line}");
        operand.lost
    };
    for line in [
        "cd -",
        "cd $a",
        "cd a*",
        "popd",
        ". a",
        "source a",
        "eval 'cd a'",
        "set -P",
        "while a; do cd b; done",
    ] {
        assert!(lost(line), "{line}");
    }
    for line in [
        "set -e",
        "shopt -s nullglob",
        "trap a EXIT",
        "alias a=b",
        "command true",
        "builtin true",
        "exec 2>/dev/null",
        "exec a",
        "eval a",
        "cd $PWD",
        "cd \"$(pwd)\"",
        "pushd a",
        "$a b",
        "cd a",
    ] {
        assert!(!lost(line), "{line}");
    }
}

#[test]
fn what_is_run_by_others_is_looked_into() {
    for line in [
        "command rm x",
        "eval 'rm x'",
        "eval rm x",
        "exec rm x",
        "bash -c 'set -e; rm x'",
        "builtin command rm x",
    ] {
        let found = read(line).operands;
        assert!(
            found
                .iter()
                .any(|operand| operand.path == "x" && operand.removed),
            "{line}: {found:?}"
        );
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
    ~~0~~2~~%~~^~~@~~+~~,~~..~~/~~%s~~export~~unset~~\r~~<<'E'~~\nE\n~~<<E~~;&~~;;&~~until~~a)~~in a)~~<<< ~~$(a)~~${a}~~$((1))~~((i++))~~[[ a == b ]]~~{ a; }~~eval~~exec~~-~~--~~a b~~\u{202e}";

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

/// Whether bash itself takes the line for whole. It reads it and runs nothing.
fn is_whole_for_bash(line: &str) -> bool {
    let told = std::process::Command::new("/bin/bash")
        .args(["--norc", "--noprofile", "-n", "-c", "--", line])
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    told.status.success() && told.stderr.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn what_is_taken_apart_bash_reads_too(line in prop_oneof![pieces(), mutated()]) {
        if read(&line).opaque.is_none() {
            prop_assert!(is_whole_for_bash(&line), "{:?}", line);
        }
    }

    #[test]
    fn any_text_is_taken_apart_or_left_whole(line in prop_oneof![pieces(), mutated(), "\\PC{0,60}", ".{0,60}"]) {
        let read = read(&line);
        prop_assert!(read.opaque.is_none() || read.commands.len() == 1);
        prop_assert_eq!(read_line(&line, "/w", "/home/ann"), read);
    }
}
