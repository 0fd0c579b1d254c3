//! Which tools a model is offered, which it finds, and which it has not got at all: rules, surfaces, and whether anybody
//! is there.

use serde_json::{Value, json};

use crate::program::Program;
use crate::terminal::Terminal;
use crate::turns::{call, model, run, session};

/// One file that brings 40 tools, `many_t1` and on.
const MANY: &str = r#"
    local tools = {}
    for n = 1, 40 do
      tools["t" .. n] = {
        description = "Counts the sheep of field " .. n, parameters = { sheep = "integer?" }, effect = "read",
        execute = function() return "sheep of " .. n end,
      }
    end
    return tools
"#;

fn with_many(lines: &[Value]) -> Program {
    model(lines).file("t/many.lua", MANY)
}

fn search(query: &str) -> Value {
    call("tool_search", json!({ "query": query }))
}

fn results(program: &Program) -> Vec<String> {
    let lines = session(program);
    let results = lines.iter().filter(|line| line["type"] == "result");
    results
        .map(|line| line["result"]["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn of_many_tools_those_are_offered_that_were_found() {
    let program = with_many(&[
        json!({
            "expect": { "tools": ["read", "tool_search"], "no_tools": ["many_t7", "many_t8"] },
            "calls": [call("many_t7", json!({}))],
        }),
        json!({
            "expect": { "results": [{ "ok": false, "text": "select:many_t7" }], "no_tools": ["many_t7"] },
            "calls": [search("sheep of field 7"), call("many_t7", json!({}))],
        }),
        json!({
            "expect": {
                "results": [{ "ok": true, "text": "many_t7(sheep?" }, { "ok": true, "text": "sheep of 7" }],
                "tools": ["many_t7"],
                "no_tools": ["many_t8"],
            },
            "say": "Counted.",
        }),
    ]);
    run(&program, &["--tools", "t"]).prints("Counted.\n");
    let kept = session(&program);
    let opened = kept.iter().find(|line| line["type"] == "opened").unwrap();
    assert_eq!(opened["tools"][0], "many_t7", "{opened}");

    // A later turn, in another process, has it from its first request on; a fork of the session too.
    let next = json!({
        "expect": { "tools": ["many_t7", "tool_search"], "no_tools": ["many_t9"] },
        "calls": [call("many_t7", json!({}))],
    });
    let last = json!({ "expect": { "results": [{ "ok": true }] }, "say": "Again." });
    program.write("../model.jsonl", format!("{next}\n{last}"));
    run(&program, &["--tools", "t", "--session", "last"]).prints("Again.\n");
    let fork = program
        .run(&["-o", "json", "session", "fork", "last"])
        .json();
    let fork = fork["session"]
        .as_str()
        .or(fork["id"].as_str())
        .unwrap()
        .to_owned();
    run(&program, &["--tools", "t", "--session", &fork]).prints("Again.\n");
}

#[test]
fn what_was_found_outlives_a_summary() {
    let long = "a line that takes room in the window of the model\n".repeat(200);
    let about = json!({ "about": { "window": 5000 } });
    let program = with_many(&[
        about.clone(),
        json!({ "calls": [search("select:many_t3")] }),
        json!({ "expect": { "tools": ["many_t3"] }, "calls": [call("read", json!({ "path": "long.txt" }))] }),
        json!({ "expect": { "tools": ["many_t3"] }, "calls": [call("read", json!({ "path": "more.txt" }))] }),
        json!({ "expect": { "tools": ["many_t3"] }, "calls": [call("read", json!({ "path": "most.txt" }))] }),
        json!({ "expect": { "tools": ["many_t3"] }, "say": "Read." }),
    ])
    .file("long.txt", &long)
    .file("more.txt", &long)
    .file("most.txt", &long);
    run(&program, &["--tools", "t"]).prints("Read.\n");
    let is_summed_up = |line: &Value| line["type"] == "compaction" || line["type"] == "shrunk";
    assert!(session(&program).iter().any(is_summed_up));
    let next = json!({ "expect": { "tools": ["many_t3"] }, "calls": [call("many_t3", json!({}))] });
    let last =
        json!({ "expect": { "results": [{ "ok": true, "text": "sheep of 3" }] }, "say": "Again." });
    program.write("../model.jsonl", format!("{about}\n{next}\n{last}"));
    run(&program, &["--tools", "t", "--session", "last"]).prints("Again.\n");
}

#[test]
fn what_is_named_or_is_not_much_is_shown() {
    // A few tools of one's own are shown; who names a tool of the long tail is shown it.
    let say = |expect: Value| json!({ "expect": expect, "say": "Yes." });
    let few = "return { a = { effect = 'read', execute = function() return '' end } }";
    let program = model(&[say(
        json!({ "tools": ["few_a", "tool_search"], "no_tools": ["move", "batch"] }),
    )])
    .file("t/few.lua", few);
    run(&program, &["--tools", "t"]).prints("Yes.\n");
    let program = with_many(&[
        say(
            json!({ "tools": ["move", "many_t5"], "no_tools": ["read", "tool_search", "many_t6"] }),
        ),
        say(json!({ "tools": ["read", "move"], "no_tools": ["shell", "tool_search"] })),
    ]);
    let named = "agent.ask('x', { tools = { 'move', 'many_t5' } }).text";
    let globs = "agent.ask('x', { tools = { 'file.*' } }).text";
    let code = format!("return {named}, {globs}");
    let args = ["-m", "script:../model.jsonl", "--tools", "t", "eval", &code];
    program.run(&args).prints("Yes.\tYes.\n");
}

#[test]
fn groups_come_first_where_a_search_is_by_surface() {
    let surfaces = "return { sheep = { description = 'Count what is in a field.', tools = { 'many_t1', 'many_t2' } } }";
    let by = |args: Value| call("tool_search", args);
    let program = with_many(&[
        json!({ "calls": [by(json!({ "by": "surface" }))] }),
        json!({
            "expect": { "results": [{ "ok": true, "text": "sheep: Count what is in a field.\n    many_t1, many_t2\n" }] },
            "calls": [by(json!({ "by": "surface", "query": "field" }))],
        }),
        json!({
            "expect": {
                "results": [{ "ok": true, "text": "2 tools of `sheep`, open from here on\nmany_t1(" }],
                "tools": ["many_t1", "many_t2"],
                "no_tools": ["many_t3"],
            },
            "calls": [by(json!({ "by": "surface", "query": "agent" })), by(json!({ "by": "surface", "query": "zebra" }))],
        }),
        json!({
            "expect": {
                "results": [{ "text": "of `agent`, open" }, { "text": "no group is about `zebra`" }],
                "tools": ["batch", "think"],
            },
            "say": "Found.",
        }),
    ])
    .file("t/surfaces.lua", surfaces);
    run(&program, &["--tools", "t"]).prints("Found.\n");
    assert!(
        results(&program)[0].starts_with(|c: char| c.is_ascii_digit()),
        "{:?}",
        results(&program)
    );
}

#[test]
fn a_surface_that_is_not_there_is_told_of_and_its_tools_are_not_offered() {
    let program = model(&[
        json!({
            "expect": { "no_tools": ["shell"], "system": "The surface `command` is not available: shell cannot be called" },
            "calls": [call("shell", json!({ "command": "cargo test" }))],
        }),
        json!({
            "expect": { "results": [{ "ok": false, "text": "error (unavailable): the surface `command` is disabled" }] },
            "say": "Then without.",
        }),
    ])
    .file("../config/tools/surfaces.lua", "return { command = { enabled = false } }");
    run(&program, &[]).prints("Then without.\n");
    // Where all surfaces are there nothing is said of it.
    let program = model(&[json!({ "say": "Yes." })]);
    run(&program, &[]).prints("Yes.\n");
    let asked = program
        .run(&["-o", "json", "session", "show", "last"])
        .json()
        .to_string();
    assert!(!asked.contains("is not available"), "{asked}");
}

/// What a model is offered.
fn offers(expect: Value, program: Program, more: &[&str]) {
    let line = json!({ "expect": expect, "say": "Yes." });
    program.write("../model.jsonl", line.to_string());
    run(&program, more).prints("Yes.\n");
}

/// What a rule denies altogether is not offered, and refused to who calls it nevertheless.
fn is_denied(program: &Program, more: &[&str]) {
    let refused =
        json!({ "expect": { "results": [{ "ok": false, "text": "denied" }] }, "say": "No." });
    let asked = json!({
        "expect": { "no_tools": ["shell"], "tools": ["read", "write"] },
        "calls": [call("shell", json!({ "command": "echo hi" }))],
    });
    program.write("../model.jsonl", format!("{asked}\n{refused}"));
    let ran = run(program, more);
    ran.exits(3).prints("No.\n").says("refused: shell echo hi");
}

#[test]
fn what_is_denied_whatever_it_is_called_with_is_not_offered() {
    let rules = |rules: &str| format!("return {{ rules = {{ {rules} }} }}");
    let file = "../config/tools/permissions.lua";
    is_denied(&Program::new(), &["--deny", "shell"]);
    is_denied(&Program::new().env("AGENT_PERMISSION", "deny shell"), &[]);
    let user = Program::new().file(file, rules("{ 'command.*', 'deny' }, { 'shell', 'deny' }"));
    is_denied(&user, &["--allow", "shell"]);
    let profile = "return { careful = { rules = { { 'shell', 'deny' } } } }";
    let profile = Program::new().file("../config/tools/agents.lua", profile);
    is_denied(&profile, &["--profile", "careful"]);
    let guide = "# Rules\n\n```permissions\ndeny shell\n```\n";
    is_denied(&Program::new().file("AGENTS.md", guide), &[]);

    // So it is with the terms of a script, for all that is done below it.
    let program =
        model(&[json!({ "expect": { "no_tools": ["write"], "tools": ["shell"] }, "say": "Yes." })]);
    let code = "agent.ask('x', { deny = { 'write' } }).text";
    program
        .run(&["-m", "script:../model.jsonl", "eval", code])
        .prints("Yes.\n");
}

#[test]
fn a_group_takes_its_tools_along_and_what_some_call_may_get_past_is_offered() {
    let none = json!({ "tools": ["read", "shell"], "no_tools": ["write", "edit"] });
    offers(none, Program::new(), &["--deny", "edit"]);
    let search = json!({ "tools": ["read", "move", "batch"], "no_tools": ["tool_search"] });
    offers(search, Program::new(), &["--deny", "tool_search"]);
    let some = json!({ "tools": ["shell", "write"] });
    offers(some.clone(), Program::new(), &["--deny", "shell:rm *"]);
    let back = "return { rules = { { 'shell', 'deny' }, { 'shell', 'echo *', 'allow' } } }";
    let back = Program::new().file("../config/tools/permissions.lua", back);
    offers(some, back, &[]);

    let tools = r#"
        local function tool(effect) return { effect = effect, parameters = {}, execute = function() return "" end } end
        return { web = tool "network", looks = tool "read", sometimes = tool(function() return "read" end) }
    "#;
    let own = Program::new().file("t/own.lua", tools);
    let web = json!({ "tools": ["own_looks", "own_sometimes"], "no_tools": ["own_web"] });
    offers(web, own, &["--tools", "t", "--deny", "network"]);
}

#[test]
fn where_nobody_is_there_nothing_is_offered_that_needs_somebody() {
    let absent = ["question", "plan_enter", "plan_exit"];
    let program = model(&[
        json!({ "expect": { "no_tools": absent }, "calls": [search("select:plan_enter")] }),
        json!({
            "expect": { "results": [{ "ok": false, "text": "no tool `plan_enter` is deferred" }], "no_tools": absent },
            "say": "Alone.",
        }),
    ]);
    run(&program, &[]).prints("Alone.\n");
}

#[test]
fn who_begins_to_plan_is_offered_the_way_out() {
    let program = model(&[
        json!({
            "expect": { "tools": ["question", "tool_search"], "no_tools": ["plan_enter", "plan_exit"] },
            "calls": [search("select:plan_enter"), call("plan_enter", json!({}))],
        }),
        json!({
            "expect": { "results": [{ "ok": true }, { "ok": true }], "tools": ["plan_enter", "plan_exit"] },
            "calls": [call("plan_exit", json!({ "plan": "1. look" }))],
        }),
        json!({ "expect": { "results": [{ "ok": true, "text": "approved" }] }, "say": "It is done." }),
    ]);
    let words = [
        "-m",
        "script:../model.jsonl",
        "eval",
        "agent.ask('plan it').text",
    ];
    let mut terminal = Terminal::open(&program, &words);
    terminal.wait_for("run it?");
    terminal.send("y\r");
    terminal.wait_for("It is done.");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
}
