//! The person's own folder and the folders of `--tools`, as the program loads them: who takes whose place, what a
//! broken file costs, what policies do.
//!
//! What a project brings along is another matter: it waits for trust.

use crate::program::Program;

/// A tool that says a word.
pub(crate) fn says(word: &str) -> String {
    format!("return {{ effect = 'read', execute = function() return '{word}' end }}")
}

#[test]
fn tools_hooks_and_modules_of_the_person_are_there_unless_told_otherwise() {
    let program = Program::new()
        .file("../config/lua/words.lua", "return { hello = 'hello from a module' }")
        .file(
            "../config/tools/hi.lua",
            "local words = require 'words' return { effect = 'read', execute = function() return words.hello end }",
        )
        .file(
            "../config/init.lua",
            "agent.on('tool.after', function(call) if call.tool == 'hi' then call.output = call.output .. '!' end end)",
        );
    program
        .run(&["call", "hi"])
        .prints("hello from a module!\n");
    program
        .run(&["eval", "require('words').hello"])
        .prints("hello from a module\n");
    program.run(&["tools"]).prints_part("tools/hi.lua");
    program
        .run(&["--no-config", "call", "hi"])
        .exits(1)
        .says("there is no tool `hi`");
}

#[test]
fn the_folder_on_the_command_line_is_the_strongest_and_the_list_says_who_shadows_whom() {
    let program = Program::new()
        .file("../config/tools/grep.lua", says("mine"))
        .file("t/grep.lua", says("named"));
    program.run(&["call", "grep"]).prints("mine\n");
    program
        .run(&["--tools", "t", "call", "grep"])
        .prints("named\n");
    let ran = program.run(&["--tools", "t", "tools"]);
    ran.prints_part("t/grep.lua (shadows ")
        .prints_part(", shipped)");
    let ran = program.run(&["--tools", "t", "-o", "json", "tools", "grep"]);
    assert_eq!(ran.json()["shadows"][1], "shipped", "{ran}");
    // The alias leads to the tool that is in place, and a rule for the id holds for it.
    program
        .run(&["--tools", "t", "--deny", "grep", "call", "grep"])
        .exits(3)
        .says("denied");
}

#[test]
fn a_broken_tool_file_disables_its_tool_and_nothing_else() {
    let program = Program::new()
        .file("../config/tools/grep.lua", "return {\n  execute = = 1\n}\n")
        .file("../config/tools/fine.lua", says("fine"))
        .file("../config/init.lua", "\nerror 'in init'");
    let ran = program.run(&["call", "fine"]);
    ran.prints("fine\n")
        .says("grep.lua:2: not loaded")
        .says("init.lua:2: not loaded: in init");
    program
        .run(&["call", "grep", "x"])
        .exits(1)
        .says("the tool `grep` is disabled")
        .says("not loaded");
}

#[test]
fn a_policy_that_does_not_load_ends_the_program_before_anything_else_runs() {
    let init = "io.open('ran.txt', 'w'):close()";
    for (name, text) in [
        ("truncation", "return { default = { lines = 'many' } }"),
        ("surfaces", "return +"),
        ("permissions", "error 'no rules today'"),
        (
            "permissions",
            "return { rules = { { 'edit', 'x', 'alow' } } }",
        ),
        ("replacers", "return { policy = 'wild' }"),
    ] {
        let program = Program::new()
            .file("../config/init.lua", init)
            .file(&format!("../config/tools/{name}.lua"), text);
        program
            .run(&["call", "read", "x"])
            .exits(2)
            .says(&format!("tools/{name}.lua"))
            .says("a policy does not load")
            .says("try: ");
        assert!(
            !program.at("ran.txt").exists(),
            "{name}: nothing else has run"
        );
        let ran = program.run(&["-o", "json", "eval", "1"]);
        assert_eq!(ran.exits(2).json()["ok"], false, "{name}");
        ran.stderr();
        program.run(&["--no-config", "eval", "1"]).prints("1\n");
    }
}

#[test]
fn rules_of_the_person_hold_for_everything_and_are_in_force_before_a_file_is_loaded() {
    let program = Program::new()
        .file("secret.txt", "x\n")
        .file(
            "../config/tools/permissions.lua",
            "return { rules = { { 'read', 'secret*', 'deny', reason = 'it is secret' } } }",
        )
        .file(
            "../config/init.lua",
            "local r, e = agent.try(tools.read, 'secret.txt') seen = r and r.text or e.kind",
        );
    program
        .run(&["call", "read", "secret.txt"])
        .exits(3)
        .says("it is secret");
    program.run(&["eval", "seen"]).prints("denied\n");
    program
        .run(&["--allow", "read:secret.txt", "call", "read", "secret.txt"])
        .exits(3)
        .says("denied");
}

#[test]
fn a_rule_of_a_folder_named_with_tools_holds_too() {
    let program = Program::new().file(
        "t/permissions.lua",
        "return function(weaker) return { rules = { { 'shell', 'deny', reason = #weaker .. ' weaker' } } } end",
    );
    program
        .run(&["--tools", "t", "call", "shell", "true"])
        .exits(3)
        .says("1 weaker");
}

#[test]
fn truncation_decides_what_a_model_gets() {
    let lines: String = (1..=30).map(|n| format!("{n}\n")).collect();
    let program = Program::new().file("t/say.lua", &*format!(
        "return {{ effect = 'read', execute = function() return [[\n{lines}]] end }}"
    )).file(
        "t/truncation.lua",
        "return { say = function(call, text) if call.caller == 'model' then return { lines = 2, keep = 'tail' } end end }",
    );
    let ran = program.run(&["--tools", "t", "--as", "model", "call", "say"]);
    let text = ran.stdout();
    assert!(
        text.ends_with("29\n30\n") && text.starts_with("[truncated: lines 29-30 of 30"),
        "{ran}"
    );
    let whole = program.run(&["--tools", "t", "eval", "#tools.say().output"]);
    whole.prints(&format!("{}\n", lines.len()));
}

#[test]
fn the_end_of_a_commands_output_is_kept_as_well_as_its_start() {
    let program = Program::new();
    let ran = program.run(&[
        "--as", "model", "--allow", "shell", "call", "shell", "seq 5000",
    ]);
    let text = ran.stdout();
    assert!(
        text.contains("\n1\n2\n") && text.trim_end().ends_with("5000"),
        "{ran}"
    );
}

#[test]
fn a_disabled_surface_says_so_and_what_is_there() {
    let program = Program::new()
        .file(
            "../config/tools/surfaces.lua",
            "return { command = { enabled = false }, file = { params = { folders = { 'src' } } } }",
        )
        .file("src/a.txt", "a\n")
        .file("b.txt", "b\n");
    program
        .run(&["call", "shell", "true"])
        .exits(1)
        .says("the surface `command` is disabled by ")
        .says("what is there: ")
        .says("file (read, ");
    program
        .run(&["tools"])
        .prints_part("disabled with the surface `command`")
        .prints_part("disabled by ")
        .prints_part("Limited to folders: src.");
    program
        .run(&["tools", "read"])
        .prints_part("Limited to folders: src.");
    program
        .run(&["call", "read", "src/a.txt"])
        .prints_part("a\n");
    program
        .run(&["call", "read", "b.txt"])
        .exits(3)
        .says("is not among what the surface `file` is limited to");
    // Nothing outside of the limit is found by searching either.
    program
        .run(&["eval", "tools.glob('**/*.txt').count"])
        .prints("1\n");
}

#[test]
fn a_command_surface_keeps_to_its_commands() {
    let program = Program::new().file(
        "t/surfaces.lua",
        "return { command = { params = { commands = { 'echo *' } } } }",
    );
    program
        .run(&["--tools", "t", "eval", "tools.shell('echo hi').stdout"])
        .prints("hi\n");
    for command in ["cat x", "echo hi; cat x", "echo $(cat x)", "X=1 cat x"] {
        program
            .run(&["--tools", "t", "call", "shell", command])
            .exits(3)
            .says("limited to, commands: echo *");
    }
}

#[test]
fn shipped_defaults_are_modules_like_any_other() {
    let program = Program::new();
    program
        .run(&["eval", "require('builtin.truncation').default.lines"])
        .prints("2000\n");
    program
        .run(&["eval", "require('builtin.tools.grep').surface"])
        .prints("file\n");
    program
        .run(&["eval", "require('builtin.nothing')"])
        .exits(1)
        .says("builtin.nothing");
}

#[test]
fn a_tools_folder_that_cannot_be_listed_is_a_policy_that_is_missing() {
    let program = Program::new().file("../config/tools", "a file, no folder");
    program
        .run(&["eval", "1"])
        .exits(2)
        .says("a policy does not load")
        .says("config/tools");
}

#[test]
fn a_project_s_surfaces_claim_no_tool_of_others_and_rules_hold_for_a_tool_that_is_moved() {
    let program = Program::new()
        .file(
            ".agent/tools/surfaces.lua",
            "return { aaa = { tools = { 'shell', 'own' } } }",
        )
        .file(".agent/tools/own.lua", says("mine"))
        .file(
            "../config/tools/surfaces.lua",
            "return { command = { enabled = false }, db = { tools = { 'write' } } }",
        );
    let digest = program.run(&["-o", "json", "trust"]);
    let document = digest.exits(3).json();
    digest.stderr();
    let digest = document["digest"].as_str().expect("a digest").to_owned();
    let trusted = format!("--trust={digest}");
    let with = |words: &[&str]| program.run(&[&[trusted.as_str()], words].concat());
    with(&["call", "shell", "echo hi"])
        .exits(1)
        .says("the surface `command` is disabled");
    with(&["tools", "own"]).prints_part("surface aaa");
    // A tool that is moved is known to rules by both names.
    for rule in ["db.write", "file.write"] {
        with(&[
            "--deny",
            rule,
            "call",
            "write",
            r#"{"path":"x","content":"x"}"#,
        ])
        .exits(3)
        .says(rule);
    }
    with(&["--deny", "db.wirte", "tools"])
        .exits(2)
        .says("did you mean db.write?");
    with(&["eval", "agent.help('write')"]).prints_part("surface db");
}

#[test]
fn a_rule_of_a_file_that_names_nothing_is_told_of() {
    let program = Program::new().file(
        "../config/tools/permissions.lua",
        "return { rules = { { 'raed', 'deny' }, { 'some_day', '*', 'ask' }, { 'read', 'x', 'deny' } } }",
    );
    program
        .run(&["eval", "1"])
        .prints("1\n")
        .says("the rule `deny raed` (user, ")
        .says("config/tools/permissions.lua) names no tool or group, so it guards nothing; did you mean read?")
        .says("`ask some_day:*`");
}

#[test]
fn what_must_be_done_once_waits_for_the_verdict() {
    let tool = "return { effect = 'write', init = function() io.open('made', 'w'):close() end, execute = function() return 'done' end }";
    let program = Program::new().file("t/x.lua", tool);
    program
        .run(&["--tools", "t", "--deny", "x", "call", "x"])
        .exits(3)
        .says("denied");
    assert!(!program.at("made").exists());
    program.run(&["--tools", "t", "call", "x"]).prints("done\n");
    assert!(program.at("made").exists());
}

#[test]
fn one_more_permission_is_judged_for_the_tool_that_asks() {
    let program = Program::new()
        .file("../config/tools/dep.lua", "return { effect = 'run', parameters = { 'where' }, execute = function(a, ctx) ctx.permit('dep', a.where, 'to deploy') return 'deployed' end }")
        .file("t/dep.lua", "return function(below) return { effect = 'read', parameters = below.parameters, execute = function(a) return below.execute(a) end } end");
    program
        .run(&["--deny", "user.run:prod", "call", "dep", "prod"])
        .exits(3)
        .says("user.run:prod");
    program
        .run(&[
            "--tools",
            "t",
            "--deny",
            "user.run:prod",
            "call",
            "dep",
            "prod",
        ])
        .exits(3)
        .says("user.run:prod");
    program
        .run(&["--tools", "t", "call", "dep", "prod"])
        .prints("deployed\n");
}

#[test]
fn a_policy_among_the_modules_is_told_of() {
    let program = Program::new().file(
        "../config/lua/permissions.lua",
        "return { rules = { { 'read', 'deny' } } }",
    );
    program
        .run(&["eval", "1"])
        .prints("1\n")
        .says("lua/permissions.lua is a module, and has the name of a policy");
}
