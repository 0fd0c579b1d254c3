//! What is kept, what is never covered, and that an approval is what was asked and nothing beside it.

use proptest::prelude::*;

use super::*;

fn words(line: &str) -> Vec<String> {
    match Command::read(line) {
        Command::Plain(words) => words,
        Command::Undecidable(why) => panic!("{line}: {why}"),
    }
}

fn kept(line: &str) -> String {
    pattern(&words(line))
}

#[test]
fn the_first_words_are_kept_with_the_options_before_them() {
    for (line, pattern) in [
        ("git push origin main", "git push *"),
        ("git push", "git push *"),
        (
            "git -C sub --no-pager push -u origin x",
            "git -C sub --no-pager push *",
        ),
        ("git -Csub log --oneline", "git -Csub log *"),
        ("git -C 'a b' status", "git -C 'a b' status *"),
        ("git stash push -m 'one two'", "git stash push *"),
        ("git commit -am 'fix: a thing'", "git commit *"),
        ("npm run test -- --watch", "npm run test *"),
        ("npm --silent run build", "npm --silent run build *"),
        ("npm test", "npm test *"),
        ("cargo test --workspace a_test", "cargo test *"),
        (
            "cargo +nightly -q test -- --nocapture",
            "cargo +nightly -q test *",
        ),
        ("cargo --color always check", "cargo --color always check *"),
        ("cargo nextest run -E 'test(x)'", "cargo nextest run *"),
        ("docker compose up -d web", "docker compose up *"),
        (
            "docker compose -f dev.yml --profile=x up",
            "docker compose -f dev.yml --profile=x up *",
        ),
        ("docker ps -a", "docker ps *"),
        ("kubectl get pods -A", "kubectl get *"),
        (
            "kubectl -n web rollout status deploy/x",
            "kubectl -n web rollout status *",
        ),
        ("gh pr view 3", "gh pr view *"),
        ("go test -count=1 ./...", "go test *"),
        ("go mod tidy", "go mod tidy *"),
    ] {
        assert_eq!(kept(line), pattern, "{line}");
        assert!(covers(pattern, &words(line)), "{line}");
    }
}

#[test]
fn what_runs_other_code_or_is_not_known_is_kept_as_it_is() {
    for line in [
        "sh -c 'git push'",
        "bash run.sh",
        "python -c 'print(1)'",
        "python3 x.py",
        "node x.js",
        "xargs git push",
        "find . -name x -exec git status ';'",
        "env git push",
        "sudo git push",
        "ssh host git push",
        "timeout 5 cargo test",
        "make test",
        "make CC=x test",
        "npx eslint",
        "npm exec x",
        "npm install x",
        "cargo run",
        "cargo install x",
        "docker run x",
        "docker compose exec web sh",
        "docker -H tcp://x ps",
        "kubectl exec x -- sh",
        "kubectl --kubeconfig x get pods",
        "gh api x",
        "go run .",
        "git -c core.pager=x log",
        "git --exec-path=x status",
        "git --git-dir x status",
        "git config a.b c",
        "git submodule foreach x",
        "git bisect run x",
        "git rebase -x y",
        "git reset --hard",
        "git checkout .",
        "git",
        "git -C",
        "git -C status",
        "./git push",
        "/usr/bin/git push",
        "rm -r x",
        "agent call list",
        "wholly-unknown a b",
    ] {
        assert_eq!(keep(&words(line)), None, "{line}");
        assert!(covers(&kept(line), &words(line)), "{line}");
        assert!(!kept(line).ends_with(ANYTHING), "{line}");
    }
}

/// Patterns, what they cover, and what is asked about all the same.
const FOLLOWING: [(&str, &[&str], &[&str]); 8] = [
    (
        "git push *",
        &[
            "git push",
            "git push -u origin main",
            "git push --follow-tags",
        ],
        &[
            "git push --force",
            "git push --forc",
            "git push -uf origin",
            "git push origin +main",
            "git push origin :main",
            "git push --receive-pack=./x y",
            "git push --receive-pa ./x y",
            "git push /tmp/x",
            "git push ../x",
            "git push https://a.test/x",
            "git push --no-verify",
            "git -C sub push",
            "git pull",
            "git 'push origin'",
            "git -c a.b=c push",
        ],
    ),
    (
        "git log *",
        &["git log -3 --oneline a..b", "git log HEAD~2.."],
        &[
            "git log --output=x",
            "git log --ext-diff",
            "git log /etc/x",
            "git log -p ../../x",
        ],
    ),
    (
        "git diff *",
        &["git diff --stat"],
        &[
            "git diff --no-index a b",
            "git diff /a /b",
            "git diff --ou x",
        ],
    ),
    (
        "cargo test *",
        &["cargo test -- --test-threads 1", "cargo test -p x"],
        &[
            "cargo test --config 'target.x.runner=\"y\"'",
            "cargo test --manifest-path x",
            "cargo -Z x test",
            "cargo +nightly test",
        ],
    ),
    (
        "npm run test *",
        &["npm run test", "npm run test -- -x"],
        &[
            "npm run build",
            "npm run test --script-shell=./x",
            "npm run test:all",
        ],
    ),
    (
        "kubectl get *",
        &["kubectl get pods -o yaml"],
        &[
            "kubectl get secrets",
            "kubectl get pods,secret",
            "kubectl get --raw /x",
        ],
    ),
    (
        "go test *",
        &["go test -count=1 -run X ./..."],
        &[
            "go test -exec ./x ./...",
            "go test -exec=x",
            "go test --exec=x",
            "go test /tmp/x",
            "go test x.go",
        ],
    ),
    (
        "docker compose down *",
        &["docker compose down"],
        &["docker compose down -v"],
    ),
];

#[test]
fn what_follows_is_covered_but_for_what_is_left_out() {
    for (pattern, covered, asked) in FOLLOWING {
        for line in covered {
            assert!(covers(pattern, &words(line)), "{pattern}: {line}");
        }
        for line in asked {
            assert!(!covers(pattern, &words(line)), "{pattern}: {line}");
        }
    }
}

#[test]
fn words_are_compared_one_by_one_and_nothing_in_them_is_a_pattern() {
    for (asked, others) in [
        ("find . -name 'x -delete'", &["find . -name x -delete"][..]),
        ("rg 'a*' src", &["rg abc src", "rg 'a b' src"]),
        ("sh -c 'echo a'", &["sh -c echo a", "sh -c 'echo  a'"]),
        ("x '*'", &["x y", "x"]),
        ("x ' *'", &["x", "x y"]),
        ("git frobnicate '*'", &["git frobnicate x"]),
        ("./run.sh", &["run.sh", "./run.sh x"]),
        ("x '~/a' '$HOME'", &["x /home/ann/a y"]),
        ("x ''", &["x"]),
    ] {
        let pattern = kept(asked);
        assert!(covers(&pattern, &words(asked)), "{pattern}");
        for other in others {
            assert!(!covers(&pattern, &words(other)), "{pattern}: {other}");
        }
    }
    assert!(
        !covers("make *", &words("make x")),
        "only what the table keeps is wide"
    );
    assert!(!covers("*", &words("make")) && !covers("git *", &words("git push")));
}

#[test]
fn every_row_of_the_table_is_kept_and_what_it_leaves_out_is_asked_about() {
    for program in PROGRAMS {
        for name in program.names.split(' ') {
            for (row, never) in program.rows {
                let line = format!("{name} {}", row.replace('?', "x"));
                let pattern = kept(&line);
                assert_eq!(pattern, format!("{line} *"));
                let entries = program.never.split(' ').chain(never.split(' '));
                for entry in entries.filter(|entry| !entry.is_empty()) {
                    let word = entry.trim_start_matches('=').replace('*', "x");
                    let mut argv = words(&line);
                    argv.push(word.clone());
                    assert!(!covers(&pattern, &argv), "{line} {word}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn an_approval_covers_what_was_asked_and_of_what_is_no_row_nothing_else(
        asked in prop::collection::vec("[ -~é]{1,8}", 1..5),
        other in prop::collection::vec("[ -~é]{1,8}", 1..5),
    ) {
        let pattern = pattern(&asked);
        if let Command::Plain(_) = Command::read(&pattern) {
            prop_assert!(covers(&pattern, &asked));
        }
        prop_assert!(other == asked || !covers(&pattern, &other), "{} {:?}", pattern, other);
    }

    #[test]
    fn what_is_covered_begins_with_what_was_kept(
        row in 0..1000_usize,
        more in prop::collection::vec("[-a-z=./+:]{1,9}", 0..4),
        other in prop::collection::vec("[-a-z=./+:]{1,9}", 0..4),
    ) {
        let program = &PROGRAMS[row % PROGRAMS.len()];
        let (row, _) = program.rows[row % program.rows.len()];
        let name = program.names.split(' ').next().unwrap();
        let line = |more: &[String]| {
            let mut argv = words(&format!("{name} {}", row.replace('?', "x")));
            argv.extend_from_slice(more);
            argv
        };
        let pattern = pattern(&line(&more));
        if covers(&pattern, &line(&other)) && more != other {
            prop_assert_eq!(pattern, format!("{} *", line(&[]).join(" ")));
        }
    }
}
