//! Transactions in which commands run: what they do to files that the transaction holds is the transaction's own.
//!
//! What cannot be put back stays a unit that `agent undo` lists. The commands are the shell's and those of hooks.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::program::Program;
use crate::running::times;
use crate::terminal::Terminal;
use crate::undo::{everything, units};

fn program() -> Program {
    let program = Program::new()
        .file("a.txt", "one\n")
        .file("b.txt", "two\n")
        .file("d/x", "x\n");
    let bits = fs::Permissions::from_mode(0o640);
    fs::set_permissions(program.at("a.txt"), bits).unwrap();
    program
}

/// What happens in the transactions of these tests, always a command among it.
const WORK: [&str; 10] = [
    "tools.write('a.txt', 'new\\n') tools.shell 'echo formatted >> a.txt'",
    // again and again, by calls and commands in turn
    "for n = 1, 3 do tools.write('a.txt', n .. '\\n') tools.shell 'echo formatted >> a.txt'
       tools.read 'a.txt' tools.edit('a.txt', 'formatted', 'edited') end",
    "tools.write('a.txt', 'new\\n') tools.shell 'chmod 755 a.txt; rm b.txt; echo two > b.txt' tools.write('b.txt', 'x')
       tools.shell 'rm b.txt'",
    "tools.write('a.txt', 'new\\n') tools.shell 'rm a.txt' tools.shell 'mkdir a.txt; echo > a.txt/deep'",
    "tools.delete 'd' tools.shell 'mkdir -p d/e; echo 1 > d/e/new; echo 2 > d/x'",
    "tools.delete 'a.txt' tools.shell 'ln -s elsewhere a.txt'",
    "tools.move('a.txt', 'z.txt') tools.shell 'echo formatted >> z.txt' tools.move('d', 'e') tools.write('e/x', 'y')
       tools.shell 'echo formatted >> e/x' tools.move('e', 'f') tools.shell 'echo formatted >> f/x'",
    // side by side, each command at work on a file of its own while all are held
    "agent.map({ 'a.txt', 'b.txt', 'd/x', 'new' }, function(path)
       tools.write(path, 'new\\n') tools.shell('for n in 1 2 3 4; do echo formatted >> ' .. path .. '; done') end)",
    // a call on what a command that still runs has changed
    "tools.write('a.txt', 'new\\n')
     agent.all(function() tools.shell 'echo formatted >> a.txt; touch go; until [ -e went ]; do sleep 0.01; done; rm go' end,
       function() repeat agent.sleep(0.005) until #tools.glob('go').paths == 1
         local text = tools.read('a.txt').text tools.write('a.txt', text .. 'more\\n')
         tools.shell 'touch went' end)
     tools.shell 'echo formatted >> a.txt; rm went'",
    // in a transaction inside, which fails; and one that stands
    "tools.write('a.txt', 'new\\n')
     pcall(agent.transaction, function() tools.shell 'echo inner >> a.txt' error 'inner' end)
     assert(tools.read('a.txt').text == 'new\\n')
     agent.transaction(function() tools.write('b.txt', 'b') tools.shell 'echo inner >> a.txt; echo inner >> b.txt' end)",
];

#[test]
fn what_a_command_did_is_put_back_with_the_rest() {
    for work in WORK {
        let program = program();
        let before = everything(&program);
        let code = format!(
            "agent.transaction(function() {work} error {{ kind = 'failed', message = 'red' }} end)"
        );
        let failed = program.run(&["eval", "-o", "json", &code]).exits(1).json();
        assert_eq!(failed["error"]["message"], "red", "{work}");
        assert_eq!(everything(&program), before, "{work}");
        assert!(units(&program).is_empty(), "{work}");
    }
}

#[test]
fn where_it_stands_it_is_one_unit_with_what_commands_did() {
    for work in WORK {
        let program = program();
        let before = everything(&program);
        let code = format!("agent.transaction(function() {work} end)");
        program.run(&["eval", &code]).prints_part("files");
        let after = everything(&program);
        assert_ne!(after, before, "{work}");
        assert_eq!(units(&program).len(), 1, "{work}");
        let undone = program.run(&["undo"]);
        undone.prints_part("undid");
        assert_eq!(everything(&program), before, "{work}");
        program.run(&["undo"]).prints_part("undid");
        assert_eq!(everything(&program), after, "{work}");
    }
}

#[test]
fn the_diff_of_a_transaction_has_what_commands_did() {
    let program = program();
    let code = "local change = agent.transaction(function()
        tools.write('a.txt', 'new\\n') tools.shell 'echo formatted >> a.txt' end)
        io.write(change.diff)";
    let shown = program.run(&["eval", code]);
    shown.prints_part("-one\n+new\n+formatted\n");
    assert_eq!(units(&program)[0]["tools"], json!(["write", "shell"]));
}

#[test]
fn a_command_that_is_cut_short_belongs_to_it_too() {
    for (limits, end) in [
        ("{ timeout = 60 }", "error 'red'"),
        ("{ timeout = 0.4 }", ""),
    ] {
        let program = program();
        let before = everything(&program);
        let code = format!(
            "agent.limit({limits}, function() agent.transaction(function()
               tools.write('a.txt', 'new\\n')
               local long = 'echo formatted >> a.txt; sleep 30'
               pcall(agent.limit, {{ timeout = 0.2 }}, function() tools.shell(long) end)
               tools.read 'a.txt'
               {end}
               tools.shell(long)
             end) end)"
        );
        program.run(&["eval", &code]).exits(1).says("");
        assert_eq!(everything(&program), before);
        assert!(units(&program).is_empty());
    }
}

#[test]
fn a_command_that_is_cut_short_writes_nothing_more_when_its_files_are_back() {
    let busy = "for n in 1 2 3; do (while :; do echo x >> a.txt; done) & done; while :; do echo y >> a.txt; done";
    for _ in 0..times() {
        let program = program();
        let before = everything(&program);
        let code = format!(
            "agent.limit({{ timeout = 0.15 }}, function() agent.transaction(function()
               tools.write('a.txt', 'new\\n') tools.shell('{busy}') end) end)"
        );
        let ran = program.run(&["eval", &code]);
        ran.exits(1).says("was not done");
        assert!(!ran.stderr().contains("not put back"), "{}", ran.stderr());
        assert_eq!(everything(&program), before);
    }
}

#[test]
fn the_command_of_a_hook_belongs_to_it() {
    let program = program();
    let hook = "local off = agent.on('tool.after', { command = 'cat > /dev/null; echo formatted >> a.txt', tools = 'write' })";
    let before = everything(&program);
    let code = format!(
        "{hook} agent.transaction(function() tools.write('a.txt', 'new\\n')
        assert(tools.read('a.txt').text == 'new\\nformatted\\n') error 'red' end)"
    );
    program.run(&["eval", &code]).exits(1).says("red");
    assert_eq!(everything(&program), before);
}

/// Somebody else changes `a.txt` while no command runs.
const THEIRS: &str = "local file = io.open('a.txt', 'w') file:write('theirs\\n') file:close()";

#[test]
fn what_cannot_be_put_back_stays_a_unit_that_the_error_names() {
    let program = program();
    let before = everything(&program);
    let code = format!(
        "agent.transaction(function()
           tools.write('a.txt', 'first\\n') tools.write('b.txt', 'x') tools.edit('a.txt', 'first', 'second')
           {THEIRS}
           tools.shell 'echo and more >> a.txt'
           error {{ kind = 'failed', message = 'red' }}
         end)"
    );
    let failed = program.run(&["eval", "-o", "json", &code]).exits(1).json();
    let list = units(&program);
    assert_eq!((list.len(), &list[0]["paths"]), (1, &json!(["a.txt"])));
    let id = list[0]["id"].as_str().unwrap();
    assert_eq!(
        failed["error"]["message"],
        format!(
            "red; not put back: a.txt was changed meanwhile by somebody else; what was there is kept as unit {id}"
        )
    );
    assert_eq!(
        failed["error"]["detail"],
        json!({ "conflict": ["a.txt"], "unit": id })
    );
    assert!(
        failed["error"]["hint"]
            .as_str()
            .unwrap()
            .contains(&format!("agent undo {id}"))
    );
    assert_eq!(program.text("a.txt"), "theirs\nand more\n");
    assert_eq!(program.text("b.txt"), "two\n");

    program
        .run(&["undo", id])
        .exits(1)
        .says("changed since by somebody else: a.txt");
    let shown = program.run(&["undo", id, "--diff"]);
    shown.prints_part("-theirs\n-and more\n+one\n");
    let mut terminal = Terminal::open(&program, &["undo", id]);
    terminal.wait_for("Overwrite?");
    terminal.send("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(everything(&program), before);
}

#[test]
fn a_process_that_was_killed_leaves_such_a_unit_too() {
    for (meanwhile, is_theirs) in [("", false), (THEIRS, true)] {
        let program = program();
        let before = everything(&program);
        let code = format!(
            "agent.transaction(function()
               tools.write('a.txt', 'new\\n') tools.shell 'echo formatted >> a.txt' tools.write('b.txt', 'x')
               {meanwhile}
               tools.shell 'kill -9 $PPID'
             end)"
        );
        program.run(&["eval", &code]).exits(-9);
        if !is_theirs {
            program
                .run(&["call", "list"])
                .prints_part("")
                .says("a.txt is as before");
            assert_eq!(everything(&program), before);
            assert!(units(&program).is_empty());
            continue;
        }
        let next = program.run(&["call", "list"]);
        let next = next
            .prints_part("")
            .says("not put back: a.txt was changed meanwhile by somebody else");
        let list = units(&program);
        let id = list[0]["id"].as_str().unwrap();
        next.says(&format!("`agent undo {id} --diff` shows what was there"));
        assert_eq!((list.len(), &list[0]["paths"]), (1, &json!(["a.txt"])));
        assert_eq!(program.text("b.txt"), "two\n");
        program
            .run(&["undo", id, "--diff"])
            .prints_part("-theirs\n+one\n");
        assert_eq!(units(&program).len(), 1, "once");
    }
}
