//! The reader of plain commands, by tables and against bash itself.
//! Whatever it calls plain must have exactly the words that bash would pass on.

use std::process::{Command as Process, Stdio};

use proptest::prelude::*;

use super::*;

fn plain(line: &str) -> Vec<String> {
    match Command::read(line) {
        Command::Plain(words) => words,
        Command::Undecidable(reason) => panic!("{line:?} is undecidable: {reason}"),
    }
}

#[test]
fn reads_words_quotes_and_backslashes_as_a_shell_does() {
    assert_eq!(plain("  cargo\ttest -p x \n"), ["cargo", "test", "-p", "x"]);
    assert_eq!(
        plain("echo 'a b' \"c \\\" d\" e\\ f"),
        ["echo", "a b", "c \" d", "e f"]
    );
    assert_eq!(plain("echo 'a'\\''$(id)'\\'''"), ["echo", "a'$(id)'"]);
    assert_eq!(
        plain("echo \"a\\nb && c > d\" ''"),
        ["echo", "a\\nb && c > d", ""]
    );
    assert_eq!(
        plain("git log HEAD~1 --format=%h a#b 中文"),
        ["git", "log", "HEAD~1", "--format=%h", "a#b", "中文"]
    );
    assert_eq!(plain("'if' x"), ["if", "x"]);
}

#[test]
fn says_what_stands_in_the_way() {
    let rows = [
        ("", "it is empty"),
        ("a\nb", "it has more than one line"),
        (
            "ec\u{200b}ho",
            "it has characters in it that cannot be seen",
        ),
        ("ls\u{a0}x", "it has characters in it that cannot be seen"),
        (
            "ls\u{0}; rm x",
            "it has characters in it that cannot be seen",
        ),
        ("a && b", "it is more than one command"),
        ("a &", "it is more than one command"),
        ("(a)", "it is more than one command"),
        ("a > b", "it redirects"),
        ("echo $x", "it expands something"),
        ("echo \"$x\"", "it expands something"),
        ("echo \"`x`\"", "it expands something"),
        ("$'rm' x", "it expands something"),
        ("ls ~", "it expands something"),
        ("export A=~/x", "it expands something"),
        ("ls *.rs", "it has a glob in it"),
        ("[ -f x ]", "it has a glob in it"),
        ("{rm,-rf,x}", "it has braces in it"),
        ("A=1 ls", "it assigns a variable"),
        ("A+=1", "it assigns a variable"),
        ("time rm x", "it is more than a simple command"),
        ("! rm x", "it may refer to the history"),
        ("ls # x", "it has a comment in it"),
        ("%1", "it names a job"),
        ("ls \\", "it ends in a backslash"),
        ("echo 'x", "a quote is not closed"),
        ("echo \"x", "a quote is not closed"),
        ("'cargo test' x", "the name of its program is odd"),
    ];
    for (line, reason) in rows {
        assert_eq!(
            Command::read(line),
            Command::Undecidable(reason),
            "{line:?}"
        );
    }
}

/// The words that bash itself makes of the text, as arguments of a function. It runs in an empty
/// folder and can find no program.
fn words_of_bash(line: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("f() {{ printf '%s\\0' \"$@\"; }}; f {line}");
    let output = Process::new("/bin/bash")
        .args(["--norc", "--noprofile", "-c", &script])
        .env_clear()
        .env("PATH", "/nonexistent")
        .env("LC_ALL", "C.UTF-8")
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{line:?}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn what_is_plain_has_the_words_that_bash_gives_it(
        line in "[ab]([ab \t\\\\]|['\"]|[ '\"=~#!%^:,.中-]|[$`;&|<>(){}*?\\[\\]]){0,14}",
    ) {
        if let Command::Plain(words) = Command::read(&line) {
            prop_assert_eq!(words, words_of_bash(&line), "{:?}", line);
        }
    }
}
