//! `agent eval`: the values of an expression or of a `return`, separated by tabs.
//!
//! A tool's result is printed as its text.

use crate::program::Program;

#[test]
fn prints_the_values_of_an_expression_or_a_return() {
    let program = Program::new();
    for (code, printed) in [
        ("1 + 1", "2\n"),
        (
            "return 1, 'two', true, nil, 2.5",
            "1\ttwo\ttrue\tnil\t2.5\n",
        ),
        ("'a', 'b'", "a\tb\n"),
        ("local x = 1", ""),
        ("return", ""),
        (
            "return -0.0 == 0, 7 // 2, 2^53",
            "true\t3\t9007199254740992.0\n",
        ),
        ("print('x')", "x\n"),
        ("", ""),
    ] {
        program.run(&["eval", code]).prints(printed);
    }
}

#[test]
fn prints_the_result_of_a_tool_as_its_text() {
    let program = Program::new().file("a.txt", "hello\nworld\n");
    program
        .run(&["eval", "tools.read('a.txt')"])
        .prints_part("world");
    program
        .run(&["eval", "return tools.read('a.txt').text"])
        .prints("hello\nworld\n");
    program
        .run(&["eval", "return tools.shell('echo out; exit 3').exit_code"])
        .prints("3\n");
}

#[test]
fn finds_what_a_pattern_finds() {
    let program = Program::new().file("src/main.rs", "//! It.\n\nfn main() {}\n");
    let code = "return tools.grep{ pattern = 'fn main', path = 'src' }.matches[1].line";
    program.run(&["eval", code]).prints("3\n");
}

#[test]
fn reads_edits_and_tests_real_files() {
    let program = Program::new().file("a.txt", "one\r\ntwo\r\n");
    let code = "
        local edit = tools.edit{ path = 'a.txt', old = 'two', new = '2' }
        local test = tools.shell{ command = 'grep -c 2 a.txt' }
        return edit.count, test.exit_code, agent.text.trim(test.stdout)";
    program.run(&["eval", code]).prints("1\t0\t1\n");
    assert_eq!(program.bytes("a.txt"), b"one\r\n2\r\n");
}

#[test]
fn the_agent_table_works_without_any_tool() {
    let program = Program::new();
    for (code, printed) in [
        (
            "select('#', agent.all(function() return 1 end, function() return 2 end))",
            "2\n",
        ),
        (
            "table.concat(agent.map({ 3, 1 }, function(n, i) return n * i end), ' ')",
            "3 2\n",
        ),
        (
            "select(2, agent.try(tools.read, 'nope')).kind",
            "not_found\n",
        ),
        (
            "select(2, agent.try(agent.limit, { timeout = .05 }, function() agent.sleep(60) end)).kind",
            "timeout\n",
        ),
        (
            "agent.json.encode{ b = { 1, agent.null }, a = agent.array{} }",
            "{\"a\":[],\"b\":[1,null]}\n",
        ),
        (
            "agent.json.decode('{\"n\":9007199254740993}').n",
            "9007199254740993\n",
        ),
        (
            "agent.path.join('a', 'b'), agent.path.basename('a/b.lua')",
            "a/b\tb.lua\n",
        ),
        (
            "agent.re.gsub('a1b22', '(\\\\d+)', '<$1>')",
            "a<1>b<22>\t2\n",
        ),
        ("#agent.version > 0", "true\n"),
        ("unpack == table.unpack and loadstring == load", "true\n"),
    ] {
        program.run(&["eval", code]).prints(printed);
    }
    program
        .run(&["eval", "agent.help('read')"])
        .prints_part("path");
    program
        .run(&["eval", "#agent.workspace > 0"])
        .prints("true\n");
}

#[test]
fn starts_elsewhere_with_a_folder() {
    let program = Program::new().file("sub/a.txt", "in sub\n");
    for args in [
        &["-C", "sub", "eval", "tools.read('a.txt').text"][..],
        &["eval", "tools.read('a.txt').text", "--cwd", "sub"],
    ] {
        program.run(args).prints("in sub\n");
    }
}

#[test]
fn a_failure_of_an_expression_has_the_line_of_the_expression() {
    let program = Program::new().file("a.txt", "x");
    for code in [
        "tools.read('a.txt').matchs",
        "agent.tex",
        "agent.tex -- why",
    ] {
        program.run(&["eval", code]).exits(1).says("eval:1");
    }
    program.run(&["eval", "1 + 1 -- two"]).prints("2\n");
}
