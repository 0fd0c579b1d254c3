//! What a deny sees: through paths, options, assignments, wrappers, quotes, and at any length.
//! The commands are matched as text; none of them is run.

use std::time::Instant;

use proptest::prelude::*;

use super::*;

fn hit(pattern: &str, line: &str) -> bool {
    Segments::of(line).matches(pattern, "/home/ann")
}

#[test]
fn sees_a_command_however_it_is_dressed() {
    for line in [
        "git push",
        "  git \t push -f origin",
        "FOO=1 /usr/bin/git -C x push -f",
        "cargo test && git push",
        "cargo test;git push",
        "cargo test\ngit push",
        "cargo test | tee log & git push",
        "cargo test && sh -c 'git push'",
        "bash -lc \"cd x && git push\"",
        "sh -c \"sh -c 'git push'\"",
        "eval git push",
        "eval 'git' \"push\"",
        "echo $(git push)",
        "echo \"x $(git push) y\"",
        "echo `git push`",
        "cat <(git push)",
        "git $(true) push",
        "git $NOTHING push",
        "if true; then git push; fi",
        "for i in 1; do git push; done",
        "case x in x) git push;; esac",
        "f() { git push; }; f",
        "! git push",
        "time git push",
        "(git push)",
        "{ git push; }",
        "sudo -u bob git push",
        "env -i A=1 git push",
        "timeout 5 nice -n 3 git push",
        "nohup /usr/bin/git push &",
        "xargs -n 1 git push",
        "find . -name x -exec git push {} \\;",
        "echo 'git push' | sh",
        "bash <<< 'git push'",
        "bash <<EOF\ngit push\nEOF",
        "git --no-pager -c a.b=c push",
        "git --git-dir=x --work-tree y push",
        "g''it pu\\sh",
        "$'\\x67it' push",
        "\\git push",
        "'git' 'push'",
        "git push>log 2>&1",
        ">log git push",
        "git 2>/dev/null push",
        "{git,push}",
        "${x:-git push}",
        "echo 'unterminated; git push",
        "x # it's\ngit push",
        "trap 'git push' EXIT",
        "command git push",
        "a=$(git push)",
        "ls &&\\\ngit push",
        "time -p git push",
        "time -f x git push",
        "env -S'git push'",
        "env -vS 'git push'",
        "env --split-string='git push'",
        "env -S'git\\_push'",
        "git $(echo push)",
        "git {push,}",
        "git -ppush",
        "git -c a=b $x",
        "coproc a git push",
        "agent call shell 'git push'",
        "agent call shell '{\"command\": \"git push\"}'",
        "agent eval 'tools.shell(\"git push\")'",
    ] {
        assert!(hit("git push *", line), "{line:?}");
    }
}

#[test]
fn leaves_other_commands_alone() {
    for line in [
        "git stash push",
        "git status",
        "gitk push",
        "git pushy",
        "echo git push",
        "echo 'cd x && git push'",
        "git commit -m 'do; git push later'",
        "grep -rn 'git push' docs",
        "git status $x",
        "git log --format=$x",
        "ls $x",
        "echo $(ls) push",
        "cargo test --no-run",
        "",
        "   ",
    ] {
        assert!(!hit("git push *", line), "{line:?}");
    }
}

#[test]
fn matches_programs_by_name_and_by_path() {
    assert!(hit("rm", "/bin/../bin/rm"));
    assert!(hit("rm", "rm -rf"), "options removed leave the name");
    assert!(hit("rm *", "sudo rm -rf x"));
    assert!(hit("/usr/bin/git *", "/usr/bin/git x"));
    assert!(hit("~/bin/tool *", "/home/ann/bin/tool x"));
    assert!(hit("~/bin/tool *", "~/bin/tool x"));
    assert!(hit("LD_PRELOAD=* *", "LD_PRELOAD=./x.so ls"));
    assert!(hit("*--force*", "a; git push --force"));
    assert!(!hit("rm", "rmdir"));
}

#[test]
fn a_deny_holds_at_any_length() {
    let chain = "true && ".repeat(5_000) + "git push";
    assert!(hit("git push *", &chain));
    let options = format!("git {}push", "-c a=b ".repeat(20_000));
    assert!(hit("git push *", &options));
    let wrappers = "sudo ".repeat(20_000) + "git push";
    assert!(hit("git push *", &wrappers));
    let nested = (0..12).fold("git push".to_owned(), |inner, _| {
        format!("sh -c '{}'", inner.replace('\'', "'\\''"))
    });
    assert!(hit("git push *", &nested));
    assert!(
        hit("git push *", &"x".repeat(MOST_BYTES)),
        "too much to look at"
    );
}

#[test]
fn matching_is_linear_in_the_text() {
    let started = Instant::now();
    let line = format!("sudo {}", "git -a -b ".repeat(10_000));
    assert!(!hit("g*t pull *x", &line));
    assert!(
        started.elapsed().as_secs() < 30,
        "quadratic would take minutes"
    );
}

/// `git push` behind up to four layers of grammar and wrappers.
fn nested() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "git push",
        "/usr/bin/git -C x push -f",
        "A=1 git push",
    ]);
    start
        .prop_map(str::to_owned)
        .prop_recursive(4, 8, 1, |inner| {
            (inner, 0usize..14).prop_map(|(line, how)| match how {
                0 => format!("sh -c {}", quoted(&line)),
                1 => format!("sudo -u bob bash -lc {}", quoted(&line)),
                2 => format!("echo $({line})"),
                3 => format!("echo \"a $({line}) b\""),
                4 => format!("true && {line}"),
                5 => format!("{line} | cat"),
                6 => format!("({line})"),
                7 => format!("{{ {line}; }}"),
                8 => format!("if true; then {line}; fi"),
                9 => format!("x() {{\n{line}\n}}\nx"),
                10 => format!("echo {} | sh", quoted(&line)),
                11 => format!("eval {}", quoted(&line)),
                12 => format!("cat <({line}) # it's"),
                _ => format!("bash <<'END'\n{line}\nEND"),
            })
        })
}

/// The text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn never_panics_and_is_never_endless_on_short_text(line in "[a-c $(){}`'\"\\\\;|&<>\n#=-]{0,60}") {
        let segments = Segments::of(&line);
        prop_assert!(!segments.endless);
        let _ = segments.matches("a *", "/home/ann");
    }

    #[test]
    fn a_command_is_seen_through_any_nesting(line in nested()) {
        prop_assert!(hit("git push *", &line), "{}", line);
    }

    #[test]
    fn a_command_after_an_operator_is_always_seen(
        before in "[a-z .=/-]{0,20}",
        operator in prop::sample::select(vec![";", "&&", "||", "|", "&", "\n"]),
        after in "( [a-z-]{1,5}){0,3}",
    ) {
        let line = format!("{before}{operator} git push{after}");
        prop_assert!(hit("git push *", &line), "{:?}", line);
    }
}
