//! The modes against the real program: who may name one, what it lets through, what is said where it does not.

use crate::program::Program;

const WRITE: [&str; 3] = ["call", "write", r#"{"path":"a.txt","content":"x\n"}"#];

fn model<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["--as", "model"], words].concat()
}

#[test]
fn a_mode_is_an_option_or_a_variable_and_is_named_where_it_refuses() {
    let program = Program::new().file(".git/HEAD", "x\n").file("b.txt", "b\n");
    let auto_edit = [&["--mode", "auto_edit"][..], &WRITE].concat();
    program.run(&model(&WRITE)).exits(3).says("nobody is there");
    program.run(&model(&auto_edit)).exits(0).stdout();
    assert_eq!(program.text("a.txt"), "x\n");
    std::fs::remove_file(program.at("a.txt")).unwrap();
    let refused = [&["--mode", "plan", "--allow", "*"][..], &WRITE].concat();
    for words in [model(&refused), refused] {
        program
            .run(&words)
            .exits(3)
            .says("the mode `plan` only reads");
    }
    let read = ["call", "read", "b.txt"];
    program
        .run(&[&["--mode", "plan"][..], &read].concat())
        .exits(0)
        .stdout();
    let all = [&["--mode", "deny_all", "-o", "json"][..], &read].concat();
    let ran = program.run(&model(&all));
    let trace = &ran.exits(3).json()["error"]["detail"]["trace"];
    let steps = trace.as_array().unwrap();
    assert!(steps.iter().any(|step| step["source"] == "mode"), "{ran}");
    program
        .run(&model(&[&["--mode", "dont_ask"][..], &read].concat()))
        .exits(3)
        .says("the mode `dont_ask`");
    let allowed = ["--mode", "dont_ask", "--allow", "read"];
    program
        .run(&model(&[&allowed[..], &read].concat()))
        .exits(0)
        .stdout();
    let hook = r#"{"path":".git/hooks/x","content":"x"}"#;
    let bypass = ["--mode", "bypass", "call", "write"];
    program
        .run(&model(&[&bypass[..], &[hook]].concat()))
        .exits(3)
        .says("critical");
    program
        .run(&model(&[&["--mode", "bypass"][..], &WRITE].concat()))
        .exits(0)
        .stdout();
}

#[test]
fn a_variable_names_every_mode_but_bypass_and_the_option_outranks_it() {
    let program = Program::new().env("AGENT_MODE", "plan");
    program.run(&WRITE).exits(3).says("the mode `plan`");
    program
        .run(&[&["--mode", "default"][..], &WRITE].concat())
        .exits(0)
        .stdout();
    let program = Program::new().env("AGENT_MODE", "bypass");
    program.run(&WRITE).exits(2).says("--mode bypass");
    let program = Program::new().env("AGENT_MODE", "paln");
    program
        .run(&WRITE)
        .exits(2)
        .says("AGENT_MODE")
        .says("did you mean `plan`?");
    Program::new()
        .run(&["--mode", "dontask", "call", "list"])
        .exits(2)
        .says("did you mean `dont_ask`?");
}

#[test]
fn a_policy_names_a_mode_and_a_project_only_tightens_it() {
    let user = "return { mode = 'auto_edit' }";
    let program = Program::new()
        .file(".git/HEAD", "x\n")
        .file("../config/tools/permissions.lua", user)
        .file("kit/permissions.lua", "return { mode = 'plan' }");
    program.run(&model(&WRITE)).exits(0).stdout();
    std::fs::remove_file(program.at("a.txt")).unwrap();
    program
        .run(&model(&[&["--tools", "kit"][..], &WRITE].concat()))
        .exits(3)
        .says("the mode `plan`");
    for (project, exit) in [("plan", 3), ("bypass", 0), ("default", 3)] {
        let policy = format!("return {{ mode = '{project}' }}");
        let program = Program::new()
            .file(".git/HEAD", "x\n")
            .file("../config/tools/permissions.lua", user)
            .file(".agent/tools/permissions.lua", &policy);
        let shown = program.run(&["-o", "json", "trust"]);
        shown.exits(3).says("nobody is there");
        let digest = shown.json()["digest"].as_str().unwrap().to_owned();
        let trust = format!("--trust={digest}");
        program.run(&["trust", &trust]).exits(0).stdout();
        let ran = program.run(&model(&WRITE));
        ran.exits(exit).stdout();
        ran.stderr();
    }
    let wrong = Program::new().file("kit/permissions.lua", "return { mode = 'plna' }");
    wrong
        .run(&["--tools", "kit", "call", "list"])
        .exits(2)
        .says("permissions.mode")
        .says("did you mean `plan`?");
}

#[test]
fn below_a_models_call_no_word_loosens_the_mode() {
    let agent = env!("CARGO_BIN_EXE_agent");
    let write = r#"'{"path":"b.txt","content":"x"}'"#;
    let program = Program::new();
    for nested in [
        format!("{agent} --mode bypass call write {write}"),
        format!("{agent} --mode auto_edit call write {write}"),
        format!("AGENT_MODE=auto_edit {agent} call write {write}"),
    ] {
        let args = serde_json::json!({ "command": nested }).to_string();
        let rules = ["--as", "model", "--allow", "shell:*"];
        let ran = program.run(&[&rules[..], &["call", "shell", &args]].concat());
        assert!(!ran.stdout().contains("exit code 0"), "{ran}");
        assert!(!program.at("b.txt").exists(), "{nested}");
    }
}

#[test]
fn what_the_caller_was_given_holds_below_a_models_call_and_cannot_be_shed() {
    let agent = env!("CARGO_BIN_EXE_agent");
    let write = r#"call write '{"path":"b.txt","content":"x"}'"#;
    let policy =
        "return { rules = { { 'edit', 'b.*', function() return 'deny', 'not this one' end } } }";
    let program = Program::new().file("own/permissions.lua", policy);
    let run = |mode: &str, nested: &str| {
        let args = serde_json::json!({ "command": nested }).to_string();
        let rules = ["--as", "model", "--tools", "own", "--allow", "shell:*"];
        program.run(&[&rules[..], &["--mode", mode, "call", "shell", &args]].concat())
    };
    let nested = format!("{agent} {write}");
    run("auto_edit", &nested).prints_part("not this one");
    let other = format!("{agent} call write '{{\"path\":\"c.txt\",\"content\":\"x\"}}'");
    run("auto_edit", &other).prints_part("created c.txt");
    let tighter = other
        .replace("c.txt", "d.txt")
        .replace(agent, &format!("{agent} --mode plan"));
    run("auto_edit", &tighter).prints_part("the mode `plan`");
    let deeper = format!("sh -c \"{agent} call list\"");
    run("auto_edit", &deeper).prints_part("exit code 0");
    for shed in [
        format!("AGENT_BELOW= {agent} {write}"),
        format!("env -u AGENT_BELOW {agent} {write}"),
        format!("env -i {agent} {write}"),
        format!("AGENT_BELOW='{{}}' {agent} {write}"),
        format!("D=DIR; env AGENT_CONFIG_$D=/tmp {agent} {write}"),
        format!("D=DIR; env AGENT_STATE_$D=$PWD/../elsewhere {agent} {write}"),
        format!("AGENT_DENY= AGENT_PERMISSION= AGENT_AS=user {agent} {write}"),
        format!("ulimit -R 1000; env -i HOME=$HOME {agent} {write}"),
        format!("ulimit -S -R 1000; env -i HOME=$HOME {agent} {write}"),
        format!("ulimit -R 0; {agent} {write}"),
    ] {
        let ran = run("auto_edit", &shed);
        assert!(!ran.stdout().contains("exit code 0"), "{shed}: {ran}");
        assert!(!program.at("b.txt").exists(), "{shed}");
    }
}

#[test]
fn what_a_link_called_agent_leads_to_is_protected_too() {
    let program = Program::new()
        .file(".git/HEAD", "x\n")
        .file("settings/notes.md", "x\n");
    std::os::unix::fs::symlink("settings", program.at(".agent")).unwrap();
    let run = |path: &str| {
        let args = serde_json::json!({ "path": path, "content": "x" }).to_string();
        program.run(&model(&[
            "--mode",
            "bypass",
            "--untrusted=ignore",
            "call",
            "write",
            &args,
        ]))
    };
    run("settings/init.lua").exits(3).says("critical");
    run(".agent/init.lua").exits(3).says("critical");
    run("other/init.lua").exits(0).stdout();
}
