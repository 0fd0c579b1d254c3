//! What a test of `agent test` finds beside it: tools, policies, commands; and what is told of those that do not load.
//!
//! The tests themselves are the matter of `testing.rs`.

use crate::program::Program;

#[test]
fn what_does_not_load_beside_a_test_is_a_failed_test_once() {
    let program = Program::new()
        .file("t/tools/permissions.lua", "return +")
        .file("t/tools/y.lua", "return +")
        .file("t/tools/a_test.lua", "it('a', function() end)")
        .file("t/tools/b_test.lua", "it('b', function() end)");
    let ran = program.run(&["test", "t", "-o", "json"]);
    let document = ran.exits(1).json();
    assert_eq!(
        (&document["passed"], &document["failed"]),
        (&2.into(), &2.into()),
        "{ran}"
    );
    ran.prints_part("permissions.lua:1").prints_part("y.lua:1");
}

#[test]
fn a_command_of_the_project_is_there_in_its_tests() {
    let program = Program::new()
        .file(
            "p/.agent/init.lua",
            "agent.command { id = 'hi', description = 'Says hi.', execute = function() return 'hi' end }",
        )
        .file("p/.agent/tools/t.lua", "return { effect = 'read', execute = function() end }")
        .file(
            "p/.agent/tests/a_test.lua",
            "it('is there', function() assert.contains('Says hi.', agent.help('hi')) end)",
        );
    program
        .run(&["test", "p/.agent"])
        .prints_part("1 passed, 0 failed");
}

#[test]
fn the_tools_beside_the_tests_are_there_and_no_others() {
    let hello = "return { parameters = { 'name' }, effect = 'read', execute = function(a) return 'hello ' .. a.name end }";
    let calls = "it('a', function() assert.equal('hello x', tools.hello('x').output) end)";
    let program = Program::new()
        .file("p/tools/hello.lua", hello)
        .file("p/tests/a_test.lua", calls)
        .file("p/tools/hello_test.lua", calls)
        .file(
            "../config/init.lua",
            "error('the configuration is not read')",
        )
        .file("../config/tools/mine.lua", hello);
    program
        .run(&["test", "p"])
        .prints_part("2 passed, 0 failed");
    program
        .run(&["test", "p/tests"])
        .prints_part("1 passed, 0 failed");
    program
        .run(&["test", "p/tools"])
        .prints_part("1 passed, 0 failed");
    program
        .run(&["test", "p/tools/hello_test.lua"])
        .prints_part("1 passed, 0 failed");

    let apart = Program::new()
        .file("more/hello.lua", hello)
        .file("tools/hello.lua", "error('nobody named it')")
        .file("t/a_test.lua", calls);
    apart
        .run(&["test", "t"])
        .exits(1)
        .prints_part("there is no tool `hello`");
    apart
        .run(&["test", "t", "--tools", "more"])
        .prints_part("1 passed, 0 failed");
}

#[test]
fn a_tool_beside_a_test_in_a_folder_of_another_name_is_told_of() {
    let hello = "return { parameters = { 'name' }, effect = 'read', execute = function(a) return 'hello ' .. a.name end,
        examples = { { about = 'greets', args = { name = 'you' }, shows = 'hello you' } } }";
    let calls = "it('a', function() assert.equal('hello x', tools.hello('x').output) end)";
    let program = Program::new()
        .file("mine/hello.lua", hello)
        .file("mine/hello_test.lua", calls);
    for path in ["mine", "mine/hello_test.lua"] {
        program
            .run(&["test", path])
            .exits(1)
            .prints_part("there is no tool `hello`")
            .prints_part("mine/hello.lua is not loaded")
            .prints_part("give `--tools mine`");
    }
    // With it the test passes, and the examples of its tools run where PATH holds them.
    let ran = program.run(&["--tools", "mine", "test", "mine"]);
    ran.prints_part("mine/hello.lua (1 test")
        .prints_part("2 passed, 0 failed");
    let again = program.run(&["--tools", "./mine/", "test", "."]);
    again.prints_part("2 passed, 0 failed");
    let alone = program.run(&["--tools", "mine", "test", "mine/hello_test.lua"]);
    alone.prints_part("1 passed, 0 failed");
}

#[test]
fn the_policy_beside_a_test_holds_in_it() {
    let policy = "return { rules = { { 'edit', 'allow' }, { 'edit', '*', function(call)
            if (call.additions or 0) > 3 then return 'ask', 'much' end end } },
        cases = {
            { 'edit', { path = 'a.txt', old = 'x', new = '1\\n2\\n3\\n4\\n5' }, 'ask', files = { ['a.txt'] = 'x\\n' } },
            { 'edit', { path = 'a.txt', old = 'x', new = 'y' }, 'allow', files = { ['a.txt'] = 'x\\n' } },
            { 'write', { path = 'a.txt', content = 'x\\n1\\n' }, 'allow', files = { ['a.txt'] = 'x\\n' } },
            { 'read', 'a.txt', 'allow' },
        } }";
    let test = "local function large() tools.read('a.txt') return tools.edit('a.txt', 'x', '1\\n2\\n3\\n4\\n5') end
        it('asks about much', function()
          files { ['a.txt'] = 'x\\n' }
          as_model(function() assert.fails('denied', large) end)
        end)
        it('lets little through', function()
          files { ['a.txt'] = 'x\\n' }
          as_model(function() tools.read('a.txt') tools.edit('a.txt', 'x', 'y') end)
        end)";
    let program = Program::new()
        .file("own/permissions.lua", policy)
        .file("own/big_test.lua", test);
    program
        .run(&["test", "own/big_test.lua"])
        .prints_part("2 passed, 0 failed");
    program
        .run(&["test", "own"])
        .prints_part("own/permissions.lua (4 tests")
        .prints_part("6 passed, 0 failed");
    program
        .run(&["--tools", "own", "test", "own"])
        .prints_part("6 passed, 0 failed");
}

#[test]
fn a_case_that_brings_no_files_or_wrong_ones_says_so() {
    let case =
        |files: &str| format!("return {{ cases = {{ {{ 'read', 'a.txt', 'allow', {files} }} }} }}");
    for (files, said) in [
        (
            "files = { ['../a.txt'] = 'x' }",
            "leads out of the test's workspace",
        ),
        ("files = { 'a.txt' }", "paths with their contents as text"),
        ("files = 'a.txt'", "a table of paths and contents"),
        ("file = {}", "there is no field `file`"),
    ] {
        let program = Program::new().file("own/permissions.lua", case(files));
        program.run(&["test", "own"]).exits(1).prints_part(said);
    }
}
