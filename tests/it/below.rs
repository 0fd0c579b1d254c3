//! A model in its own shell, where programs of ours run below its call: it has there what it has above, and no word,
//! variable or folder gets it more.
//!
//! The person allowed every command here, so that each attempt meets the rules of the program below.

use std::fs;

use crate::program::Program;
use crate::running::Ran;
use crate::terminal::Terminal;

/// Runs a command of a model, under these options of the person.
fn model(program: &Program, options: &[&str], command: &str) -> Ran {
    let args = serde_json::json!({ "command": format!("{{ {command}; }} 2>&1") }).to_string();
    let call = ["--as", "model", "--allow", "shell:*"];
    program.run(&[&call[..], options, &["call", "shell", &args]].concat())
}

fn agent() -> &'static str {
    env!("CARGO_BIN_EXE_agent")
}

fn write(path: &str) -> String {
    let args = serde_json::json!({ "path": path, "content": "x" });
    format!("call write '{args}'")
}

/// Neither the command nor the program below it did what was asked.
fn refused(ran: Ran, command: &str) {
    let code = ran.code();
    let succeeded = ran.stdout().starts_with("exit code 0,");
    assert!(!succeeded && (code == 0 || code == 3), "{command}: {ran}");
    ran.stderr();
}

/// What lies among the saved approvals.
fn records(program: &Program) -> Vec<(String, String)> {
    let folder = fs::read_dir(program.at("../state/approvals")).unwrap();
    let mut records: Vec<_> = folder
        .map(|entry| {
            let path = entry.unwrap().path();
            (
                path.display().to_string(),
                fs::read_to_string(path).unwrap(),
            )
        })
        .collect();
    records.sort();
    records
}

#[test]
fn an_approval_is_neither_written_nor_taken_back() {
    let program = Program::new().file(".git/HEAD", "x\n");
    let mut terminal = Terminal::open(
        &program,
        &[
            "--as",
            "model",
            "call",
            "write",
            r#"{"path":"a.txt","content":"x"}"#,
        ],
    );
    terminal.wait_for("run it?");
    terminal.send("u\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    let before = records(&program);
    assert_eq!(before.len(), 1);
    let (file, record) = &before[0];
    let id = serde_json::from_str::<serde_json::Value>(record).unwrap()["id"].clone();
    let id = id.as_str().unwrap();
    let folder = program.at("../state/approvals").canonicalize().unwrap();
    let (folder, agent) = (folder.display(), agent());
    let forged = format!("{folder}/user-0123456789abcdef.json");
    let into = write(&forged);
    for command in [
        format!("{agent} permissions revoke {id}"),
        format!("{agent} --as user permissions revoke {id}"),
        format!("AGENT_AS=user {agent} permissions revoke {id}"),
        format!("env -u AGENT_AS {agent} permissions revoke {id}"),
        format!("{agent} eval 'os.execute(\"{agent} permissions revoke {id}\")'"),
        format!("{agent} {into}"),
        format!("{agent} --as user {into}"),
        format!("{agent} --mode bypass {into}"),
        format!("{agent} call delete {file}"),
        format!("{agent} eval 'tools.write(\"{forged}\", \"x\")'"),
        format!("{agent} eval 'io.open(\"{forged}\", \"w\"):write(\"x\")'"),
        format!("cp {file} {forged}"),
        format!("cd {folder} && echo x > user-0123456789abcdef.json"),
        format!("echo x | tee {forged}"),
        format!("ln -s /etc/passwd {forged}"),
        format!("rm -rf {folder}"),
        "echo x > $AGENT_STATE_DIR/approvals/user-0123456789abcdef.json".to_owned(),
    ] {
        for options in [&[][..], &["--mode", "bypass"]] {
            let ran = model(&program, options, &command);
            refused(ran, &command);
            assert_eq!(records(&program), before, "{command}");
        }
    }
}

#[test]
fn what_allows_the_caller_allows_below_and_nothing_more() {
    let program = Program::new()
        .file(".git/HEAD", "x\n")
        .file("o/x.lua", "return {}");
    let agent = agent();
    let run = |command: &str| model(&program, &["--allow", "edit:b*.txt"], command);
    run(&format!("{agent} {}", write("b1.txt"))).prints_part("created b1.txt");
    run(&format!("sh -c '{agent} call list'")).prints_part("b1.txt");
    let c = write("c.txt");
    for command in [
        format!("{agent} {c}"),
        format!("{agent} --as user {c}"),
        format!("{agent} --allow edit:c.txt {c}"),
        format!("{agent} --mode bypass {c}"),
        format!("{agent} --mode auto_edit {c}"),
        format!("AGENT_MODE=auto_edit {agent} {c}"),
        format!("AGENT_ALLOW=edit {agent} {c}"),
        format!("AGENT_PERMISSION='allow edit' {agent} {c}"),
        format!("AGENT_UNTRUSTED=ignore {agent} {c}"),
        format!("{agent} --no-config {c}"),
        format!("{agent} --tools o {c}"),
        format!("AGENT_AS=user HOME=/tmp {agent} {c}"),
        format!("XDG_CONFIG_HOME=/tmp XDG_STATE_HOME=/tmp {agent} {c}"),
        format!("env -u AGENT_BELOW AGENT_AS=user {agent} {c}"),
        format!("{agent} eval 'tools.write(\"c.txt\", \"x\")'"),
        format!("echo 'tools.write(\"c.txt\", \"x\")' | {agent} script -"),
        format!("(setsid -w {agent} --as user {c})"),
        format!("nohup {agent} --as user {c}"),
    ] {
        let ran = run(&command);
        assert!(!program.at("c.txt").exists(), "{command}: {ran}");
        refused(ran, &command);
    }
    let ran = run(&format!("{agent} -o json permissions list"));
    ran.prints_part(r#""rule":"edit:b*.txt""#);
}

#[test]
fn rules_mean_the_same_files_wherever_a_command_goes() {
    let program = Program::new()
        .file(".git/HEAD", "x\n")
        .file("sub/.git/HEAD", "x\n")
        .file("sub/secret/key.txt", "password\n")
        .file("sub/open.txt", "fine\n")
        .file("../home/private/key.txt", "password\n")
        .file("../other/.git/HEAD", "x\n")
        .file("../other/key.txt", "password\n");
    let agent = agent();
    let deny = [
        "--deny",
        "read:sub/secret/**",
        "--deny",
        "read:~/private/**",
    ];
    let home = program.at("../home").canonicalize().unwrap();
    let home = home.display();
    let run = |command: &str| model(&program, &deny, command);
    for command in [
        format!("cd sub && {agent} call read secret/key.txt"),
        format!("{agent} -C sub call read secret/key.txt"),
        format!("AGENT_CWD=sub {agent} call read secret/key.txt"),
        format!("cd sub && {agent} call grep password"),
        format!("HOME=/tmp {agent} call read {home}/private/key.txt"),
        format!("HOME={home}/private {agent} -C {home}/private call read key.txt"),
        format!("{agent} -C ../other call read key.txt"),
        format!("cd ../other; {agent} call read key.txt"),
        format!("cd ../other; {agent} call grep password"),
        format!("{agent} -C / call read {home}/../other/key.txt"),
    ] {
        let ran = run(&command);
        assert!(!ran.stdout().contains("password\n"), "{command}: {ran}");
        ran.stderr();
    }
    run(&format!("cd sub && {agent} call read open.txt")).prints_part("fine");
}
