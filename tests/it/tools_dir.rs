//! `--tools DIR`: a tool is a Lua file, and one that does not load takes nothing else with it.
//!
//! What such a tool does goes through the same door as what is shipped.

use crate::program::Program;

const HELLO: &str = r#"return {description="hi", parameters={"name"}, effect="read", execute=function(a) return "hello "..a.name end}"#;

fn with_tools() -> Program {
    Program::new().file("t/hello.lua", HELLO)
}

#[test]
fn a_tool_is_a_file_that_returns_one() {
    let program = with_tools();
    program
        .run(&["--tools", "t", "call", "hello", "x"])
        .prints("hello x\n");
    program
        .run(&["call", "hello", r#"{"name":"y"}"#, "--tools", "t"])
        .prints("hello y\n");
    program
        .run(&["--tools", "t", "eval", "tools.hello('z')"])
        .prints("hello z\n");
    program
        .run(&["--tools", "t", "--as", "model", "call", "hello", "x"])
        .prints_part("hello x");
}

#[test]
fn its_arguments_are_checked_like_any_other() {
    let program = with_tools();
    program
        .run(&["--tools", "t", "call", "hello", r#"{"nmae":"x"}"#])
        .exits(1)
        .says("name");
    program
        .run(&["--tools", "t", "call", "helo", "x"])
        .exits(1)
        .says("hello");
    program.run(&["call", "hello", "x"]).exits(1).says("hello");
}

#[test]
fn it_is_listed_with_where_it_came_from() {
    let program = with_tools();
    let ran = program.run(&["--tools", "t", "tools"]);
    ran.prints_part("hello")
        .prints_part("read")
        .prints_part("t/hello.lua");
    program
        .run(&["--tools", "t", "tools", "hello"])
        .prints_part("name");
    let ran = program.run(&["tools", "grep", "-o", "json"]);
    assert!(ran.json().to_string().contains(r#""pattern":{"#), "{ran}");
}

#[test]
fn a_broken_file_is_reported_and_the_rest_loads() {
    let program = with_tools()
        .file("t/broken.lua", "return {\n  execute = = 1\n}\n")
        .file("t/raises.lua", "error('at load')\n")
        .file("t/bare.lua", "return { description = 'no execute' }\n");
    let ran = program.run(&["--tools", "t", "call", "hello", "x"]);
    ran.prints("hello x\n")
        .says("broken.lua:2")
        .says("raises.lua")
        .says("at load");
    program
        .run(&["--tools", "t", "call", "broken", "x"])
        .exits(1)
        .says("broken");
}

#[test]
fn what_a_tool_does_goes_through_the_door() {
    let outside = "return { description = 'o', parameters = { 'path' }, effect = 'read',
        execute = function(a) tools.write{ path = a.path, content = 'x' } return 'done' end }";
    let program = with_tools().file("t/outside.lua", outside);
    program
        .run(&["--tools", "t", "call", "outside", "in.txt"])
        .prints("done\n");
    assert_eq!(program.text("in.txt"), "x");
    // The caller belongs to the chain: as a model, what the tool does is the model's act.
    let ran = program.run(&[
        "--tools", "t", "--as", "model", "call", "outside", "more.txt",
    ]);
    ran.exits(3).prints("").says("den");
    assert!(!program.at("more.txt").exists());
}

#[test]
fn a_tool_that_fails_says_so() {
    let fails = "return { description = 'f', effect = 'read', execute = function()
        error{ kind = 'not_found', message = 'nothing there', hint = 'look elsewhere' } end }";
    let wrong =
        "return { description = 'w', effect = 'read', execute = function() return 7 < {} end }";
    let program = with_tools()
        .file("t/fails.lua", fails)
        .file("t/wrong.lua", wrong);
    program
        .run(&["--tools", "t", "call", "fails"])
        .exits(1)
        .says("nothing there")
        .says("look elsewhere");
    program
        .run(&["--tools", "t", "call", "wrong"])
        .exits(1)
        .says("wrong.lua:1");
}

#[test]
fn a_folder_that_is_none_is_wrong_usage() {
    let program = Program::new().file("a.txt", "");
    for folder in ["nowhere", "a.txt"] {
        program
            .run(&["--tools", folder, "tools"])
            .exits(2)
            .prints("")
            .says(folder);
    }
}

const FORM: &str = "return { effect = 'read', parameters = { 'name' },
  execute = function(args) return { output = 'plain ' .. args.name, metadata = { n = 2 } } end,
  render = function(result, width) return { { 'good ' .. result.n, 'ok' }, '\\27[2J ', { tostring(width), 'error' } } end }\n";

#[test]
fn a_form_of_its_own_is_for_the_terminal_alone() {
    let program = Program::new().file("t/form.lua", FORM);
    let words = ["--tools", "t", "call", "form", "x"];
    program.run(&words).prints("plain x\n");
    let mut terminal = crate::terminal::Terminal::open(&program, &words);
    terminal.wait_for("80");
    assert_eq!(terminal.exit_code(), 0);
    let raw = terminal.raw();
    assert!(raw.contains("\u{1b}[32mgood 2\u{1b}[0m"), "{raw:?}");
    assert!(
        raw.contains("\\x1b[2J") && !raw.contains("\u{1b}[2J"),
        "{raw:?}"
    );
    assert!(
        raw.contains("\u{1b}[31m80\u{1b}[0m") && !raw.contains("plain"),
        "{raw:?}"
    );
    let mut document = program
        .run(&["--tools", "t", "-o", "json", "call", "form", "x"])
        .json();
    assert_eq!(document["output"].take(), "plain x");
}

#[test]
fn a_tool_that_is_not_offered_says_why_in_the_list() {
    let off = "return { effect = 'read', enabled = function(env) return env.caller == 'model', 'only for models' end, execute = print }\n";
    let program = Program::new().file("t/off.lua", off);
    let with = |words: &[&str]| program.run(&[&["--tools", "t"], words].concat());
    with(&["tools"]).prints_part("the tool `off` is not available: only for models");
    with(&["tools", "off"]).prints_part("not available: ");
    let list = with(&["-o", "json", "tools"]).json();
    let tools = list["tools"].as_array().unwrap();
    let off = tools.iter().find(|tool| tool["id"] == "off").unwrap();
    assert_eq!(off["available"], false);
    // The others want a person, a plan, or tools that are not shown.
    let missing = tools.iter().filter(|tool| tool["available"] != true);
    let missing: Vec<&str> = missing.map(|tool| tool["id"].as_str().unwrap()).collect();
    assert_eq!(missing, ["plan_exit", "tool_search", "question", "off"]);
    with(&["call", "off"]).exits(1).says("error (unavailable)");
    with(&["--as", "model", "call", "off"]).stderr();
}
