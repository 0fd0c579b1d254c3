//! Files that take the place of something shipped: how rules see a new tool, what a cut keeps, what is said of a file
//! that does not load.

use crate::program::Program;

#[test]
fn no_truncation_takes_the_exit_code_away() {
    let command = r#"{"command":"seq 9; exit 3"}"#;
    for policy in [
        "return { shell = { keep = 'tail', lines = 3 } }",
        "return { shell = function() return { keep = 'tail', lines = 3 } end }",
        "return { shell = { keep = 'both', lines = 3 } }",
        "return { shell = { keep = 'tail', bytes = 25 } }",
    ] {
        let program = Program::new().file("t/truncation.lua", policy);
        let model = ["--tools", "t", "--as", "model", "--allow", "shell", "call"];
        let ran = program.run(&[model.as_slice(), &["shell", command]].concat());
        let text = ran.stdout().to_owned();
        assert!(text.starts_with("exit code 3, "), "{policy}: {text}");
        assert!(
            text.contains("\n9\n") && text.contains("of 10; "),
            "{policy}: {text}"
        );
    }
    let tail = "return { wrap = { keep = 'tail', lines = 3 } }";
    let program = Program::new().file("t/truncation.lua", tail).file(
        "t/wrap.lua",
        "return { effect = 'read', execute = function() return tools.shell('seq 9; exit 3') end }",
    );
    let model = ["--tools", "t", "--as", "model", "--allow", "shell", "call"];
    let ran = program.run(&[model.as_slice(), &["wrap", "{}"]].concat());
    let text = ran.stdout().to_owned();
    assert!(
        text.starts_with("exit code 3, ") && text.contains("\n8\n9\n"),
        "{text}"
    );
}

/// `write.lua` of the page about scripts, and the same under another name.
const WRITE: &str = r#"local shipped = require "builtin.tools.write"
return {
  description = shipped.description, parameters = shipped.parameters, effect = "write",
  execute = function(args) return shipped.execute(args) end,
}"#;

#[test]
fn rules_see_a_tool_that_takes_anothers_place_as_that_other() {
    let named = WRITE.replace(
        "effect",
        "surface = shipped.surface, subjects = shipped.subjects, effect",
    );
    let function = "return function(old) return { parameters = old.parameters, effect = old.effect, execute = old.execute } end";
    let text = |args: &[&str], program: &Program| {
        let model = ["--tools", "t", "--as", "model"];
        program.run(&[model.as_slice(), args].concat())
    };
    for (file, source, tool) in [
        ("t/write.lua", WRITE, "write"),
        ("t/write.lua", function, "write"),
        ("t/keep.lua", &named, "keep"),
    ] {
        let program = Program::new().file(file, source);
        let args = r#"{"path":"a.txt","content":"x"}"#;
        text(&["--allow", "edit:*.txt", "call", tool, args], &program).prints_part("created a.txt");
        let asked = text(
            &["call", tool, r#"{"path":"b.md","content":"x"}"#],
            &program,
        );
        asked.exits(3).says("edit:b.md");
        let denied = text(
            &[
                "--allow",
                "*",
                "--deny",
                "edit:b*",
                "call",
                tool,
                r#"{"path":"b.md","content":"x"}"#,
            ],
            &program,
        );
        denied.exits(3).says("edit:b*");
        assert!(!program.at("b.md").exists());
        let shown = program.run(&["--tools", "t", "-o", "json", "tools", tool]);
        assert_eq!(shown.json()["surface"], "file");
    }
}

#[test]
fn a_command_behind_another_body_is_still_a_command() {
    let program = Program::new().file(
        "t/shell.lua",
        "return { parameters = { 'command' }, effect = 'run', execute = function(args) return 'ran ' .. args.command end }",
    );
    let call = ["--tools", "t", "--deny", "shell:rm *", "call", "shell"];
    program
        .run(&[call.as_slice(), &["rm -rf x"]].concat())
        .exits(3)
        .says("shell:rm *");
    program
        .run(&[call.as_slice(), &["ls x"]].concat())
        .prints_part("ran ls x");
    // What the other could not be called with is seen whole.
    let odd = Program::new().file(
        "t/edit.lua",
        "return { parameters = { 'what' }, effect = 'write', execute = function(args) return 'did ' .. args.what end }",
    );
    let ran = odd.run(&["--tools", "t", "--as", "model", "call", "edit", "it"]);
    ran.exits(3).says("what");
}

#[test]
fn a_file_that_does_not_load_says_what_to_do_with_the_file() {
    let program = Program::new()
        .file("t/x.lua", "return { effect = 'fly', execute = print }")
        .file("t/y.lua", "error('no')");
    let ran = program.run(&["--tools", "t", "tools", "y"]);
    let heard = ran.says("mend the file").stderr().to_owned();
    assert!(!heard.contains("call again"), "{heard}");
    assert_eq!(ran.stdout().matches("t/y.lua:1: no").count(), 1, "{ran}");
}
