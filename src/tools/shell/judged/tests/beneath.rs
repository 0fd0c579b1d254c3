//! Verdicts on what commands read below a folder, where a rule lets nobody read some of it.

use super::*;

fn world() -> World {
    let world = World::new();
    let work = world.top().join("work");
    for name in ["secret/key", "docs/deep/x", "src/.env"] {
        fs::create_dir_all(work.join(name).parent().unwrap()).unwrap();
        fs::write(work.join(name), "x\n").unwrap();
    }
    world
}

const DEEP: [&str; 30] = [
    "grep -r x ..",
    "du -ah",
    "git -C .. archive HEAD .",
    "tar -C .. -cf - work",
    "grep -r x .",
    "grep -rn x",
    "grep -R x .",
    "grep --dereference-recursive x .",
    "rg x",
    "rg --pre ./p x .",
    "ls -R",
    "ls -lR .",
    "ls --recursive .",
    "find .",
    "find . -exec cat {} +",
    "find -name '*.txt' -exec cat {} ';'",
    "diff . /tmp",
    "tar cf - .",
    "tar -cf - . | cat",
    "cp -r . /tmp/x",
    "cp -a . x",
    "rsync -a . /tmp/x",
    "zip -r /tmp/x.zip .",
    "git grep x",
    "ag x",
    "tree",
    "sudo grep -r x .",
    "sh -c 'grep -r x .'",
    "cd src; grep -r x ..",
    "python3 show.py .",
];

#[test]
fn a_folder_that_may_hold_what_is_denied_is_asked_about() {
    let world = world();
    for denied in ["secret/**", "secret/key", "**/key", "*.pem"] {
        let rules = [
            rule(Action::Allow, "shell"),
            rule(Action::Deny, &format!("read:{denied}")),
        ];
        let wrong = world.other_than(&DEEP, &rules, |action| action == Action::Ask);
        assert!(wrong.is_empty(), "{denied}: {wrong:#?}");
    }
    let rules = [
        rule(Action::Allow, "shell"),
        rule(Action::Deny, "read:secret/**"),
    ];
    assert_eq!(
        world.verdict("grep -r x .", &rules).reason,
        "`.` may hold what the rule `read:secret/**` (command line) denies, and would be read with all that lies \
         below it"
    );
    let lines = [
        "cat secret/*",
        "grep -r x secret",
        "cat secret/key",
        "wc -c *",
        "tar cf - secret/key",
    ];
    let wrong = world.other_than(&lines, &rules, |action| action != Action::Allow);
    assert!(wrong.is_empty(), "{wrong:#?}");
    for line in DEEP {
        let verdict = world.by(Caller::User, line, &rules);
        assert_ne!(verdict.action, Action::Deny, "{line:?}: a person typed it");
        let free = world.verdict(line, &[rule(Action::Allow, "shell")]);
        assert!(!free.reason.contains("below"), "{line:?}: {}", free.reason);
    }
}

#[test]
fn a_folder_that_holds_nothing_of_the_kind_is_not() {
    let world = world();
    let rules = [
        rule(Action::Allow, "shell"),
        rule(Action::Deny, "read:secret/**"),
        rule(Action::Ask, "read:~/private/*"),
        rule(Action::Deny, "read:/srv/**"),
    ];
    let lines = [
        "grep -r x src",
        "grep -rn x src docs/deep",
        "rg x src",
        "ls",
        "ls -la .",
        "ls -R src",
        "find src -name '*.rs'",
        "cat a b src/*.rs",
        "head -3 src/main.rs",
        "grep x a b",
        "du -sh .",
        "stat .",
        "tar cf - src",
        "cp -r src x",
        "cargo test",
        "make",
    ];
    let wrong = world.other_than(&lines, &rules, |action| action == Action::Allow);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_lies_in_the_folder_itself_and_a_profile_asks_about_is_asked_about() {
    let mut world = world();
    world.withheld = Some(Withheld::new(|real| real.ends_with(".env")));
    let ask = Rule {
        source: Source::Profile,
        ..rule(Action::Ask, "read:**/.env*")
    };
    for mode in [Mode::Auto, Mode::Bypass] {
        let judged = |line: &str| world.in_mode(mode, line, std::slice::from_ref(&ask));
        let verdict = judged("grep -r x src");
        assert_eq!((verdict.action, verdict.is_open), (Action::Ask, false));
        let says = |step: &crate::permission::Step| step.rule.contains("src/.env");
        assert!(verdict.trace.iter().any(says), "{:?}", verdict.trace);
        for line in ["grep -r x docs", "grep x src/main.rs", "ls src"] {
            let verdict = judged(line);
            let is_open = verdict.action == Action::Allow || verdict.is_open;
            assert!(is_open, "{line:?}: {}", verdict.reason);
        }
    }
    let lifted = [ask, rule(Action::Allow, "shell")];
    let verdict = world.verdict("grep -r x src", &lifted);
    assert_eq!(verdict.action, Action::Allow, "{}", verdict.reason);
}

#[test]
fn what_a_rule_allows_again_is_not_asked_about() {
    let world = world();
    let allow = |text: &str| rule(Action::Allow, text);
    let deny = |text: &str| rule(Action::Deny, text);
    let judged = |line: &str, rules: &[Rule]| world.verdict(line, rules).action;
    let lifted = [allow("shell"), deny("read:**"), allow("read:src/**")];
    assert_eq!(judged("grep -r x src", &lifted), Action::Allow);
    let partly = [
        allow("shell"),
        deny("read:src/**"),
        allow("read:src/main.rs"),
    ];
    assert_ne!(judged("grep -r x src", &partly), Action::Allow);
    let profile = |action, text: &str| Rule {
        source: Source::Profile,
        ..rule(action, text)
    };
    // What a profile asks about is asked about where it is named.
    let asks = [profile(Action::Ask, "read:**/.env*")];
    for line in ["grep -r x src", "grep -r x .", "rg x", "ls -R"] {
        assert_eq!(judged(line, &asks), Action::Allow, "{line:?}");
    }
    assert_eq!(judged("cat src/.env", &asks), Action::Ask);
    let denies = [allow("shell"), profile(Action::Deny, "read:**/.env*")];
    assert_eq!(judged("grep -r x src", &denies), Action::Ask);
    let own = [rule(Action::Ask, "read:src/x*")];
    assert_eq!(judged("grep -r x .", &own), Action::Ask);
    let project = |text| Rule {
        source: Source::Project,
        ..rule(Action::Ask, text)
    };
    let over = [project("read:src/x*"), allow("shell")];
    assert_eq!(
        judged("grep -r x .", &over),
        Action::Allow,
        "as `cat src/x` is"
    );
}
