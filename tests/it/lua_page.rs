//! What the pages of `lua/` show in blocks runs as it stands, and the tool files of `examples/tools` do what they say.
//!
//! A block that begins with the name of a file is that file; any other is a script.

use crate::program::Program;
use crate::sources::files_below;

const PAGE: &str = include_str!("../../lua/README.md");

const LAYERS: &str = include_str!("../../lua/layers.md");

/// The blocks in `language`, in order.
fn blocks(language: &str) -> Vec<&'static str> {
    blocks_of(PAGE, language)
}

fn blocks_of(page: &'static str, language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let starts = page.split(&*fence).skip(1);
    starts.filter_map(|rest| rest.split("```").next()).collect()
}

/// A workspace with the tool files of the page, and what its scripts work on.
fn workspace() -> Program {
    let mut program = Program::new()
        .within(120)
        .file("src/main.rs", "fn main() {\n    foo() // TODO\n}\n")
        .file("a.txt", "x\n");
    for block in blocks("lua") {
        if let Some(name) = file_name(block) {
            program = program.file(name, block);
        }
    }
    program
}

fn file_name(block: &str) -> Option<&str> {
    block
        .strip_prefix("-- ")?
        .lines()
        .next()?
        .strip_suffix(".lua")?;
    block.strip_prefix("-- ")?.lines().next()
}

#[test]
fn the_scripts_of_the_page_run() {
    let mut ran = 0;
    for block in blocks("lua")
        .into_iter()
        .filter(|block| file_name(block).is_none())
    {
        // The values of the page are checked where the interface is; here only whole scripts.
        if block.contains(" --> ") {
            continue;
        }
        let program = workspace().file("page.lua", block);
        let raises = block.lines().any(|line| line.starts_with("error {"));
        let words = ["script", "page.lua", "old", "new"];
        let end = program.run(&words);
        end.exits(if raises { 1 } else { 0 }).stdout();
        end.stderr();
        ran += 1;
    }
    assert!(ran > 3, "the scripts were found");
}

#[test]
fn the_tool_files_of_the_page_work() {
    let program = workspace();
    let with = |words: &[&str]| program.run(&[&["--tools", "t"], words].concat());
    with(&["call", "hello", "world"]).prints("hello world\n");
    with(&["eval", "tools.hello('world', { loud = true })"]).prints("HELLO WORLD\n");
    with(&[
        "eval",
        "tools.todo_add('x') return agent.json.encode(tools.todo().list)",
    ])
    .prints("[\"x\"]\n");
    with(&["call", "write", r#"{"path":"b.txt","content":"no end"}"#]).prints_part("created");
    assert_eq!(program.text("b.txt"), "no end\n");
    with(&["test", "t"]).prints_part("2 passed, 0 failed, 0 skipped\n");
}

#[test]
fn the_files_of_the_page_on_layers_work() {
    let mut program = Program::new()
        .file("src/a.txt", "word\n")
        .file("src/vendor/b.txt", "word\n")
        .file("vendor/c.txt", "word\n")
        .file("own/note.lua", "return { execute = function() end }");
    let blocks = blocks_of(LAYERS, "lua");
    assert_eq!(blocks.len(), 10);
    for block in blocks {
        program = program.file(file_name(block).expect("a file"), block);
    }
    let with = |words: &[&str]| program.run(&[&["--tools", "own"], words].concat());
    with(&["eval", "tools.grep{ pattern = 'word', path = 'src' }.count"]).prints("1\n");
    with(&["eval", "tools.grep('word').count"]).prints("1\n");
    let args = r#"{"path":"src/a.txt","old":"WORD","new":"word!"}"#;
    with(&["call", "edit", args]).prints_part("found by any_case, 90 % alike, bytes 1–4");
    with(&["--profile", "reviewer", "call", "glob", "*"])
        .exits(1)
        .says("the profile `reviewer` has not got the tool `glob`");
    with(&["tools"]).prints_part("  reviewer           read, grep, list, shell\n");
    let asked = ["permissions", "explain", "read", "src/generated/x"];
    with(&[&["--profile", "explore"][..], &asked].concat()).prints_part("too long");
    with(&["doctor", "-m", "none/such"])
        .exits(1)
        .prints_part("near (needs no key)");
    with(&["tools", "shell"]).prints_part("Limited to commands: cargo *, git status *.");
    with(&["call", "shell", "git push"]).exits(3).says("denied");
    with(&["call", "read", "vendor/c.txt"])
        .exits(3)
        .says("folders: src, tests");
    with(&[
        "--as",
        "model",
        "call",
        "edit",
        "{\"path\":\"src/a.txt\",\"old\":\"word\",\"new\":\"x\"}",
    ])
    .exits(1)
    .says("conflict");
    program
        .run(&["test", "own/large_test.lua"])
        .prints_part("1 passed, 0 failed");
    program
        .run(&["--tools", "strict", "call", "delete", "src/a.txt"])
        .exits(3)
        .says("0 rules stand below this one");
}

#[test]
fn the_example_tools_work() {
    let mut program = Program::new().file("a.txt", "one two\nthree\n");
    for (path, text) in files_below("examples/tools", "lua") {
        program = program.file(&path, text);
    }
    let with = |words: &[&str]| program.run(&[&["--tools", "examples/tools"], words].concat());
    with(&["call", "count", "a.txt"]).prints("2 lines, 3 words\n");
    with(&["--as", "model", "call", "count", "a.txt"]).prints_part("3 words");
    with(&["--as", "model", "call", "count", "/etc/passwd"])
        .exits(3)
        .says("outside");
    with(&["call", "count", "nope.txt"])
        .exits(1)
        .says("read: not_found");
    with(&["call", "write", r#"{"path":"a.gen.rs","content":"x"}"#])
        .exits(3)
        .says("a.gen.rs is generated");
    with(&["call", "write", r#"{"path":"b.txt","content":"x"}"#]).prints_part("created");
    assert_eq!(program.text("b.txt"), "x\n");
    with(&["call", "hello", "you"]).prints("hello you\n");
}

#[test]
fn the_example_tools_that_search_and_check_work() {
    let mut program = Program::new()
        .file("a.json", "{}")
        .file("vendor/b.json", "{ \"word\": }")
        .file("a.txt", "word\n")
        .file("deep/vendor/b.txt", "word\n");
    for (path, text) in files_below("examples/tools", "lua") {
        program = program.file(&path, text);
    }
    let with = |words: &[&str]| program.run(&[&["--tools", "examples/tools"], words].concat());
    with(&["eval", "tools.grep{ pattern = '^word' }.count"]).prints("1\n");
    with(&[
        "eval",
        "tools.grep{ pattern = '^word', path = 'deep/vendor' }.count",
    ])
    .prints("1\n");
    with(&["-o", "jsonl", "call", "check_json"])
        .prints_part("vendor/b.json: ")
        .prints_part(r#""done":2,"total":2"#);
    with(&["call", "check_json", "deep"]).prints("0 files, all well\n");
    let cargo = "seq 1000; cargo() { seq 1000; }; cargo x";
    let model = |command: &str| {
        with(&[
            "--as", "model", "--allow", "shell", "call", "shell", command,
        ])
    };
    model(cargo).prints_part("\n1\n2\n");
    let ran = model("cargo --no-such-option");
    assert!(ran.stdout().contains("no-such-option"), "{ran}");
}

#[test]
fn the_example_surface_asks_a_database_and_keeps_to_its_folder() {
    let mut program = Program::new();
    for (path, text) in files_below("examples/tools", "lua") {
        program = program.file(&path, text);
    }
    let made = program.run(&["eval", "tools.shell(\"mkdir data && for d in data/a.db b.db; do sqlite3 $d 'create table t(x); insert into t values (7)'; done\").exit_code"]);
    made.prints("0\n");
    let with = |words: &[&str]| program.run(&[&["--tools", "examples/tools"], words].concat());
    with(&[
        "call",
        "sqlite",
        r#"{"database":"data/a.db","sql":"select x from t"}"#,
    ])
    .prints("[{\"x\":7}]\n");
    with(&[
        "eval",
        "tools.sqlite('data/a.db', 'select x from t where x = 8').count",
    ])
    .prints("0\n");
    with(&[
        "call",
        "sqlite",
        r#"{"database":"data/a.db","sql":"insert into t values (8)"}"#,
    ])
    .exits(1)
    .says("readonly");
    with(&["call", "sqlite", r#"{"database":"b.db","sql":"select 1"}"#])
        .exits(3)
        .says("the surface `database` is limited to, folders: data");
    with(&["tools", "sqlite"])
        .prints_part("Limited to folders: data.")
        .prints_part("surface database");
}
