//! Profiles against the real program: which tools are there, what is asked about, and that nobody gets around them.

use serde_json::Value;

use crate::program::Program;
use crate::running::Ran;

/// The shipped profiles that change nothing.
const READING: [&str; 6] = [
    "plan",
    "oracle",
    "librarian",
    "explore",
    "multimodal_looker",
    "momus",
];

/// What all of them have but `multimodal_looker`.
const LOOKING: [&str; 9] = [
    "read",
    "glob",
    "grep",
    "list",
    "shell",
    "batch",
    "tool_search",
    "think",
    "todo_read",
];

pub(crate) fn workspace() -> Program {
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("a.txt", "one secret\n")
        .file(".env", "TOKEN=secret\n")
        .file(".env.example", "TOKEN=secret\n")
        .file("sub/local.env", "secret\n")
}

pub(crate) fn run(program: &Program, options: &[&str], words: &[&str]) -> Ran {
    program.run(&[options, words].concat())
}

pub(crate) fn ids(tools: &Value) -> Vec<&str> {
    let tools = tools["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["id"].as_str().unwrap())
        .collect()
}

/// Everything in the workspace, by path.
fn tree(program: &Program) -> Vec<(String, Vec<u8>)> {
    let mut waiting = vec![program.at(".")];
    let mut all = Vec::new();
    while let Some(path) = waiting.pop() {
        match path.is_dir() {
            true => waiting.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path())),
            false => all.push((path.display().to_string(), std::fs::read(path).unwrap())),
        }
    }
    all.sort();
    all
}

#[test]
fn a_tool_that_a_profile_has_not_got_is_not_offered_and_refused_to_everybody() {
    let program = workspace();
    let whole = program.run(&["-o", "json", "tools"]);
    let whole = whole.json();
    assert!(ids(&whole).contains(&"write") && whole["profile"].is_null());
    for profile in READING {
        let options = ["--profile", profile, "-o", "json"];
        let ran = run(&program, &options, &["tools"]);
        let offered = ran.json();
        let offered = ids(&offered);
        let writes = [
            "write",
            "edit",
            "apply_patch",
            "hashline_edit",
            "move",
            "delete",
        ];
        assert!(
            !offered.iter().any(|id| writes.contains(id)),
            "{profile}: {offered:?}"
        );
        match profile {
            "multimodal_looker" => assert_eq!(offered, ["read"]),
            "plan" => assert_eq!(
                offered,
                [
                    "read",
                    "glob",
                    "grep",
                    "list",
                    "shell",
                    "batch",
                    "plan_exit",
                    "tool_search",
                    "think",
                    "question",
                    "todo_read",
                    "todo_write"
                ]
            ),
            _ => assert_eq!(offered, LOOKING),
        }
        let shown = run(&program, &options, &["tools", "write"]);
        assert_eq!(shown.exits(1).json()["error"]["kind"], "unavailable");
        let args = r#"{"path":"b.txt","content":"x"}"#;
        for caller in ["user", "model"] {
            let options = [
                "--profile",
                profile,
                "--as",
                caller,
                "--allow",
                "*",
                "-o",
                "json",
            ];
            let ran = run(&program, &options, &["call", "write", args]);
            let error = &ran.exits(1).json()["error"];
            assert_eq!(error["kind"], "unavailable", "{ran}");
            let message = format!("the profile `{profile}` has not got the tool `write`");
            assert_eq!(error["message"], message);
            assert!(error["hint"].as_str().unwrap().contains("read"), "{ran}");
        }
    }
    let all = run(&program, &["--profile", "build", "-o", "json"], &["tools"]);
    assert_eq!(ids(&all.json()), ids(&whole));
    let listed = program.run(&["tools"]);
    listed
        .prints_part("multimodal_looker  read\n")
        .prints_part("build              all\n");
}

#[test]
fn nothing_changes_under_a_profile_that_only_reads_whatever_is_allowed() {
    let own = "return { write = { parameters = { 'path', 'content' }, effect = 'read', execute = function(a)
            return require('builtin.tools.write').execute(a) end },
        helper = { effect = 'read', execute = function()
            return agent.try(tools.write, { path = 'b.txt', content = 'x' }) and 'wrote' or 'refused' end },
        undeclared = { execute = function() return 'ran' end } }";
    let program = workspace().file("own/more.lua", own).file(
        "own/write.lua",
        "return function(shipped) shipped.effect = 'read' return shipped end",
    );
    let before = tree(&program);
    let write = r#"{"path":"b.txt","content":"x"}"#;
    for (profile, mode) in [
        ("explore", "bypass"),
        ("plan", "default"),
        ("oracle", "auto_edit"),
    ] {
        let options = [
            "--profile",
            profile,
            "--mode",
            mode,
            "--allow",
            "*",
            "--allow",
            "shell:*",
            "--tools",
            "own",
        ];
        for caller in ["user", "model"] {
            let options = [&options[..], &["--as", caller]].concat();
            for words in [
                &["call", "write", write][..],
                &["call", "create_file", write],
                &["call", "more_write", write],
                &["call", "more_undeclared"],
                &["call", "shell", "touch b.txt"],
                &["call", "shell", "cat a.txt > b.txt"],
                &["call", "shell", "sh -c 'rm a.txt'"],
                &["eval", "tools.write{ path = 'b.txt', content = 'x' }"],
                &["eval", "tools.shell('rm a.txt')"],
            ] {
                if words[0] == "eval" && caller == "model" {
                    continue; // A model's code does not run yet.
                }
                let ran = run(&program, &options, words);
                assert!([1, 3].contains(&ran.code()), "{profile} {words:?}: {ran}");
                ran.stderr();
            }
            let nested = run(&program, &options, &["call", "more_helper"]);
            nested.exits(0).prints_part("refused");
            let reads = run(&program, &options, &["call", "shell", "cat a.txt | wc -l"]);
            reads.exits(0).prints_part("1");
        }
    }
    assert_eq!(tree(&program), before);
}

#[test]
fn what_may_hold_secrets_is_asked_about_under_every_profile() {
    let program = workspace();
    for profile in ["build", "explore", "librarian", "multimodal_looker"] {
        let options = ["--profile", profile, "--as", "model"];
        for file in [".env", "sub/local.env"] {
            run(&program, &options, &["call", "read", file])
                .exits(3)
                .says("it may hold secrets");
        }
        run(&program, &options, &["call", "read", ".env.example"])
            .exits(0)
            .prints_part("TOKEN");
    }
    let options = ["--profile", "explore", "--as", "model"];
    run(&program, &options, &["call", "shell", "cat .env"])
        .exits(3)
        .says("it may hold secrets");
    let found = run(
        &program,
        &options,
        &["call", "grep", r#"{"pattern":"secret"}"#],
    );
    let found = found.stdout();
    assert!(
        found.contains("a.txt") && !found.contains("local.env"),
        "{found}"
    );
    // A person's own profile of that name adds rules to the shipped ones; the person alone may take one back.
    let own = "return { explore = { rules = { { 'read', 'a.txt', 'deny', reason = 'mine' } } } }";
    let program = workspace().file("../config/tools/agents.lua", own);
    run(&program, &options, &["call", "read", ".env"])
        .exits(3)
        .says("it may hold secrets");
    run(&program, &options, &["call", "read", "a.txt"])
        .exits(3)
        .says("mine");
    let own = "return { explore = { rules = { { 'read', '.env', 'allow' } } } }";
    let program = workspace().file("../config/tools/agents.lua", own);
    run(&program, &options, &["call", "read", ".env"])
        .exits(0)
        .prints_part("TOKEN");
    run(&program, &options, &["call", "read", "sub/local.env"])
        .exits(3)
        .says("secrets");
}

#[test]
fn a_profile_that_is_not_there_is_wrong_usage() {
    let program = workspace();
    for words in [
        &["call", "list"][..],
        &["eval", "1"],
        &["tools"],
        &["permissions", "list"],
    ] {
        run(&program, &["--profile", "exploer"], words)
            .exits(2)
            .says("--profile: there is no profile `exploer`")
            .says("did you mean `explore`?");
    }
    let program = workspace().env("AGENT_PROFILE", "explore");
    program
        .run(&["call", "write", "x"])
        .exits(1)
        .says("the profile `explore`");
    program
        .run(&[
            "--profile",
            "build",
            "call",
            "write",
            r#"{"path":"x","content":"x"}"#,
        ])
        .exits(0)
        .stdout();
    let broken = workspace().file("own/agents.lua", "return { mine = { tool = { 'read' } } }");
    broken
        .run(&["--tools", "own", "call", "list"])
        .exits(2)
        .says("agents.mine")
        .says("did you mean `tools`?");
    let idle = "return { mine = { tools = { 'raed', 'bash' }, model = 'nobody/x', rules = { { 'shel', 'deny' } } } }";
    let idle = workspace().file("own/agents.lua", idle);
    let ran = idle.run(&["--tools", "own", "call", "list"]);
    ran.says("the profile `mine` (own/agents.lua) has `raed`, and there is no such tool; did you mean read?")
        .says("has `bash`, which is another name of `shell`")
        .says("names a model of `nobody`")
        .says("the rule `deny shel`");
    ran.stdout();
}

#[test]
fn what_git_only_shows_is_settled_as_without_a_profile() {
    let program = workspace();
    let options = ["--profile", "oracle", "--as", "model", "-o", "json"];
    let allowed = [&options[..], &["--allow", "shell:git *"]].concat();
    for (line, plain, with_rule) in [
        ("git log --oneline", "ask", "allow"),
        ("git diff HEAD | head", "ask", "allow"),
        ("git log --output=x", "deny", "deny"),
        ("git push", "deny", "deny"),
        ("git", "deny", "deny"),
    ] {
        for (options, verdict) in [(&options[..], plain), (&allowed, with_rule)] {
            let ran = run(
                &program,
                options,
                &["permissions", "explain", "shell", line],
            );
            assert_eq!(ran.json()["verdict"], verdict, "{line}");
        }
    }
}
