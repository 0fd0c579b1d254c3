//! What a yes keeps at a real terminal: the words of a command, the folder of a file, and nothing that was not shown.
//!
//! And what of it is in the audit log.

use crate::approvals::saved;
use crate::program::Program;
use crate::terminal::Terminal;

/// A model's calls of `shell`, one after the other; each end is printed.
fn commands(program: &Program, lines: &[&str]) -> Terminal {
    let calls: String = lines
        .iter()
        .map(|line| format!("{{ tool = 'shell', args = {{ command = [[{line}]] }} }},"))
        .collect();
    let code = format!(
        "for i, call in ipairs(agent.replay {{ {calls} }}) do print(i .. ' ended ' .. (call.ok and 'ok' or call.kind)) end"
    );
    Terminal::open(program, &["eval", &code])
}

#[test]
fn always_keeps_the_first_words_of_a_command_and_asks_about_what_is_left_out() {
    let program = Program::new().file(".git/HEAD", "ref: refs/heads/main\n");
    let lines = [
        "git status --short && git log -1",
        "git status --ignored",
        "git log --output=x",
        "git log -2 | sh",
        "sh -c 'git status'",
    ];
    let mut terminal = commands(&program, &lines);
    terminal.wait_for("run it?");
    let screen = terminal.screen();
    assert!(
        screen.contains("always would allow shell:git status *\n"),
        "{screen}"
    );
    assert!(
        screen.contains("always would allow shell:git log *\n"),
        "{screen}"
    );
    terminal.send("p\r");
    for (asked, offered) in [
        ("git log --output=x\n", Some("shell:git log --output=x\n")),
        ("git log -2 | sh\n", None),
        ("sh -c 'git status'\n", Some("shell:sh -c 'git status'\n")),
    ] {
        terminal.wait_for(&format!("\n  {asked}"));
        terminal.wait_for("run it?");
        let screen = terminal.screen();
        let (_, question) = screen.rsplit_once(&format!("\n  {asked}")).unwrap();
        match offered {
            Some(rule) => assert!(
                question.contains(&format!("always would allow {rule}")),
                "{screen}"
            ),
            None => assert!(!question.contains("always"), "{screen}"),
        }
        terminal.send("n not this\r");
    }
    terminal.wait_for("5 ended rejected");
    let screen = terminal.screen();
    assert!(
        screen.contains("1 ended ok\n2 ended ok\n3 ended rejected"),
        "{screen}"
    );
    assert_eq!(terminal.exit_code(), 0, "{screen}");
    let rules: Vec<_> = saved(&program)
        .as_array()
        .unwrap()
        .iter()
        .map(|saved| saved["rule"].clone())
        .collect();
    assert_eq!(rules.len(), 2, "{rules:?}");
    let told = program.run(&["session", "audit", "-o", "json"]).json();
    let first = &told["calls"][0];
    assert_eq!(
        (&first["verdict"], &first["source"]),
        (&"ask".into(), &"default".into())
    );
    assert_eq!(first["answers"][0]["answer"], "project");
    assert_eq!(first["answers"][0]["rules"][0], "shell:git status *");
    let second = &told["calls"][1];
    assert_eq!(
        (&second["verdict"], &second["source"]),
        (&"allow".into(), &"session approval".into())
    );
    assert_eq!(second["answers"], serde_json::Value::Null);
}

#[test]
fn always_on_a_file_outside_covers_its_siblings() {
    let program = Program::new();
    let outside = tempfile::Builder::new().prefix("beside").tempdir().unwrap();
    let folder = outside.path().canonicalize().unwrap().join("data");
    for path in ["a.txt", "b.txt", "deep/c.txt"] {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "text of it\n").unwrap();
    }
    let folder = folder.display();
    let code = format!(
        "for i, call in ipairs(agent.replay {{
            {{ tool = 'read', args = {{ path = '{folder}/a.txt' }} }},
            {{ tool = 'read', args = {{ path = '{folder}/b.txt' }} }},
            {{ tool = 'read', args = {{ path = '{folder}/deep/c.txt' }} }} }}) do
            print(i .. ' ended ' .. (call.ok and 'ok' or call.kind)) end"
    );
    let mut terminal = Terminal::open(&program, &["eval", &code]);
    terminal.wait_for("run it?");
    let offered = format!("always would allow external_directory:{folder}/*\n");
    assert!(
        terminal.screen().contains(&offered),
        "{}",
        terminal.screen()
    );
    terminal.send("a\r");
    terminal.wait_for(&format!(
        "always would allow external_directory:{folder}/deep/*\n"
    ));
    terminal.wait_for("run it?");
    terminal.send("n\r");
    terminal.wait_for("1 ended ok\n2 ended ok\n3 ended rejected");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
}

#[test]
fn what_a_command_gets_besides_its_words_has_no_always() {
    let program = Program::new().file(".git/HEAD", "ref: refs/heads/main\n");
    let mut terminal = commands(&program, &["git status", "git status -s"]);
    terminal.wait_for("always would allow shell:git status *");
    terminal.wait_for("run it?");
    terminal.send("p\r");
    terminal.wait_for("2 ended ok");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    let call = |args: &str| ["--as", "model", "call", "shell", args].map(str::to_owned);
    let run = |args: &str| {
        let call = call(args);
        program.run(&call.iter().map(String::as_str).collect::<Vec<_>>())
    };
    run(r#"{"command":"git status -b"}"#).prints_part("exit code");
    for given in [
        r#"{"command":"git status","stdin":"x"}"#,
        r#"{"command":"git status","env":{"GIT_PAGER":"x"}}"#,
    ] {
        run(given).exits(3).says("nobody is there to ask");
        let call = call(given);
        let words: Vec<&str> = call.iter().map(String::as_str).collect();
        let mut terminal = Terminal::open(&program, &words);
        terminal.wait_for("run it?");
        assert!(
            !terminal.screen().contains("always"),
            "{}",
            terminal.screen()
        );
        terminal.send("n\r");
        assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
    }
}

#[test]
fn a_folder_that_leads_elsewhere_by_the_time_of_the_yes_is_asked_about_again() {
    let program = Program::new().file("one/x", "").file("two/x", "");
    let link = |to: &str| {
        let _ = std::fs::remove_file(program.at("sub"));
        std::os::unix::fs::symlink(to, program.at("sub")).unwrap();
    };
    link("one");
    let args = r#"{"command":"touch ran","cwd":"sub"}"#;
    let mut terminal = Terminal::open(&program, &["--as", "model", "call", "shell", args]);
    terminal.wait_for("/one\n");
    terminal.wait_for("run it?");
    link("two");
    terminal.send("y\r");
    terminal.wait_for("/two\n");
    terminal.wait_for("y\nshell asks");
    assert!(!program.at("one/ran").exists() && !program.at("two/ran").exists());
    terminal.send("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert!(!program.at("one/ran").exists() && program.at("two/ran").exists());
}

#[test]
fn a_file_that_changed_by_the_time_of_the_yes_is_asked_about_again() {
    let program = Program::new().file("../beside.txt", "one\n");
    let mut terminal = Terminal::open(
        &program,
        &["eval", "tools.write('../beside.txt', 'new\\n')"],
    );
    terminal.wait_for("-one");
    terminal.wait_for("run it?");
    program.write("../beside.txt", "two\n");
    terminal.send("y\r");
    terminal.wait_for("-two");
    assert_eq!(program.text("../beside.txt"), "two\n");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
    assert_eq!(program.text("../beside.txt"), "two\n");
}

#[test]
fn a_circle_that_was_allowed_is_recorded_with_who_allowed_it() {
    let program = Program::new().file("a.txt", "x\n");
    let call = "{ tool = 'read', args = { path = 'a.txt' } },".repeat(4);
    let code = format!(
        "for _, call in ipairs(agent.replay {{ {call} }}) do print(call.kind or 'fine') end"
    );
    let mut terminal = Terminal::open(&program, &["eval", &code]);
    terminal.wait_for("for the third time");
    terminal.wait_for("always would allow doom_loop:read");
    terminal.wait_for("run it?");
    terminal.send("y\r");
    terminal.wait_for("y\nread asks");
    terminal.wait_for("run it?");
    terminal.send("a\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert!(
        terminal.screen().contains("fine\nfine\nfine\nfine"),
        "{}",
        terminal.screen()
    );
    let told = program.run(&["session", "audit", "-o", "json"]).json();
    let third = &told["calls"][2];
    assert_eq!(
        (&third["verdict"], &third["source"]),
        (&"ask".into(), &"default".into())
    );
    assert_eq!(
        third["answers"],
        serde_json::json!([{ "about": ["doom_loop"], "answer": "once" }])
    );
    assert_eq!(
        told["calls"][3]["answers"],
        serde_json::json!([{ "about": ["doom_loop"], "answer": "session", "rules": ["doom_loop:read"] }])
    );
    assert!(
        third["reason"].as_str().unwrap().contains("third time"),
        "{third}"
    );
    program
        .run(&["session", "audit", "--call", "c3"])
        .prints_part("asked about doom_loop: the person said yes, this once\n");
    program
        .run(&["session", "audit", "--call", "c4"])
        .prints_part("the person said yes for good (session) to doom_loop:read\n");
}
