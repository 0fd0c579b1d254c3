//! Secrets and the program: twenty kinds of them, none of which reaches a model by any way there is.

use std::fs;
use std::path::Path;

use data_encoding::BASE64;

use crate::program::Program;

/// A secret of each kind, in two parts so that no line of this file is one.
const KINDS: [(&str, &str); 20] = [
    ("AKIA", "Z7VRSQ5TJN2XMPLQ"),
    ("sk-ant-", "api03-Zm9vYmFyYmF6cXV4-0123456789_abcdefAA"),
    ("sk-proj-", "Zm9vYmFyYmF6cXV4T3BlbkFJ0123456789"),
    ("sk_live_", "51H8abcdefghijklmnopqrst"),
    ("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"),
    (
        "github_pat_",
        "11ABCDEFG0abcdefghijkl_0123456789abcdefghijklmnop",
    ),
    ("glpat-", "zYxWvUtSrQpOnMlKjIhG"),
    ("AIza", "SyA1234567890abcdefghijklmnopqrstuv"),
    ("GOCSPX-", "abcdefghijklmnopqrstuvwxyz01"),
    ("xoxb-", "123456789012-abcdefghijklmnop"),
    ("npm_", "zbcdefghijklmnopqrstuvwxyz0123456789"),
    ("pypi-AgE", "IcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0"),
    ("hf_", "qbcdefghijklmnopqrstuvwxyzABCDEFGH"),
    (
        "SG.",
        "vbcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
    ),
    (
        "dop_v1_",
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    ),
    ("dckr_pat_", "ubcdefghijklmnopqrstuvwxyz0"),
    ("hvs.", "CAESIJabcdefghijklmnopqrstuv"),
    (
        "gsk_",
        "rbcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOP",
    ),
    (
        "eyJhbGciOiJIUzI1NiJ9.",
        "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ),
    ("postgres://ann:", "hunter2-of-ann@db.example/x"),
];

const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

/// What a variable of the environment holds.
const HELD: &str = "correct horse/battery+staple";

fn secrets() -> String {
    let lines = KINDS.map(|(start, rest)| format!("x = {start}{rest}\n"));
    let key =
        format!("-----BEGIN RSA PRIVATE KEY-----\n{LINE}\n{LINE}\n-----END RSA PRIVATE KEY-----\n");
    let held = format!(
        "held = {HELD}\nheld = {}\nheld = correct%20horse%2Fbattery%2Bstaple\n",
        BASE64.encode(HELD.as_bytes())
    );
    lines.concat() + &key + &held
}

/// What nobody may see of them.
fn parts() -> Vec<String> {
    let rest = KINDS
        .iter()
        .map(|(_, rest)| rest.split('@').next().unwrap_or(rest).to_owned());
    let held = [
        HELD.to_owned(),
        BASE64.encode(HELD.as_bytes()),
        "horse%2Fbattery".to_owned(),
    ];
    rest.chain([LINE.to_owned()]).chain(held).collect()
}

fn program() -> Program {
    Program::new()
        .within(120)
        .env("MY_API_KEY", HELD)
        .file("secrets.txt", secrets())
        .file("long.txt", secrets().repeat(200))
        .file("code.rs", "fn main() {}\n")
}

/// Fails where `text` holds one of the secrets.
fn holds_none(text: &str, what: &str) {
    for part in parts() {
        let line = text
            .lines()
            .find(|line| line.contains(&part))
            .map(|line| &line[..line.len().min(400)]);
        assert!(!text.contains(&part), "{what}: {part} in {line:?}");
    }
}

/// Runs the program as a model would; all that it says, whatever came of it.
fn model(program: &Program, words: &[&str]) -> String {
    let with = [
        "-v", "--as", "model", "--allow", "shell", "--allow", "edit", "--allow", "read",
    ];
    let ran = program.run(&[&with, words].concat());
    let said = format!("{}{}", ran.stdout(), ran.stderr());
    ran.code();
    said
}

#[test]
fn no_secret_reaches_a_model_by_any_tool() {
    let program = program();
    let named = format!("{}{}.txt", KINDS[4].0, KINDS[4].1);
    program.write(&named, "x\n");
    let (first, rest) = KINDS[0];
    let wrong = format!("{{\"path\":\"nope/{first}{rest}\"}}");
    let pattern = format!("{{\"pattern\":\"({first}{rest}\"}}");
    let unknown = format!("{first}{rest}");
    for words in [
        &["call", "read", "secrets.txt"][..],
        &["-o", "json", "call", "read", "secrets.txt"],
        &[
            "call",
            "read",
            r#"{"path":"secrets.txt","offset":22,"limit":2}"#,
        ],
        &["call", "read", "long.txt"],
        &["call", "grep", "."],
        &[
            "-o",
            "json",
            "call",
            "grep",
            r#"{"pattern":"8cKj|=","context":2}"#,
        ],
        &["call", "shell", "cat secrets.txt; cat secrets.txt >&2"],
        &[
            "-o",
            "json",
            "call",
            "shell",
            "cat -n secrets.txt; grep -n . secrets.txt",
        ],
        &[
            "-o",
            "jsonl",
            "call",
            "shell",
            "cat secrets.txt; cat secrets.txt >&2",
        ],
        &[
            "-o",
            "json",
            "call",
            "shell",
            "printf '\\377'; cat secrets.txt",
        ],
        &["call", "shell", "cat long.txt"],
        &["call", "shell", "env; echo \"$MY_API_KEY\""],
        &["call", "list", "."],
        &["-o", "json", "call", "glob", "*"],
        &["call", "delete", "secrets.txt"],
        &["call", "read", &wrong],
        &["-o", "json", "call", "grep", &pattern],
        &["call", &unknown, "x"],
    ] {
        holds_none(&model(&program, words), &words.join(" "));
    }
    for (path, bytes) in files(&program.at("../state")) {
        holds_none(&String::from_utf8_lossy(&bytes), &path);
    }
}

#[test]
fn what_is_spilled_is_redacted_and_read_again_so() {
    let program = program();
    let said = model(&program, &["-o", "json", "call", "shell", "cat long.txt"]);
    holds_none(&said, "the result");
    let spills: Vec<_> = files(&program.at("../state/store/spill"));
    assert_eq!(spills.len(), 1, "{said}");
    let text = String::from_utf8(spills[0].1.clone()).unwrap();
    assert!(text.lines().count() > 4000 && text.contains("[redacted:aws-key:"));
    holds_none(&text, "the spill");
}

#[test]
fn what_a_hook_of_a_model_logs_is_redacted_too() {
    let hook = "agent.on('tool.after', function(call) agent.log('saw ' .. call.output) end)";
    let program = program().file("../config/init.lua", hook);
    let said = model(&program, &["call", "shell", "cat secrets.txt"]);
    assert!(said.contains("saw exit code 0"), "{said}");
    holds_none(&said, "the log");
    let audit = files(&program.at("../state/audit"));
    assert!(!audit.is_empty());
    let words = ["call", "shell", "true --password=hunter2-of-ann"];
    program.run(&words).prints_part("exit code 0").says("saw");
    for (path, bytes) in files(&program.at("../state/audit")) {
        holds_none(&String::from_utf8_lossy(&bytes), &path);
    }
}

#[test]
fn what_a_call_inside_of_a_model_s_call_writes_is_told_without_secrets() {
    let tool = "return { effect = 'run', parameters = {}, execute = function() \
                return #tools.shell('cat secrets.txt; head -c 20 secrets.txt; sleep 0.2; cat secrets.txt >&2').stdout .. '' end }";
    let program = program().file("own/deep.lua", tool);
    let said = model(
        &program,
        &[
            "--allow", "deep", "--tools", "own", "-o", "jsonl", "call", "deep",
        ],
    );
    let told = |line: &&str| line.contains("\"type\":\"output\"");
    assert!(said.lines().filter(told).count() >= 2, "{said}");
    assert!(said.contains("[redacted:aws-key:"), "{said}");
    holds_none(&said, "the events");
}

#[test]
fn a_person_has_everything_whole() {
    let program = program();
    program
        .run(&["call", "shell", "cat secrets.txt"])
        .prints_part(HELD);
    program
        .run(&["eval", "tools.read('secrets.txt').text"])
        .prints(&secrets());
}

#[test]
fn a_file_of_ones_own_adds_rules_and_a_broken_one_ends_the_program() {
    let program = program()
        .file(
            "own/redaction.lua",
            "return { files = true, { name = 'host', regex = [[\\bdb[0-9]+\\.corp\\b]] } }",
        )
        .file("hosts.txt", "db17.corp password = \"hunter22\"\n");
    let said = model(&program, &["--tools", "own", "call", "read", "hosts.txt"]);
    assert!(
        said.contains("[redacted:host:") && !said.contains("hunter22"),
        "{said}"
    );
    let said = model(&program, &["call", "read", "hosts.txt"]);
    assert!(said.contains("db17.corp password = \"hunter22\""), "{said}");
    for wrong in ["(", "x*"] {
        program.write(
            "own/redaction.lua",
            format!("return {{ {{ name = 'x', regex = '{wrong}' }} }}"),
        );
        let end = program.run(&["--tools", "own", "call", "read", "hosts.txt"]);
        end.exits(2).says("own/redaction.lua");
    }
}

/// All files below `folder`.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.path().is_dir() {
            true => files(&entry.path()),
            false => vec![(
                entry.path().display().to_string(),
                fs::read(entry.path()).unwrap(),
            )],
        })
        .collect()
}

#[test]
fn a_key_whose_first_line_was_cut_off_reaches_no_model() {
    let end = "-----END RSA PRIVATE KEY-----";
    let key = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{}Abcd12==\n{end}\n",
        format!("{LINE}\n").repeat(20)
    );
    let program = Program::new()
        .file("key.pem", &key)
        .file("dump.txt", format!("{LINE}\n{LINE}\n"));
    for command in [
        "tail -n +2 key.pem",
        "tail -n +2 key.pem | cat -n",
        "diff -y key.pem key.pem | tail -n +2",
        "diff -y -W 200 key.pem key.pem",
    ] {
        let ran = program.run(&[
            "--as", "model", "--allow", "shell", "call", "shell", command,
        ]);
        let told = ran.exits(0).stdout();
        assert!(
            told.contains(end) && !told.contains("MIIE") && !told.contains("Abcd12"),
            "{ran}"
        );
    }
    // Base64 that no key ends below stays what it is.
    let ran = program.run(&["--as", "model", "call", "shell", "cat dump.txt"]);
    ran.exits(0).prints_part(LINE);
}

#[test]
fn no_secret_reaches_a_session_or_what_is_exported_of_it() {
    let call = |tool: &str, args: &str| format!(r#"{{"tool":"{tool}","args":{args}}}"#);
    let calls = [
        call("read", r#"{"path":"secrets.txt"}"#),
        call("grep", r#"{"pattern":"x = |held"}"#),
        call("shell", r#"{"command":"cat secrets.txt"}"#),
        call("read", r#"{"path":"nothing.txt"}"#),
    ];
    let answers = format!(
        "{{\"calls\":[{}]}}\n{{\"say\":\"Read.\"}}\n",
        calls.join(",")
    );
    let program = program()
        .file("../model.jsonl", answers)
        .stdin(format!("piped:\n{}", secrets()));
    let ran = program.run(&["run", "-m", "script:../model.jsonl", "-o", "jsonl", "look"]);
    holds_none(ran.stdout(), "the events of a turn");
    let kept = files(&program.at("../state/sessions"));
    assert_eq!(kept.len(), 1);
    let (name, bytes) = &kept[0];
    let text = String::from_utf8_lossy(bytes);
    assert!(
        text.contains("piped:") && text.contains("secrets.txt"),
        "{text}"
    );
    holds_none(&text, name);
    for format in ["md", "json", "html", "lua"] {
        let exported = program.run(&["session", "export", "last", "--format", format]);
        holds_none(exported.stdout(), format);
    }
    let shown = program.run(&["session", "show", "last"]);
    holds_none(shown.stdout(), "what is shown");
}
