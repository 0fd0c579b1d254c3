//! Verdicts on lines that feed texts to their commands. Lines are judged; none of them is run.

use super::*;

#[test]
fn a_deny_looks_into_a_text_unless_nothing_could_run_it() {
    let world = World::new();
    let rules = [
        rule(Action::Allow, "*"),
        rule(Action::Deny, "shell:git push *"),
    ];
    for (line, expected) in [
        ("cat <<'E' > notes\ngit push\nE", Action::Allow),
        ("cat <<E | grep -c x\ngit push\n$(ls)\nE", Action::Allow),
        ("cat <<E\n$(sh -c 'git push')\nE", Action::Deny),
        ("cat <<'E' | sh\ngit push\nE", Action::Deny),
        ("cat <<'E' > x; ./x\ngit push\nE", Action::Deny),
        ("cat <<'E' > notes\nE\ngit push\nE", Action::Deny),
    ] {
        assert_eq!(world.verdict(line, &rules).action, expected, "{line:?}");
    }
}

#[test]
fn what_runs_what_it_is_fed_is_allowed_by_no_rule_about_its_name() {
    let world = World::new();
    let fed = [
        rule(Action::Allow, "shell:sh *"),
        rule(Action::Allow, "shell:echo *"),
    ];
    assert_eq!(world.verdict("echo 'rm a' | sh", &fed).action, Action::Ask);
    let runs = [
        rule(Action::Allow, "shell:bash *"),
        rule(Action::Allow, "shell:python3 *"),
        rule(Action::Allow, "shell:pushd *"),
    ];
    for line in [
        "bash <<'E'\nrm a\nE",
        "bash <<< 'rm a'",
        "python3 <<'E'\nx\nE",
        "pushd src; echo x > y",
    ] {
        assert_eq!(world.verdict(line, &runs).action, Action::Ask, "{line:?}");
    }
    let told = "python3 x.py <<'E'\nx\nE";
    assert_eq!(world.verdict(told, &runs).action, Action::Allow);
}
