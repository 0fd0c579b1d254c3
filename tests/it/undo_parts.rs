//! `agent undo` where not all can be taken back at once: what was undone already, what was changed since, a part.
//!
//! What a person is told is compared as it is printed.

use std::fs;

use serde_json::json;

use crate::program::Program;
use crate::terminal::Terminal;
use crate::undo::{everything, units};

/// Three files that one unit has changed, and its id.
fn changed() -> (Program, String) {
    let program = Program::new()
        .file("a.txt", "one\n")
        .file("b.txt", "one\n")
        .file("d/c.txt", "one\n");
    let code = "for _, path in ipairs{'a.txt', 'b.txt', 'd/c.txt'} do tools.write{path = path, content = 'two\\n'} end";
    program.run(&["eval", code]);
    let id = units(&program)[0]["id"].as_str().unwrap().to_owned();
    (program, id)
}

fn texts(program: &Program) -> [String; 3] {
    ["a.txt", "b.txt", "d/c.txt"].map(|path| program.text(path))
}

#[test]
fn what_was_undone_already_is_said_with_what_undid_it() {
    let (program, id) = changed();
    program
        .run(&["undo", &id])
        .prints_part(&format!("undid {id}: "));
    let by = units(&program)[0]["id"].as_str().unwrap().to_owned();
    let said = format!("{id} was undone already (by {by})");
    for args in [
        vec!["undo", &id],
        vec!["undo", &id, "--diff"],
        vec!["undo", &id, "--only", "a.txt"],
    ] {
        let refused = program.run(&args);
        refused
            .exits(1)
            .says(&said)
            .says(&format!("`agent undo {by}` makes its changes again"));
    }
    // Also where the file was changed since.
    program.write("a.txt", "theirs\n");
    program.run(&["undo", &id]).exits(1).says(&said);
    program.write("a.txt", "one\n");
    // Once that is undone, it stands again.
    program.run(&["undo", &by]).prints_part("undo of ");
    assert_eq!(texts(&program), ["two\n"; 3]);
    program.run(&["undo", &id]).prints_part("undid");
    assert_eq!(texts(&program), ["one\n"; 3]);
}

#[test]
fn one_file_that_was_changed_since_does_not_block_the_rest() {
    let (program, id) = changed();
    program.write("b.txt", "theirs\n");
    let refused = program.run(&["undo"]);
    refused
        .exits(1)
        .says("changed since by somebody else: b.txt")
        .says(&format!(
            "`agent undo {id} --diff` shows what would be lost"
        ))
        .says(&format!(
            "`agent undo {id} --except b.txt` takes back the rest"
        ));
    let shown = program
        .run(&["undo", &id, "--except", "b.txt", "--diff", "-o", "json"])
        .json();
    assert_eq!(shown["metadata"]["paths"], json!(["a.txt", "d/c.txt"]));
    let undone = program.run(&["undo", &id, "--except", "b.txt"]);
    undone.prints_part(&format!("undid {id}: a.txt, d/c.txt (write)\n"));
    assert_eq!(texts(&program), ["one\n", "theirs\n", "one\n"]);
    // What is left of it is b.txt alone.
    program
        .run(&["undo", &id])
        .exits(1)
        .says("changed since by somebody else: b.txt");
    program.write("b.txt", "two\n");
    program
        .run(&["undo", &id])
        .prints_part(&format!("undid {id}: b.txt "));
    assert_eq!(texts(&program), ["one\n"; 3]);
    program
        .run(&["undo", &id])
        .exits(1)
        .says("was undone already");
}

#[test]
fn what_a_later_unit_changed_is_told_of_as_its_doing() {
    let (program, id) = changed();
    let later = r#"{"path":"a.txt","content":"three\n"}"#;
    program.run(&["call", "write", later]).prints_part("a.txt");
    let newer = units(&program)[0]["id"].as_str().unwrap().to_owned();
    program.write("b.txt", "theirs\n");
    let refused = program.run(&["undo", &id]);
    refused
        .exits(1)
        .says(&format!(
            "changed since by somebody else: b.txt; by unit {newer}: a.txt"
        ))
        .says(&format!("`agent undo {newer}` takes back that first"));
    program.run(&["undo", &newer]).prints_part("undid");
    program
        .run(&["undo", &id, "--except", "b.txt"])
        .prints_part("undid");
    assert_eq!(texts(&program), ["one\n", "theirs\n", "one\n"]);
}

#[test]
fn a_part_is_named_by_paths_and_folders() {
    let (program, id) = changed();
    program
        .run(&["undo", &id, "--only", "a.txt", "d"])
        .prints_part(": a.txt, d/c.txt (write)");
    assert_eq!(texts(&program), ["one\n", "two\n", "one\n"]);
    let unknown = program.run(&["undo", &id, "--only", "nope.txt"]);
    unknown
        .exits(1)
        .says(&format!("the unit {id} did not change nope.txt"))
        .says("it changed a.txt, b.txt, d/c.txt");
    let nothing = program.run(&["undo", &id, "--except", "."]);
    nothing.exits(1).says("is left to undo");
    let both = program.run(&["undo", &id, "--only", "b.txt", "--except", "b.txt"]);
    both.exits(1).says("is left to undo");
}

#[test]
fn a_file_goes_with_the_names_that_it_had() {
    let program = Program::new()
        .file("a.txt", "one\n")
        .file("b.txt", "one\n")
        .file("d/x", "x\n");
    let before = everything(&program);
    let code =
        "tools.move('a.txt', 'm.txt') tools.write('m.txt', 'two\\n') tools.move('m.txt', 'z.txt')
        tools.write('b.txt', 'two\\n') tools.write('d/x', 'y\\n') tools.move('d', 'e')";
    program.run(&["eval", code]);
    program
        .run(&["undo", "--only", "m.txt"])
        .prints_part("undid");
    assert_eq!(program.text("a.txt"), "one\n");
    assert!(
        !program.at("z.txt").exists()
            && program.text("b.txt") == "two\n"
            && program.at("e/x").exists()
    );
    let id = units(&program)[1]["id"].as_str().unwrap().to_owned();
    program
        .run(&["undo", &id, "--except", "b.txt"])
        .prints_part("undid");
    assert_eq!(program.text("d/x"), "x\n");
    program.run(&["undo", &id]).prints_part("undid");
    assert_eq!(everything(&program), before);
}

#[test]
fn a_script_takes_back_a_part() {
    let (program, _) = changed();
    let code = "local undone = agent.undo { except = { 'b.txt' } }
        assert(#undone.paths == 2 and undone.paths[1] == 'a.txt')
        local ok, why = pcall(agent.undo, undone.id, { only = { 'a.txt' } })
        assert(not ok and why.kind == 'conflict' and why.message:find('undone already'), why)
        ok, why = pcall(agent.undo, undone.id, { only = 'a.txt' })
        assert(not ok and why.kind == 'argument', why)
        assert(agent.undo(undone.id, { only = { 'b.txt' } }).paths[1] == 'b.txt')";
    program.run(&["eval", code]);
    assert_eq!(texts(&program), ["one\n"; 3]);
}

#[test]
fn the_diff_says_what_stands_there_now_and_what_would_be() {
    let (program, id) = changed();
    program.write("a.txt", "theirs\n");
    fs::remove_file(program.at("b.txt")).unwrap();
    let shown = program.run(&["undo", "--diff"]);
    shown
        .prints_part(&format!("would undo {id}: a.txt, b.txt, d/c.txt (write)\n"))
        .prints_part("changed since by somebody else: b.txt, a.txt\n")
        .prints_part("--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-theirs\n+one\n")
        .prints_part("--- /dev/null\n+++ b.txt\n@@ -0,0 +1 @@\n+one\n");
    assert!(!shown.stdout().contains("Large"), "{}", shown.stdout());
    assert_eq!(program.text("a.txt"), "theirs\n");
}

#[test]
fn a_file_that_is_gone_is_not_called_large() {
    let program = Program::new();
    program.run(&[
        "eval",
        "tools.write('tiny.txt', 'x\\n') tools.write('other.txt', 'y\\n')",
    ]);
    fs::remove_file(program.at("tiny.txt")).unwrap();
    let shown = program.run(&["undo", "--diff"]);
    shown.prints_part("--- other.txt\n+++ /dev/null\n");
    assert!(!shown.stdout().contains("Large"), "{}", shown.stdout());
}

#[test]
fn at_a_terminal_the_question_shows_what_would_be_lost() {
    let (program, _) = changed();
    program.write("a.txt", "their own words\n");
    let mut terminal = Terminal::open(&program, &["undo"]);
    terminal.wait_for("Overwrite?");
    let screen = terminal.screen();
    assert!(
        screen.contains("-their own words") && screen.contains("+one"),
        "{screen}"
    );
    assert!(
        !screen.contains("b.txt"),
        "only what would be lost: {screen}"
    );
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
}

#[test]
fn a_list_of_nothing_says_so_beside_the_answer() {
    let program = Program::new();
    let list = program.run(&["undo", "--list"]);
    list.prints("")
        .says("nothing in this workspace can be undone");
    let list = program.run(&["undo", "--list", "-o", "json"]);
    assert_eq!(list.json()["units"], json!([]));
    program
        .run(&["undo", "--list", "b6a1-1"])
        .exits(2)
        .says("agent undo [ID] [OPTIONS], or agent undo --list");
}
