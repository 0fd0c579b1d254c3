//! `agent permissions`: what is shown is what a call meets, and showing it does nothing.
//!
//! Every verdict that is explained is compared with what the call itself gets.

use serde_json::{Value, json};

use crate::program::Program;

fn workspace() -> Program {
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("a.txt", "one\n")
        .file("sub/b.txt", "two\n")
}

fn explained(program: &Program, options: &[&str], words: &[&str]) -> Value {
    let asked = ["permissions", "explain"];
    let ran = program.run(&[options, &["-o", "json"], &asked, words].concat());
    ran.exits(0).json()
}

#[test]
fn what_is_explained_is_what_the_call_meets() {
    let write = r#"{"path":"new.txt","content":"x"}"#;
    let edit = r#"{"path":"a.txt","old":"one","new":"two"}"#;
    let away = r#"{"from":"sub","to":"other"}"#;
    let calls: [(&str, &str); 9] = [
        ("read", "a.txt"),
        ("read", "/etc/passwd"),
        ("list", "sub"),
        ("write", write),
        ("edit", edit),
        ("move", away),
        ("delete", "sub"),
        ("delete", ".git"),
        ("shell", "true a"),
    ];
    let rules: [&[&str]; 7] = [
        &[],
        &["--deny", "read"],
        &["--deny", "edit:*.txt"],
        &["--deny", "shell:true *"],
        &["--allow", "file.write"],
        &["--allow", "shell:true *", "--allow", "edit:a.txt"],
        &["--allow", "*", "--deny", "edit:sub/**"],
    ];
    for caller in ["user", "model"] {
        for options in rules {
            for (tool, subject) in calls {
                if (caller, tool) == ("model", "edit") {
                    continue; // An unread file is a conflict before anything is judged.
                }
                let program = workspace();
                let options = [options, &["--as", caller]].concat();
                let told = explained(&program, &options, &[tool, subject]);
                let ran = program.run(&[&options[..], &["call", tool, subject]].concat());
                let met = match ran.code() {
                    3 => "refused",
                    _ => "allow",
                };
                let said = match told["verdict"].as_str().unwrap() {
                    "allow" => "allow",
                    _ => "refused",
                };
                let reason = told["reason"].as_str().unwrap();
                assert_eq!(said, met, "{options:?} {tool} {subject}: {told} {ran}");
                if met == "refused" {
                    ran.says(reason);
                }
                ran.stdout();
                ran.stderr();
            }
        }
    }
}

#[test]
fn a_command_is_explained_with_its_parts_and_what_would_change_it() {
    let program = workspace();
    let words = ["shell", "cd sub && git diff | head"];
    let options = ["--allow", "shell:git *", "--as", "model"];
    let told = explained(&program, &options, &words);
    let keys: Vec<&String> = told.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "version", "verdict", "reason", "trace", "commands", "paths", "mode", "lifting",
            "hooks", "may_call"
        ]
    );
    assert!(!told["commands"].as_array().unwrap().is_empty(), "{told}");
    for step in told["trace"].as_array().unwrap() {
        let keys: Vec<&String> = step.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["source", "rule", "action"]);
    }
    let page = |words: &[&str]| {
        let ran = program.run(&[&["permissions", "explain", "--as", "model"], words].concat());
        ran.stdout().to_owned()
    };
    let asked = page(&["shell", "make it"]);
    assert!(asked.starts_with("ask: "), "{asked}");
    assert!(asked.contains("--allow 'shell:make it'"), "{asked}");
    let denied = page(&["shell", "make it", "--deny", "shell:make *"]);
    assert!(denied.starts_with("deny: "), "{denied}");
    assert!(
        denied.contains("deny  command line  shell:make *"),
        "{denied}"
    );
    assert!(!denied.contains("--allow "), "{denied}");
    let strict = page(&["shell", "make it", "--mode", "dont_ask"]);
    assert!(strict.starts_with("deny: "), "{strict}");
    assert!(strict.contains("--allow 'shell:make it'"), "{strict}");
    let critical = page(&["delete", ".git"]);
    assert!(critical.contains("asked about every time"), "{critical}");
}

#[test]
fn a_path_is_shown_as_asked_and_as_it_really_is() {
    let program = workspace();
    std::os::unix::fs::symlink("/etc", program.at("link")).unwrap();
    let told = explained(&program, &["--as", "model"], &["write", "link/hosts"]);
    assert_eq!(
        told["paths"],
        json!([{ "group": "edit", "asked": "link/hosts", "real": "/etc/hosts", "inside": false,
            "verdict": "ask" }])
    );
    let ran = program.run(&["permissions", "explain", "read", "link/hosts"]);
    ran.prints_part("link/hosts → /etc/hosts, outside the workspace");
}

#[test]
fn no_file_need_be_there_and_no_argument_but_the_subject() {
    let program = workspace();
    let full = [
        ("write", "a.txt", r#"{"path":"a.txt","content":"x"}"#),
        ("edit", "a.txt", r#"{"path":"a.txt","old":"one","new":"x"}"#),
        ("glob", "sub", r#"{"pattern":"*","path":"sub"}"#),
        ("grep", "sub", r#"{"pattern":"x","path":"sub"}"#),
        (
            "apply_patch",
            "a.txt",
            r#"{"patch":"*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch"}"#,
        ),
        (
            "move",
            r#"{"from":"a.txt","to":"sub/b.txt"}"#,
            r#"{"from":"a.txt","to":"sub/c.txt"}"#,
        ),
        (
            "apply_patch",
            r#"{"patch":"*** Begin Patch\n*** Delete File: gone.txt\n*** End Patch"}"#,
            r#"{"patch":"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"}"#,
        ),
    ];
    for caller in ["user", "model"] {
        for (tool, part, whole) in full {
            let told = |subject: &str| explained(&program, &["--as", caller], &[tool, subject]);
            let (part, whole) = (told(part), told(whole));
            let groups = |told: &Value| -> Vec<Value> {
                let paths = told["paths"].as_array().unwrap().iter();
                let mut groups: Vec<Value> = paths.map(|path| path["group"].clone()).collect();
                groups.dedup(); // The fixed folders of a glob are read too.
                groups
            };
            assert_eq!(part["verdict"], whole["verdict"], "{tool}");
            assert_eq!(part["trace"], whole["trace"], "{tool}");
            assert_eq!(groups(&part), groups(&whole), "{tool}");
            assert!(!groups(&part).is_empty(), "{tool}");
        }
    }
    let told = explained(&program, &["--as", "model"], &["edit", "not/there.txt"]);
    assert_eq!(told["paths"][0]["asked"], "not/there.txt");
    let gone = explained(&program, &[], &["delete", "not/there.txt"]);
    assert_eq!(gone["verdict"], "allow");
    assert_eq!(program.text("a.txt"), "one\n");
}

#[test]
fn what_cannot_be_explained_is_an_error_of_its_kind() {
    let program = workspace();
    let explain = |words: &[&str]| program.run(&[&["permissions", "explain"], words].concat());
    explain(&["raed", "a.txt"]).exits(1).says("did you mean");
    explain(&["edit", r#"{"paht":"a.txt"}"#])
        .exits(1)
        .says("there is no parameter `paht`");
    explain(&["edit", "{}"]).exits(1).says("missing `path`");
    explain(&["edit", r#"{"path":"#]).exits(2).says("no JSON");
    let ran = explain(&["raed", "a.txt", "-o", "json"]);
    assert_eq!(ran.exits(1).json()["error"]["kind"], "not_found");
    program.run(&["permissions"]).exits(2).says("list");
}

#[test]
fn explaining_runs_no_hook_and_no_work_of_a_tool() {
    let tool = "agent.on('tool.before', function() error('it ran') end)
        agent.on('tool.definition', function() error('it ran') end)
        return { description = 'd', effect = 'write', parameters = { 'name', 'more' },
            subjects = function(a) return 'about ' .. a.name end,
            plan = function() tools.write('ran.txt', 'x') return {} end,
            execute = function() tools.write('ran.txt', 'x') end }";
    let program = workspace().file("t/mine.lua", tool);
    let options = ["--tools", "t", "--as", "model"];
    let asked = explained(&program, &options, &["mine", "this"]);
    assert_eq!(asked["verdict"], "ask", "{asked}");
    let denied = [&options[..], &["--deny", "mine:about *"]].concat();
    let denied = explained(&program, &denied, &["mine", "this"]);
    assert_eq!(denied["verdict"], "deny", "{denied}");
    let ran = program.run(&["--tools", "t", "permissions", "explain", "mine", "this"]);
    ran.prints_part("allow: ").prints_part("about this");
    assert!(!program.at("ran.txt").exists());
}

#[test]
fn the_list_shows_every_rule_with_where_it_stands() {
    let policy = "return { rules = { { 'shell', 'make *', 'allow' },
        { 'edit', 'gen/**', 'deny', reason = 'it is generated' } } }";
    let program = workspace()
        .file("../config/tools/permissions.lua", policy)
        .file("AGENTS.md", "```permissions\ndeny read:secrets/**\n```\n")
        .env("AGENT_PERMISSION", "ask network");
    let ran = program.run(&["permissions", "list", "--deny", "edit:x/**", "-o", "json"]);
    let rules = ran.json()["rules"].clone();
    let rows = rules.as_array().unwrap().iter();
    let rows: Vec<String> = rows
        .map(|rule| {
            let word = |name: &str| rule[name].as_str().unwrap().to_owned();
            format!("{}: {} {}", word("source"), word("action"), word("rule"))
        })
        .filter(|row| !row.starts_with("shipped"))
        .collect();
    assert_eq!(
        rows,
        [
            "project instructions: deny read:secrets/**",
            "user: allow shell:make *",
            "user: deny edit:gen/**",
            "environment: ask network",
            "command line: deny edit:x/**",
        ]
    );
    let own = rules.as_array().unwrap().iter();
    let own = own.rev().find(|rule| rule["source"] == "user").unwrap();
    assert_eq!(own["reason"], "it is generated");
    assert!(own["place"].as_str().unwrap().ends_with("permissions.lua"));
    let planned = program.run(&["permissions", "list", "--mode", "plan", "-o", "json"]);
    assert_eq!(planned.json()["mode"], "plan");
    program
        .run(&["permissions", "list"])
        .prints_part("mode default\n")
        .prints_part("AGENTS.md")
        .prints_part("permissions.lua: it is generated\n")
        .prints_part("The weakest source stands first");
}

#[test]
fn a_tool_in_the_place_of_a_shipped_one_is_explained_as_that_one() {
    let program = workspace()
        .file("t/read.lua", "return function(read) return { description = 'd', effect = 'read', parameters = { 'path' },
            execute = function(a) return read.execute(a) end } end")
        .file("t/write.lua", "return { description = 'd', effect = 'write', parameters = { 'path', 'content' },
            execute = function() end }")
        .file("t/shell.lua", "return { description = 'd', effect = 'run', parameters = { 'command', 'why' },
            execute = function() end }");
    for (tool, subject) in [
        ("read", "sub/b.txt"),
        ("read", "not/there.txt"),
        ("write", "new.txt"),
        ("write", ".git/config"),
        ("write", "/etc/x"),
        ("shell", "cd sub && make it > out"),
    ] {
        for more in [
            &[][..],
            &["--deny", "edit:*.txt"],
            &["--deny", "read:sub/**"],
        ] {
            let options = [&["--as", "model"], more].concat();
            let shipped = explained(&program, &options, &[tool, subject]);
            let options = [&options[..], &["--tools", "t"]].concat();
            let shadow = explained(&program, &options, &[tool, subject]);
            for part in ["verdict", "paths", "commands", "reason"] {
                assert_eq!(shadow[part], shipped[part], "{tool} {subject}: {shadow}");
            }
        }
    }
}
