//! A model that makes the same call again and again, against the real program: calls of one process, made as a
//! model's by `agent.replay`.

use crate::program::Program;

/// Makes these calls as a model's; prints how each ended: `ok`, or the kind of its error.
fn replay(calls: &str) -> String {
    format!(
        "local ends = {{}}
        for _, call in ipairs(agent.replay {{ {calls} }}) do ends[#ends + 1] = call.ok and 'ok' or call.kind end
        return table.concat(ends, ' ')"
    )
}

const READ: &str = "{ tool = 'read', args = { path = 'a.txt' } },";

#[test]
fn the_third_call_that_changes_nothing_is_refused_where_nobody_is_there() {
    let program = Program::new().file("a.txt", "x\n");
    let thrice = replay(&READ.repeat(3));
    program.run(&["eval", &thrice]).prints("ok ok denied\n");
    program
        .run(&["--allow", "doom_loop:read", "eval", &thrice])
        .prints("ok ok ok\n");
    program
        .run(&["--allow", "read", "eval", &thrice])
        .prints("ok ok denied\n");
    program
        .run(&["--mode", "bypass", "eval", &thrice])
        .prints("ok ok ok\n");
    let shell = "{ tool = 'shell', args = { command = 'echo hi' } },";
    program
        .run(&[
            "--allow",
            "shell:echo hi",
            "eval",
            &replay(&shell.repeat(3)),
        ])
        .prints("ok ok denied\n");
    let by_hand = "for _ = 1, 5 do tools.read('a.txt') end return 'done'";
    program.run(&["eval", by_hand]).prints("done\n");
}

#[test]
fn a_result_that_changes_and_a_tool_that_polls_are_no_circle() {
    let program = Program::new().file("a.txt", "x\n").file(
        "t/poll.lua",
        "return { effect = 'read', polls = true, execute = function() return 'running' end }",
    );
    let write = "{ tool = 'edit', args = { path = 'a.txt', old = 'x\\n', new = 'xx\\n' } },";
    let changing = replay(&format!("{READ}{write}").repeat(3));
    program
        .run(&["--allow", "edit", "eval", &changing])
        .prints("ok ok ok ok ok ok\n");
    let polls = replay(&"{ tool = 'poll' },".repeat(6));
    program
        .run(&["--tools", "t", "eval", &polls])
        .prints("ok ok ok ok ok ok\n");
}
