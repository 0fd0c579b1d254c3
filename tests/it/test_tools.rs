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
