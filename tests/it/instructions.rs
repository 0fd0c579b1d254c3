//! The rules in AGENTS.md and CLAUDE.md, and that a model cannot lift them, or write what runs later, unasked.

use crate::program::Program;
use crate::trusting::{RUN, project};

#[test]
fn rules_in_the_instructions_hold_before_any_yes_and_only_tighten() {
    let rules = "# Rules\n\n```permissions\ndeny read:secret/**\nallow edit:*\nask edit:*.lock\nnonsense\n\
        deny nosuchtool:x\n```\n";
    let program = Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("AGENTS.md", rules)
        .file("secret/key", "k")
        .file("a.txt", "a");
    let warned = "AGENTS.md:7: \"nonsense\" is no rule";
    let unknown =
        "the rule `deny nosuchtool:x` (project instructions, AGENTS.md) names no tool or group";
    for extra in [&[][..], &["--no-config"], &["--allow", "read:secret/**"]] {
        let ran = program.run(&[&["call", "read", "secret/key"][..], extra].concat());
        ran.exits(3)
            .says("`secret/key` is denied by the rule `read:secret/**` (project instructions, AGENTS.md)")
            .says(warned)
            .says(unknown);
    }
    let write = |path: &str| serde_json::json!({ "path": path, "content": "x" }).to_string();
    let ran = program.run(&["--as", "model", "call", "write", &write("b.txt")]);
    ran.exits(3)
        .says("a model asks before it changes something")
        .says(warned);
    let ran = program.run(&["call", "write", &write("b.lock")]);
    ran.exits(3)
        .says("is asked about because of the rule `edit:*.lock` (project instructions, AGENTS.md)");
    let ran = program.run(&["call", "read", "a.txt", "-v"]);
    ran.prints_part("a")
        .says("AGENTS.md:5: 1 rule that would allow something: passed over");
}

#[test]
fn a_reload_reads_the_rules_anew() {
    let rules = |path: &str| format!("```permissions\ndeny read:{path}\n```\n");
    let program = Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("AGENTS.md", rules("a.txt"))
        .file("a.txt", "a")
        .file("b.txt", "b");
    let code = |text: &str| {
        format!(
            "local file = io.open('AGENTS.md', 'w') file:write([==[{text}]==]) file:close()
            agent.reload()
            return agent.try(tools.read, 'a.txt') ~= nil, agent.try(tools.read, 'b.txt') ~= nil"
        )
    };
    let ran = program.run(&["eval", &code(&rules("b.txt"))]);
    ran.prints("true\tfalse\n");
    program.write("AGENTS.md", rules("a.txt"));
    let broken = rules("b.txt").replace("deny read:b", "nonsense\ndeny read:b");
    let ran = program.run(&["eval", &code(&broken)]);
    ran.prints("false\tfalse\n")
        .says("AGENTS.md:2: \"nonsense\" is no rule");
}

#[test]
fn what_the_command_line_loads_tools_from_is_asked_about_too() {
    let program = Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("mytools/run.lua", RUN)
        .file("elsewhere.lua", "return nil");
    std::os::unix::fs::symlink("../elsewhere.lua", program.at("mytools/linked.lua")).unwrap();
    let write = |path: &str| serde_json::json!({ "path": path, "content": "x" }).to_string();
    let model = ["--as", "model", "--tools", "mytools", "--allow", "edit"];
    for path in [
        "mytools/permissions.lua",
        "mytools/lua/x.lua",
        "mytools/../mytools/x.lua",
    ] {
        let ran = program.run(&[&model[..], &["call", "write", &write(path)]].concat());
        ran.exits(3).says("mytools/").says("tool");
        assert!(!program.at(path).exists());
    }
    let code = "tools.read('elsewhere.lua') tools.write('elsewhere.lua', 'x')";
    let ran = program.run(&[&model[..], &["call", "run", code]].concat());
    ran.exits(3).says("elsewhere.lua is loaded as a tool");
    let ran = program.run(&[&model[..], &["call", "write", &write("notes.txt")]].concat());
    ran.stdout();
}

#[test]
fn a_model_asks_before_it_changes_what_holds_rules_or_runs() {
    let rules = "```permissions\ndeny edit:x\n```\n";
    let program = project()
        .file("AGENTS.md", rules)
        .file("tools/x.lua", "return nil")
        .file("lib/x.lua", "return nil")
        .file("x.txt", "x");
    let program = program.file("t/run.lua", RUN);
    let model = [
        "--as", "model", "--tools", "t", "--allow", "edit", "--allow", "shell", "call", "run",
    ];
    let known = "for _, p in ipairs { 'AGENTS.md', 'tools/x.lua', 'lib/x.lua', 'x.txt' } do tools.read(p) end ";
    for (call, about) in [
        ("tools.write('AGENTS.md', 'x')", "AGENTS.md holds rules"),
        (
            "tools.edit('AGENTS.md', 'deny', 'ask')",
            "AGENTS.md holds rules",
        ),
        ("tools.write('CLAUDE.md', 'x')", "CLAUDE.md holds rules"),
        (
            "tools.write('.agent/init.lua', 'x')",
            ".agent/init.lua decides",
        ),
        (
            "tools.write('tools/y.lua', 'x')",
            "tools/y.lua is loaded as a tool",
        ),
        ("tools.write('.mcp.json', 'x')", ".mcp.json decides"),
        (
            "tools.write('.claude/settings.json', 'x')",
            ".claude/settings.json decides",
        ),
        ("tools.delete('AGENTS.md')", "AGENTS.md holds rules"),
        ("tools.delete('.agent/tools')", ".agent/tools decides"),
        (
            "tools.delete('tools/x.lua')",
            "tools/x.lua is loaded as a tool",
        ),
        ("tools.move('AGENTS.md', 'x.md')", "AGENTS.md holds rules"),
        (
            "tools.move('x.txt', '.agent/init.lua')",
            ".agent/init.lua decides",
        ),
        (
            "tools.move('lib', 'tool')",
            "tool is where tools are loaded from",
        ),
        (
            "tools.shell('echo x > .agent/init.lua')",
            ".agent/init.lua decides",
        ),
        (
            "tools.shell('tee CLAUDE.md < x')",
            "the command names CLAUDE.md",
        ),
        (
            "tools.shell('agent trust --trust=x')",
            "the command says what is trusted",
        ),
    ] {
        let code = format!("{known} {call}");
        let ran = program.run(&[&model[..], &[code.as_str()]].concat());
        ran.exits(3)
            .says(&format!("critical: {about}"))
            .says("is not trusted");
    }
    assert_eq!(program.text("AGENTS.md"), rules);
    let ran = program.run(&["eval", "tools.write('AGENTS.md', 'x').path"]);
    ran.prints("AGENTS.md\n").says("is not trusted");
    assert_eq!(
        program.text("AGENTS.md"),
        "x",
        "a person changes it without being asked"
    );
}
