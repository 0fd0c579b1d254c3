//! Rules whose action is a function, presets and cases, against the real program.
//!
//! A function may tighten anything; what denies stays a deny, and what is critical is asked about all the same.

use crate::program::Program;

/// A policy as people write one, with its cases.
const POLICY: &str = include_str!("../permission/permissions.lua");

fn model<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["--as", "model"], words].concat()
}

fn write(path: &str, content: &str) -> String {
    serde_json::json!({ "path": path, "content": content }).to_string()
}

fn with(rules: &str) -> Program {
    let policy = format!("return {{ rules = {{ {rules} }} }}");
    Program::new()
        .file(".git/HEAD", "x\n")
        .file("a.txt", "a\n")
        .file("own/permissions.lua", &policy)
}

#[test]
fn a_policy_with_its_cases_is_green_as_it_stands() {
    let program = Program::new().file("mine/tools/permissions.lua", POLICY);
    let count = POLICY.matches("    { \"").count();
    let ran = program.run(&["test", "mine"]);
    ran.exits(0)
        .prints_part("mine/tools/permissions.lua (9 tests")
        .prints_part("9 passed, 0 failed");
    assert!(count >= 9);
    let program = Program::new().file("permissions.lua", POLICY);
    let ran = program.run(&["test", "permissions.lua"]);
    ran.exits(0).prints_part("9 passed, 0 failed");
    program
        .run(&["test", "."])
        .prints_part("9 passed, 0 failed");
    let lines: String = (0..400).map(|line| format!("line {line}\n")).collect();
    let program = Program::new().file("mine/permissions.lua", POLICY);
    let call = |content: &str| {
        let args = write("b.txt", content);
        program.run(&["--tools", "mine", "call", "write", &args])
    };
    call(&lines).exits(3).says("400 changed lines in one call");
    call("one line\n").exits(0).stdout();
}

#[test]
fn a_case_that_fails_says_what_was_expected_and_what_came() {
    let policy = "return { mode = 'bypass', rules = { { 'shell', 'rm *', 'deny', reason = 'no' } }, cases = {
        { 'shell', 'rm x', 'ask' }, { 'shell', 'ls -la /', 'deny' }, { 'nope', 'x', 'deny' },
        { 'write', { path = 'a', content = 'x' }, 'ask' } } }";
    let program = Program::new().file("tools/permissions.lua", policy);
    let ran = program.run(&["test", "."]);
    ran.exits(1)
        .prints_part("shell rm x: ask")
        .prints_part("expected ask, got deny: `rm x` is denied by the rule `shell:rm *`")
        .prints_part("expected deny, got ask")
        .prints_part("there is no tool `nope`")
        .prints_part("1 passed, 3 failed");
    let only = program.run(&["test", ".", "--filter", "write"]);
    only.exits(0).prints_part("1 passed, 0 failed");
    for (cases, said) in [
        ("{ 'shell', 'x' }", "cases[1]"),
        (
            "{ 'shell', 'x', 'yes' }",
            "expected `allow`, `ask` or `deny`",
        ),
        ("{ 'shell', 1, 'ask' }", "a text or arguments by name"),
        ("'shell'", "{ tool, subject, verdict }"),
    ] {
        let policy = format!("return {{ cases = {{ {cases} }} }}");
        let program = Program::new().file("own/permissions.lua", &policy);
        let ran = program.run(&["--tools", "own", "call", "list"]);
        ran.exits(2).says(said);
    }
}

#[test]
fn a_function_sees_the_call_and_says_what_happens() {
    let rules = "{ '*', '*', function(call)
        print(call.tool, call.caller, call.effect, call.args.path, call.paths[1].path, call.paths[1].inside,
            call.paths[1].real:match('workspace/.*'), call.additions, call.deletions, #call.commands, #call.session > 0)
        return 'deny', 'seen' end }";
    let ran = with(rules).run(&[
        "--tools",
        "own",
        "-v",
        "call",
        "write",
        &write("b.txt", "x\ny\n"),
    ]);
    ran.exits(3)
        .says("write\tuser\twrite\tb.txt\tb.txt\ttrue\tworkspace/b.txt\t2\t0\t0\ttrue")
        .says("seen");
    let rules = "{ 'shell', '*', function(call)
        return 'deny', table.concat(call.commands[1].argv, '|') .. ' ' .. call.effect end }";
    with(rules)
        .run(&["--tools", "own", "call", "shell", "make 'a b' c"])
        .exits(3)
        .says("make|a b|c run");
    // No opinion: as if the rule were not there. An allow of a function is an allow of its layer.
    let read = ["--tools", "own", "call", "read", "a.txt"];
    with("{ 'read', '*', function() end }")
        .run(&read)
        .prints_part("a");
    let args = write("b.txt", "x");
    let words = model(&["--tools", "own", "call", "write", &args]);
    with("{ 'edit', '*', function() return 'allow' end }")
        .run(&words)
        .exits(0)
        .stdout();
    let asks = "{ 'edit', '*', function(call) return 'ask', 'look at it' end }";
    let ran = with(asks).run(&["--tools", "own", "call", "write", &args]);
    ran.exits(3).says("look at it").says("--allow 'edit:b.txt'");
    with(asks)
        .run(&[
            "--tools",
            "own",
            "--allow",
            "edit:b.txt",
            "call",
            "write",
            &args,
        ])
        .exits(0)
        .stdout();
}

#[test]
fn a_function_that_fails_denies() {
    for (body, said) in [
        ("error('oops')", "oops"),
        ("return 'maybe'", "this was \"maybe\""),
        ("return true", "this was"),
        ("return 'allow', {}", "returns a text as reason"),
        ("while true do end", "was not done after 0.1 s"),
        ("tools.read('a.txt')", "own/permissions.lua:"),
        ("return nil + 1", "arithmetic"),
    ] {
        let rules = format!("{{ 'read', '*', function(call) {body} end }}");
        let ran = with(&rules).run(&["--tools", "own", "--allow", "*", "call", "read", "a.txt"]);
        ran.exits(3).says("denied").says(said);
    }
    let rules = "{ 'edit', '*', function() return 'allow' end }";
    let large = "agent.try(tools.write, { path = 'b.txt', content = ('x'):rep(70000) })";
    let code = format!("select(2, {large}).message");
    with(rules)
        .run(&["--tools", "own", "eval", &code])
        .prints_part("larger than the 64 KiB");
}

#[test]
fn a_function_loosens_neither_a_deny_nor_what_is_critical() {
    let yes = "function() return 'allow' end";
    let rules =
        format!("{{ 'edit', 'a.txt', 'deny' }}, {{ 'edit', '*', {yes} }}, {{ '*', {yes} }}");
    let args = write("a.txt", "x");
    let program = with(&rules);
    let run = |words: &[&str]| program.run(&[&["--tools", "own"], words].concat());
    run(&["call", "write", &args]).exits(3).says("denied");
    let hook = write(".git/hooks/x", "x");
    run(&model(&["call", "write", &hook]))
        .exits(3)
        .says("critical");
    run(&model(&["--mode", "bypass", "call", "write", &hook]))
        .exits(3)
        .says("critical");
    let other = write("b.txt", "x");
    run(&model(&["--deny", "edit:b.*", "call", "write", &other]))
        .exits(3)
        .says("denied");
    run(&model(&["--mode", "plan", "call", "write", &other]))
        .exits(3)
        .says("the mode `plan`");
    run(&model(&["call", "write", &other])).exits(0).stdout();
}

#[test]
fn what_a_function_denies_is_found_by_no_search() {
    let rules = "{ 'read', '*', function(call)
        for _, one in ipairs(call.paths) do if one.path:find('secret/') then return 'deny' end end end }";
    let program = with(rules)
        .file("secret/key.txt", "password=1\n")
        .file("b.txt", "password\n");
    let run = |words: &[&str]| program.run(&[&["--tools", "own"], words].concat());
    run(&["call", "read", "secret/key.txt"])
        .exits(3)
        .says("denied");
    for call in [
        &["call", "grep", "password"][..],
        &["call", "glob", "**/*.txt"],
        &["call", "list", r#"{"depth":3}"#],
    ] {
        let ran = run(call);
        assert!(!ran.stdout().contains("key.txt"), "{ran}");
        ran.prints_part("withheld by a rule");
    }
    let dont_ask = [
        "--mode",
        "dont_ask",
        "--allow",
        "grep:.",
        "--allow",
        "read:b.txt",
    ];
    let words = model(&[&dont_ask[..], &["call", "grep", "password"]].concat());
    let ran = program.run(&words);
    assert!(!ran.stdout().contains("key.txt"), "{ran}");
    ran.prints_part("b.txt").prints_part("withheld by a rule");
}

#[test]
fn presets_are_named_or_required() {
    let own = |policy: &str| {
        Program::new()
            .file(".git/HEAD", "x\n")
            .file("own/permissions.lua", policy)
            .file("a.txt", "a\n")
    };
    let args = write("b.txt", "x");
    let strict = own("return { preset = 'strict' }");
    let run =
        |program: &Program, words: &[&str]| program.run(&[&["--tools", "own"], words].concat());
    run(&strict, &["call", "write", &args])
        .exits(3)
        .says("every write is asked about");
    run(&strict, &["call", "shell", "touch b.txt"])
        .exits(3)
        .says("may write anything");
    run(&strict, &["call", "read", "a.txt"]).exits(0).stdout();
    let opencode = own("return { preset = 'opencode', rules = { { 'edit', 'c.txt', 'deny' } } }");
    run(&opencode, &model(&["call", "write", &args]))
        .exits(0)
        .stdout();
    run(&opencode, &model(&["call", "shell", "echo hello"])).prints_part("hello");
    run(
        &opencode,
        &model(&["call", "read", "/etc/hostname-of-nobody"]),
    )
    .exits(3)
    .says("outside of the workspace");
    run(&opencode, &model(&["call", "write", &write("c.txt", "x")]))
        .exits(3)
        .says("denied");
    let laid = own("local all = require('builtin.presets.strict').rules
        table.insert(all, { 'edit', 'notes/**', 'allow' })
        table.insert(all, { 'file.write', 'notes/**', 'allow' })
        return { rules = all }");
    run(&laid, &["call", "write", &args])
        .exits(3)
        .says("every write");
    run(&laid, &["call", "write", &write("notes/a.md", "x")])
        .exits(0)
        .stdout();
    own("return { preset = 'strikt' }")
        .run(&["--tools", "own", "call", "list"])
        .exits(2)
        .says("did you mean `strict`?");
}
