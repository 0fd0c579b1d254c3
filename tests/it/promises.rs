//! Promises that are easy to break from a corner: who acts, what is stale, what ends, what is whole.
//!
//! Each runs the real program and looks at what is left behind.

use crate::program::Program;
use crate::running::times;

#[test]
fn a_program_of_ours_below_a_model_acts_for_the_model() {
    let agent = env!("CARGO_BIN_EXE_agent");
    let program = Program::new().file("a.txt", "keep\n");
    for nested in [
        format!("{agent} call delete a.txt"),
        format!("{agent} --as user call delete a.txt"),
        format!("{agent} eval 'tools.delete([[a.txt]])'"),
        format!("{agent} --allow edit call write '{{\"path\":\"b.txt\",\"content\":\"x\"}}'"),
    ] {
        let args = serde_json::json!({ "command": nested }).to_string();
        let rules = ["--allow", "shell:*", "--deny", "edit"];
        let ran =
            program.run(&[&["--as", "model"], &rules[..], &["call", "shell", &args]].concat());
        assert!(!ran.stdout().contains("exit code 0"), "{ran}");
    }
    assert_eq!(program.text("a.txt"), "keep\n");
    assert!(!program.at("b.txt").exists());
    let user = format!("{agent} call delete a.txt");
    program
        .run(&["call", "shell", &user])
        .prints_part("exit code 0");
}

#[test]
fn what_changed_since_it_was_read_neither_goes_nor_moves() {
    let program = Program::new().file("a.txt", "one\n");
    for (act, text) in [
        ("tools.delete('a.txt')", "two"),
        ("tools.move('a.txt', 'b.txt')", "three"),
    ] {
        let code = format!("tools.read('a.txt') os.execute('echo {text} > a.txt') {act}");
        program
            .run(&["eval", &code])
            .exits(1)
            .says("conflict")
            .says("changed since it was read");
        assert_eq!(program.text("a.txt"), format!("{text}\n"));
    }
    let model = [
        "--as", "model", "--allow", "edit", "call", "delete", "a.txt",
    ];
    program.run(&model).exits(1).says("has not been read");
    program
        .run(&["call", "delete", "a.txt"])
        .prints_part("deleted a.txt");
}

#[test]
fn ctrl_c_ends_what_does_not_listen() {
    for code in [
        "os.execute('mkfifo fifo') io.open('fifo')",
        "os.execute('sleep 300')",
        "('x'):rep(30):find(('x?'):rep(30) .. ('x'):rep(30))",
        "print('y') while true do print(('x'):rep(1000)) end",
    ] {
        for _ in 0..times() {
            let program = Program::new();
            let running = program.spawn(&["eval", &format!("agent.log('begun'); {code}")]);
            running.wait_for("begun");
            running.signal(rustix::process::Signal::INT);
            let ran = running.wait();
            assert!(ran.took.as_secs_f64() < 10.0, "{ran}");
            ran.exits(130).stdout();
            ran.stderr();
        }
    }
}

#[test]
fn a_command_on_our_terminal_ends_with_the_clock() {
    let program = Program::new();
    let ran = program.run(&[
        "--timeout",
        "0.5",
        "eval",
        "os.execute('sleep 300; echo late')",
    ]);
    ran.exits(124).says("timeout").prints("");
    let ran = program.run(&[
        "-o",
        "json",
        "eval",
        "print('a') os.execute('echo b') return 1",
    ]);
    assert_eq!(ran.json()["value"], 1);
    assert_eq!(ran.stderr(), "a\nb\n");
    let code = "print('one') os.execute('echo two') print('three') print(os.execute('exit 3'))";
    program
        .run(&["eval", code])
        .prints("one\ntwo\nthree\nnil\texit\t3\n");
}

#[test]
fn json_that_cannot_be_read_is_wrong_usage_and_a_glob_is_none() {
    let program = Program::new().file("a.txt", "").file("b.txt", "");
    program
        .run(&["call", "read", r#"{"path":"#])
        .exits(2)
        .says("no JSON");
    program
        .run(&["call", "read", r#"{"path":"a","path":"b"}"#])
        .exits(2)
        .says("twice");
    program
        .run(&["call", "glob", "{a,b}.txt"])
        .prints_part("2 files match");
    let ran = program.run(&["call", "shell", "{ echo hi; }"]);
    ran.prints_part("hi");
}

#[test]
fn the_environment_lowers_and_tightens_and_never_raises() {
    let program = Program::new().file("a.txt", "x\n").env("AGENT_AS", "model");
    program
        .run(&["--as", "user", "call", "delete", "a.txt"])
        .exits(3)
        .says("denied");
    let program = Program::new()
        .file("a.txt", "x\n")
        .env("AGENT_PERMISSION", "deny edit:*.txt\n");
    program
        .run(&["--allow", "edit", "call", "delete", "a.txt"])
        .exits(3)
        .says("denied");
    let program = Program::new().env("AGENT_PERMISSION", "allow edit");
    program
        .run(&["call", "list"])
        .exits(2)
        .says("AGENT_PERMISSION");
}

#[test]
fn a_model_gets_no_more_than_its_context_takes() {
    let tool = "return { description = 'd', effect = 'read', parameters = { 'what' }, \
        execute = function(a) \
          if a.what == 'error' then error(('e'):rep(200000)) end \
          if a.what == 'lines' then return ('line\\n'):rep(2008) end \
          return { output = 'x', metadata = { long = ('m'):rep(200000) } } end }";
    let program = Program::new().file("t/big.lua", tool);
    let call = |what: &str| {
        program.run(&[
            "--as", "model", "--tools", "t", "-o", "json", "call", "big", what,
        ])
    };
    let error = call("error").exits(1).json();
    assert!(error["error"]["message"].as_str().unwrap().len() < 60_000);
    let lines = call("lines").json();
    assert!(
        lines["output"]
            .as_str()
            .unwrap()
            .contains("lines 1-2000 of 2008")
    );
    let facts = call("facts").json();
    assert!(facts["metadata"]["long"].as_str().unwrap().len() < 60_000);
}

#[test]
fn a_red_test_that_changes_a_file_loses_nothing() {
    let program = Program::new()
        .file("a.txt", "old_name a\n")
        .file("b.txt", "old_name b\n")
        .file("c.txt", "old_name c\n");
    let test = "echo more >> b.txt; rm c.txt; echo seen; false";
    let ran = program.run(&["script", "rename", "old_name", "new_name", "--test", test]);
    ran.exits(1)
        .says("seen")
        .says("all 3 files are as before")
        .prints("");
    for name in ["a", "b", "c"] {
        assert_eq!(
            program.text(&format!("{name}.txt")),
            format!("old_name {name}\n")
        );
    }
}

#[test]
fn variables_do_not_smuggle_a_command_past_a_rule() {
    let program = Program::new()
        .file("evil.sh", "touch PWNED\n")
        .file("evil/bash", "#!/bin/sh\ntouch PWNED\n");
    for env in [
        r#"{"BASH_ENV":"./evil.sh"}"#,
        r#"{"BASH_FUNC_ls%%":"() { touch PWNED; }"}"#,
        r#"{"PATH":"evil"}"#,
        r#"{"LD_PRELOAD":"./x.so"}"#,
    ] {
        let args = format!(r#"{{"command":"ls","env":{env}}}"#);
        let model = ["--as", "model", "--allow", "shell:ls *", "call", "shell"];
        program
            .run(&[&model[..], &[&args]].concat())
            .exits(3)
            .says("denied");
        assert!(!program.at("PWNED").exists(), "{env}");
    }
    let path = r#"{"command":"echo $PATH","env":{"PATH":"/nowhere"}}"#;
    program
        .run(&["call", "shell", path])
        .prints_part("/nowhere");
    program
        .run(&["call", "shell", "--", "--version"])
        .prints_part("exit code 127");
}

#[test]
fn what_is_critical_does_not_come_in_a_folder() {
    let program = Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file(".agent/x", "")
        .file("ev/hooks/post-checkout", "#!/bin/sh\n")
        .file("t/x.lua", "return {}\n");
    let model = ["--as", "model", "--allow", "edit", "call"];
    for call in [
        ["move", r#"{"from":"ev","to":".git/modules/sub"}"#],
        ["move", r#"{"from":"t","to":"tools"}"#],
        ["write", r#"{"path":".git/commondir","content":"../ev"}"#],
        [
            "write",
            r#"{"path":".git/worktrees/w/gitdir","content":"x"}"#,
        ],
        ["write", r#"{"path":".git/info/attributes","content":"x"}"#],
    ] {
        program
            .run(&[&model[..], &call].concat())
            .exits(3)
            .says("denied");
    }
    let fine = ["move", r#"{"from":"ev","to":"other"}"#];
    program
        .run(&[&model[..], &fine].concat())
        .prints_part("moved");
}

#[test]
fn a_link_that_leads_out_was_not_named_by_its_name() {
    let program = Program::new().file("../victim.txt", "theirs\n");
    std::os::unix::fs::symlink("../victim.txt", program.at("notes.txt")).unwrap();
    let args = r#"{"path":"notes.txt","content":"x"}"#;
    program
        .run(&["call", "write", args])
        .exits(3)
        .says("denied");
    let outside = program.at("../other.txt").display().to_string();
    let args = serde_json::json!({ "path": "../victim.txt", "content": "new\n" }).to_string();
    program.run(&["call", "write", &args]).prints_part("wrote");
    let args = serde_json::json!({ "path": "in.txt", "content": outside }).to_string();
    program
        .run(&["call", "write", &args])
        .prints_part("created");
    assert_eq!(program.text("../victim.txt"), "new\n");
    program
        .run(&["call", "write", r#"{"path":"folder/","content":""}"#])
        .exits(1)
        .says("folder");
}

#[test]
fn a_script_meets_its_own_limit_before_the_systems() {
    let code = "local s = 'x' while true do s = s .. s end";
    let ran = Program::new().run_after("ulimit -v 2000000", &["eval", code]);
    ran.exits(1).says("memory");
}

#[test]
fn what_runs_below_a_model_s_call_grants_itself_nothing() {
    let program = Program::new().env("AGENT_AS", "model").file(
        "evil/x.lua",
        "return { effect = 'read', execute = function() return 'x' end }",
    );
    for words in [
        &["--tools", "evil", "call", "x"][..],
        &["--allow", "shell", "call", "shell", "true"],
        &["--no-config", "call", "list"],
        &["--untrusted=ignore", "call", "list"],
    ] {
        program
            .run(words)
            .exits(2)
            .says("is not taken below a model's call");
    }
    program
        .run(&["--deny", "read:a", "call", "list"])
        .prints_part("evil");
}

#[test]
fn a_program_below_a_model_s_call_has_the_rules_of_its_caller() {
    let program = Program::new().file("secret1", "s\n").file(
        "../config/tools/permissions.lua",
        "return { rules = { { 'read', 'secret*', 'deny', reason = 'mine' } } }",
    );
    let agent = program.executable().display().to_string();
    let line = format!("{agent} call read secret1 2>&1");
    let allow = format!("shell:{agent} *");
    let ran = program.run(&[
        "--as", "model", "--allow", "shell", "--allow", &allow, "call", "shell", &line,
    ]);
    ran.prints_part("mine");
}

#[test]
fn no_assignment_makes_the_person_of_what_runs_for_a_model() {
    let program = Program::new();
    let agent = program.executable().display();
    let write = |name: &str| {
        let call = format!("{agent} call write '{{\"path\":\"{name}\",\"content\":\"x\"}}' 2>&1");
        [
            format!("AGENT_AS=user {call}"),
            format!("exec env AGENT_AS=user {call}"),
            format!("env -i HOME=\"$HOME\" PATH=\"$PATH\" {call}"),
            format!("unset AGENT_AS AGENT_CALL; {call}; true"),
            format!("AGENT_AS=user setsid --wait {call}; true"),
        ]
    };
    for command in write("a.txt") {
        let arguments = serde_json::json!({ "command": command }).to_string();
        let allowed = ["--allow", "shell", "call", "shell", &arguments];
        let ran = program.run(&[&["--as", "model"], &allowed[..]].concat());
        // Without what its caller handed down it does not even start.
        let said = match command.starts_with("env -i") {
            true => "is missing or was changed",
            false => "a model asks before it changes something",
        };
        ran.prints_part(said);
        assert!(!program.at("a.txt").exists(), "{command}");
        program.run(&allowed).stdout();
        assert!(program.at("a.txt").exists(), "{command}: the person may");
        std::fs::remove_file(program.at("a.txt")).unwrap();
    }
}
