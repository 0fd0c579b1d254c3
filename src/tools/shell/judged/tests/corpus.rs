//! The corpus of cases, what becomes of them in other spacing, quoting and surroundings, and what holds for any of
//! them under any rules. Lines are judged; none of them is run.

use proptest::prelude::*;

use super::*;

struct Case {
    line: String,
    benign: bool,
}

fn corpus() -> Vec<Case> {
    let cases = include_str!("../../../../../tests/permission/shell_cases.jsonl");
    let case = |line: &str| {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        Case {
            line: case["cmd"].as_str().unwrap().to_owned(),
            benign: case["expect"] == "allow",
        }
    };
    let lines = cases.lines().filter(|line| !line.is_empty());
    lines.map(case).collect()
}

#[test]
fn no_attack_of_the_corpus_is_allowed_and_nothing_benign_is_asked_about() {
    let world = World::new();
    let mut wrong = Vec::new();
    for case in corpus() {
        let verdict = world.verdict(&case.line, &[]);
        if (verdict.action == Action::Allow) != case.benign {
            wrong.push(format!(
                "{:?}: {} {}",
                case.line, verdict.action, verdict.reason
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn no_mutant_of_an_attack_is_allowed() {
    let world = World::new();
    let mut count = 0;
    for case in corpus().iter().filter(|case| !case.benign) {
        // What waits for more is whole with what is put behind it.
        let waits = |line: &&String| !line.starts_with("ls && 2>");
        for mutant in mutants(&case.line).iter().filter(waits) {
            assert_ne!(world.action(mutant), Action::Allow, "{mutant:?}");
            count += 1;
        }
    }
    assert!(count > 2_000, "{count}");
}

/// The same line in other spacing and quoting, and behind what is harmless. Some of them are no commands.
fn mutants(line: &str) -> Vec<String> {
    let mut all = vec![
        format!(" {line}"),
        format!("\t{line} "),
        format!("{line}\n"),
        format!("\n\n{line}"),
        format!("({line})"),
        format!("{{ {line}; }}"),
        format!("true && {line}"),
        format!("{line} && true"),
        format!("ls; {line}"),
        format!("{line}; ls"),
        format!("{line} | cat"),
        format!("echo a | {line}"),
        format!("! {line}"),
        format!("if true; then {line}; fi"),
        format!("cd src && {line}"),
        format!("{line} 2>/dev/null"),
        format!("{line} 2>&1"),
        format!("echo \"$({line})\""),
        format!("cat <({line})"),
        format!("cat <<E\n$({line})\nE"),
        format!("cat <<'E'\nx\nE\n{line}"),
        format!("cat <<< \"$({line})\""),
        format!("bash <<'E'\n{line}\nE"),
        format!("f() {{ {line}; }}; f"),
        format!("function f {{\n{line}\n}}"),
        format!("case a in a) {line};; esac"),
        format!("until {line}; do ls; done"),
        format!("for i in 1 2; do {line}; done"),
        format!("for ((;;)); do {line}; done"),
        format!("[[ -f a ]] && {line}"),
        line.replace(' ', "  "),
        line.replace(' ', "\t"),
        line.replace(' ', " \\\n"),
        line.replace(" -", " \"-\""),
    ];
    if let Some((first, rest)) = line.split_once(' ') {
        all.push(format!("'{first}' {rest}"));
        all.push(format!("\"{first}\" {rest}"));
        all.push(format!("\\{first} {rest}"));
        all.push(format!("{first}'' {rest}"));
        all.push(format!("/usr/bin/{first} {rest}"));
    }
    all
}

/// Rules about what the lines of the corpus do.
fn any_rule() -> impl Strategy<Value = Rule> {
    let texts = "shell~~shell:*~~shell:ls *~~shell:cat *~~shell:rm *~~shell:git *~~shell:* x~~shell:bash *~~shell:echo *\
        ~~read~~read:a~~read:src/**~~edit~~edit:f~~edit:*~~edit:src/**~~external_directory~~*";
    let text = prop::sample::select(texts.split("~~").collect::<Vec<_>>());
    let action = prop::sample::select(vec![Action::Allow, Action::Ask, Action::Deny]);
    let source = prop::sample::select(vec![Source::Shipped, Source::Project, Source::User]);
    (text, action, source)
        .prop_map(|(text, action, source)| Rule::parse(text, action, source).unwrap())
}

/// Attacks of the corpus that are whole by themselves, inside of two other things.
fn attacks() -> impl Strategy<Value = String> {
    let is_cut = |line: &String| {
        ["ls &&", "echo 'unt", "if true; then"]
            .iter()
            .any(|cut| line.starts_with(cut))
    };
    let whole = corpus()
        .into_iter()
        .filter(|case| !case.benign && !is_cut(&case.line));
    let line = prop::sample::select(whole.map(|case| case.line).collect::<Vec<_>>());
    let wrap = |line: String, how: prop::sample::Index| {
        let mut all = mutants(&line);
        all.swap_remove(how.index(all.len()))
    };
    (line, any::<[prop::sample::Index; 2]>())
        .prop_map(move |(line, [one, other])| wrap(wrap(line, one), other))
}

/// Lines of the corpus, one in the other.
fn lines() -> impl Strategy<Value = String> {
    let lines: Vec<String> = corpus().into_iter().map(|case| case.line).collect();
    let line = prop::sample::select(lines);
    line.prop_recursive(2, 4, 2, |inner| {
        (inner.clone(), inner, any::<prop::sample::Index>()).prop_map(|(line, other, how)| {
            let mut all = mutants(&line);
            all.push(format!("{line}; {other}"));
            all.push(format!("{line}\n{other}"));
            all.swap_remove(how.index(all.len()))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn a_deny_more_never_allows_more(
        line in lines(),
        rules in prop::collection::vec(any_rule(), 0..5),
        added in any_rule(),
        at in any::<prop::sample::Index>(),
        user in any::<bool>(),
    ) {
        let world = World::new();
        let caller = if user { Caller::User } else { Caller::Model };
        let before = world.by(caller, &line, &rules).action;
        let mut more = rules.clone();
        let added = Rule { action: Action::Deny, ..added };
        more.insert(at.index(rules.len() + 1), added.clone());
        let after = world.by(caller, &line, &more).action;
        prop_assert!(after >= before, "{:?}: {} loosened {:?}", line, added, rules);
    }

    #[test]
    fn no_attack_inside_of_anything_is_allowed(line in attacks()) {
        prop_assert_ne!(World::new().action(&line), Action::Allow, "{:?}", line);
    }
}
