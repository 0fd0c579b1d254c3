//! Rules of the command line against the real program: what they reach, and that nothing slips past.
//!
//! Paths come back so that they can be given again, from whatever folder the program was started in.

use crate::program::Program;

fn workspace() -> Program {
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("a.txt", "password here\n")
        .file("secret/key.txt", "password=1\n")
        .file("sub/b.txt", "x\n")
}

#[test]
fn what_may_not_be_read_is_found_by_no_search() {
    let program = workspace();
    let deny = ["--deny", "read:secret/**"];
    for call in [
        &["call", "grep", "password"][..],
        &["call", "grep", r#"{"pattern":"password","show":"files"}"#],
        &["call", "glob", "**/*.txt"],
        &["call", "list", r#"{"depth":3}"#],
        &["call", "read", "."],
        &["eval", "table.concat(tools.grep('password').paths, ' ')"],
    ] {
        for caller in [&[][..], &["--as", "model"]] {
            if caller.len() == 2 && call[0] == "eval" {
                continue;
            }
            let ran = program.run(&[&deny[..], caller, call].concat());
            assert!(!ran.stdout().contains("key.txt"), "{ran}");
            assert!(!ran.stdout().contains("password=1"), "{ran}");
        }
    }
    program
        .run(&[&deny[..], &["call", "read", "secret/key.txt"]].concat())
        .exits(3)
        .says("denied");
    let ran = program.run(&[&deny[..], &["call", "grep", "password"]].concat());
    ran.prints_part("1 match in 1 file")
        .prints_part("withheld by a rule");
}

#[test]
fn what_may_not_be_changed_does_not_go_with_its_folder() {
    let program = workspace();
    for call in [
        &["call", "delete", "secret"][..],
        &["call", "move", r#"{"from":"secret","to":"other"}"#],
        &["call", "move", r#"{"from":"sub","to":"secret/sub"}"#],
    ] {
        for rule in ["edit:secret/*", "edit:secret/**", "edit:*.txt"] {
            let ran = program.run(&[&["--deny", rule], call].concat());
            ran.exits(3).says("denied");
        }
    }
    assert_eq!(program.text("secret/key.txt"), "password=1\n");
    program
        .run(&["--deny", "edit:nothing/*", "call", "delete", "secret"])
        .prints_part("deleted");
}

#[test]
fn paths_come_back_as_they_can_be_given_again() {
    let program = workspace()
        .file("sub/sub/b.txt", "another\n")
        .file("sub/deep/c.txt", "x\n");
    let code = "local all = {} \
        for _, p in ipairs(tools.glob('**/*.txt').paths) do all[#all + 1] = p .. '=' .. tools.read(p).text end \
        for _, m in ipairs(tools.grep('x').matches) do tools.edit(m.path, 'x', 'y') end \
        table.sort(all) return table.concat(all, '|'):gsub('\\n', '')";
    let ran = program.run(&["-C", "sub", "eval", code]);
    ran.prints_part("b.txt=x|deep/c.txt=x|sub/b.txt=another");
    assert_eq!(program.text("sub/b.txt"), "y\n");
    assert_eq!(program.text("sub/sub/b.txt"), "another\n");
    program
        .run(&["-C", "sub", "eval", "tools.read('../a.txt').path"])
        .prints("../a.txt\n");
    program
        .run(&[
            "-C",
            "sub",
            "--deny",
            "read:sub/b.txt",
            "call",
            "read",
            "b.txt",
        ])
        .exits(3)
        .says("denied");
}

#[test]
fn a_tool_of_ones_own_checks_its_types_too() {
    let tool = "return { description = 'c', effect = 'read', \
        parameters = { 'kind', kind = \"'all'|'one'\", max = { 'integer', default = 1, minimum = 1 } }, \
        execute = function(a) return a.kind .. a.max end }";
    let program = workspace().file("t/count.lua", tool);
    program
        .run(&["--tools", "t", "call", "count", "all"])
        .prints("all1\n");
    for (args, wrong) in [
        (r#"{"kind":"blink"}"#, "kind"),
        (r#"{"kind":"all","max":0}"#, "max"),
        (r#"{"kind":"all","max":"3"}"#, "max"),
        (r#"{"kind":5}"#, "kind"),
    ] {
        program
            .run(&["--tools", "t", "call", "count", args])
            .exits(1)
            .says(wrong);
    }
}

#[test]
fn a_guard_that_does_not_load_leaves_nothing_open() {
    let program = workspace().file("t/read.lua", "return { execute = = }\n");
    let ran = program.run(&["--tools", "t", "call", "read", "a.txt"]);
    ran.exits(1)
        .says("t/read.lua:1")
        .says("unavailable")
        .prints("");
    program
        .run(&["--tools", "t", "call", "list"])
        .prints_part("a.txt")
        .says("t/read.lua:1");
    program.write(
        "t/read.lua",
        "agent.on('tool.before', function() return 'deny', 'closed' end)\n",
    );
    program
        .run(&["--tools", "t", "call", "list"])
        .exits(3)
        .says("closed")
        .prints("");
}

#[test]
fn a_rule_that_names_nothing_is_refused_before_anything_runs() {
    let program = workspace();
    program
        .run(&["--deny", "raed:*", "call", "read", "a.txt"])
        .exits(2)
        .says("--deny 'raed:*': there is no tool or group raed; did you mean read?");
    program
        .run(&["--allow", "file.wriet", "tools"])
        .exits(2)
        .says("did you mean file.write?");
    for known in [
        "mcp.files.*",
        "mcp.files.read:/x",
        "re*",
        "file.write",
        "task",
    ] {
        let ran = program.run(&["--deny", known, "tools"]);
        ran.exits(0).prints_part("read");
    }
}

#[test]
fn a_rule_under_another_name_of_a_tool_means_that_tool() {
    let program = workspace();
    program
        .run(&["--deny", "bash:echo *", "call", "shell", "echo hi"])
        .exits(3)
        .says("denied");
}

#[test]
fn a_refusal_offers_the_rule_that_lifts_it() {
    let program = workspace();
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().canonicalize().unwrap().join("it's here.txt");
    let args = |path: &str| serde_json::json!({ "path": path, "content": "x" }).to_string();
    let escaped = outside.to_str().unwrap().replace('\'', r"'\''");
    let calls = [
        ("write", args("new.txt"), "edit:new.txt".to_owned()),
        (
            "write",
            args(outside.to_str().unwrap()),
            format!("edit:{escaped}"),
        ),
        (
            "shell",
            "env echo 'a  b' c".to_owned(),
            "shell:env echo a  b c".to_owned(),
        ),
    ];
    for (tool, args, rule) in calls {
        let call = ["--as", "model", "call", tool, &args];
        let hint = format!("allow it with --allow '{rule}'");
        program.run(&call).exits(3).says(&hint);
        let rule = rule.replace(r"'\''", "'");
        program
            .run(&[&["--allow", &rule], &call[..]].concat())
            .exits(0)
            .stdout();
    }
}

#[test]
fn a_rule_that_hardly_says_what_was_meant_is_told_of() {
    let program = workspace().file(
        "../config/tools/permissions.lua",
        "return { rules = { { 'read', 'secret/', 'deny' }, { 'edit', 'sub/**', 'deny' } } }",
    );
    let typed = [
        "--deny",
        "edit:secret",
        "--allow",
        "shell:ls && pwd",
        "--allow",
        "edit:/sub/**",
    ];
    let ran = program.run(&[&typed[..], &["call", "read", "a.txt"]].concat());
    let (told, _) = (ran.stderr(), ran.stdout());
    for part in [
        "`deny edit:secret` (command line): it holds for the folder itself and not for what lies in it; \
         `edit:secret/**` is both",
        "`allow shell:ls && pwd` (command line): it is held against one command at a time",
        "`allow edit:/sub/**` (command line): nothing stands at the path it begins with",
    ] {
        assert_eq!(told.matches(part).count(), 1, "{part}\n{ran}");
    }
    assert_eq!(told.lines().count(), 3, "{ran}");
    let of_file = "`deny read:secret/` (user, ";
    for args in [
        &["permissions", "list"][..],
        &["permissions", "explain", "read", "a.txt"],
        &["-v", "permissions", "list"],
        &["-v", "call", "read", "a.txt"],
    ] {
        let ran = program.run(args);
        let (told, _) = (ran.stderr(), ran.stdout());
        assert_eq!(told.matches(of_file).count(), 1, "{ran}");
        assert!(!told.contains("sub/**"), "{ran}");
    }
    let quiet = program.run(&["call", "read", "a.txt"]);
    quiet.prints_part("password here");
}
