//! `agent undo`: what the tools changed comes back, byte for byte, and nobody's newer work is lost.
//!
//! What the tests know of the journal's files is where they lie and who may read them.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use serde_json::Value;

use crate::program::Program;
use crate::terminal::Terminal;

/// Every path of the workspace with its mode and its bytes.
pub(crate) fn everything(program: &Program) -> Vec<(String, u32, Vec<u8>)> {
    fn look(top: &Path, folder: &Path, found: &mut Vec<(String, u32, Vec<u8>)>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let name = path
                .strip_prefix(top)
                .unwrap()
                .to_string_lossy()
                .into_owned();
            let stat = path.symlink_metadata().unwrap();
            let bytes = match (stat.is_dir(), stat.is_symlink()) {
                (true, _) => Vec::new(),
                (_, true) => fs::read_link(&path)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
                    .into(),
                _ => fs::read(&path).unwrap(),
            };
            found.push((name, stat.mode() & 0o7777, bytes));
            if stat.is_dir() {
                look(top, &path, found);
            }
        }
    }
    let mut found = Vec::new();
    look(&program.at("."), &program.at("."), &mut found);
    found.sort();
    found
}

pub(crate) fn units(program: &Program) -> Vec<Value> {
    let list = program.run(&["undo", "--list", "-o", "json"]).json();
    list["units"].as_array().unwrap().clone()
}

#[test]
fn the_newest_change_is_taken_back_and_an_undo_can_be_undone() {
    let program = Program::new().file("a.txt", "\u{feff}one\r\ntwo");
    program
        .run(&["call", "edit", r#"{"path":"a.txt","old":"one","new":"1"}"#])
        .prints_part("a.txt");
    let changed = everything(&program);
    program
        .run(&["undo"])
        .prints_part("undid")
        .prints_part("\n-1");
    assert_eq!(program.text("a.txt"), "\u{feff}one\r\ntwo");
    program.run(&["undo"]).prints_part("undid");
    assert_eq!(everything(&program), changed);
}

#[test]
fn folders_links_modes_and_moves_come_back() {
    let program = Program::new()
        .file("d/sub/run.sh", "#!/bin/sh\n")
        .file("d/b", "b")
        .file("top", "t");
    fs::set_permissions(
        program.at("d/sub/run.sh"),
        fs::Permissions::from_mode(0o751),
    )
    .unwrap();
    fs::set_permissions(program.at("d/sub"), fs::Permissions::from_mode(0o711)).unwrap();
    symlink("../elsewhere", program.at("d/link")).unwrap();
    fs::create_dir(program.at("d/empty")).unwrap();
    let before = everything(&program);
    let code = "tools.write{path = 'd/b', content = 'B'} tools.write{path = 'new/deep/x', content = 'x'}\n\
        tools.move{from = 'd', to = 'moved/e'} tools.write{path = 'moved/e/b', content = 'BB'}\n\
        tools.delete{path = 'moved/e/sub'} tools.move{from = 'top', to = 'd'}\n\
        tools.delete{path = 'moved/e'}";
    program.run(&["eval", code]);
    let after = everything(&program);
    assert_eq!(units(&program).len(), 1, "a script is one unit");
    program.run(&["undo", "-o", "json"]).json();
    assert_eq!(everything(&program), before);
    program.run(&["undo"]).prints_part("undid");
    assert_eq!(everything(&program), after);
    program.run(&["undo"]).prints_part("undid");
    assert_eq!(everything(&program), before);
}

#[test]
fn what_can_be_undone_is_listed_and_shown() {
    let program = Program::new().file("a.txt", "one\n");
    assert!(units(&program).is_empty());
    program
        .run(&["undo"])
        .exits(1)
        .says("nothing in this workspace can be undone");
    assert!(
        !program.at("../state/store").exists(),
        "looking creates nothing"
    );
    program
        .run(&["call", "write", r#"{"path":"a.txt","content":"two\n"}"#])
        .prints_part("a.txt");
    program
        .run(&["call", "write", r#"{"path":"b.txt","content":"b\n"}"#])
        .prints_part("b.txt");
    let list = units(&program);
    assert_eq!(list[0]["paths"], serde_json::json!(["b.txt"]));
    assert_eq!(list[1]["tools"], serde_json::json!(["write"]));
    let older = list[1]["id"].as_str().unwrap();
    let line = program.run(&["undo", "--list"]);
    line.prints_part(&format!("{older}  "));
    let shown = program.run(&["undo", older, "--diff"]);
    shown.prints_part("would undo").prints_part("-two\n+one\n");
    assert_eq!(program.text("a.txt"), "two\n");
    let document = program.run(&["undo", older, "-o", "json"]).json();
    assert_eq!(document["tool"], "undo");
    assert_eq!(program.text("a.txt"), "one\n");
    assert!(program.at("b.txt").exists());
    assert_eq!(units(&program)[0]["undoes"], older);
    program
        .run(&["undo", "nope"])
        .exits(1)
        .says("there is no unit nope");
}

#[test]
fn the_journal_is_its_owners_alone() {
    let program = Program::new().file("a.txt", "one\n");
    program
        .run(&["call", "write", r#"{"path":"a.txt","content":"two\n"}"#])
        .prints_part("a.txt");
    fn check(path: &Path) -> usize {
        let stat = path.symlink_metadata().unwrap();
        let wanted = if stat.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(stat.mode() & 0o777, wanted, "{}", path.display());
        let inner = stat.is_dir().then(|| fs::read_dir(path).unwrap().flatten());
        1 + inner
            .into_iter()
            .flatten()
            .map(|entry| check(&entry.path()))
            .sum::<usize>()
    }
    assert!(check(&program.at("../state/store/journal")) > 5);
}

#[test]
fn what_somebody_changed_since_is_left_alone() {
    let program = Program::new().file("a.txt", "one\n").file("b.txt", "one\n");
    let code = "for _, path in ipairs{'a.txt', 'b.txt', 'c.txt'} do tools.write{path = path, content = 'two\\n'} end";
    program.run(&["eval", code]);
    program.write("a.txt", "theirs\n");
    fs::remove_file(program.at("c.txt")).unwrap();
    let before = everything(&program);
    let refused = program.run(&["undo", "-o", "json"]).exits(1).json();
    assert_eq!(refused["error"]["kind"], "conflict");
    assert_eq!(
        refused["error"]["detail"]["conflict"],
        serde_json::json!(["c.txt", "a.txt"])
    );
    assert_eq!(everything(&program), before);
}

#[test]
fn at_a_terminal_the_person_decides_about_newer_work() {
    let program = Program::new().file("a.txt", "one\n").file("b.txt", "one\n");
    let code = "for _, path in ipairs{'a.txt', 'b.txt'} do tools.write{path = path, content = 'two\\n'} end";
    program.run(&["eval", code]);
    program.write("a.txt", "theirs\n");
    let before = everything(&program);
    let mut terminal = Terminal::open(&program, &["undo"]);
    terminal.wait_for("Overwrite?");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
    assert_eq!(everything(&program), before);
    let mut terminal = Terminal::open(&program, &["undo"]);
    terminal.wait_for("Overwrite?");
    terminal.send("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(
        (program.text("a.txt"), program.text("b.txt")),
        ("one\n".into(), "one\n".into())
    );
    program.run(&["undo"]).prints_part("undid");
    assert_eq!(everything(&program), before, "theirs was kept");
}

#[test]
fn rules_hold_for_an_undo() {
    let program = Program::new().file("a.txt", "one\n");
    program
        .run(&["call", "write", r#"{"path":"a.txt","content":"two\n"}"#])
        .prints_part("a.txt");
    let denied = program.run(&["--deny", "edit:a.txt", "undo"]);
    denied.exits(3).says("denied");
    let denied = program.run(&["--as", "model", "undo"]);
    denied.exits(3).says("denied");
    assert_eq!(program.text("a.txt"), "two\n");
}

#[test]
fn a_script_undoes_and_a_transaction_is_a_unit_of_its_own() {
    let program = Program::new().file("a.txt", "0\n");
    let code = "local function write(text) tools.write{path = 'a.txt', content = text} end\n\
        write('1\\n')\n\
        agent.transaction(function() write('2\\n') agent.transaction(function() write('3\\n') end) end)\n\
        write('4\\n')\n\
        pcall(agent.transaction, function() write('5\\n') error('no') end)\n\
        local shown = agent.undo(nil, { diff = true })\n\
        assert(shown.diff:find('-4\\n+3\\n', 1, true), shown.diff)\n\
        local undone = agent.undo()\n\
        assert(undone.id == shown.id and undone.paths[1] == 'a.txt')\n\
        assert(tools.read('a.txt').text == '3\\n')\n\
        local units = agent.undo { list = true }.units\n\
        assert(#units == 4 and units[1].undoes == undone.id and units[2].id == undone.id)\n\
        assert(units[2].tools[1] == 'write' and units[2].paths[1] == 'a.txt')\n\
        assert(tools.read('a.txt').text == '3\\n', 'a list changes nothing')\n\
        assert(agent.try(agent.undo, units[1].id, { list = true }) == nil)\n\
        local ok, why = pcall(agent.undo, 'nope')\n\
        assert(not ok and why.kind == 'not_found')";
    program.run(&["eval", code]);
    let list = units(&program);
    let commits: Vec<_> = list
        .iter()
        .map(|unit| unit["commits"].as_u64().unwrap())
        .collect();
    assert_eq!(commits, [1, 1, 2, 1]);
    program
        .run(&["undo", list[2]["id"].as_str().unwrap()])
        .prints_part("undid");
    assert_eq!(program.text("a.txt"), "1\n");
}

#[test]
fn damaged_records_are_told_of_and_passed_over() {
    let program = Program::new().file("a.txt", "one\n");
    program
        .run(&["call", "write", r#"{"path":"a.txt","content":"two\n"}"#])
        .prints_part("a.txt");
    let journal = program.at("../state/store/journal");
    let workspace = fs::read_dir(&journal)
        .unwrap()
        .flatten()
        .next()
        .unwrap()
        .path();
    let sessions = || {
        fs::read_dir(&workspace)
            .unwrap()
            .flatten()
            .map(|entry| entry.path())
    };
    let first = sessions().find(|path| path.is_dir()).unwrap();
    program
        .run(&["call", "write", r#"{"path":"a.txt","content":"three\n"}"#])
        .prints_part("a.txt");
    fs::write(
        first.join("log"),
        b"\x00\xff{{{\n[1]\n{\"type\":\"intent\"}\n",
    )
    .unwrap();
    let undone = program.run(&["undo"]);
    undone
        .prints_part("undid")
        .says("3 records of the journal cannot be read");
    assert_eq!(program.text("a.txt"), "two\n");
}

#[test]
fn an_old_content_that_is_gone_is_said_and_nothing_is_changed() {
    let program = Program::new().file("a.txt", "one\n");
    program
        .run(&["call", "write", r#"{"path":"a.txt","content":"two\n"}"#])
        .prints_part("a.txt");
    fn blobs(folder: &Path) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            match entry.path() {
                path if path.ends_with("blobs") => fs::remove_dir_all(path).unwrap(),
                path if path.is_dir() => blobs(&path),
                _ => {}
            }
        }
    }
    blobs(&program.at("../state/store/journal"));
    program
        .run(&["undo"])
        .exits(1)
        .says("the old content of a.txt was not kept");
    assert_eq!(program.text("a.txt"), "two\n");
}

#[test]
fn a_rename_by_script_is_one_unit() {
    let program = Program::new()
        .file("a.txt", "old\n")
        .file("b/c.txt", "an old one\n");
    let before = everything(&program);
    program
        .run(&["script", "rename", "old", "new", "--test", "true"])
        .prints_part("+new")
        .says("2 uses");
    assert_eq!(units(&program).len(), 1);
    program.run(&["undo"]).prints_part("undid");
    assert_eq!(everything(&program), before);
}

#[test]
fn two_processes_at_once_have_a_unit_each() {
    let program = Program::new();
    let code = |name: &str| {
        format!("for n = 1, 30 do tools.write{{path = '{name}', content = tostring(n)}} end")
    };
    let (a, b) = (code("a"), code("b"));
    let (first, second) = (program.spawn(&["eval", &a]), program.spawn(&["eval", &b]));
    first.wait();
    second.wait();
    let list = units(&program);
    let commits: Vec<_> = list
        .iter()
        .map(|unit| unit["commits"].as_u64().unwrap())
        .collect();
    assert_eq!(commits, [30, 30]);
    for unit in &list {
        program
            .run(&["undo", unit["id"].as_str().unwrap()])
            .prints_part("undid");
    }
    assert!(everything(&program).is_empty());
}
