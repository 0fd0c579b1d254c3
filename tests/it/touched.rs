//! Commands that may read or write what a rule forbids: by `agent permissions explain`, and by the unattended call
//! itself, after which nothing has happened. The cases are data: `tests/permission/ruled_cases.jsonl`.

use serde_json::Value;

use crate::program::Program;

const CASES: &str = include_str!("../permission/ruled_cases.jsonl");

const KEY: &str = "canary x\n";

fn workspace() -> Program {
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file(".github/workflows/ci.yml", "x\n")
        .file("a", "x\n")
        .file("x.diff", "")
        .file("src/main.rs", "x\n")
        .file("secret/key", KEY)
}

/// The rules of a case as options.
fn options(case: &Value) -> Vec<String> {
    let rules = case["rules"].as_array().expect("a list of rules");
    let texts = rules.iter().filter_map(Value::as_str);
    let pair = |text: &str| {
        let (action, rule) = text.split_once(' ').expect("an action and a rule");
        [format!("--{action}"), rule.to_owned()]
    };
    texts.flat_map(pair).collect()
}

/// The rules of a case as the policy of the person, which has asks, too.
fn policy(case: &Value) -> String {
    let rules = case["rules"].as_array().expect("a list of rules");
    let row = |text: &str| {
        let (action, rule) = text.split_once(' ').expect("an action and a rule");
        match rule.split_once(':') {
            Some((name, pattern)) => format!("{{ {name:?}, {pattern:?}, {action:?} }}"),
            None => format!("{{ {rule:?}, {action:?} }}"),
        }
    };
    let rows: Vec<String> = rules.iter().filter_map(Value::as_str).map(row).collect();
    format!("return {{ rules = {{ {} }} }}\n", rows.join(", "))
}

fn cases() -> Vec<Value> {
    let lines = CASES.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("a case"))
        .collect()
}

#[test]
fn every_case_is_explained_as_it_should_be() {
    let mut wrong = Vec::new();
    for case in cases() {
        let program = workspace();
        program.write("../config/tools/permissions.lua", policy(&case));
        let line = case["cmd"].as_str().expect("a line");
        let asked = [
            "--as",
            "model",
            "-o",
            "json",
            "permissions",
            "explain",
            "shell",
            line,
        ];
        let told = program.run(&asked).exits(0).json();
        if told["verdict"] != case["expect"] {
            wrong.push(format!("{case}: {} {}", told["verdict"], told["reason"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_not_allowed_is_refused_where_nobody_is_there_and_nothing_has_happened() {
    let refused = cases().into_iter().filter(|case| case["expect"] != "allow");
    for case in refused {
        let program = workspace();
        let line = case["cmd"].as_str().expect("a line");
        let options = match case["rules"].to_string().contains("ask ") {
            true => {
                program.write("../config/tools/permissions.lua", policy(&case));
                Vec::new()
            }
            false => options(&case),
        };
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let words = [&options[..], &["--as", "model", "call", "shell", line]].concat();
        let ran = program.run(&words);
        let said = format!("{}{}", ran.stdout(), ran.stderr());
        assert!(!said.contains("canary"), "{line}: {ran}");
        ran.exits(3);
        assert_eq!(program.text("secret/key"), KEY, "{line}");
        let names = std::fs::read_dir(program.at("secret")).expect("a folder");
        assert_eq!(names.count(), 1, "{line}");
        assert!(!program.at("copy").exists(), "{line}");
    }
}
