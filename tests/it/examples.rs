//! Every example and every shipped script runs, as its reader would run it.
//!
//! A new file in `examples/` or `scripts/` that no test here names fails the suite.

use crate::program::Program;
use crate::sources::files_below;

/// The files that the tests of this suite run; `scripts.rs` has those of `rename`, `lua_page.rs` the tools, `testing.rs`
/// their tests.
const RUN: [&str; 19] = [
    "examples/fix_until_green.lua",
    "examples/fix_with_model.lua",
    "examples/header.lua",
    "examples/own_loop.lua",
    "examples/report.lua",
    "examples/tests/tools_test.lua",
    "examples/tools/check_json.lua",
    "examples/tools/count.lua",
    "examples/tools/grep.lua",
    "examples/tools/guard.lua",
    "examples/tools/hello.lua",
    "examples/tools/models.lua",
    "examples/tools/permissions.lua",
    "examples/tools/replacers.lua",
    "examples/tools/sqlite.lua",
    "examples/tools/surfaces.lua",
    "examples/tools/truncation.lua",
    "examples/tools/write.lua",
    "scripts/rename.lua",
];

#[test]
fn no_example_is_forgotten() {
    let files = ["examples", "scripts"]
        .map(|folder| files_below(folder, "lua"))
        .concat();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, RUN);
}

#[test]
fn models_names_a_server_of_ones_own_and_a_short_word_for_it() {
    let program = Program::new().file(
        "own/models.lua",
        include_str!("../../examples/tools/models.lua"),
    );
    program
        .run(&["--tools", "own", "doctor"])
        .prints_part("ok   models     none is chosen; providers: anthropic (")
        .prints_part("near (needs no key)");
    // The word means the server: it is asked for an answer, and nobody listens there.
    let ran = program.run(&["--tools", "own", "run", "-m", "quick", "x"]);
    ran.exits(5).says("near/qwen3-coder cannot be reached");
}

#[test]
fn replacers_finds_a_place_although_trailing_commas_differ() {
    let program = Program::new()
        .file(
            "own/replacers.lua",
            include_str!("../../examples/tools/replacers.lua"),
        )
        .file("a.json", "{\r\n  \"a\": [1, 2,],\r\n  \"b\": 2,\r\n}\r\n");
    let args = r#"{"path": "a.json", "old": "  \"a\": [1, 2],\n  \"b\": 2\n}", "new": "  \"a\": [],\n  \"b\": 2\n}"}"#;
    program
        .run(&["call", "edit", args])
        .exits(1)
        .says("does not stand in a.json");
    let ran = program.run(&["--tools", "own", "call", "edit", args]);
    ran.prints_part("found by trailing_commas");
    assert_eq!(
        program.text("a.json"),
        "{\r\n  \"a\": [],\r\n  \"b\": 2,\r\n}\r\n"
    );
}

#[test]
fn header_puts_a_line_into_the_files_that_lack_it() {
    let script = include_str!("../../examples/header.lua");
    let program = Program::new()
        .file("header.lua", script)
        .file("src/a.lua", "return 1\n")
        .file("src/b.lua", "# mine\nreturn 2\n");
    let with = |words: &[&str]| program.run(&[&["script", "header.lua", "# mine"], words].concat());
    with(&["--glob", "src/*.lua", "--dry-run"]).prints("src/a.lua\n");
    assert_eq!(program.text("src/a.lua"), "return 1\n");
    let ran = with(&["--glob", "src/*.lua"]);
    ran.prints("1 of 2 files changed\n").stderr();
    assert_eq!(program.text("src/a.lua"), "# mine\nreturn 1\n");
    with(&["--help"]).prints_part("the first line");
    // A file that cannot be written: the one before it is as it was.
    let program = program.file("src/0.lua", "return 0\n");
    let ran = program.run(&[
        "--deny",
        "edit:src/c.lua",
        "script",
        "header.lua",
        "# new",
        "--glob",
        "src/*.lua",
    ]);
    ran.prints_part("files changed").stderr();
    let program = program.file("src/c.lua", "return 3\n");
    let ran = program.run(&[
        "--deny",
        "edit:src/c.lua",
        "script",
        "header.lua",
        "# newer",
        "--glob",
        "src/*.lua",
    ]);
    ran.exits(3).says("src/c.lua");
    assert_eq!(program.text("src/0.lua"), "# new\nreturn 0\n");
}

#[test]
fn report_is_one_document() {
    let program = Program::new()
        .file("report.lua", include_str!("../../examples/report.lua"))
        .file("src/a.rs", "// TODO: x\nfn a() {}\n")
        .file("b.md", "b\n");
    let ran = program.run(&["script", "report.lua", "**/*.{rs,md}"]);
    let report: serde_json::Value = serde_json::from_str(ran.stdout()).expect("JSON");
    assert_eq!(
        report["total"],
        serde_json::json!({ "bytes": 23, "files": 2, "lines": 3, "tasks": 1 })
    );
    assert_eq!(report["files"][1]["path"], "src/a.rs");
}

/// A workspace with the script and the crate it mends.
fn broken() -> Program {
    let mut program = Program::new().within(300);
    for extension in ["rs", "toml", "lua"] {
        for (path, text) in files_below("examples", extension) {
            program = program.file(&path, text);
        }
    }
    program
}

#[test]
fn fix_until_green_ends_green() {
    let program = broken();
    let before = program.text("examples/broken/src/lib.rs");
    let ran = program.run(&["script", "examples/fix_until_green.lua"]);
    ran.stderr();
    ran.prints_part("\n+            Level::Error => 10,\n");
    assert!(ran.stdout().ends_with("green\n"), "{ran}");
    assert_eq!(program.text("examples/broken/src/lib.rs"), before);
    let mended = program.text("target/fix_until_green/src/lib.rs");
    assert!(mended.contains("Level::named(&word)") && !mended.contains("use std::fmt"));

    // And again, over what the first run left.
    let again = program.run(&["script", "examples/fix_until_green.lua"]);
    again.stderr();
    assert_eq!(again.stdout(), ran.stdout());
}

#[test]
fn fix_until_green_stops_where_nothing_moves() {
    let program = broken()
        .file(
            "red/Cargo.toml",
            "[package]\nname = \"red\"\nedition = \"2024\"\n[workspace]\n",
        )
        .file(
            "red/src/lib.rs",
            "#[test]\nfn red() {\n    assert_eq!(1 + 1, 3);\n}\n",
        );
    let ran = program.run(&["script", "examples/fix_until_green.lua", "red"]);
    ran.exits(1).prints("").says("nothing moves");
}

#[test]
fn a_text_that_begins_with_a_dash_stands_behind_two() {
    let script = include_str!("../../examples/header.lua");
    let program = Program::new()
        .file("header.lua", script)
        .file("a.lua", "x = 1\n");
    let run = |words: &[&str]| program.run(&[&["script", "header.lua"], words].concat());
    let refused = run(&["-- MIT"]);
    refused.exits(2).says("stands behind `--`: -- '-- MIT'");
    run(&["--glob", "a.lua", "--", "-- MIT"])
        .prints_part("files changed")
        .stderr();
    assert_eq!(program.text("a.lua"), "-- MIT\nx = 1\n");
}

#[test]
fn the_help_of_the_policy_names_its_fields() {
    let ran = Program::new().run(&["eval", "agent.help('permissions')"]);
    for word in [
        "rules",
        "cases",
        "files",
        "additions, deletions",
        "SURFACE.EFFECT",
    ] {
        ran.prints_part(word);
    }
}
