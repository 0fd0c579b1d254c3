//! Commands as hooks: what they get, what their exit code and output mean, and that a broken one is nobody's no.

use serde_json::{Value, json};

use crate::program::Program;

/// A program with a tool file that registers these hooks.
fn with_hooks(hooks: &str) -> Program {
    Program::new().file("t/hooks.lua", hooks)
}

/// A program whose hook at `point` is this command line.
fn with_line(point: &str, line: &str) -> Program {
    with_hooks(&format!(
        "agent.on('{point}', {{ command = [==[{line}]==], timeout = 20 }})"
    ))
}

const WRITE: [&str; 5] = [
    "--tools",
    "t",
    "call",
    "write",
    r#"{"path":"a.txt","content":"x"}"#,
];

const ECHO: &str = "return { effect = 'read', parameters = { 'text', more = 'string?' }, execute = function(a) return a.text end }";

#[test]
fn exit_2_refuses_with_what_it_says() {
    let program = with_line("tool.before", "echo 'not on Fridays' >&2; exit 2");
    program
        .run(&WRITE)
        .exits(3)
        .says("error (denied): not on Fridays (t/hooks.lua:1)");
    assert!(!program.at("a.txt").exists());
    let silent = with_line("tool.before", "exit 2");
    silent.run(&WRITE).exits(3).says("a hook says so");
    let dressed = with_line("tool.before", r"printf '\033[2Khidden\n' >&2; exit 2");
    dressed.run(&WRITE).exits(3).says(r"\x1b[2Khidden");
    let long = with_line(
        "tool.before",
        "head -c 100000 /dev/zero | tr '\\0' x >&2; exit 2",
    );
    let ran = long.run(&WRITE);
    ran.exits(3).says("xxx…");
    assert!(ran.stderr().len() < 3000);
}

#[test]
fn exit_0_and_nothing_lets_it_be() {
    let program = with_line("tool.before", "cat >/dev/null; echo noise >&2; echo");
    program.run(&WRITE).prints_part("created");
    assert_eq!(program.text("a.txt"), "x");
    let heard = program.run(&[&["-v"], WRITE.as_slice()].concat());
    heard.says("t/hooks.lua:1: noise").stdout();
}

#[test]
fn what_it_prints_is_its_reply() {
    let asks = r#"echo '{"verdict":"ask","reason":"really?"}'"#;
    with_line("tool.before", asks)
        .run(&WRITE)
        .exits(3)
        .says("really? (t/hooks.lua:1)")
        .says("no rule answers for a hook");
    let denies = r#"echo '{"verdict":"deny"}'"#;
    with_line("tool.before", denies)
        .run(&WRITE)
        .exits(3)
        .says("a hook says so");
    let program = with_hooks(
        r#"agent.on("tool.before", { command = [[echo '{"args":{"path":"b.txt","content":"y"}}']] })
           agent.on("tool.before", function(call) call.args.content = call.args.content .. "z" end)
           agent.on("tool.after", { command = [[echo '{"output":"done","metadata":{"n":1}}']], tools = "write" })"#,
    );
    let ran = program.run(&[&["-o", "json"], WRITE.as_slice()].concat());
    assert_eq!(ran.json()["output"], "done");
    assert_eq!(ran.json()["metadata"], json!({ "n": 1 }));
    assert_eq!(program.text("b.txt"), "yz");
    assert!(!program.at("a.txt").exists());
}

/// Ways for a command to fail, and what is said of it.
const BROKEN: [(&str, &str); 14] = [
    ("'exit 1'", "its command ended with exit code 1"),
    (
        "'echo why >&2; exit 3'",
        "its command ended with exit code 3: why",
    ),
    ("'kill -9 $$'", "its command was ended by SIGKILL"),
    ("'no-such-program'", "exit code 127"),
    (
        "{ 'no-such-program' }",
        "there is no program `no-such-program`",
    ),
    ("{ './not-executable' }", "cannot start `./not-executable`"),
    (
        "'sleep 300', timeout = 0.2",
        "its command was not done after 0.2 s",
    ),
    (
        "'sleep 300 & sleep 300', timeout = 0.2",
        "its command was not done after 0.2 s",
    ),
    ("'echo yes'", "its command printed no JSON"),
    ("'echo []'", "its command printed JSON that is no object"),
    (
        r#"[[echo '{"agrs":{}}']]"#,
        "its command printed the field `agrs`; did you mean `args`?",
    ),
    (r#"[[echo '{"verdict":"allow"}']]"#, "it returned \"allow\""),
    (r#"[[echo '{"args":"x"}']]"#, "call.args: expected a table"),
    (
        r"[[printf '\377']]",
        "its command printed bytes that are not UTF-8",
    ),
];

#[test]
fn a_broken_command_refuses_the_call_and_is_nobodys_no() {
    for (command, says) in BROKEN {
        let hooks = format!("agent.on('tool.before', {{ command = {command} }})");
        let program = with_hooks(&hooks).file("not-executable", "x");
        let ran = program.run(&[&["-o", "json"], WRITE.as_slice()].concat());
        ran.exits(1);
        let error = ran.json()["error"].clone();
        assert_eq!(error["kind"], "failed", "{command}");
        let detail =
            json!({ "reason": "hook_failed", "hook": "t/hooks.lua:1", "point": "tool.before" });
        assert_eq!(error["detail"], detail, "{command}");
        let message = format!("{} {}", error["message"], error["hint"]).replace("\\\"", "\"");
        assert!(
            says.split("; ").all(|part| message.contains(part)),
            "{command}: {message}"
        );
        assert!(!program.at("a.txt").exists(), "{command}");
    }
}

#[test]
fn a_broken_command_after_the_call_is_logged() {
    for command in [
        "'exit 1'",
        "'echo why >&2; exit 2'",
        "{ 'no-such-program' }",
        "'echo yes'",
    ] {
        let hooks = format!("agent.on('tool.after', {{ command = {command} }})");
        let program = with_hooks(&hooks);
        program
            .run(&WRITE)
            .prints_part("created")
            .says("the hook t/hooks.lua:1 at tool.after failed and was passed over: ");
        assert_eq!(program.text("a.txt"), "x");
    }
}

#[test]
fn the_event_comes_as_one_line_of_json() {
    let program = with_line("tool.before", "cat > ../event; pwd > ../pwd; env > ../env")
        .env("SECRET_TOKEN", "hidden")
        .file("sub/x.txt", "")
        .file(".git/HEAD", "");
    let words = ["-C", "sub", "--tools", "../t", "call", "write"];
    let ran = program.run(&[&words[..], &[r#"{"path":"a.txt","content":"é\n"}"#]].concat());
    ran.prints_part("created");
    let text = program.text("../event");
    assert_eq!(text.lines().count(), 1);
    let event: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(event["version"], 1);
    assert_eq!(event["point"], "tool.before");
    assert_eq!(event["tool"], "write");
    assert_eq!(event["surface"], "file");
    assert_eq!(event["caller"], "user");
    assert_eq!(event["call"], "c1");
    assert_eq!(event["args"], json!({ "path": "a.txt", "content": "é\n" }));
    let workspace = program.at(".").canonicalize().unwrap();
    assert_eq!(event["workspace"], workspace.to_str().unwrap());
    assert_eq!(
        program.text("../pwd").trim_end(),
        workspace.to_str().unwrap()
    );
    let env = program.text("../env");
    let has = |line: &str| env.lines().any(|set| set.starts_with(line));
    assert!(has("AGENT_HOOK=tool.before") && has("PATH=") && has("GIT_TERMINAL_PROMPT=0"));
    assert!(has(&format!(
        "AGENT_SESSION={}",
        event["session"].as_str().unwrap()
    )));
    assert!(!has("SECRET_TOKEN") && !has("AGENT_AS"), "{env}");
}

#[test]
fn what_it_runs_for_a_model_acts_as_the_model() {
    let program = with_hooks("agent.on('tool.before', { command = './check.sh', tools = 'read' })");
    let agent = program.executable().display().to_string();
    let program = program
        .file("check.sh", format!("#!/bin/sh\necho \"$AGENT_AS\" > as\n{agent} call write '{{\"path\":\"hooked'$AGENT_AS'.txt\",\"content\":\"x\"}}' > said 2>&1\necho $? > code\n"))
        .file("a.txt", "hello\n");
    program
        .run(&["--tools", "t", "call", "read", "a.txt"])
        .exits(1)
        .says("exit code 126");
    let make = std::process::Command::new("chmod")
        .arg("+x")
        .arg(program.at("check.sh"))
        .status();
    assert!(make.unwrap().success());
    for (caller, acts_as, code) in [("user", "\n", "0\n"), ("model", "model\n", "3\n")] {
        let words = ["--tools", "t", "--as", caller, "call", "read", "a.txt"];
        program.run(&words).prints_part("hello");
        assert_eq!(program.text("as"), acts_as);
        assert_eq!(program.text("code"), code, "{}", program.text("said"));
    }
}

#[test]
fn bytes_pass_through_it_unchanged() {
    let program = with_line(
        "tool.before",
        r#"python3 -c 'import json,sys; e = json.load(sys.stdin); print(json.dumps({"args": e["args"]}))' 2>/dev/null || sed 's/.*"args":\({[^}]*}[^}]*}\).*/{"args":\1}/'"#,
    );
    program
        .run(&[
            "--tools",
            "t",
            "eval",
            r#"tools.write("a.bin", "\xff\0z").created"#,
        ])
        .prints("true\n");
    assert_eq!(program.bytes("a.bin"), b"\xff\0z");
}

#[test]
fn a_command_that_runs_this_program_for_ever_is_stopped() {
    let program = Program::new();
    let agent = program.executable().display().to_string();
    let hook = format!(
        "agent.on('tool.before', {{ command = 'echo x >> runs; exec {agent} call list' }})"
    );
    // A child is not told of the first folder, and finds the second.
    program.write("../config/init.lua", &hook);
    program.write("../home/.config/agent/init.lua", &hook);
    let ran = program.run(&["call", "list"]);
    ran.exits(1)
        .says("command hooks stand 4 deep inside each other");
    assert_eq!(program.text("runs").lines().count(), 4);
}

#[test]
fn it_ends_with_the_call() {
    let program = with_line("tool.before", "sleep 300 & sleep 300");
    let ran = program.run(&[&["--timeout", "1"], WRITE.as_slice()].concat());
    ran.exits(124).says("--timeout of 1 s passed");
}

#[test]
fn defines_tools_and_sees_questions() {
    let program = with_hooks(
        r#"agent.on("tool.definition", { command = "./define.sh", tools = "own" })
           agent.on("permission.ask", { command = "cat > question; echo 'not from here' >&2; exit 2" })"#,
    )
    .file("t/own.lua", ECHO)
    .file(
        "define.sh",
        "#!/bin/sh\necho x >> defined\ncat <<'END'\n{\"description\":\"Says it.\",\"parameters\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"},\"why\":{\"type\":\"string\"}},\"required\":[\"text\",\"why\"]}}\nEND\n",
    );
    let make = std::process::Command::new("chmod")
        .arg("+x")
        .arg(program.at("define.sh"))
        .status();
    assert!(make.unwrap().success());
    let with = |words: &[&str]| program.run(&[&["--tools", "t"], words].concat());
    with(&["tools", "own"])
        .prints_part("own(text: string, why: string)")
        .prints_part("Says it.");
    let full = with(&["-o", "json", "tools", "own"]).json();
    assert_eq!(full["parameters"]["required"], json!(["text", "why"]));
    assert_eq!(full["positional"], json!(["text", "why"]));
    with(&["tools"]).prints_part("Says it.");
    with(&["call", "own", "hi"]).exits(1).says("missing `why`");
    with(&["call", "own", r#"{"text":"hi","why":"so","more":"x"}"#])
        .exits(1)
        .says("there is no parameter `more`");
    with(&["call", "own", r#"{"text":"hi","why":"so"}"#]).prints("hi\n");
    with(&["eval", "tools.own('a', 'b') return agent.help('own')"]).prints_part("why: string");
    let asked = with(&["eval", "tools.write('../out.txt', 'x')"]);
    asked.exits(3).says("not from here (t/hooks.lua:2)");
    let question: Value = serde_json::from_str(&program.text("question")).unwrap();
    assert_eq!(question["subjects"][0]["group"], "edit");
    assert!(
        question["shows"].as_str().unwrap().contains("+x"),
        "{question}"
    );
}

#[test]
fn in_a_test_nothing_is_started() {
    let hooks = "agent.on('tool.before', { command = 'touch ran' })\nagent.on('tool.after', { command = { 'touch', 'ran' } })\n";
    let test = "it('calls', function()
       local ok, err = pcall(tools.write, 'a.txt', 'x')
       assert.is_false(ok)
       assert.equal('hook_failed', err.detail.reason)
       assert.contains('commands are denied in tests, so its command was not started', err.message)
     end)";
    let program = Program::new()
        .file(".agent/init.lua", hooks)
        .file(".agent/tools/t.lua", ECHO)
        .file(".agent/a_test.lua", test);
    let ran = program.run(&["test", ".agent"]);
    assert!(
        ran.stdout().ends_with("1 passed, 0 failed, 0 skipped\n"),
        "{ran}"
    );
    ran.stderr();
}
