//! The chain of replacers, changed by a person and by a project: functions, tables, and what is refused.

use crate::program::Program;

const EDIT: &str = r#"{"path": "a.txt", "old": "ONE", "new": "three"}"#;

/// A program whose edits are asked of one function.
fn with(function: &str) -> Program {
    let policy = format!("return {{ chain = {{ 'simple',\n  {{ 'mine', {function} }} }} }}");
    Program::new()
        .file("own/replacers.lua", policy)
        .file("a.txt", "zwölf\r\none\r\ntwo\r\none\r\n")
}

#[test]
fn a_function_finds_places_by_bytes_of_the_text_with_plain_line_ends() {
    let program = with(
        "function(text, old) assert(not text:find('\\r')) local f, l = text:find(old:lower()) return { { f, l, 0.5 } } end",
    );
    let words = ["--tools", "own", "-o", "json", "call", "edit", EDIT];
    let told = program.run(&words).json();
    let facts = &told["metadata"];
    assert_eq!(facts["replacer"], "mine");
    assert_eq!(facts["score"], 0.5);
    assert_eq!(facts["spans"][0]["first_byte"], 9);
    assert_eq!(facts["spans"][0]["last_byte"], 11);
    assert_eq!(program.text("a.txt"), "zwölf\r\nthree\r\ntwo\r\none\r\n");
}

#[test]
fn what_a_function_finds_is_held_to_the_policy() {
    let all = "function(text, old) local all = {} for f in text:gmatch('()one') do all[#all + 1] = { f, f + 2 } end return all end";
    let program = with(all);
    let ran = program.run(&["--tools", "own", "call", "edit", EDIT]);
    ran.exits(1)
        .says("stands in a.txt 2 times (found by mine): lines 2, 4");
    let every = EDIT.replace("}", ", \"replace_all\": true}");
    let ran = program.run(&["--tools", "own", "call", "edit", &every]);
    ran.prints_part("edited a.txt: 2 places");
    assert_eq!(program.text("a.txt"), "zwölf\r\nthree\r\ntwo\r\nthree\r\n");
    let program = with("function(text) return { { 1, #text } } end");
    let ran = program.run(&["--tools", "own", "call", "edit", EDIT]);
    ran.exits(1)
        .says("much larger than `old`: 4 lines, 18 bytes, and `old` has 1 line, 3 bytes");
}

#[test]
fn a_function_that_errs_ends_the_edit_with_its_line_and_changes_nothing() {
    let cases = [
        (
            "function(text) return { { 4, 5 } } end",
            "inside a character",
        ),
        (
            "function(text) return { { 1, 100 } } end",
            "no place in a text of",
        ),
        (
            "function(text) return { { 0, 1 } } end",
            "positions count from 1",
        ),
        ("function(text) return { { 4, 3 } } end", "no place"),
        (
            "function(text) return { { 1, 2 }, { 2, 2 } } end",
            "overlaps",
        ),
        (
            "function(text) return { { 1, 2, 7 } } end",
            "the score of { 1, 2 } is 7",
        ),
        (
            "function(text) return { { 1 } } end",
            "expected { first, last, score }",
        ),
        (
            "function(text) return { 1, 2 } end",
            "expected { first, last, score }",
        ),
        ("function(text) return 3 end", "expected a list"),
        ("function(text) error('broken') end", "broken"),
        (
            "function(text) while true do end end",
            "was not done after 1 s",
        ),
        (
            "function(text) return tools.read('a.txt') end",
            "cannot be called inside of",
        ),
    ];
    for (function, says) in cases {
        let program = with(function);
        let ran = program.run(&["--tools", "own", "call", "edit", EDIT]);
        ran.exits(1).says(says).says("own/replacers.lua:2");
        assert_eq!(program.text("a.txt"), "zwölf\r\none\r\ntwo\r\none\r\n");
    }
}

#[test]
fn a_function_is_passed_over_for_a_large_text_and_the_result_says_so() {
    let policy = "return { chain = { { 'mine', function() return { { 1, 1 } } end }, 'simple' } }";
    let program = Program::new()
        .file("own/replacers.lua", policy)
        .file("a.txt", format!("ONE{}", "\n".repeat(2 << 20)));
    let ran = program.run(&["--tools", "own", "call", "edit", EDIT]);
    ran.prints_part("the replacer `mine` (own/replacers.lua:1) was passed over: it is asked about texts up to 2 MB");
    assert!(program.text("a.txt").starts_with("three\n"));
}

#[test]
fn a_table_changes_the_order_and_what_is_off() {
    let program = Program::new()
        .file(
            "t/replacers.lua",
            "return { chain = { 'whitespace_normalized', 'line_trimmed' } }",
        )
        .file(
            "../config/tools/replacers.lua",
            "return { chain = { 'simple' } }",
        )
        .file("a.txt", "\tone\n");
    let args = r#"{"path": "a.txt", "old": "  one", "new": "  two"}"#;
    program
        .run(&["call", "edit", args])
        .exits(1)
        .says("does not stand in a.txt");
    let ran = program.run(&["--tools", "t", "call", "edit", args]);
    ran.prints_part("found by whitespace_normalized");
    assert_eq!(program.text("a.txt"), "\ttwo\n");
}

/// Says yes to what the project holds.
fn trust(program: &Program) {
    let ran = program.run(&["trust"]);
    ran.exits(3).stderr();
    let digest = ran
        .stdout()
        .lines()
        .find_map(|line| line.strip_prefix("digest "));
    let word = format!("--trust={}", digest.expect("a digest"));
    program.run(&["trust", &word]).stdout();
}

#[test]
fn a_project_makes_edits_stricter_and_not_looser() {
    for (policy, says) in [
        (
            "return { policy = 'opencode' }",
            "`opencode` where `safe` holds",
        ),
        (
            "return { thresholds = { block_anchor = 0.3 } }",
            "replacers.thresholds.block_anchor: 0.3 where 0.65 holds",
        ),
        (
            "return { thresholds = { larger = 9 } }",
            "replacers.thresholds.larger: 9 where 2 holds",
        ),
        (
            "return function(all) all.policy = 'opencode' return all end",
            "`opencode` where `safe` holds",
        ),
        (
            "return { chain = { 'block_anchor' } }",
            "`block_anchor`, which is off",
        ),
    ] {
        let program = Program::new()
            .file(".agent/tools/replacers.lua", policy)
            .file(
                "../config/tools/replacers.lua",
                "return { chain = { 'simple', 'line_trimmed' } }",
            )
            .file("a.txt", "\tone\n");
        trust(&program);
        let ran = program.run(&[
            "call",
            "edit",
            r#"{"path": "a.txt", "old": "one", "new": "two"}"#,
        ]);
        ran.exits(2).says(says);
        assert_eq!(program.text("a.txt"), "\tone\n");
    }
    let program = Program::new()
        .file(
            ".agent/tools/replacers.lua",
            "return { chain = { 'simple' }, thresholds = { block_anchor = 0.9 } }",
        )
        .file("a.txt", "\tone\n");
    trust(&program);
    let ran = program.run(&[
        "call",
        "edit",
        r#"{"path": "a.txt", "old": "  one", "new": "  two"}"#,
    ]);
    ran.exits(1).says("does not stand in a.txt");
}

#[test]
fn what_cannot_be_edited_is_refused_each_in_its_own_words() {
    let program = Program::new()
        .file("a.txt", "one\n")
        .file("binary", b"\0\x01\x02\xff\0")
        .file(
            "latin.txt",
            b"caf\xe9 cr\xe8me br\xfbl\xe9e \xe0 la carte, d\xe9j\xe0 vu, na\xefve fa\xe7ade\n",
        )
        .file("folder/b.txt", "one\n");
    let cases = [
        ("a.txt", "one", "one", "argument"),
        ("a.txt", "", "x", "argument"),
        ("none.txt", "one", "x", "not_found"),
        ("folder", "one", "x", "argument"),
        ("binary", "one", "x", "argument"),
        ("latin.txt", "carte", "☃", "argument"),
    ];
    let mut told = Vec::new();
    for (path, old, new, kind) in cases {
        let args = serde_json::json!({ "path": path, "old": old, "new": new }).to_string();
        let ran = program.run(&["-o", "json", "--as", "user", "call", "edit", &args]);
        let (_, _, error) = (ran.code(), ran.stderr(), ran.json());
        let error = &error["error"];
        assert_eq!(error["kind"], kind, "{path}: {error}");
        told.push(error["message"].as_str().unwrap().to_owned());
    }
    told.sort();
    told.dedup();
    assert_eq!(told.len(), 6, "{told:#?}");
    assert_eq!(program.text("a.txt"), "one\n");
}

/// What each tool that changes a file is given for `path`.
fn changing(path: &str) -> [(&'static str, serde_json::Value); 4] {
    let patch = format!("*** Begin Patch\n*** Update File: {path}\n-zzz\n+x\n*** End Patch");
    let append = serde_json::json!([{ "op": "append", "lines": ["x"] }]);
    [
        (
            "edit",
            serde_json::json!({ "path": path, "old": "zzz", "new": "x" }),
        ),
        ("write", serde_json::json!({ "path": path, "content": "x" })),
        ("apply_patch", serde_json::json!({ "patch": patch })),
        (
            "hashline_edit",
            serde_json::json!({ "path": path, "edits": append }),
        ),
    ]
}

#[test]
fn what_is_outside_too_large_or_cannot_be_written_is_refused_by_every_tool() {
    let program = Program::new().file("../outside.txt", "zzz\n");
    std::fs::write(program.at("big.txt"), "zzz\n".repeat(17 << 20)).unwrap();
    let kind = |path: &str, more: &[&str], tool: &str, args: &serde_json::Value| {
        let args = args.to_string();
        let ran = program.run(&[more, &["-o", "json", "call", tool, &args]].concat());
        let (_, _, told) = (ran.code(), ran.stderr(), ran.json());
        assert_eq!(told["ok"], false, "{tool} {path}: {ran}");
        told["error"]["kind"].as_str().unwrap().to_owned()
    };
    let outside = program.at("../outside.txt").display().to_string();
    for (tool, args) in changing(&outside) {
        let kind = kind(&outside, &["--as", "model"], tool, &args);
        assert!(["denied", "conflict"].contains(&&*kind), "{tool}: {kind}");
    }
    for (tool, args) in changing("big.txt") {
        // Whole texts take its place whatever it holds.
        if tool != "write" {
            assert_eq!(kind("big.txt", &[], tool, &args), "resource", "{tool}");
        }
    }
    let read_only = "/proc/sys/kernel/ostype";
    let rules = ["--allow", "edit", "--allow", "external_directory"];
    for (tool, args) in changing(read_only) {
        let kind = kind(read_only, &rules, tool, &args);
        assert!(
            ["resource", "not_found"].contains(&&*kind),
            "{tool}: {kind}"
        );
    }
    assert_eq!(program.text("../outside.txt"), "zzz\n");
    assert_eq!(program.bytes("big.txt").len(), 4 * (17 << 20));
}
