//! The rules of profiles against the real program: a source of their own, what a project may add, who is held by them.

use serde_json::{Value, json};

use crate::profiles::{ids, run, workspace};

const AGENT: &str = env!("CARGO_BIN_EXE_agent");

/// A profile of the person's, with a rule that allows and one that denies.
const MINE: &str = "return { mine = { tools = { '!write' }, rules = { { 'shell', '*', 'allow' }, { 'shell', 'echo no*', 'deny' } } } }";

#[test]
fn the_rules_of_a_profile_are_a_source_of_their_own() {
    let program = workspace().file("own/agents.lua", MINE);
    let options = ["--profile", "mine", "--as", "model", "--tools", "own"];
    run(&program, &options, &["call", "shell", "true; env"])
        .exits(0)
        .stdout();
    let explain = |options: &[&str], words: &[&str]| {
        let words = [&["-o", "json", "permissions", "explain"], words].concat();
        let ran = run(&program, options, &words);
        ran.json()
    };
    let step = json!({ "source": "profile", "rule": "shell:echo no*", "action": "deny" });
    let denied = explain(&options, &["shell", "echo nothing"]);
    assert_eq!(denied["verdict"], "deny");
    assert!(
        denied["trace"].as_array().unwrap().contains(&step),
        "{denied}"
    );
    let missing = explain(&options, &["write", "x"]);
    let step = json!({ "source": "profile", "rule": "!write", "action": "deny" });
    assert_eq!(
        (&missing["verdict"], &missing["trace"]),
        (&json!("deny"), &json!([step]))
    );
    assert_eq!(
        missing["reason"],
        "the profile `mine` has not got the tool `write`"
    );
    let tighter = [&options[..], &["--deny", "shell:touch *"]].concat();
    assert_eq!(explain(&tighter, &["shell", "touch x"])["verdict"], "deny");
    let without = ["--as", "model", "--tools", "own"];
    assert_eq!(explain(&without, &["shell", "touch x"])["verdict"], "ask");
    run(&program, &options, &["permissions", "list"])
        .prints_part("profile mine")
        .prints_part("shell:echo no*");
    let called = run(&program, &["-o", "json"], &["session", "audit"]);
    let called = called.json();
    let profiles: Vec<&Value> = called["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| &call["profile"])
        .collect();
    assert!(profiles.contains(&&json!("mine")), "{called}");
    let replayed = run(
        &program,
        &["--tools", "own", "-o", "json"],
        &["permissions", "replay", "last"],
    );
    let replayed = replayed.json();
    let calls = replayed["calls"].as_array().unwrap();
    assert!(
        calls.iter().all(|call| call["changed"] == false),
        "{replayed}"
    );
    assert_eq!(calls.last().unwrap()["now"], "allow", "{replayed}");
}

#[test]
fn a_program_below_a_models_command_is_held_by_the_profile_of_its_caller() {
    let program = workspace().file("own/agents.lua", MINE);
    let options = [
        "--profile",
        "mine",
        "--as",
        "model",
        "--tools",
        "own",
        "--mode",
        "auto_edit",
    ];
    let write = r#"call write '{"path":"b.txt","content":"x"}'"#;
    for (nested, said) in [
        (
            format!("{AGENT} {write}"),
            "the profile `mine` has not got the tool `write`",
        ),
        (
            format!("AGENT_PROFILE= {AGENT} {write}"),
            "the profile `mine` has not got",
        ),
        (
            format!("env -u AGENT_PROFILE {AGENT} {write}"),
            "the profile `mine` has not got",
        ),
        (
            format!("{AGENT} --profile build {write}"),
            "--profile is not taken below a model's call",
        ),
        (
            format!("AGENT_PROFILE=build {AGENT} {write}"),
            "the profile `mine` of its caller holds",
        ),
        (
            format!("{AGENT} --profile mine {write}"),
            "the profile `mine` has not got",
        ),
        (format!("env -i {AGENT} {write}"), "AGENT_BELOW"),
    ] {
        let args = json!({ "command": nested }).to_string();
        let ran = run(&program, &options, &["call", "shell", &args]);
        ran.prints_part(said);
        assert!(!program.at("b.txt").exists(), "{nested}");
    }
    // Whoever has no profile gets none by a word of a model's: its rules could allow more.
    let options = ["--as", "model", "--tools", "own", "--allow", "shell:*"];
    let args = json!({ "command": format!("{AGENT} --profile mine call list") }).to_string();
    run(&program, &options, &["call", "shell", &args])
        .prints_part("it would allow what the caller may not");
}

#[test]
fn a_project_narrows_the_profiles_that_are_there_and_widens_none() {
    let project = "return { explore = { tools = { '*', '!grep' }, rules = { { 'edit', 'allow' }, { 'read', 'a.txt', 'deny', reason = 'ours' },
        { 'read', '.env', 'allow' }, { 'shell', function(call) return 'deny', 'no command here' end } } },
        theirs = { tools = { 'read' }, prompt = 'theirs' } }";
    let program = workspace().file(".agent/tools/agents.lua", project);
    let explore = ["--profile", "explore"];
    let theirs = ["--profile", "theirs"];
    let untrusted = run(&program, &theirs, &["call", "list"]);
    untrusted
        .exits(2)
        .says("there is no profile `theirs`")
        .says("not trusted");
    let shown = program.run(&["-o", "json", "trust"]);
    shown.exits(3).says("nobody is there");
    let digest = shown.json()["digest"].as_str().unwrap().to_owned();
    program
        .run(&["trust", &format!("--trust={digest}")])
        .exits(0)
        .stdout();
    let offered = run(
        &program,
        &[&explore[..], &["-o", "json"]].concat(),
        &["tools"],
    );
    assert_eq!(
        ids(&offered.json()),
        [
            "read",
            "glob",
            "list",
            "shell",
            "batch",
            "tool_search",
            "think",
            "todo_read"
        ]
    );
    run(&program, &explore, &["call", "write", "x"])
        .exits(1)
        .says("has not got the tool `write`");
    run(&program, &explore, &["call", "read", "a.txt"])
        .exits(3)
        .says("ours");
    run(
        &program,
        &[&explore[..], &["--as", "model"]].concat(),
        &["call", "read", ".env"],
    )
    .exits(3)
    .says("it may hold secrets");
    run(&program, &explore, &["call", "shell", "cat a.txt"])
        .exits(3)
        .says("no command here");
    run(&program, &theirs, &["call", "list"])
        .exits(1)
        .says("the profile `theirs`");
    let program = workspace().file(
        ".agent/tools/agents.lua",
        "return { plan = { prompt = 'x' } }",
    );
    let shown = program.run(&["-o", "json", "trust"]);
    shown.exits(3).says("nobody is there");
    let digest = shown.json()["digest"].as_str().unwrap().to_owned();
    program
        .run(&["trust", &format!("--trust={digest}")])
        .exits(0)
        .stdout();
    program
        .run(&["call", "list"])
        .exits(2)
        .says("a project does not change the prompt");
}

#[test]
fn a_case_of_a_policy_names_the_profile_that_it_is_about() {
    let policy = "return { cases = {
        { 'write', 'x', 'deny', profile = 'explore' }, { 'write', 'x', 'ask', profile = 'build' }, { 'read', '.env', 'allow' },
        { 'read', '.env', 'ask', profile = 'explore' }, { 'shell', 'touch x', 'deny', profile = 'momus' } } }";
    let program = workspace().file("mine/permissions.lua", policy);
    program
        .run(&["test", "mine"])
        .exits(0)
        .prints_part("5 passed, 0 failed");
    let policy = "return { cases = { { 'write', 'x', 'deny', profile = 'exploer' } } }";
    let program = workspace().file("mine/permissions.lua", policy);
    program
        .run(&["test", "mine"])
        .exits(1)
        .prints_part("exploer write x: deny")
        .prints_part("there is no profile `exploer`");
    let policy = "return { cases = { { 'write', 'x', 'deny', profil = 'explore' } } }";
    let program = workspace().file("own/permissions.lua", policy);
    program
        .run(&["--tools", "own", "call", "list"])
        .exits(2)
        .says("cases[1]");
}

#[test]
fn lua_is_told_of_the_profile_and_sees_what_it_has() {
    let tool = "return { effect = 'read', enabled = function(env) return env.profile == 'explore', 'only there' end,
        execute = function(_, ctx) return ctx.profile end }";
    let program = workspace().file("own/which.lua", tool);
    let options = ["--tools", "own", "--profile", "explore"];
    run(&program, &options, &["call", "which"])
        .exits(0)
        .prints_part("explore");
    run(&program, &["--tools", "own"], &["call", "which"])
        .exits(1)
        .says("only there");
    let code = "local ids = {} for id in pairs(tools) do ids[#ids + 1] = id end table.sort(ids)
        return table.concat(ids, ' '), agent.help():find('tools.write', 1, true) == nil";
    run(&program, &options, &["eval", code])
        .prints_part("batch glob grep list read shell think todo_read tool_search which\ttrue");
}
