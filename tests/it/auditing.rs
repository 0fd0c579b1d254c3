//! The audit log and what is told from it: one line for every call, however it ended, and nothing of its contents.
//!
//! The lines are read back as they lie on disk, beside what `agent session audit` says of them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::program::Program;
use crate::running::{times, until};

fn workspace() -> Program {
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("a.txt", "one\n")
}

/// The lines of the log as they lie on disk.
fn lines(program: &Program) -> Vec<String> {
    let Ok(folder) = fs::read_dir(program.at("../state/audit")) else {
        return Vec::new();
    };
    let mut parts: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    parts.sort();
    let texts = parts.iter().map(|part| fs::read_to_string(part).unwrap());
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// What each call came to, as `tool verdict kind`.
fn ends(program: &Program) -> Vec<String> {
    let end = |line: String| {
        let line: Value = serde_json::from_str(&line).unwrap();
        let word = |name: &str| line[name].as_str().unwrap_or("-").to_owned();
        format!("{} {} {}", word("tool"), word("verdict"), word("kind"))
    };
    lines(program).into_iter().map(end).collect()
}

#[test]
fn a_denied_an_asked_and_an_allowed_call_show_as_such() {
    let program = workspace().file(
        "all.lua",
        "tools.read('a.txt') agent.try(tools.shell, 'git push') agent.try(tools.write, '/tmp/x/y', 'z')",
    );
    let words = ["--deny", "shell:git push", "script", "all.lua"];
    program.run(&words).exits(0);
    let ran = program.run(&["session", "audit", "-o", "json"]);
    let told = ran.json();
    let calls = told["calls"].as_array().unwrap();
    let rows: Vec<Value> = calls
        .iter()
        .map(|call| {
            json!([
                call["tool"],
                call["verdict"],
                call["source"],
                call["kind"],
                call["caller"]
            ])
        })
        .collect();
    assert_eq!(
        rows,
        [
            json!(["read", "allow", "default", null, "user"]),
            json!(["shell", "deny", "command line", "denied", "user"]),
            json!(["write", "ask", "default", "denied", "user"]),
        ]
    );
    assert_eq!(calls[1]["rule"], "shell:git push");
    assert_eq!(calls[1]["subjects"][0]["text"], "git push");
    assert_eq!(calls[2]["subjects"][0]["real"], "/tmp/x/y");
    let session = told["session"].as_str().unwrap();
    let page = program.run(&["session", "audit", session]);
    page.prints_part(&format!("session {session}"))
        .prints_part("shell git push  (`git push` is denied by the rule");
    let why = program.run(&["session", "audit", session, "--call", "c2"]);
    why.prints_part("c2 shell: denied for user")
        .prints_part("  shell git push\n")
        .prints_part("  deny   command line  shell:git push\n");
    let refused = program.run(&["session", "audit", "--refused", "-o", "json"]);
    assert_eq!(refused.json()["calls"].as_array().unwrap().len(), 2);
    let one = program.run(&["session", "audit", "--tool", "read", "-o", "jsonl"]);
    let events = one.json_lines();
    assert_eq!(events.len(), 2);
    assert_eq!(
        (&events[0]["type"], &events[0]["tool"]),
        (&json!("call"), &json!("read"))
    );
    assert_eq!(events[1]["type"], "result");
}

#[test]
fn every_call_has_one_line_however_it_ends() {
    let hook = "agent.on('tool.before', function(call)
        if call.args.path == 'hooked' then return 'deny', 'not today' end
        if call.args.path == 'raised' then error { kind = 'denied', message = 'not now' } end end)";
    let program = workspace().file("t/hook.lua", hook).file(
        "all.lua",
        "for _, f in ipairs {
            function() tools.read('a.txt') end,
            function() tools.read('not there') end,
            function() tools.read { paht = 'a.txt' } end,
            function() tools.list { depth = 'x' } end,
            function() tools.read('hooked') end,
            function() tools.read('raised') end,
            function() agent.limit({ timeout = 0.05 }, function() tools.shell('sleep 30') end) end,
        } do pcall(f) end",
    );
    program.run(&["--tools", "t", "script", "all.lua"]).exits(0);
    assert_eq!(
        ends(&program),
        [
            "read allow -",
            "read allow not_found",
            "read - argument",
            "list - argument",
            "read deny denied",
            "read deny denied",
            "shell allow cancelled",
        ]
    );
    program.run(&["call", "raed", "x"]).exits(1).says("raed");
    program.run(&["call", "read"]).exits(1).says("missing");
    let sources = lines(&program);
    let by_hook = sources
        .iter()
        .filter(|line| line.contains("\"source\":\"hook\""));
    assert_eq!(by_hook.count(), 2);
    assert_eq!(ends(&program)[7..], ["raed - not_found", "read - argument"]);
}

#[test]
fn a_call_inside_of_another_names_its_chain() {
    let tool = "return { description = 'd', effect = 'read',
        execute = function() return tools.read('a.txt').text end }";
    let program = workspace().file("t/outer.lua", tool);
    program
        .run(&["--tools", "t", "--as", "model", "call", "outer"])
        .prints("one\n");
    let ran = program.run(&["session", "audit", "-o", "json"]);
    let calls = ran.json()["calls"].clone();
    assert_eq!(
        (&calls[0]["tool"], &calls[0]["chain"]),
        (&json!("outer"), &json!([]))
    );
    assert_eq!(
        (&calls[1]["tool"], &calls[1]["chain"], &calls[1]["caller"]),
        (&json!("read"), &json!([calls[0]["call"]]), &json!("model"))
    );
    program.run(&["session", "audit"]).prints_part(&format!(
        "    {}  model",
        calls[1]["call"].as_str().unwrap()
    ));
}

#[test]
fn what_is_interrupted_is_written_too() {
    let program = workspace();
    let running = program.spawn(&["call", "shell", "touch up; sleep 30"]);
    assert!(until(Duration::from_secs(20), || program.at("up").exists()));
    running.signal(Signal::INT);
    running.wait().exits(130).says("interrupted");
    assert_eq!(ends(&program), ["shell allow cancelled"]);
}

#[test]
fn what_calls_nothing_writes_nothing() {
    let program = workspace();
    program.run(&["eval", "return 1"]).prints("1\n");
    program
        .run(&["permissions", "explain", "shell", "true"])
        .prints_part("allow");
    assert!(!program.at("../state/audit").exists());
    program
        .run(&["session", "audit"])
        .exits(1)
        .says("no call was made in this workspace");
}

#[test]
fn the_log_is_its_owners_alone_and_holds_no_contents() {
    let program = workspace().stdin("CANARY-IN");
    let calls = "tools.write('b.txt', 'CANARY-1') tools.read('b.txt') tools.edit('b.txt', 'CANARY-1', 'CANARY-2')
        tools.shell { command = 'cat b.txt', stdin = 'CANARY-3' } tools.grep('CANARY')";
    program.run(&["eval", calls]).stdout();
    let all = lines(&program);
    assert_eq!(all.len(), 5);
    assert!(all.iter().all(|line| !line.contains("CANARY")), "{all:?}");
    let mode = |path: &str| fs::metadata(program.at(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("../state/audit"), 0o700);
    let part = fs::read_dir(program.at("../state/audit")).unwrap().next();
    let part = part.unwrap().unwrap().path();
    assert_eq!(mode(part.to_str().unwrap()), 0o600);
}

#[test]
fn a_log_that_cannot_be_written_stops_nobody_and_is_told_once() {
    for caller in ["user", "model"] {
        let program = workspace().file("../state/audit", "a file");
        let ran = program.run(&["--as", caller, "call", "read", "a.txt"]);
        ran.prints_part("one")
            .says("the audit log cannot be written");
    }
    let program = workspace().file("../state/audit", "a file");
    let ran = program.run(&["eval", "for _ = 1, 200 do tools.read('a.txt') end"]);
    ran.stdout();
    assert_eq!(ran.stderr().matches("audit log").count(), 1, "{ran}");
}

#[test]
fn many_processes_share_the_log_and_lose_no_line() {
    let program = workspace();
    let each = 20 * times();
    let code = format!("for i = 1, {each} do tools.read('a.txt') end");
    let running: Vec<_> = (0..4).map(|_| program.spawn(&["eval", &code])).collect();
    for one in running {
        one.wait().stdout();
    }
    let ends = ends(&program);
    assert_eq!(ends.len(), 4 * each);
    assert!(ends.iter().all(|end| end == "read allow -"));
}

#[test]
fn a_torn_line_is_passed_over() {
    let program = workspace();
    program.run(&["call", "read", "a.txt"]).prints_part("one");
    let part = fs::read_dir(program.at("../state/audit")).unwrap().next();
    let part = part.unwrap().unwrap().path();
    let mut text = fs::read_to_string(&part).unwrap();
    text += "{\"time\":\"2026";
    fs::write(&part, text).unwrap();
    let told = || program.run(&["session", "audit", "-o", "json"]).json();
    assert_eq!(told()["calls"].as_array().unwrap().len(), 1);
    program.run(&["call", "list"]).prints_part("a.txt");
    assert_eq!(told()["calls"][0]["tool"], "list");
    assert_eq!(lines(&program).len(), 3);
}

#[test]
fn the_last_session_is_the_last_of_this_workspace() {
    let program = workspace().file("../other/.git/HEAD", "x");
    program.run(&["call", "read", "a.txt"]).prints_part("one");
    let other = program.at("../other");
    let there = ["-C", other.to_str().unwrap()];
    program
        .run(&[&there[..], &["call", "list"]].concat())
        .stdout();
    let tool = |words: &[&str]| {
        let ran = program.run(&[words, &["session", "audit", "-o", "json"]].concat());
        ran.json()["calls"][0]["tool"].clone()
    };
    assert_eq!((tool(&[]), tool(&there)), (json!("read"), json!("list")));
    program
        .run(&["session", "audit", "nope"])
        .exits(1)
        .says("not the id of a session");
    program.run(&["session"]).exits(2).says("audit");
    let broken = program.file(".agent/tools/permissions.lua", "return {{{");
    let ran = broken.run(&["session", "audit", "-o", "json"]);
    assert_eq!(
        ran.json()["calls"][0]["tool"],
        "read",
        "no policy is in the way"
    );
}

#[test]
fn a_replay_says_what_would_meet_something_else_today() {
    let program = workspace().file("sub/b.txt", "x\n");
    let calls = "for _, f in ipairs {
            function() tools.read('a.txt') end,
            function() tools.shell('true') end,
            function() tools.shell { command = 'make it', env = { CI = '1' } } end,
            function() tools.write('sub/new.txt', 'x') end,
            function() tools.delete('gone.txt') end,
        } do pcall(f) end";
    program.write("gone.txt", "x");
    program
        .run(&["--deny", "shell:make *", "eval", calls])
        .stdout();
    let replay = |options: &[&str]| {
        let words = ["permissions", "replay", "last", "-o", "json"];
        let told = program.run(&[options, &words].concat()).json();
        let calls = told["calls"].as_array().unwrap().iter();
        let line = |call: &Value| {
            let word = |name: &str| call[name].as_str().unwrap_or("-").to_owned();
            assert_eq!(call["changed"], json!(call["then"] != call["now"]));
            format!("{} {} {}", word("tool"), word("then"), word("now"))
        };
        calls.map(line).collect::<Vec<String>>()
    };
    let same = ["read allow allow", "shell allow allow"];
    assert_eq!(
        replay(&["--deny", "shell:make *"])[..],
        [
            &same[..],
            &["shell deny deny", "write allow allow", "delete allow allow"]
        ]
        .concat()
    );
    assert_eq!(
        replay(&[
            "--deny",
            "read:a.*",
            "--deny",
            "edit:gone.txt",
            "--deny",
            "edit:sub/**"
        ]),
        [
            "read allow deny",
            "shell allow allow",
            "shell deny allow",
            "write allow deny",
            "delete allow deny",
        ]
    );
    let ran = program.run(&["--deny", "read", "permissions", "replay", "last"]);
    // What may not be read is not changed either.
    ran.prints_part("4 of 5 would meet something else today")
        .prints_part("read a.txt  (`a.txt` is denied by the rule `read`");
    assert!(!program.at("gone.txt").exists());
    assert_eq!(lines(&program).len(), 5, "a replay is no call");
}

#[test]
fn a_secret_in_a_command_is_not_in_the_log_and_its_replay_says_so() {
    let program = workspace().env("MY_API_TOKEN", "hunter2-canary-4711");
    let command = "true hunter2-canary-4711";
    program.run(&["call", "shell", command]).stdout();
    let all = lines(&program);
    assert!(all.len() == 1 && !all[0].contains("canary"), "{all:?}");
    let words = ["permissions", "replay", "last", "-o", "json"];
    let told = program.run(&words).json();
    let call = &told["calls"][0];
    assert_eq!(
        (&call["then"], &call["now"]),
        (&json!("allow"), &Value::Null)
    );
}

#[test]
fn a_replay_judges_a_link_where_it_leads_today() {
    let program = workspace();
    program
        .run(&["--as", "model", "call", "read", "a.txt"])
        .prints_part("one");
    fs::remove_file(program.at("a.txt")).unwrap();
    std::os::unix::fs::symlink("/etc/hosts", program.at("a.txt")).unwrap();
    let words = ["permissions", "replay", "last", "-o", "json"];
    let told = program.run(&words).json();
    let call = &told["calls"][0];
    assert_eq!(
        (&call["caller"], &call["then"], &call["now"]),
        (&json!("model"), &json!("allow"), &json!("ask"))
    );
}
