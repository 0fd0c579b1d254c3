//! Verdicts on what commands write and remove: by rules about files, by allows, where nobody knows what it is.

use super::*;

#[test]
fn rules_about_files_hold_for_what_commands_name() {
    let world = World::new();
    let rules = [
        rule(Action::Allow, "shell"),
        rule(Action::Allow, "edit"),
        rule(Action::Deny, "edit:src/**"),
        rule(Action::Deny, "read:b"),
    ];
    for line in [
        "echo x > src/y",
        "cd src && echo x >> y",
        "rm -r src",
        "cp a src",
        "mv a src/",
        "sudo touch src/main.rs",
        "sh -c 'echo x > src/y'",
        "env A=1 sh -c \"cd src && tee y\"",
        "find src -delete",
        "sed -i s/x/y/ src/main.rs",
        "dd if=a of=src/y",
        "cat b",
        "grep x a b",
        "cat < b",
        "cat ?",
        "sort --weird b",
        "cp b c",
        "ls &&& rm src/main.rs",
        "echo x <> src/y",
        "exec > src/y",
        "exec 3>src/y",
        "sed -ni p src/main.rs",
        "rm {src/main.rs,x}",
        "rm $PWD/src/main.rs",
        "f=src/main.rs; rm $f",
        "set -e; rm src/main.rs",
        "cd \"$X\"; rm src/main.rs",
        "cd src; cd -; rm main.rs",
        "cat <<'E' > src/y\nx\nE",
        "cat <<E\n$(echo x > src/y)\nE",
        "bash <<'E'\ntee src/y\nE",
        "sudo sh <<< 'echo x > src/y'",
        "f() { echo x > src/y; }",
        "case a in a) rm src/main.rs;; esac",
        "for ((;;)); do touch src/y; done",
        "cat <(touch src/y)",
        "cat <<E\n`x`\nE\nrm src/main.rs",
    ] {
        let verdict = world.verdict(line, &rules);
        assert_eq!(verdict.action, Action::Deny, "{line:?}: {}", verdict.reason);
    }
    for line in ["cp a c", "rm a", "touch c > d"] {
        assert_eq!(
            world.verdict(line, &rules).action,
            Action::Allow,
            "{line:?}"
        );
    }
}

#[test]
fn what_is_removed_or_meant_from_nobody_knows_where_is_critical() {
    let world = World::new();
    let warned = |line: &str| world.verdict(line, &[rule(Action::Allow, "*")]).warning;
    for line in [
        "rm -rf $X",
        "rm -rf \"$HOME\"",
        "rm -rf ${HOME}",
        "rm -rf $PWD",
        "rm -rf `pwd`",
        "rm -rf $(pwd)",
        "rm -rf $OLDPWD",
        "rm -rf ~+",
        "rm -rf ~-",
        "rm -rf ~root",
        "mv $X a",
        "chmod -R 700 $X",
        "find $X -delete",
        "git clean -f $X",
        "truncate -s 0 $X",
        "dd if=a of=$X",
        "set -e; rm -rf ../work",
        "cd \"$X\"; rm a",
        "cd -; touch a",
        "cd s*; echo x > a",
        "eval 'cd src'; cp a c",
    ] {
        assert!(warned(line).is_some(), "{line:?}");
        let denied = [rule(Action::Allow, "*"), rule(Action::Deny, "shell")];
        assert_eq!(
            world.verdict(line, &denied).action,
            Action::Deny,
            "{line:?}"
        );
    }
    for line in [
        "set -e; rm a",
        "rm $PWD/a",
        "f=a; rm $f",
        "for f in a b; do rm \"$f\"; done",
        "cd src; touch x",
        "touch $X",
        "cat $X",
        "set -euo pipefail; echo x > a",
    ] {
        assert_eq!(warned(line), None, "{line:?}");
    }
}

#[test]
fn what_a_command_writes_needs_an_allow_of_its_own() {
    let world = World::new();
    let shell = [rule(Action::Allow, "shell:*")];
    let both = [rule(Action::Allow, "shell"), rule(Action::Allow, "edit")];
    for line in ["echo x > notes", "> notes", "touch notes", "make > notes"] {
        assert_eq!(world.verdict(line, &shell).action, Action::Ask, "{line:?}");
        assert_eq!(world.verdict(line, &both).action, Action::Allow, "{line:?}");
    }
    for line in [
        "x=id; $x -u",
        "$(echo id)",
        "`echo id` a",
        "${X:-id}",
        "ls && \"$X\"",
    ] {
        assert_eq!(world.verdict(line, &both).action, Action::Ask, "{line:?}");
    }
    let denies = [both.as_slice(), &[rule(Action::Deny, "edit:src/**")]].concat();
    for line in ["touch $X", "echo x > $X"] {
        assert_eq!(world.verdict(line, &denies).action, Action::Ask, "{line:?}");
    }
}

#[test]
fn a_tool_that_is_allowed_may_write_and_a_command_that_is_may_not() {
    let world = World::new();
    for line in ["> notes.txt", "echo x > notes.txt", "rm a", "touch c"] {
        let with = |name: &str| world.verdict(line, &[rule(Action::Allow, name)]).action;
        assert_eq!(with("shell"), Action::Allow, "{line:?}");
        assert_eq!(with("*"), Action::Allow, "{line:?}");
        assert_eq!(with("shell:*"), Action::Ask, "{line:?}");
    }
    let both = [rule(Action::Allow, "shell:*"), rule(Action::Allow, "edit")];
    assert_eq!(world.verdict("rm a", &both).action, Action::Allow);
    let outside = world.verdict("echo x > ../secret", &[rule(Action::Allow, "shell")]);
    assert_eq!(outside.action, Action::Ask, "{}", outside.reason);
}
