//! `agent test`: what is run and in what world, how each end is told, and that nothing of one test reaches another.
//!
//! What can be said in Lua stands in `tests/lua`; each file of it is a test here.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::program::Program;
use crate::running::Ran;
use crate::sources::files_below;

/// A program with one test file, `t/a_test.lua`.
pub(crate) fn with(text: &str) -> Program {
    Program::new().file("t/a_test.lua", text)
}

pub(crate) fn tested(text: &str) -> Ran {
    with(text).run(&["test", "t"])
}

/// The tests of the document, as `status name`.
pub(crate) fn names(document: &Value) -> Vec<String> {
    let tests = document["tests"].as_array().expect("a list of tests");
    let line = |test: &Value| format!("{} {}", word(test, "status"), word(test, "name"));
    tests.iter().map(line).collect()
}

pub(crate) fn word(test: &Value, field: &str) -> String {
    test[field].as_str().unwrap_or_default().to_owned()
}

/// A program that holds the files below `folder` of this repository.
fn with_files(folder: &str, program: Program) -> Program {
    let files = files_below(folder, "lua").into_iter();
    files.fold(program, |program, (path, text)| program.file(&path, text))
}

/// Runs one file of `tests/lua`.
fn lua(name: &str) {
    let path = format!("tests/lua/{name}_test.lua");
    let program = with_files("tests/lua", Program::new());
    let ran = program.run(&["test", &path]);
    assert!(ran.stdout().ends_with(" 0 failed, 0 skipped\n"), "{ran}");
    ran.stderr();
}

/// The files of `tests/lua`, each with its test.
macro_rules! lua_files {
    ($($name:ident),*) => {
        $(#[test] fn $name() { lua(stringify!($name)); })*
        const LUA_FILES: &[&str] = &[$(stringify!($name)),*];
    };
}

lua_files!(asserting, failing, mocking, values);

#[test]
fn no_lua_test_is_forgotten() {
    let files = files_below("tests/lua", "lua");
    let names = files.iter().map(|(file, _)| file.as_str());
    let listed = LUA_FILES
        .iter()
        .map(|name| format!("tests/lua/{name}_test.lua"));
    assert!(names.eq(listed), "tests/lua and the list here differ");
}

#[test]
fn the_examples_are_tested() {
    let program = with_files("examples", Program::new());
    let ran = program.run(&["test", "examples"]);
    assert!(
        ran.stdout().contains("ok   examples/tests/tools_test.lua"),
        "{ran}"
    );
    assert!(ran.stdout().ends_with(" 0 failed, 0 skipped\n"), "{ran}");
    ran.stderr();
    let ran = program.run(&["test", "examples/tests/tools_test.lua"]);
    ran.stderr();
    ran.prints_part("ok   ");
}

#[test]
fn a_test_that_does_not_end_is_ended() {
    let ran = tested(
        "local limit = { timeout = 0.1 }
         it('loop', function() while true do end end, limit)
         it('loop in pcall', function() while true do pcall(function() while true do end end) end end, limit)
         it('sleep', function() agent.sleep(600) end, limit)
         it('coroutine', function() coroutine.wrap(function() while true do end end)() end, limit)
         it('cleaned', function() end)",
    );
    ran.exits(1).prints_part("1 passed, 4 failed, 0 skipped\n");
    ran.prints_part("t/a_test.lua:3: timeout: the test was not done after 0.1 s");
    assert!(ran.took < Duration::from_secs(10), "{ran}");
}

#[test]
fn what_cleans_up_runs_after_a_test_that_failed_or_was_ended() {
    let ran = tested(
        "local cleaned = 0
         describe('a', function()
           after_each(function() cleaned = cleaned + 1 end)
           it('fails', function() error('x') end)
           it('hangs', function() agent.sleep(600) end, { timeout = 0.1 })
         end)
         it('was cleaned', function() assert.equal(2, cleaned) end)",
    );
    ran.exits(1).prints_part("1 passed, 2 failed, 0 skipped\n");
}

#[test]
fn blocks_are_prepared_from_outside_in_and_cleaned_from_inside_out() {
    let ran = tested(
        "local seen = {}
         local function note(word) return function() seen[#seen + 1] = word agent.sleep(0) end end
         describe('outer', function()
           setup(note 'S') teardown(note 'T') before_each(note 'B') after_each(note 'A')
           describe('inner', function()
             setup(note 's') teardown(note 't') before_each(note 'b') after_each(note 'a')
             it('x', note 'x')
             it('y', note 'y')
           end)
           it('z', note 'z')
         end)
         it('the order', function() assert.equal('S s B b x a A B b y a t A B z A T', table.concat(seen, ' ')) end)",
    );
    ran.prints_part("4 passed, 0 failed, 0 skipped\n");
}

#[test]
fn what_a_file_declares_may_wait() {
    let ran = tested(
        "agent.sleep(0) describe('a', function() agent.sleep(0) it('b', function() agent.sleep(0) end) end)
         it('c', function() local r = coroutine.wrap(function() return tools.glob('*').count end) assert.equal(0, r()) end)",
    );
    ran.prints_part("2 passed, 0 failed, 0 skipped\n");
}

#[test]
fn ctrl_c_ends_the_run_and_its_folders_go() {
    let program =
        with("it('a', function() print('begun') agent.sleep(600) end, { timeout = 600 })");
    let running = program.spawn(&["test", "t"]);
    running.wait_for("begun");
    running.signal(Signal::INT);
    running.wait().exits(130).prints("").says("interrupted");
    let left = std::fs::read_dir(program.at("../tmp")).unwrap().count();
    assert_eq!(left, 0, "the folders of tests go");
}

#[test]
fn tests_are_declared_outside_of_tests() {
    let ran = tested(
        "it('a', function() it('b', function() end) end)
         it('c', function() describe('d', function() end) end)
         it('e', function() before_each(function() end) end)",
    );
    ran.exits(1)
        .prints_part("it: a test runs, and tests are declared outside of `it`")
        .prints_part("0 passed, 3 failed, 0 skipped\n");
    for word in ["mock('read', 'x')", "files { a = 'x' }", "as_model(print)"] {
        let ran = tested(word);
        ran.exits(1)
            .prints_part("belongs inside `it` or `before_each`");
    }
}

#[test]
fn os_exit_ends_a_test_and_no_more() {
    let ran = tested("it('a', function() os.exit(0) end)\nit('b', function() end)");
    ran.exits(1).prints_part("1 passed, 1 failed, 0 skipped\n");
}

#[test]
fn every_test_begins_with_an_empty_workspace_and_the_tools_as_they_were() {
    let program = with(
        "it('a', function()
           files { ['a.txt'] = 'x', ['dir/b.txt'] = 'y' }
           assert.equal('x', tools.read('a.txt').text)
           agent.tool { id = 'mine', effect = 'read', execute = function() return 'm' end }
           agent.on('tool.before', function() return 'deny', 'no' end)
           mock('glob', 'mocked')
         end)
         it('b', function()
           assert.same({}, tools.glob('**').paths)
           assert.is_nil(io.open('a.txt'))
           assert.fails('not_found', function() tools.mine() end)
           files { ['a.txt'] = 'z' }
           tools.edit('a.txt', 'z', 'w')
           assert.equal('w', io.open('a.txt'):read('a'))
           assert.equal(agent.workspace, agent.path.real('.'))
         end)",
    )
    .file("a.txt", "mine");
    program
        .run(&["test", "t"])
        .prints_part("2 passed, 0 failed, 0 skipped\n");
    assert_eq!(program.text("a.txt"), "mine");
    let left = std::fs::read_dir(program.at("../tmp")).unwrap().count();
    assert_eq!(left, 0, "the folders of tests go");
}

#[test]
fn nothing_leaks_from_one_file_into_the_next() {
    let program = with("leak = 1\nstring.leak = 1\nit('a', function() assert.equal(1, leak) end)")
        .file(
            "t/b_test.lua",
            "it('b', function() assert.is_nil(leak) assert.is_nil(string.leak) end)",
        );
    program
        .run(&["test", "t"])
        .prints_part("2 passed, 0 failed, 0 skipped\n");
}

#[test]
fn commands_the_network_and_what_lies_outside_are_out_of_reach() {
    let program = with(
        "it('shell', function() tools.shell('touch ran') end)
         it('execute', function() os.execute('touch ran') end)
         it('popen', function() io.popen('touch ran') end)
         it('write', function() tools.write('/tmp/of_a_test/x', 'x') end)
         it('escape', function() files { ['../x'] = 'x' } end)
         it('model', function() as_model(function() tools.write('x', 'x') end) end)
         it('chain', function() as_model(function() agent.all(function() tools.write('x', 'x') end) end) end)",
    );
    let ran = program.run(&["test", "t"]);
    ran.exits(1)
        .prints_part(
            "denied: commands and the network are denied in tests, and `shell` is not mocked",
        )
        .prints_part("mock(\"shell\", …) says what it answers")
        .prints_part("commands are denied in tests")
        .prints_part("leads out of the test's workspace")
        .prints_part("0 passed, 7 failed, 0 skipped\n");
    assert!(!std::path::Path::new("/tmp/of_a_test").exists());
}

#[test]
fn rules_of_the_command_line_hold_in_tests() {
    let program = with("it('a', function() assert.fails('denied', tools.read, 'secret.txt') end)");
    program
        .run(&["test", "t", "--deny", "read:secret*"])
        .prints_part("1 passed");
    program
        .run(&["test", "t"])
        .exits(1)
        .prints_part("not_found");
}

#[test]
fn the_examples_of_tools_are_tests() {
    let tool = "return { description = 'Sizes.', parameters = { 'path' }, effect = 'read',
        execute = function(a) return #tools.read(a.path).text .. ' bytes' end,
        examples = {
          { about = 'of a file', files = { ['d/a.txt'] = 'four' }, args = { path = 'd/a.txt' }, shows = '4 bytes' },
          { about = 'of another', files = { ['b.txt'] = 'x' }, args = { path = 'b.txt' }, shows = '2 bytes' },
          { about = 'of none', args = { path = 'd/a.txt' }, shows = 'bytes' },
          { about = 'of nothing', args = { pth = 'x' }, shows = 'bytes' },
        } }";
    let program = Program::new().file("p/tools/size.lua", tool);
    let ran = program.run(&["test", "p", "-o", "json"]);
    let document = ran.exits(1).json();
    assert_eq!(
        names(&document),
        [
            "passed size of a file",
            "failed size of another",
            "failed size of none",
            "failed size of nothing"
        ]
    );
    let message = |at: usize| word(&document["tests"][at], "message");
    assert_eq!(message(1), "expected \"2 bytes\" in\n1 bytes");
    assert!(message(2).contains("not_found"), "{}", message(2));
    assert!(message(3).contains("pth"), "{}", message(3));
    let ran = program.run(&["test", "p", "--filter", "of a file"]);
    ran.prints_part("ok   p/tools/size.lua (1 test")
        .prints_part("1 passed, 0 failed");
}

#[test]
fn a_tool_file_that_does_not_load_is_a_failed_test() {
    let program = Program::new().file("p/tools/bad.lua", "return {\n  execute = = 1\n}\n");
    let ran = program.run(&["test", "p"]);
    ran.exits(1)
        .prints_part("failed p/tools/bad.lua\n      p/tools/bad.lua:2: ")
        .prints_part("0 passed, 1 failed, 0 skipped\n");
}

#[test]
fn only_tests_are_found_and_in_order() {
    let test = |name: &str| format!("it('{name}', function() end)");
    let program = Program::new()
        .file("t/b_test.lua", test("b"))
        .file("t/a/z_spec.lua", test("az"))
        .file("t/c.lua", "error('no test')")
        .file("t/.hidden/x_test.lua", test("hidden"))
        .file("t/node_modules/x_test.lua", test("theirs"))
        .file("t/target/x_test.lua", test("built"));
    let ran = program.run(&["test", "t/b_test.lua", "t", "-o", "json"]);
    assert_eq!(names(&ran.json()), ["passed az", "passed b"]);
    let ran = program.run(&["test", "t/.hidden", "-o", "json"]);
    assert_eq!(names(&ran.json()), ["passed hidden"]);
}

#[test]
fn the_projects_own_tests_wait_for_trust() {
    let program = Program::new().file(".agent/tests/a_test.lua", "it('a', function() end)");
    let ran = program.run(&["test"]);
    ran.exits(2)
        .prints("")
        .says("not trusted")
        .says("look at it with `agent trust`: tests and tools are code that runs with your rights");
    // The way around the look is not what is advised.
    assert!(!ran.stderr().contains("agent test .agent"), "{ran}");
    program.run(&["test", ".agent"]).prints_part("1 passed");
}

#[test]
fn of_a_folder_agent_that_is_named_only_files_of_the_project_are_read() {
    let program = Program::new()
        .file("../home/tool.lua", "MARK secret")
        .file("../home/out_test.lua", "it('ran', function() end)")
        .file(
            ".agent/tools/fine.lua",
            "return { effect = 'read', execute = function() return 'fine' end }",
        )
        .file(
            ".agent/tests/a_test.lua",
            "it('a', function() assert.equal('fine', tools.fine().output) end)",
        );
    let links = [
        ("../home/tool.lua", ".agent/tools/evil.lua"),
        ("../home/out_test.lua", ".agent/tests/evil_test.lua"),
    ];
    for (target, link) in links {
        std::os::unix::fs::symlink(program.at(target), program.at(link)).unwrap();
    }
    for words in [
        &["test", ".agent"][..],
        &["test", ".agent/tests", ".agent/tools"],
        &["-C", ".agent", "test", "tests", "tools"],
        &[
            "-C",
            "..",
            "test",
            "workspace/.agent/tools/../tests",
            "workspace/.agent/tools",
        ],
    ] {
        let ran = program.run(words);
        ran.exits(1)
            .prints_part("(1 test, ")
            .prints_part(".agent/tools/evil.lua is a link that leaves the project")
            .prints_part(".agent/tests/evil_test.lua is a link that leaves the project");
        assert!(!ran.stdout().contains("MARK"), "{ran}");
        assert!(ran.stdout().contains("\n1 passed, "), "{ran}");
    }
    // A test that is named by itself is no exception.
    program
        .run(&["test", ".agent/tests/evil_test.lua"])
        .exits(1)
        .prints_part("is a link that leaves the project");
}

#[test]
fn a_trusted_project_is_tested_as_it_loads() {
    let program = Program::new();
    program
        .run(&["init"])
        .prints_part("\ntrusted: what lies in .agent now. ");
    program
        .run(&["test"])
        .prints_part("ok   .agent/tests/hello_test.lua (3 tests")
        .prints_part("4 passed");
    program.write(".agent/tests/hello_test.lua", "it('a', function() end)");
    program.run(&["test"]).exits(2).says("not trusted");
}

#[test]
fn thousands_of_tests_are_quick() {
    let program = with("for i = 1, 3000 do it('t' .. i, function() assert.equal(i, i) end) end");
    let ran = program.run(&["test", "t"]);
    ran.prints_part("3000 passed, 0 failed, 0 skipped\n");
    assert!(ran.took < Duration::from_secs(20), "{:?}", ran.took);
}
